// SPDX-License-Identifier: MIT
// Batches that workers load instead of the thread that trains, by hand.
#include "tests/engine/replay/asked.h"

#include <QtTest>

using namespace lanes;
using namespace lanes::replay;

namespace {

constexpr Ns us = 1'000, ms = 1'000'000;
constexpr const char* of_torch = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";

/// Four times: loads for 20 ms, launches a kernel of 3.9 ms, waits for it. An iteration takes 24 ms, 4 without
/// loading.
struct LoadsAndTrains : Tape {
    explicit LoadsAndTrains(const char* range, bool is_before = false)
    {
        stream(13, StreamRecord::non_blocking);
        if (is_before) {
            kernel(0, 13, 1 * us, 9 * us);
        }
        for (Ns start = 0; start < 4 * 24 * ms; start += 24 * ms) {
            Tape::range(range, start, start + 20 * ms);
            call("cudaGetDevice", start + 400 * us, start + 410 * us);  // of the loading
            const auto launch = call("cudaLaunchKernel", start + 20 * ms, start + 20 * ms + 5 * us);
            kernel(launch, 13, start + 20 * ms + 8 * us, start + 23'908 * us);
            const auto wait = call("cudaStreamSynchronize", start + 20 * ms + 6 * us, start + 23'912 * us);
            sync(wait, SyncRecord::stream_sync, start + 20 * ms + 6 * us, start + 23'912 * us, 13);
        }
    }
};

Ns total(const Asked& asked, int workers)
{
    return asked.what_if.predict({{ChangeKind::workers, {}, static_cast<double>(workers)}}).total;
}

/// 0.1 ms for a get, and for what the threads do between.
bool is_about(Ns is, Ns wanted)
{
    return std::abs(is - wanted) <= 500 * us;
}

}  // namespace

class tst_WhatIfWorkers : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", (qEnvironmentVariable("LANES_SOURCE") + "/resources").toUtf8()); }
    void loadBesideTheTraining_data();
    void loadBesideTheTraining();
    void areOffered();
    void haveLoadedBeforeTheRecording();
    void aPartAlone();
    void whatIsNoLoading();
    void shortenRanges();
};

void tst_WhatIfWorkers::loadBesideTheTraining_data()
{
    QTest::addColumn<int>("workers");
    QTest::addColumn<Ns>("is");
    // A worker takes 30 ms for a batch, the thread 1.5 to take it and 3.9 to train.
    QTest::newRow("there at 30, 60, 90 and 120 ms") << 1 << 120 * ms + 5'400 * us;
    QTest::newRow("there at 30, 30, 60 and 60 ms") << 2 << 60 * ms + 2 * 5'400 * us + 88 * us;
    QTest::newRow("all there at 30 ms: the training sets the pace") << 4 << 30 * ms + 4 * 5'400 * us + 3 * 88 * us;
}

void tst_WhatIfWorkers::loadBesideTheTraining()
{
    QFETCH(int, workers);
    QFETCH(Ns, is);
    const Asked asked(LoadsAndTrains(of_torch).finish());
    QCOMPARE(asked.what_if.gate().measured, 95'912 * us);
    QVERIFY2(is_about(total(asked, workers), is), std::to_string(total(asked, workers)).c_str());
}

void tst_WhatIfWorkers::areOffered()
{
    const Asked asked(LoadsAndTrains(of_torch).finish());
    const auto offers = asked.what_if.offers();
    QVERIFY(!offers.empty());
    const auto& prediction = offers.front();
    QCOMPARE(prediction.changes.front().kind, ChangeKind::workers);
    QCOMPARE(prediction.total, total(asked, 4));
    QCOMPARE(prediction.count, std::uint64_t {4});
    QCOMPARE(prediction.reliability, Reliability::conditional);
    QCOMPARE(prediction.assumptions.front().word(), std::string("workers-load"));
    // A worker may take from 12 to 66 ms.
    QVERIFY2(prediction.low < 30 * ms && prediction.high > 80 * ms, std::to_string(prediction.high).c_str());
}

/// If a program ran before the recording, its workers are already at work.
void tst_WhatIfWorkers::haveLoadedBeforeTheRecording()
{
    const Asked asked(LoadsAndTrains(of_torch, true).finish());
    QVERIFY(asked.what_if.gate().is_open());
    QVERIFY2(is_about(total(asked, 4), 4 * 5'400 * us + 3 * 88 * us), std::to_string(total(asked, 4)).c_str());
}

void tst_WhatIfWorkers::aPartAlone()
{
    const Asked asked(LoadsAndTrains(of_torch).finish());
    const auto some = asked.what_if.predict({{ChangeKind::workers, query_of({24 * ms, 72 * ms}), 4}});
    QCOMPARE(some.count, std::uint64_t {2});
    // The first of the two is ready 30 ms after the request, not 20; the second at the same time.
    QVERIFY2(is_about(some.total, 95'912 * us + 10 * ms - 20 * ms + 3 * ms), std::to_string(some.total).c_str());
}

void tst_WhatIfWorkers::whatIsNoLoading()
{
    const Asked waits(LoadsAndTrains("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__").finish());
    QCOMPARE(waits.what_if.count({ChangeKind::workers}), std::uint64_t {0});  // it has workers
    const Asked other(LoadsAndTrains("forward").finish());
    QCOMPARE(other.what_if.count({ChangeKind::workers}), std::uint64_t {0});
}

/// In the predicted recording a range of the loader is as short as the waiting.
void tst_WhatIfWorkers::shortenRanges()
{
    const Asked asked(LoadsAndTrains(of_torch).finish());
    const auto run = asked.what_if.predicted_trace({{ChangeKind::workers, {}, 4}});
    QCOMPARE(run.ranges.size(), asked.trace.ranges.size());
    for (Row row = 1; row < run.ranges.size(); ++row) {
        const Ns length = run.ranges[row].end - run.ranges[row].start;
        QVERIFY2(length >= 0 && length < 2 * ms, std::to_string(length).c_str());
    }
}

QTEST_GUILESS_MAIN(tst_WhatIfWorkers)
#include "tst_whatif_workers.moc"
