// SPDX-License-Identifier: MIT
#include "engine/analysis/call_class.h"
#include "engine/store/recording_file.h"
#include "gui/paint/arrows.h"
#include "gui/timeline/timeline_view.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <algorithm>
#include <QDir>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;
using Kind = ItemLink::Kind;

namespace {

RecordingPtr recorded(const char* name)
{
    return Recording::of(
        open_recording(qgetenv("LANES_SOURCE").toStdString() + "/resources/recordings/h100/" + name + ".sqlite"));
}

bool has(const std::vector<ItemLink>& links, const ItemLink& link)
{
    return std::find(links.begin(), links.end(), link) != links.end();
}

}  // namespace

class tst_ItemLinks : public QObject {
    Q_OBJECT

private slots:
    void againstOracle_data();
    void againstOracle();
    void eventsHoldBackWhatWaits();
    void bracketsWalkTheChain();
    void nothingIsFine();
    void arrowsInSight();
    void endsOutOfSightStandAtTheEdge();
    void bothEndsOutOfSight();
    void hiddenLanesAreSaid();
    void clickOnAnEdgeGoesThere();
    void allArrowsWhereTheyFit();
};

void tst_ItemLinks::againstOracle_data()
{
    QTest::addColumn<RecordingPtr>("recording");
    QTest::newRow("everything") << samples::everything();
    QTest::newRow("blocking") << samples::copyResultsBack({});
    for (const char* name :
        {"copy-results-back.overlapped", "copy-results-back.blocking", "item-every-batch.every-10"}) {
        QTest::newRow(name) << recorded(name);
    }
}

void tst_ItemLinks::againstOracle()
{
    QFETCH(RecordingPtr, recording);
    const Trace& trace = *recording->trace;
    const ItemLinks& links = *recording->links;
    std::vector<Row> first(trace.calls.size(), no_row);
    for (Row row = 0; row < trace.operations.size(); ++row) {
        const ItemRef operation {ItemKind::operation, row};
        const Row call = outermost(trace.calls, trace.operations.call[row]);
        QCOMPARE(links.causeOf(operation), call == no_row ? ItemRef {} : (ItemRef {ItemKind::call, call}));
        if (call != no_row) {
            QVERIFY(has(links.of(operation), {Kind::issue, {ItemKind::call, call}, operation}));
            if (first[call] == no_row || trace.operations.start[row] < trace.operations.start[first[call]]) {
                first[call] = row;
            }
        }
    }
    for (Row call = 0; call < trace.calls.size(); ++call) {
        if (first[call] != no_row) {
            QCOMPARE(links.effectOf({ItemKind::call, call}), (ItemRef {ItemKind::operation, first[call]}));
        }
    }
    for (Row i = 0; i < recording->blocking->calls.size(); ++i) {
        const Row by = recording->blocking->calls[i].released_by;
        const ItemRef held {ItemKind::blocked, i};
        QCOMPARE(links.causeOf(held), by == no_row ? ItemRef {} : (ItemRef {ItemKind::operation, by}));
        if (by != no_row) {
            QVERIFY(has(links.of({ItemKind::operation, by}), {Kind::release, {ItemKind::operation, by}, held}));
            QVERIFY(has(links.of(held), {Kind::release, {ItemKind::operation, by}, held}));
            QCOMPARE(links.effectOf({ItemKind::operation, by}).kind, ItemKind::blocked);
        }
    }
}

/// What an event says on a GPU: the operation behind the wait starts no sooner than the one before the record ended.
void tst_ItemLinks::eventsHoldBackWhatWaits()
{
    for (const char* name : {"copy-results-back.overlapped", "default-stream.non-blocking"}) {
        const RecordingPtr recording = recorded(name);
        const Trace& trace = *recording->trace;
        int waits = 0;
        for (Row row = 0; row < trace.operations.size(); ++row) {
            for (const ItemLink& link : recording->links->of({ItemKind::operation, row})) {
                if (link.kind != Kind::event) {
                    continue;
                }
                ++waits;
                QVERIFY(trace.operations.stream[link.from.row] != trace.operations.stream[link.to.row]);
                QVERIFY(trace.operations.start[link.to.row] >= trace.operations.end[link.from.row]);
                QVERIFY(has(recording->links->of(link.from), link) && has(recording->links->of(link.to), link));
            }
        }
        for (Row call = 0; call < trace.calls.size(); ++call) {
            for (const ItemLink& link : recording->links->of({ItemKind::call, call})) {
                if (link.kind == Kind::event) {
                    QVERIFY(trace.calls.start[link.from.row] <= trace.calls.start[link.to.row]);
                    QCOMPARE(class_of(trace.text(trace.calls.name[link.from.row])), CallClass::event_record);
                }
            }
        }
        if (QByteArray(name).contains("overlapped")) {
            QVERIFY2(waits >= 8, qPrintable(QString::number(waits)));
        }
    }
}

void tst_ItemLinks::bracketsWalkTheChain()
{
    const RecordingPtr recording = recorded("copy-results-back.overlapped");
    const Trace& trace = *recording->trace;
    const ItemLinks& links = *recording->links;
    for (Row call = 0; call < trace.calls.size(); ++call) {
        if (class_of(trace.text(trace.calls.name[call])) != CallClass::wait_event) {
            continue;
        }
        const ItemRef record = links.causeOf({ItemKind::call, call});
        QCOMPARE(record.kind, ItemKind::call);
        QCOMPARE(class_of(trace.text(trace.calls.name[record.row])), CallClass::event_record);
        QCOMPARE(links.effectOf(record), (ItemRef {ItemKind::call, call}));
        const ItemRef before = links.causeOf(record);
        const ItemRef behind = links.effectOf({ItemKind::call, call});
        QCOMPARE(before.kind, ItemKind::operation);
        QCOMPARE(behind.kind, ItemKind::operation);
        QVERIFY(trace.operations.end[before.row] <= trace.operations.start[behind.row]);
        return;
    }
    QFAIL("no wait in this recording");
}

void tst_ItemLinks::nothingIsFine()
{
    const ItemLinks none;
    QVERIFY(none.of({ItemKind::operation, 3}).empty());
    QVERIFY(!none.causeOf({ItemKind::call, 3}) && !none.effectOf({ItemKind::blocked, 3}));
    const RecordingPtr recording = samples::everything();
    QVERIFY(recording->links->of({}).empty());
    QVERIFY(recording->links->of({ItemKind::range, 0}).empty());
    QVERIFY(recording->links->of({ItemKind::overlap, 0}).empty());
}

namespace {

/// A frame of a recording, by the time it shows.
struct Stage {
    explicit Stage(const RecordingPtr& recording, TimeSpan shown, LaneArrangement arrangement = {})
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
ItemLink issueOf(const RecordingPtr& recording, Row operation)
{
    return recording->links->of({ItemKind::operation, operation}).front();
}

}  // namespace

void tst_ItemLinks::arrowsInSight()
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

void tst_ItemLinks::endsOutOfSightStandAtTheEdge()
{
    const RecordingPtr recording = samples::copyResultsBack({});
    const ItemLink link = issueOf(recording, 6);
    const TimeSpan call = spanOf(*recording, link.from);
    const TimeSpan operation = spanOf(*recording, link.to);
    QVERIFY(operation.start > call.start);
    {
        Stage stage(recording, {operation.end - (operation.end - operation.start) / 2, operation.end + 100'000});
        const auto arrows = layoutArrows(stage.frame(), {link}, true, stage.labels);
        QVERIFY(arrows[0].from && !arrows[0].to);
        QCOMPARE(arrows[0].from->direction, QPointF(-1, 0));
        QCOMPARE(arrows[0].from->item, link.from);
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

void tst_ItemLinks::bothEndsOutOfSight()
{
    const RecordingPtr recording = samples::copyResultsBack({});
    const ItemLink link = issueOf(recording, 2);
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

void tst_ItemLinks::hiddenLanesAreSaid()
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

void tst_ItemLinks::clickOnAnEdgeGoesThere()
{
    TimelineView view;
    view.resize(1000, 420);
    view.setRecording(samples::copyResultsBack({}));
    view.show();
    QVERIFY(QTest::qWaitForWindowActive(&view));
    const ItemLink link = issueOf(view.recording(), 6);
    view.setSelection(link.to);
    const TimeSpan operation = spanOf(*view.recording(), link.to);
    view.showRange({operation.end - 10'000, operation.end + 10'000});
    std::optional<QPoint> at;
    for (int y = 60; y < view.height() && !at; y += 3) {
        for (int x = view.labelWidth(); x < view.width() && !at; x += 3) {
            at = view.edgeItemAt(QPoint(x, y)) == link.from ? std::optional(QPoint(x + 2, y + 2)) : std::nullopt;
        }
    }
    QVERIFY(at);
    view.grab();
    QTest::mouseClick(&view, Qt::LeftButton, {}, *at);
    QCOMPARE(view.selection(), link.from);
    const TimeSpan visible = view.visibleRange();
    const TimeSpan call = spanOf(*view.recording(), link.from);
    QVERIFY(call.start < visible.end && call.end > visible.start);
    QTest::keyClick(&view, Qt::Key_BracketRight);
    QCOMPARE(view.selection(), link.to);
    QTest::keyClick(&view, Qt::Key_BracketLeft);
    QCOMPARE(view.selection(), link.from);
}

void tst_ItemLinks::allArrowsWhereTheyFit()
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
    view.setRecording(samples::copyResultsBack({}));
    view.show();
    QVERIFY(QTest::qWaitForWindowActive(&view));
    const QImage before = view.grab().toImage();
    QTest::keyClick(&view, Qt::Key_E);
    QVERIFY(view.showsAllArrows());
    QVERIFY(view.grab().toImage() != before);
    QTest::keyClick(&view, Qt::Key_E);
    QVERIFY(view.grab().toImage() == before);
}

QTEST_MAIN(tst_ItemLinks)
#include "tst_item_links.moc"
