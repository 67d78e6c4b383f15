// SPDX-License-Identifier: MIT
// Batches that workers load instead of the thread that trains, by hand.
#include "tests/engine/whatif/asked.h"

#include <QtTest>

using namespace lanes;
using namespace lanes::whatif;

namespace {

constexpr Ns us = 1'000;
constexpr const char* of_torch = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";

/// Four times: loads for 1 ms, launches a kernel of 100 us, waits for it. An iteration takes 1200 us, 200 without the
/// loading.
struct LoadsAndTrains : Tape {
    explicit LoadsAndTrains(const char* range, bool is_before = false)
    {
        stream(13, StreamRecord::non_blocking);
        if (is_before) {
            kernel(0, 13, 1 * us, 9 * us);
        }
        for (Ns start = 0; start < 4800 * us; start += 1200 * us) {
            Tape::range(range, start, start + 1000 * us);
            call("cudaGetDevice", start + 400 * us, start + 410 * us);  // of the loading
            const auto launch = call("cudaLaunchKernel", start + 1010 * us, start + 1015 * us);
            kernel(launch, 13, start + 1018 * us, start + 1118 * us);
            const auto wait = call("cudaStreamSynchronize", start + 1016 * us, start + 1122 * us);
            sync(wait, SyncRecord::stream_sync, start + 1016 * us, start + 1122 * us, 13);
        }
    }
};

/// With what a get costs after the first wait.
Ns total(const Asked& asked, int workers)
{
    return asked.what_if.predict({{ChangeKind::workers, {}, static_cast<double>(workers)}}).total;
}

}  // namespace

class tst_WhatIfWorkers : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", (qEnvironmentVariable("LANES_SOURCE") + "/resources").toUtf8()); }
    void loadBesideTheTraining();
    void haveLoadedBeforeTheRecording();
    void aPartAlone();
    void whatIsNoLoading();
    void shortenRanges();
};

void tst_WhatIfWorkers::loadBesideTheTraining()
{
    const Asked asked(LoadsAndTrains(of_torch).finish());
    QCOMPARE(asked.what_if.gate().measured, 4722 * us);
    const Ns get = 50 * us;  // at most, for each batch that is waited for
    const auto is_about = [&](Ns is, Ns wanted) { return is >= wanted && is <= wanted + 4 * get; };
    // One loads the next batch while the thread trains: four loadings and the last training.
    QVERIFY2(is_about(total(asked, 1), 4122 * us), std::to_string(total(asked, 1)).c_str());
    // Two: batches are there at 1, 1, 2 and 2 ms.
    QVERIFY2(is_about(total(asked, 2), 2322 * us), std::to_string(total(asked, 2)).c_str());
    // Four: all at 1 ms, the training sets the pace.
    QVERIFY2(is_about(total(asked, 4), 1722 * us), std::to_string(total(asked, 4)).c_str());
    const auto prediction = asked.what_if.predict({{ChangeKind::workers}});
    QCOMPARE(prediction.total, total(asked, 4));
    QCOMPARE(prediction.count, std::uint64_t {4});
    QCOMPARE(prediction.assumptions.front().word(), std::string("workers-load"));
    const auto offers = asked.what_if.offers();
    QVERIFY(!offers.empty());
    QCOMPARE(offers.front().changes.front().kind, ChangeKind::workers);
}

/// A program that ran before has its workers at work.
void tst_WhatIfWorkers::haveLoadedBeforeTheRecording()
{
    const Asked asked(LoadsAndTrains(of_torch, true).finish());
    QVERIFY(asked.what_if.gate().is_open());
    const Ns all = total(asked, 4);
    QVERIFY2(all >= 722 * us && all <= 922 * us, std::to_string(all).c_str());
}

void tst_WhatIfWorkers::aPartAlone()
{
    const Asked asked(LoadsAndTrains(of_torch).finish());
    const auto some = asked.what_if.predict({{ChangeKind::workers, query_of({1200 * us, 3600 * us}), 4}});
    QCOMPARE(some.count, std::uint64_t {2});
    QVERIFY2(some.total >= 3722 * us && some.total <= 3922 * us, std::to_string(some.total).c_str());
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
        QVERIFY2(length >= 0 && length < 100 * us, std::to_string(length).c_str());
    }
}

QTEST_GUILESS_MAIN(tst_WhatIfWorkers)
#include "tst_whatif_workers.moc"
