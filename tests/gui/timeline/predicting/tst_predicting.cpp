// SPDX-License-Identifier: MIT
// What is pulled at the lanes, without anybody who predicts: what can be pulled and where to, what a drag asks for, and
// where the ghost lies.
#include "gui/paint/item_box.h"
#include "gui/paint/over/ghost_painter.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/tools/predict.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <algorithm>
#include <cmath>
#include <QSignalSpy>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

class tst_Predicting : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_timeline.reset(); }
    void timesAreHundredthsOfSpeeds_data();
    void timesAreHundredthsOfSpeeds();
    void stepsAreTenths_data();
    void stepsAreTenths();
    void copiesGoToStreamsOfTheirContext();
    void theEdgeIsPulled_data();
    void theEdgeIsPulled();
    void theEdgeFollowsWhatIsWished();
    void aCopyIsDropped();
    void whatIsNoPullSelects_data();
    void whatIsNoPullSelects();
    void itIsTakenBack_data();
    void itIsTakenBack();
    void theGhostCoversTheRun_data();
    void theGhostCoversTheRun();
    void theGhostIsOnEnginesToo();
    void spansAreInTurn_data();
    void spansAreInTurn();
    void thePlateIsInSight();

private:
    const Trace& trace() const { return m_timeline->model()->trace(); }
    ItemRef first(OperationKind kind) const
    {
        const auto& kinds = trace().operations.kind;
        return {ItemKind::operation, static_cast<Row>(std::find(kinds.begin(), kinds.end(), kind) - kinds.begin())};
    }
    QRectF box(ItemRef item) const { return *boxOf(m_timeline->frame(), item); }
    PredictHand& hand() const { return m_timeline->predicting(); }
    /// Of a stream whose operations are in the lane.
    double heightOf(Row stream) const
    {
        return box({ItemKind::operation, trace().operations_of(stream).begin}).center().y();
    }
    static GhostRun runOf(const Trace& trace)
    {
        GhostRun run;
        run.streams.resize(trace.streams.size());
        for (Row row = 0; row < trace.operations.size(); ++row) {
            const Interval span {trace.operations.start[row], trace.operations.end[row]};
            run.streams[trace.operations.stream[row]][0].push_back(span);
            run.engines[{0, engineOf(trace.operations.kind[row])}].push_back(span);
        }
        return run;
    }
    std::unique_ptr<Timeline> m_timeline;
    TimelineOverlay m_overlay;
    LabelPainter m_labels;
};

void tst_Predicting::init()
{
    m_timeline = std::make_unique<Timeline>();
    m_overlay = {};
    m_timeline->setArea({1000, 420}, 1);
    samples::CopyResultsBack shape;
    shape.blocking = false;  // on two streams
    m_timeline->openRecording(samples::copyResultsBack(shape));
    m_timeline->predicting().setOffered(true);
}

void tst_Predicting::timesAreHundredthsOfSpeeds_data()
{
    QTest::addColumn<double>("times");
    QTest::addColumn<double>("speed");
    QTest::newRow("as recorded") << 1.0 << 1.0;
    QTest::newRow("half") << 0.5 << 2.0;
    QTest::newRow("nine tenths") << 0.9 << 1.11;
    QTest::newRow("twice") << 2.0 << 0.5;
    QTest::newRow("nothing of it") << 0.0 << 10.0;
    QTest::newRow("less than nothing") << -3.0 << 10.0;
    QTest::newRow("very long") << 1000.0 << 0.1;
}

/// What a field of What if can hold, so that the plate and the panel speak of the same change.
void tst_Predicting::timesAreHundredthsOfSpeeds()
{
    QFETCH(double, times);
    QFETCH(double, speed);
    QCOMPARE(wishedSpeed(times), speed);
    QCOMPARE(wishedSpeed(wishedTimes(times)), speed);  // it stays
}

void tst_Predicting::stepsAreTenths_data()
{
    QTest::addColumn<double>("times");
    QTest::addColumn<int>("by");
    QTest::addColumn<double>("expected");
    QTest::newRow("shorter") << 1.0 << -1 << 0.9;
    QTest::newRow("longer") << 1.0 << 1 << 1.1;
    QTest::newRow("from where it was pulled to") << 0.578 << -1 << 0.5;
    QTest::newRow("no shorter") << 0.1 << -1 << 0.1;
    QTest::newRow("no longer") << 10.0 << 1 << 10.0;
}

void tst_Predicting::stepsAreTenths()
{
    QFETCH(double, times);
    QFETCH(int, by);
    QFETCH(double, expected);
    QCOMPARE(steppedTimes(times, by), expected);
}

void tst_Predicting::copiesGoToStreamsOfTheirContext()
{
    m_timeline->openRecording(samples::everything());
    for (Row row = 0; row < trace().operations.size(); ++row) {
        const ItemRef item(ItemKind::operation, row);
        const OperationKind kind = trace().operations.kind[row];
        const bool isOfHost = kind == OperationKind::h2d || kind == OperationKind::d2h;
        QCOMPARE(canPull(trace(), item), isOfHost || kind == OperationKind::kernel);
        const Stream& own = trace().streams[trace().operations.stream[row]];
        for (const Row to : streamsFor(trace(), item)) {
            const Stream& stream = trace().streams[to];
            QVERIFY(isOfHost && to != trace().operations.stream[row]);
            QCOMPARE(std::pair(stream.process, stream.context), std::pair(own.process, own.context));
        }
    }
    QVERIFY(!canPull(trace(), {ItemKind::call, 0}));
    QVERIFY(!canPull(trace(), {}));
}

void tst_Predicting::theEdgeIsPulled_data()
{
    QTest::addColumn<double>("to");  // of its length
    QTest::newRow("half") << 0.5;
    QTest::newRow("longer") << 1.6;
    QTest::newRow("beyond its start") << -0.5;
}

void tst_Predicting::theEdgeIsPulled()
{
    QFETCH(double, to);
    PredictTool tool(*m_timeline, m_overlay);
    const ItemRef kernel = first(OperationKind::kernel);
    m_timeline->zoomTo(spanOf(*m_timeline->recording(), kernel));
    QVERIFY(!tool.hover({box(kernel).right(), box(kernel).center().y()}));  // it is not selected
    m_timeline->select(kernel);
    const QRectF bar = box(kernel);
    const QPointF edge(bar.right(), bar.center().y());
    QCOMPARE(tool.hover(edge), std::optional(Qt::SizeHorCursor));
    QVERIFY(!tool.hover(bar.center()));
    const QSignalSpy asked(&hand(), &PredictHand::asked);
    QVERIFY(tool.press({edge, Qt::LeftButton, {}}));
    const QPointF end(bar.left() + to * bar.width(), edge.y());
    tool.move({(edge + end) / 2, Qt::LeftButton, {}});
    tool.move({end, Qt::LeftButton, {}});
    QCOMPARE(asked.count(), 2);
    QVERIFY(hand().wish() && hand().wish()->what == Wish::Of::length && hand().wish()->item == kernel);
    QCOMPARE(wishedSpeed(hand().wish()->times), wishedSpeed(to));
    tool.release({end, Qt::LeftButton, {}});
    QVERIFY(hand().wish());  // until it is accepted or taken back
    QVERIFY(!m_timeline->state().highlights.range);
    QCOMPARE(m_timeline->selection(), kernel);
}

/// What was pulled is pulled further where its edge is now.
void tst_Predicting::theEdgeFollowsWhatIsWished()
{
    PredictTool tool(*m_timeline, m_overlay);
    const ItemRef kernel = first(OperationKind::kernel);
    m_timeline->zoomTo(spanOf(*m_timeline->recording(), kernel));
    m_timeline->select(kernel);
    const QRectF bar = box(kernel);
    hand().ask({Wish::Of::length, kernel, 0.5});
    QVERIFY(!tool.hover({bar.right(), bar.center().y()}));
    const QPointF now(bar.left() + bar.width() / 2, bar.center().y());
    QCOMPARE(tool.hover(now), std::optional(Qt::SizeHorCursor));
    tool.press({now, Qt::LeftButton, {}});
    tool.move({now + QPointF(bar.width() / 4, 0), Qt::LeftButton, {}});
    QCOMPARE(wishedSpeed(hand().wish()->times), wishedSpeed(0.75));
}

void tst_Predicting::aCopyIsDropped()
{
    PredictTool tool(*m_timeline, m_overlay);
    const ItemRef copy = first(OperationKind::d2h);
    m_timeline->select(copy);
    const std::vector<Row> streams = streamsFor(trace(), copy);
    QCOMPARE(streams.size(), std::size_t {1});
    const QPointF at = box(copy).center();
    QVERIFY(tool.press({at, Qt::LeftButton, {}}));
    const QPointF over(at.x(), heightOf(streams.front()));
    tool.move({over, Qt::LeftButton, {}});
    QCOMPARE(hand().ghost().accepting, streams);
    QCOMPARE(hand().ghost().target, streams.front());
    QCOMPARE(hand().wish(), std::optional(Wish {Wish::Of::stream, copy, 1, streams.front()}));
    tool.move({at, Qt::LeftButton, {}});  // back to its own lane: nothing is asked
    QVERIFY(!hand().wish() && !hand().ghost().accepting.empty());
    tool.move({over, Qt::LeftButton, {}});
    tool.release({over, Qt::LeftButton, {}});
    QVERIFY(hand().wish() && hand().ghost().accepting.empty());
}

void tst_Predicting::whatIsNoPullSelects_data()
{
    QTest::addColumn<bool>("offered");
    QTest::addColumn<QPointF>("from");  // of the copy's bar: 0, 0 is its middle, 1, 0 its right edge
    QTest::addColumn<QPointF>("by");
    QTest::addColumn<bool>("isRange");
    QTest::newRow("sideways") << true << QPointF(0, 0) << QPointF(60, 3) << true;
    QTest::newRow("a click") << true << QPointF(0, 0) << QPointF(0, 0) << false;
    QTest::newRow("a click at the edge") << true << QPointF(1, 0) << QPointF(1, 0) << false;
    QTest::newRow("the edge, and nobody predicts") << false << QPointF(1, 0) << QPointF(60, 0) << true;
}

/// A click and a drag sideways on the selected bar are those of any bar.
void tst_Predicting::whatIsNoPullSelects()
{
    QFETCH(bool, offered);
    QFETCH(QPointF, from);
    QFETCH(QPointF, by);
    QFETCH(bool, isRange);
    hand().setOffered(offered);
    const ItemRef copy = first(OperationKind::d2h);
    m_timeline->select(copy);
    const QRectF bar = box(copy);
    const QPointF at = bar.center() + QPointF(from.x() * (bar.width() / 2 - 1), 0);
    const auto tools = timelineTools(*m_timeline, m_overlay, m_labels);
    const Pointer pointer {at, Qt::LeftButton, {}};
    const auto tool = std::find_if(tools.begin(), tools.end(), [&](const auto& each) { return each->press(pointer); });
    QVERIFY(tool != tools.end());
    (*tool)->move({at + by, Qt::LeftButton, {}});
    (*tool)->release({at + by, Qt::LeftButton, {}});
    QVERIFY(!hand().isShown());
    QCOMPARE(m_timeline->state().highlights.range.has_value(), isRange);
    QCOMPARE(m_timeline->selection(), copy);
}

void tst_Predicting::itIsTakenBack_data()
{
    QTest::addColumn<QString>("how");
    for (const char* how : {"the gesture is cancelled", "a press elsewhere", "another is selected",
             "another recording is open", "accepted"}) {
        QTest::newRow(how) << QString::fromLatin1(how);
    }
}

void tst_Predicting::itIsTakenBack()
{
    QFETCH(QString, how);
    PredictTool tool(*m_timeline, m_overlay);
    const ItemRef kernel = first(OperationKind::kernel);
    m_timeline->select(kernel);
    const Wish wish {Wish::Of::length, kernel, 0.5};
    hand().ask(wish);
    hand().show(std::make_shared<const GhostRun>(runOf(trace())), {}, {QStringLiteral("said")});
    const QSignalSpy takenBack(&hand(), &PredictHand::takenBack), accepted(&hand(), &PredictHand::accepted);
    if (how.startsWith(QLatin1String("the gesture"))) {
        tool.cancel();
    } else if (how.startsWith(QLatin1String("a press"))) {
        QVERIFY(!tool.press({{600, 400}, Qt::LeftButton, {}}));  // it is somebody else's, too
    } else if (how.startsWith(QLatin1String("another is"))) {
        m_timeline->select(first(OperationKind::d2h));
    } else if (how.startsWith(QLatin1String("another rec"))) {
        m_timeline->openRecording(samples::everything());
    } else {
        hand().accept();
    }
    QCOMPARE(takenBack.count(), 1);
    QVERIFY(!hand().isShown() && !hand().ghost().run && hand().ghost().said.isEmpty());
    QCOMPARE(accepted.count(), how == QLatin1String("accepted") ? 1 : 0);
    if (accepted.count() > 0) {
        QCOMPARE(qvariant_cast<Wish>(accepted.front().front()), wish);
    }
}

void tst_Predicting::theGhostCoversTheRun_data()
{
    QTest::addColumn<Interval>("view");
    QTest::newRow("all") << Interval {};
    QTest::newRow("a part") << Interval {3'000'000, 9'000'000};
    QTest::newRow("within one operation") << Interval {500'000, 600'000};
    QTest::newRow("a thousand times as much") << Interval {0, 40'000'000'000};
}

/// Every operation in view is under a box of its lane, boxes of a lane lie beside one another, and each begins and ends
/// with operations.
void tst_Predicting::theGhostCoversTheRun()
{
    QFETCH(Interval, view);
    GhostRun run = runOf(trace());
    if (view.end > view.start && view.end < 1'000'000'000) {
        m_timeline->showRange(view);
    } else if (view.end > 0) {  // as dense as that view would be
        std::vector<Interval> many;
        for (Ns start = 0; start < trace().duration; start += 2'000) {
            many.push_back({start, start + 1'500});
        }
        run.streams[0][0] = std::move(many);
    }
    const TimelineFrame frame = m_timeline->frame();
    const std::vector<QRectF> boxes = ghostBoxes(frame, run);
    const double left = frame.geometry.labelWidth, right = frame.geometry.size.width();
    QVERIFY(!boxes.empty() && boxes.size() <= 2 * static_cast<std::size_t>(right - left));
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        QVERIFY(boxes[i].left() >= left && boxes[i].right() <= right + 1e-6);
        QVERIFY(i == 0 || boxes[i].top() != boxes[i - 1].top() || boxes[i].left() >= boxes[i - 1].right() - 1e-6);
    }
    for (Row stream = 0; stream < run.streams.size(); ++stream) {
        const double y = trace().operations_of(stream).empty() ? 0 : heightOf(stream);
        for (const Interval& span : run.streams[stream][0]) {
            const double x0 = std::max(frame.xOf(span.start), left), x1 = std::min(frame.xOf(span.end), right);
            if (x1 <= left || x0 >= right) {
                continue;
            }
            const auto under = std::find_if(boxes.begin(), boxes.end(), [&](const QRectF& each) {
                return each.top() <= y && y <= each.bottom() && each.left() <= x0 + 1e-6 && x1 <= each.right() + 1e-6;
            });
            QVERIFY2(under != boxes.end(), qPrintable(QStringLiteral("%1 to %2").arg(x0).arg(x1)));
        }
    }
}

void tst_Predicting::theGhostIsOnEnginesToo()
{
    const GhostRun run = runOf(trace());
    LaneChoice choice;
    choice.grouping = LaneGrouping::engine;
    m_timeline->choose(choice);
    const TimelineFrame frame = m_timeline->frame();
    const std::vector<QRectF> boxes = ghostBoxes(frame, run);
    for (Row row = 0; row < trace().operations.size(); ++row) {
        const QRectF bar = box({ItemKind::operation, row});
        QVERIFY(std::any_of(boxes.begin(), boxes.end(),
            [&](const QRectF& each) { return each.contains(bar.center()) && each.left() <= bar.left() + 1e-6; }));
    }
}

void tst_Predicting::spansAreInTurn_data()
{
    QTest::addColumn<QList<Interval>>("spans");
    QTest::addColumn<QList<Interval>>("expected");
    const auto row = [](const char* name, const QList<Interval>& spans, const QList<Interval>& expected) {
        QTest::newRow(name) << spans << expected;
    };
    row("none", {}, {});
    row("apart", {{0, 2}, {3, 5}}, {{0, 2}, {3, 5}});
    row("not in order", {{3, 5}, {0, 2}}, {{0, 2}, {3, 5}});
    row("one within another", {{0, 9}, {2, 4}, {10, 12}}, {{0, 9}, {10, 12}});
    row("one begins early", {{0, 4}, {3, 8}}, {{0, 4}, {4, 8}});
    row("at once", {{0, 4}, {0, 6}}, {{0, 4}, {4, 6}});
}

void tst_Predicting::spansAreInTurn()
{
    QFETCH(QList<Interval>, spans);
    QFETCH(QList<Interval>, expected);
    const std::vector<Interval> turns = inTurn({spans.begin(), spans.end()});
    QCOMPARE(QList<Interval>(turns.begin(), turns.end()), expected);
}

/// Beside the mouse or the bar, wherever these are.
void tst_Predicting::thePlateIsInSight()
{
    Ghost ghost;
    QVERIFY(!ghostPlate(m_timeline->frame(), ghost, m_labels));
    ghost.said = {QStringLiteral("All of them: half of their time"), QStringLiteral("2 ms"), QStringLiteral("Enter")};
    const TimelineFrame frame = m_timeline->frame();
    const QRectF lanes(
        frame.geometry.labelWidth, frame.geometry.lanesTop(), frame.geometry.plotWidth(), frame.geometry.lanesHeight());
    std::vector<std::optional<QPointF>> places {{}};
    for (const double x : {-50.0, 0.0, 400.0, 999.0}) {
        for (const double y : {0.0, 200.0, 419.0}) {
            places.emplace_back(QPointF(x, y));
        }
    }
    for (const auto& at : places) {
        ghost.at = at;
        const auto plate = ghostPlate(frame, ghost, m_labels);
        QVERIFY(plate && lanes.contains(*plate));
        QVERIFY(!at || !lanes.contains(*at) || !plate->contains(*at));
    }
    ghost.at.reset();
    ghost.of = first(OperationKind::kernel);
    QVERIFY(!ghostPlate(frame, ghost, m_labels)->intersects(box(ghost.of)));
}

QTEST_MAIN(tst_Predicting)
#include "tst_predicting.moc"
