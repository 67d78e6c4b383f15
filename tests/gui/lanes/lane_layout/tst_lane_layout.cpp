// SPDX-License-Identifier: MIT
#include "gui/lanes/lane_layout.h"
#include "tests/engine/analysis/tape.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <QTest>

using namespace lanes;
using namespace lanes::gui;

class tst_LaneLayout : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_model = std::make_unique<LaneModel>(samples::everything());
        m_arrangement.reset();
    }
    void lanesFollowOneAnother();
    void rowsLieInTheirLaneAndApart();
    void usesTheRoomThereIs();
    void shrinksNoFurtherThanReadable();
    void nothingScrollsForTheMargin();
    void shrinksFurtherToShowAllLanes();
    void hitsTheTopmostRow();
    void collapsedLanesAreThin();
    void aCollapsedGpuShowsTheRowsOfItsStreams();
    void graphsTakeThePlaceOfTheRibbon();
    void anIterationHasItsStreamsAlone();
    void whatSeldomOverlapsLeavesTheLaneItsHeight();
    void hiddenLanesHaveNoPlace();
    void pinnedLanesStickUnlessTheyFillTheView();
    void aWindowOfWholeLanes();

private:
    LaneLayout laidOut(int height) const { return {m_model->lanes(), m_arrangement.arrange(m_model->lanes()), height}; }
    void hideGraphs()
    {
        for (const Lane& lane : m_model->lanes()) {
            if (lane.key.kind == LaneKind::gpuTime) {
                m_arrangement.hide(lane.key);
            }
        }
    }
    std::size_t firstOf(LaneKind kind) const
    {
        const auto& lanes = m_model->lanes();
        return static_cast<std::size_t>(std::find_if(lanes.begin(), lanes.end(), [&](const Lane& lane) {
            return lane.key.kind == kind;
        }) - lanes.begin());
    }

    LaneArrangement m_arrangement;
    std::unique_ptr<LaneModel> m_model;
};

void tst_LaneLayout::lanesFollowOneAnother()
{
    for (const int height : {0, 300, 500, 700, 2000}) {
        const LaneLayout layout = laidOut(height);
        int y = 0;
        for (const PlacedLane& lane : layout.lanes()) {
            QCOMPARE(lane.y, y);
            QVERIFY(lane.height > 0);
            y += lane.height;
        }
        QCOMPARE(layout.lanesHeight(), y);
    }
}

void tst_LaneLayout::rowsLieInTheirLaneAndApart()
{
    for (const int height : {0, 400, 900, 2000}) {
        const LaneLayout layout = laidOut(height);
        for (std::size_t l = 0; l < layout.lanes().size(); ++l) {
            const PlacedLane& lane = layout.lanes()[l];
            const Lane& of = m_model->lanes()[lane.lane];
            QCOMPARE(lane.rows.size(), of.key.kind == LaneKind::gpuTime ? 0 : of.rows.size());
            for (std::size_t r = 0; r < lane.rows.size(); ++r) {
                QVERIFY(lane.rows[r].y >= lane.y && lane.rows[r].y + lane.rows[r].height <= lane.y + lane.height);
                if (r > 0 && of.rows[r].overlay) {
                    QCOMPARE(lane.rows[r].y, lane.rows[r - 1].y);
                } else if (r > 0) {
                    QVERIFY(lane.rows[r].y >= lane.rows[r - 1].y + lane.rows[r - 1].height + 1);
                }
            }
        }
    }
}

void tst_LaneLayout::usesTheRoomThereIs()
{
    const int natural = LaneLayout::heightOf(m_model->lanes(), m_arrangement.arrange(m_model->lanes()));
    for (const int height : {natural, natural + 60, natural + 200}) {
        const LaneLayout layout = laidOut(height);
        QVERIFY(layout.height() <= height);
        QVERIFY(layout.height() > height - 30);
    }
    QCOMPARE(laidOut(100'000).height(), laidOut(200'000).height());
}

void tst_LaneLayout::shrinksNoFurtherThanReadable()
{
    const LaneLayout layout = laidOut(10);
    QVERIFY(layout.height() > 10);
    for (std::size_t l = 0; l < layout.lanes().size(); ++l) {
        const LaneKind kind = m_model->lanes()[layout.lanes()[l].lane].key.kind;
        QVERIFY(layout.lanes()[l].height >= (kind == LaneKind::overlap ? 12 : 20));  // one line of text
        for (const PlacedRow& row : layout.lanes()[l].rows) {
            const bool band = m_model->lanes()[row.lane].rows[row.row].kind == ItemKind::band;
            QVERIFY(row.height >= (band ? 5 : 8));
        }
    }
}

/// The margin under the lanes shrinks before anything is out of sight, and comes back if all scrolls.
void tst_LaneLayout::nothingScrollsForTheMargin()
{
    const LaneLayout least = laidOut(0);
    QVERIFY(least.footerHeight() > 10);
    for (int room = least.lanesHeight(); room <= least.height(); ++room) {
        QCOMPARE(laidOut(room).height(), room);
        QCOMPARE(laidOut(room).lanesHeight(), least.lanesHeight());
    }
}

/// From the height at which they all fit, though lower than is comfortable; below it they scroll, and are readable.
void tst_LaneLayout::shrinksFurtherToShowAllLanes()
{
    const LaneLayout least = laidOut(0);
    const int tightest = LaneLayout::tightestHeight(m_model->lanes(), m_arrangement.arrange(m_model->lanes()));
    QVERIFY2(tightest < least.lanesHeight() * 9 / 10, qPrintable(QString::number(tightest)));
    for (int room = tightest; room < least.lanesHeight(); ++room) {
        const LaneLayout layout = laidOut(room);
        QCOMPARE(layout.height(), room);
        for (const PlacedLane& lane : layout.lanes()) {
            const LaneKind kind = m_model->lanes()[lane.lane].key.kind;
            QVERIFY(lane.height >= (kind == LaneKind::overlap ? 10 : 16));  // a line of text yet
        }
    }
    QCOMPARE(laidOut(tightest - 1).height(), least.height());
}

void tst_LaneLayout::hitsTheTopmostRow()
{
    const LaneLayout layout = laidOut(800);
    QCOMPARE(layout.laneAt(-1), -1);
    QCOMPARE(layout.laneAt(layout.lanesHeight()), -1);
    for (std::size_t l = 0; l < layout.lanes().size(); ++l) {
        const PlacedLane& lane = layout.lanes()[l];
        QCOMPARE(layout.laneAt(lane.y), static_cast<int>(l));
        QCOMPARE(layout.laneAt(lane.y + lane.height - 1), static_cast<int>(l));
        for (std::size_t r = 0; r < lane.rows.size(); ++r) {
            const int hit = layout.rowAt(static_cast<int>(l), lane.rows[r].y + 1);
            QVERIFY(hit >= static_cast<int>(r));
            QCOMPARE(lane.rows[static_cast<std::size_t>(hit)].y, lane.rows[r].y);
        }
        QCOMPARE(layout.rowAt(static_cast<int>(l), lane.y), -1);
    }
}

void tst_LaneLayout::collapsedLanesAreThin()
{
    const std::size_t thread = firstOf(LaneKind::thread);
    const LaneLayout before = laidOut(0);
    m_arrangement.setCollapsed(m_model->lanes()[thread].key, true);
    const LaneLayout layout = laidOut(0);
    const PlacedLane& lane = *layout.find(thread);
    QVERIFY(lane.collapsed);
    QVERIFY(lane.height < before.find(thread)->height);
    QVERIFY(lane.rows.size() >= 2);  // calls, and the blocked ones under them
    for (const PlacedRow& row : lane.rows) {
        const ItemKind kind = m_model->lanes()[row.lane].rows[row.row].kind;
        QVERIFY(kind == ItemKind::call || kind == ItemKind::blocked);
        QCOMPARE(row.y, lane.rows.front().y);
        QCOMPARE(row.over, &row != &lane.rows.front());
    }
    QCOMPARE(layout.height(), before.height() - before.find(thread)->height + lane.height);
}

void tst_LaneLayout::aCollapsedGpuShowsTheRowsOfItsStreams()
{
    const std::size_t gpu = firstOf(LaneKind::gpu);
    m_arrangement.setCollapsed(m_model->lanes()[gpu].key, true);
    const LaneLayout layout = laidOut(800);
    for (std::size_t l = gpu + 1; m_model->lanes()[l].key.kind == LaneKind::stream; ++l) {
        QVERIFY(layout.find(l) == nullptr);
        for (std::size_t r = 0; r < m_model->lanes()[l].rows.size(); ++r) {
            const auto place = layout.find(l, r);
            QVERIFY(place);
            QCOMPARE(place->lane, layout.find(gpu));
            QVERIFY(place->row->y >= place->lane->y
                && place->row->y + place->row->height <= place->lane->y + place->lane->height);
        }
    }
}

/// Where GPUs come first; with their graphs hidden it is back.
void tst_LaneLayout::graphsTakeThePlaceOfTheRibbon()
{
    const auto hasRibbon = [&](const LaneArrangement& arrangement) {
        const auto shown = arrangement.arrange(m_model->lanes()).lanes;
        return std::any_of(shown.begin(), shown.end(),
            [&](const ArrangedLane& lane) { return m_model->lanes()[lane.lane].key.kind == LaneKind::overlap; });
    };
    QCOMPARE(m_model->lanes()[1].key.kind, LaneKind::gpu);
    QVERIFY(!hasRibbon({}));
    hideGraphs();
    QVERIFY(hasRibbon(m_arrangement));
}

void tst_LaneLayout::anIterationHasItsStreamsAlone()
{
    const ArrangedLanes all = LaneArrangement().arrange(m_model->lanes());
    for (const lanes::Interval span :
        {lanes::Interval {0, m_model->duration()}, lanes::Interval {m_model->duration() / 3, m_model->duration() / 2},
            lanes::Interval {m_model->duration() + 1, m_model->duration() + 2}}) {
        const ArrangedLanes some = all.withoutEmptyStreams(m_model->lanes(), span);
        std::vector<std::size_t> expected, found;
        for (const ArrangedLane& arranged : all.lanes) {
            const Lane& lane = m_model->lanes()[arranged.lane];
            bool any = lane.key.kind != LaneKind::stream;
            for (const LaneRow& row : lane.rows) {
                for (std::size_t i = 0; i < row.items.size(); ++i) {
                    any = any || (row.items.start(i) < span.end && row.items.end(i) > span.start);
                }
            }
            if (any) {
                expected.push_back(arranged.lane);
            }
        }
        for (const ArrangedLane& arranged : some.lanes) {
            found.push_back(arranged.lane);
        }
        QCOMPARE(found, expected);
    }
}

/// One kernel beside others halved all bars of the lane.
void tst_LaneLayout::whatSeldomOverlapsLeavesTheLaneItsHeight()
{
    const auto heightsOf = [](int beside, int room) {
        Tape tape;
        for (int i = 0; i < 40; ++i) {
            const Ns at = 10'000 * (i + 1);
            tape.kernel(tape.call("cudaLaunchKernel", at, at + 100), 13, at + 200, at + 9000);
            if (i < beside) {
                tape.kernel(tape.call("cudaLaunchKernel", at + 110, at + 190), 13, at + 300, at + 8000);
            }
        }
        tape.copy(tape.call("cudaMemcpyAsync", 900'000, 900'100), 13, 900'200, 900'900, CopyKind::h2d,
            MemoryKind::pinned, true);
        const LaneModel model(ShownRecording::of(tape.finish()));
        const LaneLayout layout(model.lanes(), LaneArrangement().arrange(model.lanes()), room);
        std::vector<int> heights;
        for (const PlacedLane& placed : layout.lanes()) {
            if (model.lanes()[placed.lane].key.part == StreamPart::compute) {
                for (const PlacedRow& row : placed.rows) {
                    heights.push_back(row.height);
                }
            }
        }
        return heights;
    };
    for (const int room : {180, 300, 400, 600}) {
        const auto alone = heightsOf(0, room), one = heightsOf(1, room), all = heightsOf(40, room);
        QCOMPARE(alone.size(), std::size_t {1});
        QCOMPARE(one.size(), std::size_t {2});
        QCOMPARE(all.size(), std::size_t {2});
        QVERIFY2(one[0] * 10 >= alone[0] * 7, qPrintable(QStringLiteral("%1 of %2").arg(one[0]).arg(alone[0])));
        QVERIFY(one[1] * 2 <= one[0]);
        QCOMPARE(all[0], all[1]);  // both matter
        QVERIFY2(room < 300 || alone[0] >= 54, qPrintable(QString::number(alone[0])));
    }
}

void tst_LaneLayout::hiddenLanesHaveNoPlace()
{
    const std::size_t thread = firstOf(LaneKind::thread);
    m_arrangement.hide(m_model->lanes()[thread].key);
    const LaneLayout layout = laidOut(800);
    QVERIFY(layout.find(thread) == nullptr);
    QVERIFY(!layout.find(thread, 0));
    QCOMPARE(layout.hidden(), std::size_t(1));
    QCOMPARE(layout.lanes().size() + 1, LaneArrangement().arrange(m_model->lanes()).lanes.size());
}

void tst_LaneLayout::pinnedLanesStickUnlessTheyFillTheView()
{
    hideGraphs();
    const std::size_t ribbon = firstOf(LaneKind::overlap);
    const LaneLayout plain = laidOut(300);
    QCOMPARE(plain.stickyHeight(), plain.find(ribbon)->height);
    const std::size_t stream = firstOf(LaneKind::stream);
    m_arrangement.setPinned(m_model->lanes()[stream].key, true);
    const LaneLayout layout = laidOut(300);
    QCOMPARE(layout.find(stream)->y, layout.find(ribbon)->height);
    QCOMPARE(layout.stickyHeight(), layout.find(stream)->y + layout.find(stream)->height);
    for (const Lane& lane : m_model->lanes()) {
        m_arrangement.setPinned(lane.key, true);
    }
    QCOMPARE(laidOut(100).stickyHeight(), 0);  // else nothing could be scrolled to
}

/// Wherever the view is scrolled: no edge of the window cuts a lane, and what it adds or leaves out is half a lane.
void tst_LaneLayout::aWindowOfWholeLanes()
{
    constexpr int room = 200;
    const LaneLayout layout = laidOut(room);
    QVERIFY(layout.height() > room);
    for (int scroll = 0; scroll <= layout.height() - room; ++scroll) {
        const LaneLayout::Window window = layout.wholeLanes({scroll, room});
        const int top = window.scroll + layout.stickyHeight(), bottom = window.scroll + window.height;
        QVERIFY(bottom > top);
        for (const PlacedLane& lane : layout.lanes()) {
            const int end = lane.y + lane.height;
            if (end <= layout.stickyHeight()) {
                continue;
            }
            const bool shown = lane.y >= top && end <= bottom;
            QVERIFY(shown || end <= top || lane.y >= bottom);
            const int seen = std::min(end, scroll + room) - std::max(lane.y, scroll + layout.stickyHeight());
            QVERIFY(shown ? seen > 0 : seen < std::max(lane.height, 1));
            QVERIFY(!shown || seen * 2 >= lane.height || seen == room - layout.stickyHeight());
        }
    }
    const int all = layout.height();
    QCOMPARE(layout.wholeLanes({0, all}), (LaneLayout::Window {0, all}));
    QCOMPARE(layout.wholeLanes({all - room, room}).scroll + layout.wholeLanes({all - room, room}).height, all);
}

QTEST_GUILESS_MAIN(tst_LaneLayout)
#include "tst_lane_layout.moc"
