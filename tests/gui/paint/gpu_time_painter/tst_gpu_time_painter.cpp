// SPDX-License-Identifier: MIT
// The graph of a GPU's time: its columns against sums over all operations at any zoom, its pixels, its figures.
#include "gui/lanes/lane_arrangement.h"
#include "gui/paint/drawn_texts.h"
#include "gui/paint/frame_hits.h"
#include "gui/paint/lane_figure.h"
#include "gui/paint/lane_labels.h"
#include "gui/paint/over/gpu_time_painter.h"
#include "gui/paint/timeline_painter.h"
#include "gui/paint/words/time_format.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <algorithm>
#include <cmath>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

namespace {

std::size_t graphOf(const LaneModel& model)
{
    const auto& lanes = model.lanes();
    return static_cast<std::size_t>(std::find_if(lanes.begin(), lanes.end(), [](const Lane& lane) {
        return lane.key.kind == LaneKind::gpuTime;
    }) - lanes.begin());
}

/// Side by side, compute alone, exposed of one GPU; of recordings without communication.
std::array<Ns, 3> expected(const Trace& trace, std::uint32_t device, Interval range)
{
    std::vector<Interval> compute;
    std::vector<Interval> others;
    for (std::size_t i = 0; i < trace.operations.size(); ++i) {
        if (trace.streams[trace.operations.stream[i]].device == device) {
            (trace.operations.kind[i] == OperationKind::kernel ? compute : others)
                .push_back({trace.operations.start[i], trace.operations.end[i]});
        }
    }
    const IntervalSet a = clip(unite(std::move(compute)), range);
    const IntervalSet b = clip(unite(std::move(others)), range);
    const Ns both = length(intersect(a, b));
    return {both, length(a) - both, length(b) - both};
}

std::vector<GpuTimeColumn> columnsOf(const TimelineFrame& frame, const Lane& lane)
{
    return gpuTimeColumns(
        {frame.scale, frame.columns(), frame.ratio, double(frame.geometry.labelWidth), frame.model.duration()}, lane);
}

}  // namespace

class tst_GpuTimePainter : public QObject {
    Q_OBJECT

private slots:
    void columnsAreRightAtAnyZoom_data();
    void columnsAreRightAtAnyZoom();
    void panningChangesNoColumn();
    void aPointOfItIsWhatIsExposedThere();
    void itsFiguresAreOfTheRange();
    void itsFiguresLieInTheLane();
    void anExposedStretchIsNoLongerThanTheView();
    void itIsDrawnInItsColours();
};

void tst_GpuTimePainter::columnsAreRightAtAnyZoom_data()
{
    QTest::addColumn<double>("share");  // of the recording in sight
    QTest::addColumn<double>("ratio");
    for (const double share : {1.3, 1.0, 0.1, 0.003}) {
        for (const double ratio : {1.0, 1.5, 2.0}) {
            QTest::addRow("%g of it, %g", share, ratio) << share << ratio;
        }
    }
}

void tst_GpuTimePainter::columnsAreRightAtAnyZoom()
{
    QFETCH(double, share);
    QFETCH(double, ratio);
    const LaneModel model(samples::everything());
    FrameGeometry geometry;
    geometry.size = {1000, 600};
    const LaneLayout layout(model.lanes(), LaneArrangement().arrange(model.lanes()), geometry.lanesHeight());
    const Lane& lane = model.lanes()[graphOf(model)];
    const auto whole = static_cast<double>(model.duration());
    int compared = 0;
    for (const double at : {0.0, 0.2, 0.37, 0.5, 0.81}) {
        const auto from = static_cast<Ns>(share >= 1 ? -0.1 * whole : at * whole);
        const TimelineFrame frame {model, layout, Theme::named(QStringLiteral("light")),
            TimeScale::showing(
                from, from + static_cast<Ns>(share * whole), static_cast<int>(geometry.plotWidth() * ratio)),
            geometry, ratio, {}, {}, {}};
        double last = geometry.labelWidth;
        for (const GpuTimeColumn& column : columnsOf(frame, lane)) {
            QVERIFY(column.x0 >= last && column.x1 > column.x0 && column.x1 <= geometry.size.width());
            QVERIFY(column.x1 - column.x0 <= std::round(3 * ratio) / ratio + 1e-9);
            last = column.x1;
            const bool isCut = column.x0 == geometry.labelWidth || column.x1 == geometry.size.width();
            if (isCut) {  // of all of its time, of which a part is in sight
                continue;
            }
            const auto edge = [&](double x) {
                return std::clamp<Ns>(
                    frame.scale.startOf(frame.scale.first() + std::llround((x - geometry.labelWidth) * ratio)), 0,
                    model.duration());
            };
            const Interval range {edge(column.x0), edge(column.x1)};
            const auto times = expected(model.trace(), lane.key.device, range);
            const auto length = static_cast<double>(range.end - range.start);
            QVERIFY(std::abs(column.sideBySide - static_cast<double>(times[0]) / length) < 1e-9);
            QVERIFY(std::abs(column.computeAlone - static_cast<double>(times[1]) / length) < 1e-9);
            QVERIFY(std::abs(column.exposed - static_cast<double>(times[2]) / length) < 1e-9);
            QVERIFY(column.sideBySide + column.computeAlone + column.exposed <= 1 + 1e-9);
            ++compared;
        }
    }
    QVERIFY(compared > 20);
}

void tst_GpuTimePainter::panningChangesNoColumn()
{
    const LaneModel model(samples::everything());
    FrameGeometry geometry;
    geometry.size = {1000, 600};
    const LaneLayout layout(model.lanes(), LaneArrangement().arrange(model.lanes()), geometry.lanesHeight());
    const Lane& lane = model.lanes()[graphOf(model)];
    TimelineFrame frame {model, layout, Theme::named(QStringLiteral("light")),
        TimeScale::showing(0, model.duration() / 2, geometry.plotWidth()), geometry, 1, {}, {}, {}};
    const auto before = columnsOf(frame, lane);
    frame.scale = frame.scale.panned(7);
    const auto panned = columnsOf(frame, lane);
    std::size_t same = 0;
    for (const GpuTimeColumn& a : before) {
        same += static_cast<std::size_t>(std::count_if(panned.begin(), panned.end(), [&](const GpuTimeColumn& b) {
            return a.x0 - 7 == b.x0 && a.x1 - 7 == b.x1 && a.sideBySide == b.sideBySide
                && a.computeAlone == b.computeAlone && a.exposed == b.exposed;
        }));
    }
    QVERIFY(before.size() > 10);
    QVERIFY(same + 5 >= before.size());
}

/// A click on orange selects the copy that no kernel hides.
void tst_GpuTimePainter::aPointOfItIsWhatIsExposedThere()
{
    const LaneModel model(samples::everything());
    FrameGeometry geometry;
    geometry.size = {1000, 1200};
    const LaneLayout layout(model.lanes(), LaneArrangement().arrange(model.lanes()), geometry.lanesHeight());
    const std::size_t graph = graphOf(model);
    const TimelineFrame frame {model, layout, Theme::named(QStringLiteral("light")),
        TimeScale::showing(0, model.duration(), geometry.plotWidth()), geometry, 1, {}, {}, {}};
    const PlacedLane* placed = layout.find(graph);
    QVERIFY(placed != nullptr);
    const auto& ops = model.trace().operations;
    int exposed = 0, nothing = 0;
    for (const GpuTimeColumn& column : columnsOf(frame, model.lanes()[graph])) {
        const QPointF at((column.x0 + column.x1) / 2, frame.yOf(*placed) + placed->height / 2.0);
        const ItemRef hit = itemAt(frame, at);
        if (column.exposed > 0.9) {
            QCOMPARE(hit.kind, ItemKind::operation);
            QVERIFY(ops.kind[hit.row] != OperationKind::kernel);
            QVERIFY(ops.start[hit.row] <= frame.timeAt(column.x1) && ops.end[hit.row] >= frame.timeAt(column.x0));
            QVERIFY(tipAt(frame, hit, at).last().startsWith(QStringLiteral("exposed: ")));
            ++exposed;
        } else if (!hit) {
            ++nothing;
        }
    }
    QVERIFY(exposed > 0 && nothing > 0);
}

void tst_GpuTimePainter::itsFiguresAreOfTheRange()
{
    const LaneModel model(samples::everything());
    const std::size_t lane = graphOf(model);
    for (const Interval range :
        {Interval {0, model.duration()}, Interval {model.duration() / 5, model.duration() / 3}}) {
        const auto figure = figureOf(model, lane, {Scope::Of::visible, range});
        QVERIFY(figure);
        QCOMPARE(figure->what, LaneFigure::What::gpuTime);
        QCOMPARE(figure->parts, expected(model.trace(), model.lanes()[lane].key.device, range));
        QCOMPARE(figure->time, figure->parts[0] + figure->parts[1] + figure->parts[2]);
        QVERIFY(figure->sentence().startsWith(figure->text()));
    }
}

/// The least lane that shows them has room for all three, letters below the line included, under the lane's share.
void tst_GpuTimePainter::itsFiguresLieInTheLane()
{
    const LaneModel model(samples::everything());
    FrameGeometry geometry;
    geometry.size = {1200, 900};
    const LaneLayout layout(model.lanes(), LaneArrangement().arrange(model.lanes()), geometry.lanesHeight());
    const TimelineFrame frame {model, layout, Theme::named(QStringLiteral("light")),
        TimeScale::showing(0, model.duration(), geometry.plotWidth()), geometry, 1, {}, {}, {}};
    PlacedLane placed = *layout.find(graphOf(model));
    placed.height = least_with_times;
    QImage image(geometry.size, QImage::Format_RGB32);
    image.fill(frame.theme.background);
    QPainter painter(&image);
    LabelPainter labels;
    paintGpuTimeFigures(frame, placed, {1'000'000, 2'000'000, 3'000'000}, painter, labels, false);
    painter.end();
    int lowest = -1, highest = image.height();
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < geometry.labelWidth; ++x) {
            const bool isInk = image.pixelColor(x, y) != frame.theme.background;
            lowest = isInk ? y : lowest;
            highest = isInk ? std::min(highest, y) : highest;
        }
    }
    QVERIFY(lowest > frame.yOf(placed));
    const auto pill = pillBoxOf(frame, placed);
    QVERIFY(pill && pill->top() > frame.yOf(placed));
    constexpr double outline = 0.6;  // of a selection's figures
    QVERIFY2(highest >= pill->bottom() + outline, qPrintable(QString::number(highest - pill->bottom())));
    constexpr int edge = 1;
    QVERIFY2(lowest < frame.yOf(placed) + placed.height - edge,
        qPrintable(QString::number(lowest - frame.yOf(placed) - placed.height)));
}

/// The lane's own figure beside it is of what is in view, too.
void tst_GpuTimePainter::anExposedStretchIsNoLongerThanTheView()
{
    const LaneModel model(samples::everything());
    FrameGeometry geometry;
    geometry.size = {1200, 1200};
    const LaneLayout layout(model.lanes(), LaneArrangement().arrange(model.lanes()), geometry.lanesHeight());
    const LaneRow& exposed = model.lanes()[graphOf(model)].rows[2];
    Interval longest {0, 0};
    for (std::size_t i = 0; i < exposed.items.size(); ++i) {
        const Interval each {exposed.items.start(i), exposed.items.end(i)};
        longest = length(each) > length(longest) ? each : longest;
    }
    const Ns cut = length(longest) / 4;
    const TimelineFrame frame {model, layout, Theme::named(QStringLiteral("light")),
        TimeScale::showing(longest.start + cut, longest.end - cut, geometry.plotWidth()), geometry, 1, {}, {}, {}};
    QImage image(geometry.size, QImage::Format_RGB32);
    DrawnTexts drawn;
    {
        QPainter painter(&image);
        LabelPainter labels;
        paintExposedLengths(frame, gpuGraphs(frame), painter, labels, false);
    }
    const Ns seen = exposed.busyIn(frame.scale.timeAt(0), frame.scale.timeAt(frame.columns()));
    QVERIFY(seen > 0 && seen < length(longest));
    QVERIFY(std::any_of(
        drawn.texts.begin(), drawn.texts.end(), [&](const DrawnText& text) { return text.text == formatTime(seen); }));
    QVERIFY(std::none_of(drawn.texts.begin(), drawn.texts.end(),
        [&](const DrawnText& text) { return text.text == formatTime(length(longest)); }));
}

/// As a picture and as a drawing: the same colours; the strips of what is exposed are there, too.
void tst_GpuTimePainter::itIsDrawnInItsColours()
{
    const LaneModel model(samples::everything());
    FrameGeometry geometry;
    geometry.size = {1200, 900};
    const LaneLayout layout(model.lanes(), LaneArrangement().arrange(model.lanes()), geometry.lanesHeight());
    for (const QString& theme : Theme::names()) {
        const TimelineFrame frame {model, layout, Theme::named(theme),
            TimeScale::showing(0, model.duration(), geometry.plotWidth()), geometry, 1, {}, {}, {}};
        QImage image(geometry.size, QImage::Format_RGB32);
        TimelinePainter().paint(frame, image);
        const auto countIn = [&](const QRect& box, ItemRole role) {
            int count = 0;
            for (int y = box.top(); y <= box.bottom(); ++y) {
                for (int x = box.left(); x <= box.right(); ++x) {
                    count += image.pixel(x, y) == frame.theme.item(role).rgb() ? 1 : 0;
                }
            }
            return count;
        };
        std::array<double, 3> drawn {};
        int marked = 0;
        for (const PlacedLane& placed : layout.lanes()) {
            const int y = frame.yOf(placed) - placed.y;
            if (placed.markHeight > 0) {
                marked += countIn(QRect(geometry.labelWidth, y + placed.markY, geometry.plotWidth(), placed.markHeight),
                    ItemRole::exposed);
            }
            if (placed.lane != graphOf(model)) {
                continue;
            }
            const QRect box(geometry.labelWidth, y + placed.curveY, geometry.plotWidth(), placed.curveHeight);
            const std::array roles {ItemRole::sideBySide, ItemRole::computeAlone, ItemRole::exposedTime};
            for (std::size_t i = 0; i < roles.size(); ++i) {
                drawn[i] = static_cast<double>(countIn(box, roles[i])) / (box.width() * box.height());
            }
        }
        const auto times = expected(model.trace(), 0, {0, model.duration()});
        for (std::size_t i = 0; i < drawn.size(); ++i) {
            const double share = static_cast<double>(times[i]) / static_cast<double>(model.duration());
            QVERIFY2(std::abs(drawn[i] - share) < 0.04,
                qPrintable(QStringLiteral("%1 %2 of %3").arg(theme).arg(i).arg(share)));
        }
        QVERIFY(marked > 0);
    }
}

QTEST_MAIN(tst_GpuTimePainter)
#include "tst_gpu_time_painter.moc"
