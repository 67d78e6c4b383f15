// SPDX-License-Identifier: MIT
// Lanes made by several threads are the lanes made by one; stopping them is quick and leaves nothing.
#include "gui/lanes/lane_workers.h"
#include "tests/gui/lanes/few_threads.h"
#include "tests/gui/lanes/large_recording.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <random>
#include <vector>

using namespace lanes;
using namespace lanes::gui;
using namespace lanes::gui::large;

class tst_LaneWorkers : public QObject {
    Q_OBJECT

private slots:
    void threadsMakeWhatOneMakes();
    void oneOperationOfManyHasItsLane();
    void busyOfOverlappingOperationsAddsUp();
    void progressRisesToOne();
    void stopping();
    void whatIsThrownEndsTheWorkAndNotTheProgram();
    void fewerThreadsThanWanted_data();
    void fewerThreadsThanWanted();
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
                expected
                    += std::max<Ns>(0, std::min(trace.operations.end[i], b) - std::max(trace.operations.start[i], a));
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

/// In place of std::bad_alloc the receiver of the pieces throws, on the thread that made one.
void tst_LaneWorkers::whatIsThrownEndsTheWorkAndNotTheProgram()
{
    LaneModel model(largeRecording(50'000, 4), LaneModel::Rows::later);
    QVERIFY(model.builder()->pieces() > 2);
    std::atomic<int> made = 0;
    std::atomic<int> failed = 0;
    LaneWorkers workers(
        model.builder(),
        [&](std::vector<LaneRows>, double) {
            if (++made == 2) {
                throw std::bad_alloc();
            }
        },
        [&](const std::exception_ptr& failure) { failed += failure ? 1 : 0; });
    QVERIFY_THROWS_EXCEPTION(std::bad_alloc, workers.wait());
    QCOMPARE(failed.load(), 1);
    QCOMPARE(made.load(), 2);
    workers.wait();  // only once
}

void tst_LaneWorkers::fewerThreadsThanWanted_data()
{
    QTest::addColumn<int>("threads");
    QTest::newRow("none") << 0;
    QTest::newRow("one") << 1;
}

void tst_LaneWorkers::fewerThreadsThanWanted()
{
#ifdef LANES_SANITIZED
    QSKIP("a sanitizer needs more memory for a thread than the stack");
#endif
    QFETCH(int, threads);
    LaneModel model(largeRecording(50'000, 4), LaneModel::Rows::later);
    const std::size_t pieces = model.builder()->pieces();
    std::atomic<std::size_t> made = 0;
    std::atomic<int> failed = 0;
    const FewThreads few(static_cast<rlim_t>(threads));
    QVERIFY(few.isKnown());
    LaneWorkers workers(
        model.builder(), [&](std::vector<LaneRows>, double) { ++made; },
        [&](const std::exception_ptr& failure) { failed += failure ? 1 : 0; });
    if (threads > 0) {
        workers.wait();
    } else {
        QVERIFY_THROWS_EXCEPTION(std::system_error, workers.wait());
    }
    QCOMPARE(made.load(), threads > 0 ? pieces : 0);
    QCOMPARE(failed.load(), threads > 0 ? 0 : 1);
}

QTEST_GUILESS_MAIN(tst_LaneWorkers)
#include "tst_lane_workers.moc"
