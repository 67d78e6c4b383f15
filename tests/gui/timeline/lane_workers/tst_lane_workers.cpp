// SPDX-License-Identifier: MIT
// Lanes made by several threads are the lanes made by one; stopping them is quick and
// leaves nothing behind; a view whose lanes are still to come can be used and closed.
#include "gui/lanes/lane_model.h"
#include "gui/paint/frame_hits.h"
#include "gui/timeline/timeline_view.h"

#include <QSignalSpy>
#include <QTest>
#include <random>

using namespace lanes;
using namespace lanes::gui;

namespace {

/// Streams with operations, the last of which overlap themselves; threads with nested ranges and calls.
Trace largeTrace(int operations, int streams)
{
    Trace trace;
    std::mt19937_64 random(31);
    const StringId name = trace.strings.intern("kernel");
    trace.kernels.push_back({});
    trace.processes.push_back({1, 0, name});
    for (std::uint32_t thread = 0; thread < 2; ++thread) {
        trace.threads.push_back({1, thread + 1, 0, thread});
    }
    OperationTable& t = trace.operations;
    for (int stream = 0; stream < streams; ++stream) {
        trace.streams.push_back({1, 0, 1, static_cast<std::uint32_t>(stream), 0, 0, StreamRecord::non_blocking});
        Ns now = 0;
        for (int i = 0; i < operations / streams; ++i) {
            now += static_cast<Ns>(random() % 5000);
            t.start.push_back(now);
            t.end.push_back(now + 1 + static_cast<Ns>(random() % 9000));
            t.stream.push_back(static_cast<Row>(stream));
            t.kind.push_back(OperationKind::kernel);
            now = stream + 1 == streams ? now + 1 : t.end.back();
            trace.duration = std::max(trace.duration, t.end.back());
        }
    }
    t.name.assign(t.size(), name);
    t.correlation.assign(t.size(), 0);
    t.call.assign(t.size(), no_row);
    t.detail.assign(t.size(), 0);
    for (Ns i = 0; i < 1000; ++i) {
        trace.ranges.push_back({1000 * i, 1000 * i + 900, static_cast<Row>(i % 2), name, 0, 0, 0, false, false});
        trace.ranges.push_back({1000 * i, 1000 * i + 500, static_cast<Row>(i % 2), name, 0, 0, 1, false, false});
    }
    return trace;
}

RecordingPtr recordingOf(Trace trace)
{
    auto recording = std::make_shared<ShownRecording>();
    recording->trace = std::make_shared<const Trace>(std::move(trace));
    recording->blocking = std::make_shared<const Blocking>();
    return recording;
}

RecordingPtr largeRecording(int operations, int streams)
{
    return recordingOf(largeTrace(operations, streams));
}

void compare(const LaneModel& one, const LaneModel& other)
{
    QCOMPARE(one.lanes().size(), other.lanes().size());
    for (std::size_t lane = 0; lane < one.lanes().size(); ++lane) {
        const auto& a = one.lanes()[lane].rows;
        const auto& b = other.lanes()[lane].rows;
        QCOMPARE(a.size(), b.size());
        for (std::size_t row = 0; row < a.size(); ++row) {
            QCOMPARE(a[row].items.size(), b[row].items.size());
            for (std::size_t i = 0; i < a[row].items.size(); ++i) {
                QVERIFY(a[row].items.place(i) == b[row].items.place(i) && a[row].items.start(i) == b[row].items.start(i)
                    && a[row].items.end(i) == b[row].items.end(i));
            }
            QCOMPARE(a[row].busyIn(0, one.duration()), b[row].busyIn(0, one.duration()));
        }
    }
}

}  // namespace

class tst_LaneWorkers : public QObject {
    Q_OBJECT

private slots:
    void threadsMakeWhatOneMakes();
    void oneOperationOfManyHasItsLane();
    void busyOfOverlappingOperationsAddsUp();
    void progressRisesToOne();
    void stopping();
    void viewShowsLanesAsTheyCome();
    void viewIsClosedOnTheWay();
    void anotherRecordingOnTheWay();
    void stoppedInTheView();
};

void tst_LaneWorkers::threadsMakeWhatOneMakes()
{
    const RecordingPtr recording = largeRecording(260'000, 5);
    const LaneModel threads(recording);
    QVERIFY(threads.isReady());
    LaneModel one(recording, LaneModel::Rows::later);
    QVERIFY(!one.isReady());
    QVERIFY(one.lanes().back().key == threads.lanes().back().key);
    for (std::size_t piece = one.builder()->pieces(); piece-- > 0;) {  // in any order
        one.put(one.builder()->make(piece));
    }
    QVERIFY(one.isReady());
    compare(threads, one);
}

void tst_LaneWorkers::oneOperationOfManyHasItsLane()
{
    Trace trace = largeTrace(700'000, 1);
    trace.operations.kind[650'000] = OperationKind::memset;
    trace.memsets.push_back({});
    const RecordingPtr recording = recordingOf(std::move(trace));
    const auto itemsOf = [&](const LaneModel& model) {
        std::map<std::uint32_t, std::size_t> items;
        for (const Lane& lane : model.lanes()) {
            if (lane.key.kind == LaneKind::engine || lane.key.kind == LaneKind::stream) {
                const std::uint32_t id = lane.key.id + (lane.key.kind == LaneKind::stream ? 100 : 0);
                for (const LaneRow& row : lane.rows) {
                    items[id] += row.items.size();
                }
            }
        }
        return items;
    };
    const auto sm = static_cast<std::uint32_t>(Engine::sm);
    const auto memset = static_cast<std::uint32_t>(Engine::memset);
    const auto all = itemsOf(LaneModel(recording, LaneModel::Rows::now, {LaneGrouping::engine, {}}));
    QCOMPARE(all.at(sm), 699'999U);
    QCOMPARE(all.at(memset), 1U);
    const auto query = std::make_shared<const Query>(Query::parse("kind:memset"));
    const LaneModel byEngine(recording, LaneModel::Rows::now, {LaneGrouping::engine, query});
    QCOMPARE(itemsOf(byEngine).at(memset), 1U);
    QVERIFY(!itemsOf(byEngine).contains(sm));
    const LaneModel byStream(recording, LaneModel::Rows::now, {LaneGrouping::stream, query});
    QCOMPARE(itemsOf(byStream).at(100), 1U);
}

void tst_LaneWorkers::busyOfOverlappingOperationsAddsUp()
{
    const RecordingPtr recording = largeRecording(20'000, 3);
    const LaneModel model(recording);
    const Trace& trace = *recording->trace;
    std::mt19937_64 random(32);
    for (int round = 0; round < 200; ++round) {
        const Ns a = static_cast<Ns>(random() % static_cast<std::uint64_t>(trace.duration));
        const Ns b = static_cast<Ns>(random() % static_cast<std::uint64_t>(trace.duration));
        for (std::size_t lane = 0; lane < model.lanes().size(); ++lane) {
            const Lane& shown = model.lanes()[lane];
            if (shown.key.kind != LaneKind::stream) {
                continue;
            }
            Ns expected = 0;
            const RowSpan span = trace.operations_of(shown.key.id);
            for (Row i = span.begin; i < span.end; ++i) {
                expected += std::max<Ns>(0, std::min(trace.operations.end[i], b) - std::max(trace.operations.start[i], a));
            }
            Ns busy = 0;
            for (const LaneRow& row : shown.rows) {
                busy += row.busyIn(a, b);
            }
            QCOMPARE(busy, expected);
        }
    }
    QVERIFY(model.lanes().back().rows.size() > 1);
}

void tst_LaneWorkers::progressRisesToOne()
{
    LaneModel model(largeRecording(50'000, 4), LaneModel::Rows::later);
    std::vector<double> fractions;
    LaneWorkers(model.builder(), [&](std::vector<LaneRows> rows, double fraction) {
        model.put(std::move(rows));
        fractions.push_back(fraction);
    }).wait();
    QVERIFY(model.isReady());
    QCOMPARE(fractions.size(), model.builder()->pieces());
    QVERIFY(std::is_sorted(fractions.begin(), fractions.end()));
    QCOMPARE(fractions.back(), 1.0);
}

void tst_LaneWorkers::stopping()
{
    const RecordingPtr recording = largeRecording(400'000, 4);
    for (int after = 0; after < 6; ++after) {
        LaneModel model(recording, LaneModel::Rows::later);
        int told = 0;
        {
            LaneWorkers* self = nullptr;
            std::mutex ready;
            ready.lock();
            LaneWorkers workers(model.builder(), [&](std::vector<LaneRows>, double) {
                const std::lock_guard wait(ready);
                if (++told > after) {
                    self->stop();
                }
            });
            self = &workers;
            ready.unlock();
            workers.wait();
        }
        QVERIFY(told == after + 1 || told == static_cast<int>(model.builder()->pieces()));
    }
}

void tst_LaneWorkers::viewShowsLanesAsTheyCome()
{
    TimelineView view;
    view.resize(900, 500);
    QSignalSpy indexed(&view.timeline().lanes(), &ShownLanes::indexed);
    const RecordingPtr recording = largeRecording(300'000, 4);
    view.timeline().openRecording(recording);
    QVERIFY(view.timeline().lanes().isIndexing());
    QVERIFY(!view.timeline().model()->isReady());
    QVERIFY(view.picture().model == nullptr);
    QCOMPARE(view.timeline().model()->lanes().size(), 8U);  // ribbon, two threads, the GPU, its streams
    QVERIFY(!view.grab().isNull());
    QVERIFY(!itemAt(view.timeline().frame(), {500, 300}));
    QTRY_VERIFY(!view.timeline().lanes().isIndexing());
    QVERIFY(view.timeline().model()->isReady());
    QVERIFY(view.picture().model != nullptr);
    QCOMPARE(indexed.first().first().toDouble(), 0.0);
    QCOMPARE(indexed.last().first().toDouble(), 1.0);
    compare(*view.timeline().model(), LaneModel(recording));
    view.timeline().openRecording(largeRecording(2000, 4));
    QVERIFY(!view.timeline().lanes().isIndexing());
    QVERIFY(view.timeline().model()->isReady());
}

void tst_LaneWorkers::viewIsClosedOnTheWay()
{
    std::weak_ptr<const Recording> kept;
    {
        RecordingPtr recording = largeRecording(400'000, 4);
        kept = recording;
        TimelineView view;
        view.timeline().openRecording(std::move(recording));
        QVERIFY(view.timeline().lanes().isIndexing());
        QTest::qWait(2);
    }
    QTRY_VERIFY(kept.expired());
}

void tst_LaneWorkers::anotherRecordingOnTheWay()
{
    TimelineView view;
    for (int i = 0; i < 5; ++i) {
        view.timeline().openRecording(largeRecording(250'000 + 10'000 * i, 3 + i % 2));
    }
    QTRY_VERIFY(!view.timeline().lanes().isIndexing());
    compare(*view.timeline().model(), LaneModel(view.timeline().recording()));
    std::weak_ptr<const Recording> kept = view.timeline().recording();
    view.timeline().openRecording(nullptr);
    QTRY_VERIFY(kept.expired());  // freed on a worker thread
}

void tst_LaneWorkers::stoppedInTheView()
{
    TimelineView view;
    view.resize(900, 500);
    QSignalSpy indexed(&view.timeline().lanes(), &ShownLanes::indexed);
    view.timeline().openRecording(largeRecording(400'000, 4));
    view.timeline().lanes().stopIndexing();
    QVERIFY(!view.timeline().lanes().isIndexing());
    QCOMPARE(indexed.last().first().toDouble(), 1.0);
    QCoreApplication::processEvents();
    QVERIFY(!view.grab().isNull());
    QVERIFY(view.timeline().model() != nullptr);
}

QTEST_MAIN(tst_LaneWorkers)
#include "tst_lane_workers.moc"
