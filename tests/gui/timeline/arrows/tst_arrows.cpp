// SPDX-License-Identifier: MIT
#include "engine/store/recording_file.h"
#include "gui/paint/over/arrows.h"
#include "gui/timeline/timeline_view.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <algorithm>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

namespace {

RecordingPtr recorded(const char* name)
{
    return ShownRecording::of(
        open_recording(qgetenv("LANES_SOURCE").toStdString() + "/resources/recordings/h200/" + name + ".sqlite"));
}

}  // namespace

class tst_Arrows : public QObject {
    Q_OBJECT

private slots:
    void arrowsInSight();
    void withinARowItLiesUnderTheBars();
    void endsOutOfSightStandAtTheEdge();
    void bothEndsOutOfSight();
    void labelsAtTheEdgeLieOnNoBars();
    void hiddenLanesAreSaid();
    void clickOnAnEdgeGoesThere();
    void allArrowsWhereTheyFit();
};

namespace {

/// A frame of a recording at the time that it shows.
struct Stage {
    explicit Stage(const RecordingPtr& recording, Interval shown, LaneArrangement arrangement = {})
        : model(recording)
        , layout(model.lanes(), arrangement.arrange(model.lanes()), 360)
    {
        geometry.size = {1000, 420};
        geometry.labelWidth = 200;
        scale = TimeScale::showing(shown.start, shown.end, geometry.plotWidth());
    }
    TimelineFrame frame() const { return {model, layout, Theme::named({}), scale, geometry, 1, {}, {}}; }
    LaneModel model;
    LaneLayout layout;
    FrameGeometry geometry;
    TimeScale scale;
    LabelPainter labels;
};

/// An operation that was issued, and its link.
Link issueOf(const RecordingPtr& recording, Row operation)
{
    return linksOf(*recording, {ItemKind::operation, operation}).front();
}

}  // namespace

void tst_Arrows::arrowsInSight()
{
    const RecordingPtr recording = samples::copyResultsBack({});
    Stage stage(recording, {0, recording->trace->duration});
    const auto arrows = layoutArrows(stage.frame(), {issueOf(recording, 5)}, true, stage.labels);
    QCOMPARE(arrows.size(), std::size_t {1});
    QVERIFY(!arrows[0].from && !arrows[0].to && arrows[0].down);
    const auto from = boxOf(stage.frame(), arrows[0].link.from);
    const auto to = boxOf(stage.frame(), arrows[0].link.to);
    QVERIFY(from->adjusted(-1, -1, 1, 1).contains(arrows[0].start));
    QVERIFY(to->adjusted(-1, -1, 1, 1).contains(arrows[0].end));
}

/// Over them it would lie on the head of the GPU.
void tst_Arrows::withinARowItLiesUnderTheBars()
{
    const RecordingPtr recording = samples::copyResultsBack({});
    Stage stage(recording, {0, recording->trace->duration});
    const Row first = recording->trace->operations_of(0).begin;
    const Link link {Link::Kind::event, issueOf(recording, first).to, issueOf(recording, first + 1).to};
    const auto arrows = layoutArrows(stage.frame(), {link}, true, stage.labels);
    QCOMPARE(arrows.size(), std::size_t {1});
    const auto box = boxOf(stage.frame(), arrows[0].link.from);
    QCOMPARE(box->top(), boxOf(stage.frame(), arrows[0].link.to)->top());
    QImage image(stage.geometry.size, QImage::Format_RGB32);
    image.fill(Qt::white);
    {
        QPainter painter(&image);
        paintArrows(stage.frame(), arrows, painter, stage.labels, false);
    }
    int under = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const bool isInked = image.pixel(x, y) != qRgb(255, 255, 255);
            QVERIFY2(!isInked || y >= box->bottom() - 4, qPrintable(QStringLiteral("%1, %2").arg(x).arg(y)));
            under += isInked && y > box->bottom() + 3 ? 1 : 0;
        }
    }
    QVERIFY(under > 0);
}

void tst_Arrows::endsOutOfSightStandAtTheEdge()
{
    const RecordingPtr recording = samples::copyResultsBack({});
    const Link link = issueOf(recording, 6);
    const Interval call = spanOf(*recording, link.from);
    const Interval operation = spanOf(*recording, link.to);
    QVERIFY(operation.start > call.start);
    {
        Stage stage(recording, {operation.end - (operation.end - operation.start) / 2, operation.end + 100'000});
        const auto arrows = layoutArrows(stage.frame(), {link}, true, stage.labels);
        QVERIFY(arrows[0].from && !arrows[0].to);
        QCOMPARE(arrows[0].from->direction, QPointF(-1, 0));
        QCOMPARE(arrows[0].from->item, ItemRef(link.from));
        QVERIFY2(arrows[0].from->text.contains(QStringLiteral("earlier")), qPrintable(arrows[0].from->text));
        QVERIFY(arrows[0].from->box.left() >= 200 && arrows[0].from->box.right() < 600);
        QVERIFY(layoutArrows(stage.frame(), {link}, false, stage.labels).empty());
    }
    {
        Stage stage(recording, {call.start - 100'000, call.start + 2'000});
        const auto arrows = layoutArrows(stage.frame(), {link}, true, stage.labels);
        QVERIFY(!arrows[0].from);
        if (arrows[0].to) {
            QCOMPARE(arrows[0].to->direction, QPointF(1, 0));
            QVERIFY2(arrows[0].to->text.contains(QStringLiteral("later")), qPrintable(arrows[0].to->text));
            QVERIFY(arrows[0].to->box.right() <= 1000);
        }
    }
}

void tst_Arrows::bothEndsOutOfSight()
{
    const RecordingPtr recording = samples::copyResultsBack({});
    const Link link = issueOf(recording, 2);
    Stage stage(recording, {recording->trace->duration - 10'000, recording->trace->duration});
    const auto arrows
        = layoutArrows(stage.frame(), {link, issueOf(recording, 3), issueOf(recording, 4)}, true, stage.labels);
    std::vector<QRectF> boxes;
    for (const Arrow& arrow : arrows) {
        for (const auto& edge : {arrow.from, arrow.to}) {
            if (edge) {
                for (const QRectF& other : boxes) {
                    QVERIFY(!other.intersects(edge->box));
                }
                boxes.push_back(edge->box);
                QCOMPARE(edge->direction, QPointF(-1, 0));
            }
        }
    }
    QVERIFY(boxes.size() >= 4);
}

/// At any zoom, with a GPU's header or a margin between the bars.
void tst_Arrows::labelsAtTheEdgeLieOnNoBars()
{
    const RecordingPtr recording = recorded("copy-results-back.blocking");
    const Ns whole = recording->trace->duration;
    std::size_t seen = 0;
    for (Row operation = 0; operation < 16; ++operation) {
        for (Ns part = 0; part < 16; ++part) {
            Stage stage(recording, {whole * part / 16, whole * (part + 1) / 16});
            const TimelineFrame frame = stage.frame();
            for (const Arrow& arrow : layoutArrows(frame, {issueOf(recording, operation)}, true, stage.labels)) {
                for (const auto& edge : {arrow.from, arrow.to}) {
                    if (!edge) {
                        continue;
                    }
                    ++seen;
                    for (const PlacedLane& lane : stage.layout.lanes()) {
                        for (const PlacedRow& placed : lane.rows) {
                            const LaneRow& row = stage.model.lanes()[placed.lane].rows[placed.row];
                            for (std::size_t i = 0; i < row.items.size(); ++i) {
                                const double left = frame.xOf(row.items.start(i)), right = frame.xOf(row.items.end(i));
                                const QRectF bar(left, frame.yOf(lane, placed), right - left, placed.height);
                                QVERIFY2(!bar.intersects(edge->box), qPrintable(edge->text));
                            }
                        }
                    }
                }
            }
        }
    }
    QVERIFY(seen > 100);
}

void tst_Arrows::hiddenLanesAreSaid()
{
    const RecordingPtr recording = samples::copyResultsBack({});
    const LaneModel model(recording);
    LaneArrangement arrangement;
    for (const Lane& lane : model.lanes()) {
        if (lane.key.kind == LaneKind::thread) {
            arrangement.hide(lane.key);
        }
    }
    Stage stage(recording, {0, recording->trace->duration}, arrangement);
    const auto arrows = layoutArrows(stage.frame(), {issueOf(recording, 5)}, true, stage.labels);
    QVERIFY(arrows[0].from);
    QCOMPARE(arrows[0].from->direction, QPointF(0, 1));
    QVERIFY2(arrows[0].from->text.contains(QStringLiteral("hidden lane")), qPrintable(arrows[0].from->text));

    for (const Lane& lane : model.lanes()) {  // with both of its ends hidden there is no arrow
        if (lane.key.kind == LaneKind::stream) {
            arrangement.hide(lane.key);
        }
    }
    Stage without(recording, {0, recording->trace->duration}, arrangement);
    QVERIFY(layoutArrows(without.frame(), {issueOf(recording, 5)}, true, without.labels).empty());
}

void tst_Arrows::clickOnAnEdgeGoesThere()
{
    TimelineView view;
    view.resize(1000, 420);
    view.timeline().openRecording(samples::copyResultsBack({}));
    view.show();
    QVERIFY(QTest::qWaitForWindowActive(&view));
    const Link link = issueOf(view.timeline().recording(), 6);
    view.timeline().layers().show(TimelineLayers::Layer::chain, true);  // with all arrows
    view.timeline().select(link.to);
    const Interval operation = spanOf(*view.timeline().recording(), link.to);
    view.timeline().showRange({operation.end - 10'000, operation.end + 10'000});
    std::optional<QPoint> at;
    LabelPainter labels;
    const TimelineFrame frame = view.timeline().frame();
    const auto links = linksOfSelected(*view.timeline().recording(), view.timeline().selection(), true);
    for (int y = 60; y < view.height() && !at; y += 3) {
        for (int x = view.timeline().frame().geometry.labelWidth; x < view.width() && !at; x += 3) {
            at = edgeItemAt(frame, links, QPoint(x, y), labels) == ItemRef(link.from)
                ? std::optional(QPoint(x + 2, y + 2))
                : std::nullopt;
        }
    }
    QVERIFY(at);
    view.grab();
    QTest::mouseClick(&view, Qt::LeftButton, {}, *at);
    QCOMPARE(view.timeline().selection(), ItemRef(link.from));
    const Interval visible = view.timeline().visibleRange();
    const Interval call = spanOf(*view.timeline().recording(), link.from);
    QVERIFY(call.start < visible.end && call.end > visible.start);
    QTest::keyClick(&view, Qt::Key_BracketRight);
    QCOMPARE(view.timeline().selection(), ItemRef(link.to));
    QTest::keyClick(&view, Qt::Key_BracketLeft);
    QCOMPARE(view.timeline().selection(), causeOf(*view.timeline().recording(), link.to));
}

void tst_Arrows::allArrowsWhereTheyFit()
{
    const RecordingPtr recording = recorded("copy-results-back.overlapped");
    Stage stage(recording, {0, recording->trace->duration});
    std::size_t inSight = 0;
    const auto links = linksInSight(stage.frame(), 10'000, &inSight);
    QVERIFY(inSight > 10 && !links.empty());
    for (std::size_t i = 0; i < links.size(); ++i) {
        QVERIFY(std::count(links.begin(), links.end(), links[i]) == 1);
    }
    QVERIFY(linksInSight(stage.frame(), inSight - 1, &inSight).empty());

    TimelineView view;
    view.resize(1000, 420);
    view.timeline().openRecording(samples::copyResultsBack({}));
    view.show();
    QVERIFY(QTest::qWaitForWindowActive(&view));
    const QImage before = view.grab().toImage();
    QTest::keyClick(&view, Qt::Key_E);
    QVERIFY(view.timeline().state().highlights.allArrows);
    QVERIFY(view.grab().toImage() != before);
    QTest::keyClick(&view, Qt::Key_E);
    QVERIFY(view.grab().toImage() == before);
}

QTEST_MAIN(tst_Arrows)
#include "tst_arrows.moc"
