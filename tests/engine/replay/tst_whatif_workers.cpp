// SPDX-License-Identifier: MIT
// Batches that workers load instead of the thread that trains, by hand.
#include "engine/analysis/facts/batches.h"
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
    void mayStartInTheRun();
    void haveLoadedBeforeTheRecording();
    void aPartAlone();
    void whatIsNoLoading();
    void besideWorkers();
    void ownTimeBeforeUploads();
    void ownTimeThatIsNotLoading_data();
    void ownTimeThatIsNotLoading();
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
    const auto found = std::find_if(offers.begin(), offers.end(),
        [](const Prediction& offer) { return offer.changes.front().kind == ChangeKind::workers; });
    QVERIFY(found != offers.end());
    const auto& prediction = *found;
    QCOMPARE(prediction.total, total(asked, 4));
    QCOMPARE(prediction.count, std::uint64_t {4});
    QCOMPARE(prediction.reliability, Reliability::conditional);
    QCOMPARE(prediction.assumptions.front().word(), std::string("workers-load"));
    // A worker may take from 12 to 66 ms.
    QVERIFY2(prediction.low < 30 * ms && prediction.high > 80 * ms, std::to_string(prediction.high).c_str());
}

/// Starting four takes the thread 100 ms at most, of a run of 96 ms, unless the workers run already.
void tst_WhatIfWorkers::mayStartInTheRun()
{
    const std::vector<Change> workers {{ChangeKind::workers, {}, 4}};
    const auto predicted = [&](bool is_before, const Answers& answers) {
        return Asked(LoadsAndTrains(of_torch, is_before).finish()).what_if.predict(workers, answers);
    };
    const auto assumed = predicted(false, {});
    const auto confirmed = predicted(false, {{"workers-run", true}});
    const auto lifted = predicted(false, {{"workers-run", false}});
    QCOMPARE(confirmed.total, assumed.total);
    QCOMPARE(lifted.total, assumed.total + 100 * ms);
    QVERIFY(confirmed.high < lifted.total && lifted.total < assumed.high);
    QVERIFY(lifted.low <= lifted.total && lifted.total <= lifted.high);
    QVERIFY(predicted(true, {}).high < 96 * ms);
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

/// One worker, recorded, takes 20 ms for a batch and is never ahead; the thread trains for 4 ms and waits for 16. The
/// first wait, for the worker's start, stays.
void tst_WhatIfWorkers::besideWorkers()
{
    constexpr Ns start_up = 30 * ms;
    constexpr Ns iterations = 8;
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    Ns ready = start_up;
    Ns now = 0;
    for (Ns i = 0; i < iterations; ++i) {
        tape.range(std::string(batch_fetch).c_str(), ready, ready + 20 * ms, 2);
        ready += 20 * ms;
        tape.range("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", now, ready + 50 * us);
        now = ready + 50 * us;
        const auto launch = tape.call("cudaLaunchKernel", now, now + 5 * us);
        tape.kernel(launch, 13, now + 8 * us, now + 3'900 * us);
        const auto wait = tape.call("cudaStreamSynchronize", now + 6 * us, now + 3'910 * us);
        tape.sync(wait, SyncRecord::stream_sync, now + 6 * us, now + 3'910 * us, 13);
        now += 4 * ms;
    }
    const Asked asked(tape.finish());
    QVERIFY2(asked.what_if.gate().is_open(), to_text(asked.what_if.gate(), {}, Messages::english()).c_str());
    QCOMPARE(asked.what_if.count({ChangeKind::workers, {}, 1}), std::uint64_t {0});  // so it is
    QCOMPARE(asked.what_if.count({ChangeKind::workers, {}, 2}), std::uint64_t {iterations});
    const Ns recorded = asked.what_if.gate().recorded;
    // Two: a batch each 10 ms. Eight: all at once, and the training sets the pace, each with a wait of 1.5 ms at most.
    QVERIFY2(is_about(total(asked, 2), recorded - 3 * 20 * ms - 14 * ms) || total(asked, 2) < recorded - 60 * ms,
        std::to_string(total(asked, 2)).c_str());
    QVERIFY2(total(asked, 8) < start_up + 20 * ms + iterations * 5'600 * us, std::to_string(total(asked, 8)).c_str());
    QVERIFY2(total(asked, 8) > start_up + 20 * ms + iterations * 3'900 * us, std::to_string(total(asked, 8)).c_str());
}

/// Nothing is recorded of the thread but its calls: its 20 ms before each upload, after the work before.
void tst_WhatIfWorkers::ownTimeBeforeUploads()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    Ns now = 500 * ms;  // what the program does before is no loading
    for (Ns i = 0; i < 8; ++i) {
        const auto event = tape.call("cudaEventQuery", now + 20 * ms, now + 20 * ms + 2 * us);
        Q_UNUSED(event)
        const auto copy = tape.call("cudaMemcpyAsync", now + 20'010 * us, now + 20'015 * us);
        tape.copy(copy, 13, now + 20'020 * us, now + 20'040 * us, CopyKind::h2d, MemoryKind::pinned, true);
        for (Ns k = 0; k < 8; ++k) {
            const Ns at = now + 20'050 * us + 100 * k * us;
            const char* const name = k % 2 == 0 ? "a(int)" : "b(int)";
            tape.kernel(tape.call("cudaLaunchKernel", at, at + 5 * us), 13, at + 10 * us, at + 90 * us, 0, name);
        }
        now += 21 * ms;
    }
    const auto last = tape.call("cudaDeviceSynchronize", now + 1 * us, now + 3 * us);
    tape.sync(last, SyncRecord::context_sync, now + 1 * us, now + 3 * us);
    const Asked asked(tape.finish());
    const auto prediction = asked.what_if.predict({{ChangeKind::workers}});
    QVERIFY2(prediction.count >= 7, std::to_string(prediction.count).c_str());
    QVERIFY2(prediction.total > 500 * ms && prediction.total < 600 * ms, std::to_string(prediction.total).c_str());
    const auto& assumed = prediction.assumptions;
    const auto says = [&](const char* word) {
        return std::any_of(assumed.begin(), assumed.end(), [&](const Assumption& a) { return a.word() == word; });
    };
    QVERIFY(says("own-time-loads"));
    QCOMPARE(asked.what_if.predict({{ChangeKind::workers}}, {{"own-time-loads", false}}).count, std::uint64_t {0});
}

void tst_WhatIfWorkers::ownTimeThatIsNotLoading_data()
{
    QTest::addColumn<QString>("range");
    QTest::addColumn<QString>("domain");
    QTest::addColumn<int>("before");  // so many of four uploads
    QTest::addColumn<Ns>("shortest");  // of them
    QTest::addColumn<bool>("is_loading");
    const QString other = operator_domain;
    QTest::newRow("nothing says what it is") << ""
                                             << "" << 4 << 20 * ms << true;
    QTest::newRow("a range of the program") << "prepare"
                                            << "" << 4 << 20 * ms << true;
    QTest::newRow("before most batches") << ""
                                         << "" << 3 << 20 * ms << true;
    QTest::newRow("now and then: a server waits for requests") << ""
                                                               << "" << 1 << 20 * ms << false;
    QTest::newRow("batches that take longer and longer") << ""
                                                         << "" << 4 << 8 * ms << true;
    QTest::newRow("at irregular times: a server waits for requests") << "queue.get"
                                                                     << "" << 4 << 1 * ms << false;
    QTest::newRow("an operator of PyTorch") << "aten::sort" << other << 4 << 20 * ms << false;
    QTest::newRow("a wait for workers that are not in the recording")
        << "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
        << "" << 4 << 20 * ms << false;
}

/// The thread's 20 ms or less before uploads, in a range.
void tst_WhatIfWorkers::ownTimeThatIsNotLoading()
{
    QFETCH(const QString, range);
    QFETCH(const QString, domain);
    QFETCH(const int, before);
    QFETCH(const Ns, shortest);
    QFETCH(const bool, is_loading);
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    Ns now = 1 * ms;
    for (int i = 0; i < 32; ++i) {
        const Ns pause = i % 4 < before ? shortest + (20 * ms - shortest) * (i % 4) / 3 : 10 * us;
        if (!range.isEmpty()) {
            tape.range(range.toStdString(), now, now + pause, 1, domain.toStdString());
        }
        now += pause;
        const auto copy = tape.call("cudaMemcpyAsync", now + 10 * us, now + 15 * us);
        tape.copy(copy, 13, now + 20 * us, now + 40 * us, CopyKind::h2d, MemoryKind::pinned, true);
        for (Ns k = 0; k < 8; ++k) {
            const Ns at = now + 50 * us + 100 * k * us;
            const char* const name = k % 2 == 0 ? "a(int)" : "b(int)";
            tape.kernel(tape.call("cudaLaunchKernel", at, at + 5 * us), 13, at + 10 * us, at + 90 * us, 0, name);
            if (k == 3) {  // labels, when the images are in use already
                const auto labels = tape.call("cudaMemcpyAsync", at + 10 * us, at + 15 * us);
                tape.copy(labels, 13, at + 91 * us, at + 93 * us, CopyKind::h2d, MemoryKind::pinned, true, 0, 512);
            }
        }
        now += 900 * us;
    }
    const auto last = tape.call("cudaDeviceSynchronize", now + 1 * us, now + 3 * us);
    tape.sync(last, SyncRecord::context_sync, now + 1 * us, now + 3 * us);
    const Asked asked(tape.finish());
    QVERIFY(asked.what_if.gate().is_open());
    const auto count = asked.what_if.count({ChangeKind::workers});
    QVERIFY2((count > 0) == is_loading, std::to_string(count).c_str());
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
