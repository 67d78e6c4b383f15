// SPDX-License-Identifier: MIT
// What the user does to lanes, through real mouse, wheel and key events.
#include "gui/paint/lane_labels.h"
#include "gui/paint/words/lane_names.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/filter_bar.h"
#include "gui/timeline/lane_scroll.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"
#include "gui/timeline/timeline_view.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <QContextMenuEvent>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

using namespace lanes;
using namespace lanes::gui;

class tst_LaneHand : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_view.reset(); }

    void pinKeepsALaneWhileTheOthersScroll();
    void withoutAMouseTheSelectionsLaneIsMeant();
    void hiddenLanesAreCountedAndShownByAClick();
    void collapses_data();
    void collapses();
    void aCollapsedGpuStillSelectsItsOperations();
    void dragMovesALane();
    void dragGoesNowhereItMayNot();
    void escapeEndsADrag();
    void movingByKeysHoldsOnToTheLane();
    void collapseAllAndBack();
    void resetPutsAllBack();
    void menuIsOfTheLaneUnderTheMouse();
    void menuKeyIsOfTheSelectionsLane();
    void tipHasTheWholeName();
    void scrollBarCanBeDragged();
    void selectingScrollsUnderThePinnedLanes();
    void aRecordingKeepsItsArrangementWhereverItIsShown();
    void paintsEveryState();
    void groupsByEngine();
    void filtersWhatItIsAsked();
    void filterAndGroupingAreOfBothRecordings();

private:
    std::size_t lane(LaneKind kind, int nth = 0) const
    {
        const auto& lanes = m_view->timeline().model()->lanes();
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            if (lanes[i].key.kind == kind && nth-- == 0) {
                return i;
            }
        }
        return lanes.size();
    }
    const LaneKey& key(std::size_t lane) const { return m_view->timeline().model()->lanes()[lane].key; }
    /// In the middle of a lane's name.
    QPoint nameOf(std::size_t lane) const
    {
        const TimelineFrame frame = m_view->timeline().frame();
        const PlacedLane* placed = m_view->timeline().lanes().layout().find(lane);
        return {60, frame.yOf(*placed) + placed->height / 2};
    }
    QPoint rowsOf(std::size_t lane) const { return {m_view->width() - 40, nameOf(lane).y()}; }
    QPoint triangleOf(std::size_t lane) const
    {
        for (int x = 0; x < m_view->timeline().frame().geometry.labelWidth; ++x) {
            const QPoint at(x, nameOf(lane).y());
            if (const LabelHit hit = labelAt(m_view->timeline().frame(), at);
                hit.part == LabelPart::triangle && hit.lane == lane) {
                return at + QPoint(5, 0);
            }
        }
        return {};
    }
    void move(QPoint at, Qt::MouseButtons buttons = Qt::NoButton)
    {
        QMouseEvent event(
            QEvent::MouseMove, at, m_view->mapToGlobal(QPointF(at)), Qt::NoButton, buttons, Qt::NoModifier);
        QApplication::sendEvent(m_view.get(), &event);
    }
    void press(QPoint at, QPoint to)
    {
        QTest::mousePress(m_view.get(), Qt::LeftButton, {}, at);
        move((at + to) / 2, Qt::LeftButton);
        move(to, Qt::LeftButton);
    }
    void drag(QPoint at, QPoint to)
    {
        press(at, to);
        QTest::mouseRelease(m_view.get(), Qt::LeftButton, {}, to);
    }
    void wheel(int notches)
    {
        const QPointF at(600, 200);
        QWheelEvent event(at, m_view->mapToGlobal(at), {}, {0, notches * 120}, Qt::NoButton, Qt::NoModifier,
            Qt::NoScrollPhase, false);
        QApplication::sendEvent(m_view.get(), &event);
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(m_view.get(), key, modifiers); }
    std::vector<std::size_t> order() const
    {
        std::vector<std::size_t> lanes;
        for (const PlacedLane& placed : m_view->timeline().lanes().layout().lanes()) {
            lanes.push_back(placed.lane);
        }
        return lanes;
    }
    std::ptrdiff_t placeOf(std::size_t lane) const
    {
        const auto all = order();
        return std::find(all.begin(), all.end(), lane) - all.begin();
    }

    std::unique_ptr<TimelineView> m_view;
};

void tst_LaneHand::init()
{
    m_view = std::make_unique<TimelineView>();
    m_view->resize(1000, 240);
    m_view->timeline().choose({LaneGrouping::stream, {}, LaneOrder::cpuFirst});
    m_view->timeline().openRecording(samples::everything());
    m_view->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    QVERIFY(ScrollBar::of(m_view->timeline().frame()));  // more than fits
}

void tst_LaneHand::pinKeepsALaneWhileTheOthersScroll()
{
    const std::size_t thread = lane(LaneKind::thread, 1);
    move(rowsOf(thread));
    key(Qt::Key_P);
    QVERIFY(m_view->timeline().state().arrangement.isPinned(key(thread)));
    QCOMPARE(placeOf(thread), 1);
    const int pinned = nameOf(thread).y();
    const int other = nameOf(lane(LaneKind::thread)).y();
    wheel(-1);
    QVERIFY(m_view->timeline().state().scroll > 0);
    QCOMPARE(nameOf(thread).y(), pinned);
    QCOMPARE(nameOf(lane(LaneKind::overlap)).y(), nameOf(lane(LaneKind::overlap)).y());
    QCOMPARE(nameOf(lane(LaneKind::thread)).y(), other - m_view->timeline().state().scroll);
    move(rowsOf(thread));
    QCOMPARE(m_view->timeline().target().lane(), std::optional(thread));  // not the one that scrolled under it
    key(Qt::Key_P);
    QVERIFY(!m_view->timeline().state().arrangement.isPinned(key(thread)));
    QCOMPARE(placeOf(thread), 2);
}

void tst_LaneHand::withoutAMouseTheSelectionsLaneIsMeant()
{
    QVERIFY(!m_view->timeline().target().lane());
    key(Qt::Key_H);
    QCOMPARE(m_view->timeline().lanes().layout().hidden(), std::size_t(0));
    m_view->timeline().select({ItemKind::operation, 3});
    const auto place = m_view->timeline().model()->find({ItemKind::operation, 3});
    QCOMPARE(m_view->timeline().target().lane(), std::optional(place->lane));
    key(Qt::Key_H);
    QVERIFY(m_view->timeline().lanes().layout().find(place->lane) == nullptr);
    QVERIFY(!boxOf(m_view->timeline().frame(), {ItemKind::operation, 3}));
    m_view->grab();
}

void tst_LaneHand::hiddenLanesAreCountedAndShownByAClick()
{
    for (const int nth : {0, 1}) {
        move(nameOf(lane(LaneKind::thread, nth)));
        key(Qt::Key_H);
    }
    QCOMPARE(m_view->timeline().lanes().layout().hidden(), std::size_t(2));
    wheel(-100);
    const TimelineFrame frame = m_view->timeline().frame();
    const QPoint at(60, frame.footerTop() + 5);
    QCOMPARE(labelAt(frame, at).part, LabelPart::hidden);
    move(at);
    QCOMPARE(m_view->cursor().shape(), Qt::PointingHandCursor);
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, at);
    QCOMPARE(m_view->timeline().lanes().layout().hidden(), std::size_t(0));
}

void tst_LaneHand::collapses_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("way");
    for (const auto& [name, kind] : {std::pair("thread", LaneKind::thread), std::pair("gpu", LaneKind::gpu),
             std::pair("stream", LaneKind::stream)}) {
        for (const char* way : {"key", "triangle", "double click"}) {
            QTest::addRow("%s by %s", name, way) << int(kind) << QString::fromLatin1(way);
        }
    }
}

void tst_LaneHand::collapses()
{
    QFETCH(int, kind);
    QFETCH(QString, way);
    m_view->resize(1000, 900);
    const std::size_t lane = this->lane(static_cast<LaneKind>(kind));
    const int before = m_view->timeline().lanes().layout().height();
    for (const bool collapsed : {true, false}) {
        if (way == QLatin1String("key")) {
            move(nameOf(lane));
            key(Qt::Key_C);
        } else if (way == QLatin1String("triangle")) {
            QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, triangleOf(lane));
        } else {
            QTest::mouseDClick(m_view.get(), Qt::LeftButton, {}, nameOf(lane));
        }
        QCOMPARE(m_view->timeline().state().arrangement.isCollapsed(key(lane)), collapsed);
        QCOMPARE(m_view->timeline().lanes().layout().find(lane)->collapsed, collapsed);
    }
    QCOMPARE(m_view->timeline().lanes().layout().height(), before);
}

void tst_LaneHand::aCollapsedGpuStillSelectsItsOperations()
{
    const std::size_t gpu = lane(LaneKind::gpu);
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, triangleOf(gpu));
    const ItemRef item = m_view->timeline().model()->lanes()[lane(LaneKind::stream)].rows[0].itemAt(0);
    m_view->timeline().select(item);
    const QRectF box = *boxOf(m_view->timeline().frame(), item);
    const PlacedLane* placed = m_view->timeline().lanes().layout().find(gpu);
    QVERIFY(box.top() >= m_view->timeline().frame().yOf(*placed)
        && box.bottom() <= m_view->timeline().frame().yOf(*placed) + placed->height);
    m_view->timeline().select({});
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, box.center().toPoint());
    QCOMPARE(m_view->timeline().selection().kind, ItemKind::operation);
}

void tst_LaneHand::dragMovesALane()
{
    QSignalSpy changed(&m_view->timeline(), &Timeline::lanesChanged);
    m_view->resize(1000, 900);
    const std::size_t first = lane(LaneKind::thread);
    const std::size_t second = lane(LaneKind::thread, 1);
    drag(nameOf(second), nameOf(first) - QPoint(0, 8));
    QVERIFY(placeOf(second) < placeOf(first));
    QVERIFY(!changed.isEmpty());
    QVERIFY(!m_view->timeline().state().highlights.range);
    drag(nameOf(second), nameOf(lane(LaneKind::thread, 2)) + QPoint(0, 8));
    QVERIFY(placeOf(second) > placeOf(lane(LaneKind::thread, 2)));
    const std::size_t gpu = lane(LaneKind::gpu, 1);
    drag(nameOf(gpu), nameOf(first) - QPoint(0, 8));  // with its streams
    QCOMPARE(placeOf(gpu), 1);
    QCOMPARE(headOf(m_view->timeline().model()->lanes(), order()[2]), std::optional(gpu));
    // A press that hardly moves is a click.
    const auto before = order();
    drag(nameOf(first), nameOf(first) + QPoint(0, 1));
    QCOMPARE(order(), before);
    QCOMPARE(m_view->timeline().target().lane(), std::optional(first));
}

void tst_LaneHand::dragGoesNowhereItMayNot()
{
    m_view->resize(1000, 900);
    const auto before = order();
    const std::size_t stream = lane(LaneKind::stream);
    drag(nameOf(stream), nameOf(lane(LaneKind::overlap)));  // the nearest place is its own
    QCOMPARE(order(), before);
    drag(nameOf(lane(LaneKind::overlap)), nameOf(stream));
    QCOMPARE(order(), before);
}

void tst_LaneHand::escapeEndsADrag()
{
    m_view->resize(1000, 900);
    const auto before = order();
    press(nameOf(lane(LaneKind::thread, 1)), nameOf(lane(LaneKind::thread)) - QPoint(0, 8));
    key(Qt::Key_Escape);
    QTest::mouseRelease(m_view.get(), Qt::LeftButton, {}, nameOf(lane(LaneKind::thread)));
    QCOMPARE(order(), before);
}

void tst_LaneHand::movingByKeysHoldsOnToTheLane()
{
    m_view->resize(1000, 900);
    const std::size_t last = lane(LaneKind::thread, 2);
    move(nameOf(last));
    key(Qt::Key_Up, Qt::AltModifier);
    key(Qt::Key_Up, Qt::AltModifier);  // the mouse rests on another one by now
    QCOMPARE(placeOf(last), 1);
    key(Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(placeOf(last), 1);
    key(Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(placeOf(last), 2);
    const std::size_t other = lane(LaneKind::stream);
    move(nameOf(other));
    QCOMPARE(m_view->timeline().target().lane(), std::optional(other));
}

void tst_LaneHand::collapseAllAndBack()
{
    m_view->timeline().arrange({});  // quiet threads open collapsed
    const int before = m_view->timeline().lanes().layout().height();
    key(Qt::Key_C, Qt::ShiftModifier);
    for (const PlacedLane& placed : m_view->timeline().lanes().layout().lanes()) {
        const LaneKind kind = key(placed.lane).kind;
        QCOMPARE(placed.collapsed, kind == LaneKind::thread || kind == LaneKind::stream || kind == LaneKind::gpuTime);
    }
    QVERIFY(m_view->timeline().lanes().layout().height() < before);
    key(Qt::Key_C, Qt::ShiftModifier);
    QVERIFY(m_view->timeline().state().arrangement.isEmpty());
    QCOMPARE(m_view->timeline().lanes().layout().height(), before);
}

void tst_LaneHand::resetPutsAllBack()
{
    const auto before = order();
    for (const Qt::Key one : {Qt::Key_P, Qt::Key_C, Qt::Key_H}) {
        move(nameOf(lane(LaneKind::thread)));
        key(one);
    }
    QVERIFY(order() != before);
    key(Qt::Key_H, Qt::ShiftModifier);
    QCOMPARE(m_view->timeline().lanes().layout().hidden(), std::size_t(0));
    QVERIFY(!m_view->timeline().state().arrangement.isEmpty());
    key(Qt::Key_R, Qt::ShiftModifier);
    QVERIFY(m_view->timeline().state().arrangement.isEmpty());
    QCOMPARE(order(), before);
}

void tst_LaneHand::menuIsOfTheLaneUnderTheMouse()
{
    QSignalSpy wanted(m_view.get(), &TimelineView::laneMenuRequested);
    const std::size_t thread = lane(LaneKind::thread);
    QContextMenuEvent event(QContextMenuEvent::Mouse, nameOf(thread), m_view->mapToGlobal(nameOf(thread)));
    QApplication::sendEvent(m_view.get(), &event);
    QCOMPARE(wanted.count(), 1);
    QEvent leave(QEvent::Leave);  // since the menu takes the mouse
    QApplication::sendEvent(m_view.get(), &leave);
    m_view->perform(TimelineAction::hideLane);
    QVERIFY(m_view->timeline().lanes().layout().find(thread) == nullptr);
    QContextMenuEvent inPlot(QContextMenuEvent::Mouse, QPoint(600, 100), m_view->mapToGlobal(QPoint(600, 100)));
    QApplication::sendEvent(m_view.get(), &inPlot);
    QCOMPARE(wanted.count(), 1);
}

void tst_LaneHand::menuKeyIsOfTheSelectionsLane()
{
    QSignalSpy wanted(m_view.get(), &TimelineView::laneMenuRequested);
    QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(), QPoint());
    QApplication::sendEvent(m_view.get(), &event);
    QCOMPARE(wanted.count(), 0);
    m_view->timeline().select({ItemKind::call, 0});
    QApplication::sendEvent(m_view.get(), &event);
    QCOMPARE(wanted.count(), 1);
    QVERIFY(m_view->rect().contains(m_view->mapFromGlobal(wanted[0][0].toPoint())));
}

void tst_LaneHand::tipHasTheWholeName()
{
    for (const LaneKind kind : {LaneKind::overlap, LaneKind::thread, LaneKind::gpu}) {
        move(nameOf(lane(kind)));
        const QString tip = m_view->overlay().tip.join(u'\n');
        QVERIFY2(tip.contains(laneName(*m_view->timeline().model(), lane(kind)).title), qPrintable(tip));
        QVERIFY2(tip.contains(QStringLiteral("visible")), qPrintable(tip));
    }
    m_view->timeline().setScope({Scope::Of::selected, {0, 1'000'000}});
    move(nameOf(lane(LaneKind::thread)) + QPoint(1, 0));
    QVERIFY(m_view->overlay().tip.join(u'\n').contains(QStringLiteral("waited for a GPU")));
    QVERIFY(m_view->overlay().tip.join(u'\n').contains(QStringLiteral("selected 1.00 ms")));
}

void tst_LaneHand::scrollBarCanBeDragged()
{
    const ScrollBar bar = *ScrollBar::of(m_view->timeline().frame());
    drag(bar.thumb.center().toPoint(), bar.track.bottomLeft().toPoint() + QPoint(3, 50));
    QCOMPARE(m_view->timeline().state().scroll, bar.most);
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, bar.track.topLeft().toPoint() + QPoint(3, 2));
    QCOMPARE(m_view->timeline().state().scroll, 0);
    QVERIFY(!m_view->timeline().state().highlights.range);
    m_view->resize(1000, 1200);
    QVERIFY(!ScrollBar::of(m_view->timeline().frame()));
}

void tst_LaneHand::selectingScrollsUnderThePinnedLanes()
{
    move(nameOf(lane(LaneKind::thread)));
    key(Qt::Key_P);
    wheel(-100);
    const ItemRef item = m_view->timeline().model()->lanes()[lane(LaneKind::thread, 1)].rows[0].itemAt(0);
    m_view->timeline().select(item);
    QVERIFY(boxOf(m_view->timeline().frame(), item)->top() >= m_view->timeline().frame().scrollTop());
    QVERIFY(boxOf(m_view->timeline().frame(), item)->bottom() <= m_view->height());
}

void tst_LaneHand::aRecordingKeepsItsArrangementWhereverItIsShown()
{
    ComparisonView both;
    both.resize(1000, 700);
    const RecordingPtr a = samples::everything();
    const RecordingPtr b = samples::copyResultsBack({});
    both.pair().open({a, b});
    both.show();
    LaneArrangement arrangement;
    arrangement.hide(both.side(0).model()->lanes().back().key);  // of the second GPU, which b has not
    both.side(0).arrange(arrangement);
    QCOMPARE(both.side(0).lanes().layout().hidden(), std::size_t(1));
    both.pair().open({b, a});
    QCOMPARE(both.side(0).lanes().layout().hidden(), std::size_t(0));
    QCOMPARE(both.side(1).lanes().layout().hidden(), std::size_t(1));
    both.pair().open({a});
    QCOMPARE(both.side(0).lanes().layout().hidden(), std::size_t(1));
    both.pair().open({b});
    both.pair().open({a});
    QVERIFY(!both.side(0).state().arrangement.hides());  // it was closed in between
}

void tst_LaneHand::paintsEveryState()
{
    // Whatever is pinned, collapsed and scrolled: no two lanes paint over each other's names.
    for (const int height : {120, 200, 300, 900}) {
        m_view->resize(1000, height);
        for (const auto& [one, modifiers] : {std::pair(Qt::Key_P, Qt::NoModifier), std::pair(Qt::Key_C, Qt::NoModifier),
                 std::pair(Qt::Key_C, Qt::ShiftModifier)}) {
            m_view->timeline().select({ItemKind::operation, 3});
            key(one, modifiers);
            wheel(-1);
            const TimelineFrame frame = m_view->timeline().frame();
            int sticky = frame.geometry.lanesTop();
            for (const PlacedLane& placed : m_view->timeline().lanes().layout().lanes()) {
                if (frame.isSticky(placed)) {
                    QCOMPARE(frame.yOf(placed), sticky);
                    sticky += placed.height;
                }
            }
            QCOMPARE(sticky, frame.scrollTop());
            QVERIFY(!m_view->grab().isNull());
        }
    }
}

void tst_LaneHand::groupsByEngine()
{
    const auto& operations = m_view->timeline().recording()->trace->operations;
    m_view->timeline().select({ItemKind::operation, 3});
    key(Qt::Key_G);
    QCOMPARE(m_view->timeline().selection(), (ItemRef {ItemKind::operation, 3}));
    std::size_t found = 0;
    for (Row row = 0; row < operations.size(); ++row) {
        const auto place = m_view->timeline().model()->find({ItemKind::operation, row});
        QVERIFY(place);
        const LaneKey& of = key(place->lane);
        QCOMPARE(of.kind, LaneKind::engine);
        QCOMPARE(of.id, std::uint32_t(engineOf(operations.kind[row])));
        QCOMPARE(of.device, m_view->timeline().recording()->trace->streams[operations.stream[row]].device);
        found += boxOf(m_view->timeline().frame(), {ItemKind::operation, row}).has_value();
    }
    QCOMPARE(found, operations.size());
    QCOMPARE(key(lane(LaneKind::gpu) + 1).id, std::uint32_t(Engine::sm));
    m_view->grab();
    key(Qt::Key_G);
    QCOMPARE(m_view->timeline().model()->find({ItemKind::operation, 3}).has_value(), true);
    QCOMPARE(lane(LaneKind::engine), m_view->timeline().model()->lanes().size());
}

void tst_LaneHand::filtersWhatItIsAsked()
{
    const RecordingPtr recording = m_view->timeline().recording();
    for (const char* text : {"kind:kernel", "elementwise dur>30us", "stream:20", "thread:loader",
             "kind:p2p or kind:memset", "nothing-has-this-name"}) {
        for (const LaneGrouping grouping : {LaneGrouping::stream, LaneGrouping::engine}) {
            const auto query = std::make_shared<const Query>(Query::parse(text));
            const QueryMatcher matcher(*query, *recording->trace, recording->blocking.get());
            m_view->timeline().choose({grouping, query});
            const auto agrees = [&](ItemKind kind, std::size_t count, auto matches) {
                for (Row row = 0; row < count; ++row) {
                    QVERIFY2(m_view->timeline().model()->find({kind, row}).has_value() == matches(row), text);
                }
            };
            const Trace& t = *recording->trace;
            agrees(ItemKind::operation, t.operations.size(), [&](Row row) { return matcher.operation(row); });
            agrees(ItemKind::call, t.calls.size(),
                [&](Row row) { return matcher.call(row) && t.calls.outer[row] == no_row; });
            agrees(ItemKind::range, t.ranges.size(), [&](Row row) { return matcher.range(row); });
            agrees(ItemKind::read, t.reads.size(), [&](Row row) { return matcher.read(row); });
            for (const Lane& lane : m_view->timeline().model()->lanes()) {
                QVERIFY(lane.key.kind == LaneKind::gpu || lane.key.kind == LaneKind::overlap || !lane.rows.empty());
            }
            m_view->grab();
        }
    }
    m_view->timeline().choose({});
    const LaneModel all(recording);
    QCOMPARE(m_view->timeline().lanes().layout().lanes().size(), LaneArrangement().arrange(all.lanes()).lanes.size());
}

void tst_LaneHand::filterAndGroupingAreOfBothRecordings()
{
    ComparisonView both;
    both.resize(1000, 700);
    both.pair().open({samples::everything(), samples::copyResultsBack({})});
    both.show();
    QTest::keyClick(both.view(1), Qt::Key_G);
    QCOMPARE(both.side(0).state().choice.grouping, LaneGrouping::engine);
    both.filterBar()->open();
    QTest::keyClicks(both.filterBar()->field(), QStringLiteral("kind:d2h"));
    QTest::keyClick(both.filterBar()->field(), Qt::Key_Return);
    QCOMPARE(both.filterBar()->statusText(), QStringLiteral("8 shown"));
    QCOMPARE(both.side(0).state().choice, both.side(1).state().choice);
    QCOMPARE(both.side(1).model()->lanes().back().key.id, std::uint32_t(Engine::d2h));
    both.grab();
    QTest::keyClicks(both.filterBar()->field(), QStringLiteral(" kind:"));  // not yet a query: nothing changes
    QTest::keyClick(both.filterBar()->field(), Qt::Key_Return);
    QVERIFY(both.filterBar()->statusText().startsWith(QStringLiteral("Column")));
    QCOMPARE(both.side(0).state().choice.filterText(), std::string("kind:d2h"));
    QTest::mouseClick(both.filterBar()->findChild<QPushButton*>(QStringLiteral("clearFilter")), Qt::LeftButton);
    QVERIFY(both.filterBar()->isHidden());
    QVERIFY(!both.side(0).state().choice.filter);
}

QTEST_MAIN(tst_LaneHand)
#include "tst_lane_hand.moc"
