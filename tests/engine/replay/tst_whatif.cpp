// SPDX-License-Identifier: MIT
#include "engine/analysis/caveats.h"
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "tests/engine/replay/asked.h"

#include <fstream>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace lanes;
using namespace lanes::replay;

namespace {

constexpr Ns us = 1'000;

/// Calls without those that a predicted recording adds to show what streams wait for.
std::size_t calls_but_orders(const Trace& trace)
{
    return static_cast<std::size_t>(std::count_if(trace.calls.name.begin(), trace.calls.name.end(), [&](StringId name) {
        return trace.text(name) != "cudaEventRecord" && trace.text(name) != "cudaStreamWaitEvent";
    }));
}

}  // namespace

class tst_WhatIf : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", (qEnvironmentVariable("LANES_SOURCE") + "/resources").toUtf8()); }
    void unchangedIsTheRecording();
    void dependentLaunches_data();
    void dependentLaunches();
    void dropsWaits();
    void cudaStartsUpAllTheSame_data();
    void cudaStartsUpAllTheSame();
    void waitsWithoutARecord_data();
    void waitsWithoutARecord();
    void waitsAsEvents();
    void spinsAsEvents();
    void gathersSmallCopies();
    void gathersCopiesWithWaits_data();
    void gathersCopiesWithWaits();
    void streamsMayCostCalls_data();
    void streamsMayCostCalls();
    void selects();
    void keepsEveryNth();
    void fasterKernels();
    void dropsTheLastValue_data();
    void dropsTheLastValue();
    void saysOldBytes_data();
    void saysOldBytes();
    void waitsForPinnedResults();
    void copiesOfOneDirection();
    void copiesOfBothDirections();
    void copiesByOneEngine();
    void bringsBack();
    void copiesOnAStreamOfThatNumber();
    void theOutlineIsThePredictedRun_data();
    void theOutlineIsThePredictedRun();
    void pinsBehindAQueue();
    void overlapsCollectivesOfOneRank_data();
    void overlapsCollectivesOfOneRank();
    void overlapsTheBackwardPass_data();
    void overlapsTheBackwardPass();
    void boundByLaunches();
    void loadsAhead();
    void cutsIntoPieces();
    void launchesAsGraphs();
    void graphsKeepWork();
    void loopsAsGraphs();
    void graphsWaitForBatches_data();
    void graphsWaitForBatches();
    void answersDecideTheClass();
    void liftedIsDoneWithout_data();
    void liftedIsDoneWithout();
    void everyAssumptionHasAWord();
    void writesARecording();
    void wordsOfAChangeAreReadBack();
    void aPartIsSaidInTimes_data();
    void aPartIsSaidInTimes();
    void json();
};

void tst_WhatIf::unchangedIsTheRecording()
{
    const Asked asked(LaunchesAndWaits().finish());
    QVERIFY(asked.what_if.gate().is_open());
    QCOMPARE(asked.what_if.gate().recorded, 522 * us);
    QCOMPARE(asked.what_if.gate().measured, 522 * us);
    QVERIFY(asked.what_if.gate().delays.measured > 0);
}

void tst_WhatIf::dependentLaunches_data()
{
    QTest::addColumn<Ns>("overlap");
    QTest::newRow("a little") << Ns {900};
    QTest::newRow("much") << 20 * us;
}

/// If kernels of one stream begin before the previous one has ended, they do so in a replay, too.
void tst_WhatIf::dependentLaunches()
{
    QFETCH(const Ns, overlap);
    Tape tape;
    const Ns end = dependent_launches(tape, 13, 50 * us, 20, overlap);
    const auto wait = tape.call("cudaStreamSynchronize", 41 * us, end + 3 * us);
    tape.sync(wait, SyncRecord::stream_sync, 41 * us, end + 3 * us, 13);
    const Asked asked(tape.finish());
    QVERIFY(asked.what_if.gate().is_open());
    QCOMPARE(asked.what_if.gate().measured, end + 3 * us);
}

void tst_WhatIf::dropsWaits()
{
    const Asked asked(LaunchesAndWaits().finish());
    const auto prediction = asked.what_if.predict({{ChangeKind::drop_syncs}});
    QCOMPARE(asked.what_if.total({{ChangeKind::drop_syncs}}), prediction.total);
    QCOMPARE(prediction.count, std::uint64_t {2});  // nothing is issued after the last one
    QCOMPARE(prediction.reliability, Reliability::good);
    // The kernels follow one another: 18 µs to the first, 300 µs of work, two steps between and the return.
    QVERIFY2(prediction.total > 318 * us && prediction.total < 330 * us, std::to_string(prediction.total).c_str());
    const auto trace = asked.what_if.predicted_trace(prediction.changes);
    QCOMPARE(trace.calls.size(), std::size_t {4});
    QCOMPARE(trace.operations.size(), std::size_t {3});
    QCOMPARE(trace.syncs.size(), std::size_t {1});
}

void tst_WhatIf::cudaStartsUpAllTheSame_data()
{
    QTest::addColumn<QString>("call");
    QTest::addColumn<ChangeKind>("kind");
    QTest::newRow("a wait that is dropped") << "cudaDeviceSynchronize" << ChangeKind::drop_syncs;
    QTest::newRow("a wait on the GPU instead") << "cudaDeviceSynchronize" << ChangeKind::event_waits;
    QTest::newRow("a wait that returns at once") << "cudaDeviceSynchronize" << ChangeKind::at_once;
    QTest::newRow("an allocation that returns at once") << "cudaMalloc" << ChangeKind::at_once;
    QTest::newRow("a launch that returns at once") << "cudaLaunchKernel" << ChangeKind::at_once;
    QTest::newRow("a copy of pageable memory that is pinned") << "cudaMemcpyAsync" << ChangeKind::pin;
}

/// The first call of a process makes its context. Without that call the next one makes it.
void tst_WhatIf::cudaStartsUpAllTheSame()
{
    QFETCH(const QString, call);
    QFETCH(const ChangeKind, kind);
    constexpr Ns made = 120'000 * us;
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    const auto first = tape.call(call.toStdString(), 10 * us, made + 10 * us);
    if (call == "cudaDeviceSynchronize") {
        tape.sync(first, SyncRecord::context_sync, 10 * us, made + 10 * us);
    } else if (call == "cudaLaunchKernel") {
        tape.kernel(first, 13, made + 5 * us, made + 15 * us);
    } else if (call == "cudaMemcpyAsync") {
        tape.copy(first, 13, made, made + 8 * us, CopyKind::h2d, MemoryKind::pageable, true, 0, 1 << 16);
    }
    for (Ns start = made + 20 * us; start < made + 600 * us; start += 200 * us) {
        const auto launch = tape.call("cudaLaunchKernel", start + 10 * us, start + 15 * us);
        tape.kernel(launch, 13, start + 18 * us, start + 118 * us);
        const auto wait = tape.call("cudaStreamSynchronize", start + 16 * us, start + 122 * us);
        tape.sync(wait, SyncRecord::stream_sync, start + 16 * us, start + 122 * us, 13);
    }
    const Asked asked(tape.finish());
    QVERIFY(asked.what_if.gate().is_open());
    const auto query = kind == ChangeKind::at_once ? Query::parse("name:" + call.toStdString()) : Query {};
    const auto prediction = asked.what_if.predict({{kind, query}});
    QVERIFY(prediction.count > 0);
    QVERIFY2(prediction.total >= made, std::to_string(prediction.total).c_str());
}

void tst_WhatIf::waitsWithoutARecord_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"cudaDeviceSynchronize", "hipDeviceSynchronize", "cudaStreamSynchronize"}) {
        QTest::newRow(name) << name;
    }
}

/// Traces of ROCm, and of PyTorch as it usually is, do not say what a call synchronised with.
void tst_WhatIf::waitsWithoutARecord()
{
    QFETCH(QString, name);
    Tape tape;
    const auto launch = tape.call("cudaLaunchKernel", 10 * us, 15 * us);
    tape.kernel(launch, 13, 18 * us, 518 * us);
    tape.call(name.toStdString(), 16 * us, 521 * us);
    const Asked asked(tape.finish());
    QCOMPARE(asked.what_if.gate().recorded, 521 * us);
    const auto prediction = asked.what_if.predict({{ChangeKind::faster, {}, 2}});
    QVERIFY2(std::abs(prediction.total - 271 * us) < 5 * us, std::to_string(prediction.total).c_str());
    QCOMPARE(asked.what_if.pace().id, std::string("whatif.pace.gpu"));
}

void tst_WhatIf::waitsAsEvents()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.stream(14, StreamRecord::non_blocking);
    const auto launch = tape.call("cudaLaunchKernel", 10 * us, 15 * us);
    tape.kernel(launch, 13, 18 * us, 118 * us);
    const auto wait = tape.call("cudaDeviceSynchronize", 16 * us, 122 * us);
    tape.sync(wait, SyncRecord::context_sync, 16 * us, 122 * us);
    const auto copy = tape.call("cudaMemcpyAsync", 124 * us, 128 * us);
    tape.copy(copy, 14, 130 * us, 180 * us, CopyKind::d2h, MemoryKind::pinned, true);
    tape.host_span(HostSpanRecord::work, 129 * us, 229 * us);
    const auto last = tape.call("cudaDeviceSynchronize", 230 * us, 233 * us);
    tape.sync(last, SyncRecord::context_sync, 230 * us, 233 * us);
    const Asked asked(tape.finish());
    QVERIFY(asked.what_if.gate().is_open());
    const auto prediction = asked.what_if.predict({{ChangeKind::event_waits}});
    QCOMPARE(prediction.count, std::uint64_t {1});
    const auto trace = asked.what_if.predicted_trace(prediction.changes);
    // The host works beside the kernel; the copy still follows it.
    QVERIFY(trace.host_spans.front().start < 40 * us);
    QVERIFY(trace.operations.start[1] >= trace.operations.end[0]);
    QVERIFY(prediction.total < 190 * us);
    QCOMPARE(trace.text(trace.calls.name[1]), std::string_view("cudaStreamWaitEvent"));
    QCOMPARE(trace.syncs.front().type, SyncRecord::stream_wait_event);
}

/// The thread queries until a kernel is done, then works, then launches a kernel on another stream.
void tst_WhatIf::spinsAsEvents()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.stream(14, StreamRecord::non_blocking);
    const auto launch = tape.call("cudaLaunchKernel", 10 * us, 15 * us);
    tape.kernel(launch, 13, 18 * us, 118 * us);
    tape.event(tape.call("cudaEventRecord", 16 * us, 17 * us), 13, 5, 41);
    const auto query = tape.call("cudaEventQuery", 20 * us, 120 * us);
    tape.sync(query, SyncRecord::unknown, 20 * us, 120 * us, no_id, 5, 41);
    tape.query_spin(query, 20 * us, 120 * us, 90, QuerySpinRecord::ready);
    tape.host_span(HostSpanRecord::work, 121 * us, 221 * us);
    const auto other = tape.call("cudaLaunchKernel", 222 * us, 227 * us);
    tape.kernel(other, 14, 230 * us, 330 * us);
    const auto last = tape.call("cudaDeviceSynchronize", 228 * us, 334 * us);
    tape.sync(last, SyncRecord::context_sync, 228 * us, 334 * us);
    const Asked asked(tape.finish());
    QVERIFY(asked.what_if.gate().is_open());
    const auto prediction = asked.what_if.predict({{ChangeKind::event_waits, Query::parse("name:query")}});
    QCOMPARE(prediction.count, std::uint64_t {1});
    QVERIFY2(prediction.total > 215 * us && prediction.total < 250 * us, std::to_string(prediction.total).c_str());
    const auto trace = asked.what_if.predicted_trace(prediction.changes);
    QVERIFY(trace.host_spans.front().start < 40 * us);
    QVERIFY(trace.operations.start[1] >= trace.operations.end[0]);
    QVERIFY(trace.query_spins.empty());
    QCOMPARE(trace.text(trace.calls.name[2]), std::string_view("cudaStreamWaitEvent"));
}

/// Six uploads of 4 KiB, then a launch, and three more: the six become one, three are too few.
void tst_WhatIf::gathersSmallCopies()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    constexpr std::uint64_t bytes = 4096;
    Ns now = 10 * us;
    const auto upload = [&] {
        const auto copy = tape.call("cudaMemcpyAsync", now, now + 5 * us);
        tape.copy(copy, 13, now + 4 * us, now + 6 * us, CopyKind::h2d, MemoryKind::pinned, true, 0, bytes);
        now += 10 * us;
    };
    for (int i = 0; i < 6; ++i) {
        upload();
    }
    const auto launch = tape.call("cudaLaunchKernel", now, now + 5 * us);
    tape.kernel(launch, 13, now + 7 * us, now + 9 * us);
    now += 10 * us;
    for (int i = 0; i < 3; ++i) {
        upload();
    }
    const auto last = tape.call("cudaDeviceSynchronize", now, now + 5 * us);
    tape.sync(last, SyncRecord::context_sync, now, now + 5 * us);
    const Asked asked(tape.finish());
    QVERIFY(asked.what_if.gate().is_open());
    const auto prediction = asked.what_if.predict({{ChangeKind::gather}});
    QCOMPARE(prediction.count, std::uint64_t {5});
    QCOMPARE(prediction.reliability, Reliability::conditional);  // the calls set the pace
    // Five calls of 5 µs, 10 µs before the first and 5 µs before the others.
    QCOMPARE(asked.what_if.gate().measured - prediction.total, 55 * us);
    const auto trace = asked.what_if.predicted_trace(prediction.changes);
    QCOMPARE(trace.operations.size(), std::size_t {5});
    // Five times 4 KiB more over a link of 55 GB/s.
    QCOMPARE((trace.operations.end[0] - trace.operations.start[0] + 50) / 100, 24);
    std::uint64_t all = 0;
    for (Row row = 0; row < trace.operations.size(); ++row) {
        all += trace.operations.kind[row] == OperationKind::h2d ? trace.bytes_of(row) : 0;
    }
    QCOMPARE(all, 9 * bytes);
}

void tst_WhatIf::gathersCopiesWithWaits_data()
{
    QTest::addColumn<std::uint32_t>("waits_for");
    QTest::addColumn<std::uint64_t>("count");
    QTest::newRow("the copies' stream") << std::uint32_t {13} << std::uint64_t {9};
    QTest::newRow("another stream") << std::uint32_t {14} << std::uint64_t {0};
}

/// Ten pageable uploads, each with a wait for it, as PyTorch makes them: they become one with one wait. A wait for
/// something else keeps them apart.
void tst_WhatIf::gathersCopiesWithWaits()
{
    QFETCH(const std::uint32_t, waits_for);
    QFETCH(const std::uint64_t, count);
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.stream(14, StreamRecord::non_blocking);
    Ns now = 10 * us;
    for (int i = 0; i < 10; ++i) {
        const auto copy = tape.call("cudaMemcpyAsync", now, now + 5 * us);
        tape.copy(copy, 13, now + 4 * us, now + 6 * us, CopyKind::h2d, MemoryKind::pageable, true, 0, 4096);
        const auto wait = tape.call("cudaStreamSynchronize", now + 6 * us, now + 12 * us);
        tape.sync(wait, SyncRecord::stream_sync, now + 6 * us, now + 12 * us, waits_for);
        now += 20 * us;
    }
    const auto launch = tape.call("cudaLaunchKernel", now, now + 5 * us);
    tape.kernel(launch, 13, now + 7 * us, now + 9 * us);
    const auto other = tape.call("cudaLaunchKernel", now + 5 * us, now + 10 * us);
    tape.kernel(other, 14, now + 12 * us, now + 14 * us);
    const auto last = tape.call("cudaDeviceSynchronize", now + 10 * us, now + 20 * us);
    tape.sync(last, SyncRecord::context_sync, now + 10 * us, now + 20 * us);
    const Asked asked(tape.finish());
    QVERIFY(asked.what_if.gate().is_open());
    const auto prediction = asked.what_if.predict({{ChangeKind::gather}});
    QCOMPARE(prediction.count, count);
    if (count > 0) {
        const auto trace = asked.what_if.predicted_trace(prediction.changes);
        QCOMPARE(trace.operations.size(), std::size_t {3});
        const auto waits = std::count_if(trace.calls.name.begin(), trace.calls.name.end(),
            [&](StringId name) { return trace.text(name) == "cudaStreamSynchronize"; });
        QCOMPARE(waits, 1);
        QVERIFY(asked.what_if.gate().measured - prediction.total >= 9 * 17 * us);  // copy, wait and the time between
    }
}

void tst_WhatIf::streamsMayCostCalls_data()
{
    QTest::addColumn<Ns>("kernel");
    QTest::addColumn<bool>("matters");
    QTest::newRow("the CPU sets the pace") << 2 * us << true;
    QTest::newRow("the GPU sets the pace") << 500 * us << false;
}

/// Ten times, 20 launches of 5 us each 10 us, and a wait: forking to two streams may cost 2 x 10 calls of 10 us each
/// time. Where launches limit the run, the interval reaches there, and the prediction is conditional.
void tst_WhatIf::streamsMayCostCalls()
{
    QFETCH(const Ns, kernel);
    QFETCH(const bool, matters);
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    Ns now = 10 * us;
    Ns busy = 0;
    for (int turn = 0; turn < 10; ++turn) {
        for (int i = 0; i < 20; ++i) {
            const auto launch = tape.call("cudaLaunchKernel", now, now + 5 * us);
            const Ns start = std::max(now + 7 * us, busy + 1 * us);
            tape.kernel(launch, 13, start, start + kernel);
            busy = start + kernel;
            now += 10 * us;
        }
        const Ns end = std::max(now + 5 * us, busy + 5 * us);
        const auto wait = tape.call("cudaStreamSynchronize", now, end);
        tape.sync(wait, SyncRecord::stream_sync, now, end, 13);
        now = end + 5 * us;
    }
    const Asked asked(tape.finish());
    QVERIFY(asked.what_if.gate().is_open());
    const std::vector<Change> streams {{ChangeKind::more_streams}};
    const auto prediction = asked.what_if.predict(streams);
    const Ns added = 10 * 2 * 10 * 10 * us;
    QCOMPARE(prediction.high > asked.what_if.gate().measured + added * 9 / 10, matters);
    QVERIFY(!matters || prediction.reliability == Reliability::conditional);
    const auto confirmed = asked.what_if.predict(streams, {{"no-more-calls", true}});
    QCOMPARE(confirmed.total, prediction.total);
    QVERIFY(confirmed.high < asked.what_if.gate().measured + added / 2);
    const auto lifted = asked.what_if.predict(streams, {{"no-more-calls", false}});
    QVERIFY(!matters || lifted.total > prediction.total + added * 9 / 10);
    QVERIFY(lifted.total >= prediction.total);
    QVERIFY(prediction.low <= lifted.total && lifted.total <= prediction.high);
}

void tst_WhatIf::selects()
{
    const Asked asked(LaunchesAndWaits().finish());
    Change early {ChangeKind::drop_syncs, Query::parse("at<100us")};
    QCOMPARE(asked.what_if.predict({early}).count, std::uint64_t {1});
    early.on = Query::parse("name:nothing");
    const auto none_there = asked.what_if.predict({early});
    QCOMPARE(none_there.count, std::uint64_t {0});
    QCOMPARE(none_there.total, 522 * us);
}

void tst_WhatIf::keepsEveryNth()
{
    const Asked asked(LaunchesAndWaits().finish());
    QCOMPARE(asked.what_if.predict({{ChangeKind::drop_syncs, {}, 2}}).count, std::uint64_t {1});
    QCOMPARE(asked.what_if.predict({{ChangeKind::drop_syncs, {}, 1}}).count, std::uint64_t {0});
}

void tst_WhatIf::fasterKernels()
{
    const Asked asked(LaunchesAndWaits().finish());
    const auto prediction = asked.what_if.predict({{ChangeKind::faster, {}, 2}});
    QCOMPARE(prediction.count, std::uint64_t {3});
    QCOMPARE(prediction.total, (522 - 3 * 50) * us);
    QVERIFY(prediction.low < prediction.total && prediction.high > prediction.total);
}

void tst_WhatIf::dropsTheLastValue_data()
{
    QTest::addColumn<QString>("last");
    QTest::addColumn<int>("stream");
    QTest::addColumn<int>("dropped");  // of two
    QTest::newRow("the program ends with it") << "" << 0 << 1;
    QTest::newRow("the program waits for the device") << "cudaDeviceSynchronize" << 0 << 2;
    QTest::newRow("no record says that it waits for the device") << "cudaDeviceSynchronize" << -1 << 2;
    QTest::newRow("the program waits for its stream") << "cudaStreamSynchronize" << 13 << 2;
    QTest::newRow("the program waits for another stream") << "cudaStreamSynchronize" << 14 << 1;
}

/// Twice a kernel, its value, and 80 µs of the thread's own.
void tst_WhatIf::dropsTheLastValue()
{
    QFETCH(const QString, last);
    QFETCH(const int, stream);
    QFETCH(const int, dropped);
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.stream(14, StreamRecord::non_blocking);
    tape.kernel(tape.call("cudaLaunchKernel", 1 * us, 5 * us), 14, 8 * us, 9 * us);
    Ns now = 0;
    for (int i = 0; i < 2; ++i, now += 200 * us) {
        tape.kernel(tape.call("cudaLaunchKernel", now + 10 * us, now + 15 * us), 13, now + 18 * us, now + 98 * us);
        const auto copy = tape.call("cudaMemcpyAsync", now + 16 * us, now + 20 * us);
        tape.copy(copy, 13, now + 100 * us, now + 102 * us, CopyKind::d2h, MemoryKind::pinned, true, 0, 4);
        const auto wait = tape.call("cudaStreamSynchronize", now + 21 * us, now + 105 * us);
        tape.sync(wait, SyncRecord::stream_sync, now + 21 * us, now + 105 * us, 13);
    }
    if (!last.isEmpty()) {
        const auto wait = tape.call(last.toStdString(), now, now + 3 * us);
        const auto kind = stream == 0 ? SyncRecord::context_sync : SyncRecord::stream_sync;
        if (stream >= 0) {
            tape.sync(wait, kind, now, now + 3 * us, static_cast<std::uint32_t>(stream));
        }
    }
    const Asked asked(tape.finish());
    QVERIFY2(asked.what_if.gate().is_open(), to_text(asked.what_if.gate(), {}, Messages::english()).c_str());
    QCOMPARE(asked.what_if.count({ChangeKind::drop_values}), static_cast<std::uint64_t>(dropped));
}

/// A wait for a result that is dropped: a read of the host before the next wait, or work that may read it.
void tst_WhatIf::saysOldBytes_data()
{
    QTest::addColumn<bool>("reads");
    QTest::addColumn<Ns>("works");
    QTest::addColumn<bool>("of_workload");
    QTest::addColumn<int>("reliability");
    const auto row = [](const char* name, bool reads, Ns works, bool of_workload, Reliability reliability) {
        QTest::newRow(name) << reads << works << of_workload << static_cast<int>(reliability);
    };
    row("it is read", true, 10 * us, false, Reliability::unsafe);
    row("the host works for long", false, 1000 * us, false, Reliability::unsafe);
    row("the host launches at once", false, 10 * us, false, Reliability::good);
    row("the host works, and reads are recorded", false, 1000 * us, true, Reliability::conditional);  // by the work
}

void tst_WhatIf::saysOldBytes()
{
    QFETCH(const bool, reads);
    QFETCH(const Ns, works);
    QFETCH(const bool, of_workload);
    QFETCH(const int, reliability);
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    const auto copy = tape.call("cudaMemcpyAsync", 10 * us, 15 * us);
    tape.copy(copy, 13, 18 * us, 118 * us, CopyKind::d2h, MemoryKind::pinned, true, 0, 1 << 20);
    const auto wait = tape.call("cudaStreamSynchronize", 16 * us, 122 * us);
    tape.sync(wait, SyncRecord::stream_sync, 16 * us, 122 * us, 13);
    if (reads) {
        tape.read("y", 123 * us, 130 * us, 1024, 0);
    }
    const Ns then = 130 * us + works;
    const auto launch = tape.call("cudaLaunchKernel", then, then + 5 * us);
    tape.kernel(launch, 13, then + 8 * us, then + 108 * us);
    const auto last = tape.call("cudaStreamSynchronize", then + 6 * us, then + 112 * us);
    tape.sync(last, SyncRecord::stream_sync, then + 6 * us, then + 112 * us, 13);
    auto trace = tape.finish();
    if (of_workload) {
        trace.meta[meta::workload] = "results";
    }
    const Asked asked(std::move(trace));
    const auto prediction = asked.what_if.predict({{ChangeKind::non_blocking}});
    const bool is_unsafe = reliability == static_cast<int>(Reliability::unsafe);
    QCOMPARE(prediction.count, std::uint64_t {1});
    QCOMPARE(prediction.old_bytes, std::uint64_t {is_unsafe ? 1U : 0U});
    QCOMPARE(static_cast<int>(prediction.reliability), reliability);
    QCOMPARE(prediction.assumptions.front().said.id,
        std::string(is_unsafe ? "whatif.assumes.old_bytes" : "whatif.assumes.no_read_before_sync"));
}

/// PyTorch copies a result to pageable memory and waits for its stream, which has nothing to do by then. Of pinned
/// memory only that wait waits, whether a trace has records of synchronisations or not.
void tst_WhatIf::waitsForPinnedResults()
{
    for (const bool has_record : {true, false}) {
        Tape tape;
        tape.stream(13, StreamRecord::non_blocking);
        Ns now = 10 * us;
        for (int i = 0; i < 3; ++i, now += 500 * us) {
            const auto copy = tape.call("cudaMemcpyAsync", now, now + 300 * us);
            tape.copy(copy, 13, now + 8 * us, now + 295 * us, CopyKind::d2h, MemoryKind::pageable, true, 0, 4 << 20);
            const auto wait = tape.call("cudaStreamSynchronize", now + 305 * us, now + 308 * us);
            if (has_record) {
                tape.sync(wait, SyncRecord::stream_sync, now + 305 * us, now + 308 * us, 13);
            }
        }
        const Asked asked(tape.finish());
        const auto prediction = asked.what_if.predict({{ChangeKind::pin}});
        QCOMPARE(prediction.count, std::uint64_t {3});
        // Nobody waits: 2 x 200 us of own time and the last copy. 4 MiB of pinned memory take about 80 us each.
        QVERIFY2(prediction.total > 600 * us && prediction.total < 1000 * us, std::to_string(prediction.total).c_str());
    }
}

/// Uploads, downloads or both; a value that the host fetches is neither.
void tst_WhatIf::copiesOfOneDirection()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    Ns now = 0;
    for (const auto& [kind, bytes] : {std::pair {CopyKind::h2d, 1U << 20U}, {CopyKind::d2h, 1U << 20U},
             {CopyKind::d2h, 1U << 20U}, {CopyKind::d2h, 4U}}) {
        const auto copy = tape.call("cudaMemcpyAsync", now + 10 * us, now + 95 * us);
        tape.copy(copy, 13, now + 18 * us, now + 90 * us, kind, MemoryKind::pageable, true, 0, bytes);
        const auto wait = tape.call("cudaStreamSynchronize", now + 96 * us, now + 100 * us);
        tape.sync(wait, SyncRecord::stream_sync, now + 96 * us, now + 100 * us, 13);
        now += 100 * us;
    }
    tape.kernel(tape.call("cudaLaunchKernel", now + 10 * us, now + 15 * us), 13, now + 18 * us, now + 90 * us);
    const auto last = tape.call("cudaStreamSynchronize", now + 16 * us, now + 95 * us);
    tape.sync(last, SyncRecord::stream_sync, now + 16 * us, now + 95 * us, 13);
    const Asked asked(tape.finish());
    for (const auto kind : {ChangeKind::pin, ChangeKind::non_blocking}) {
        Change change {kind};
        QCOMPARE(asked.what_if.count(change), std::uint64_t {3});
        change.direction = Direction::uploads;
        QCOMPARE(asked.what_if.count(change), std::uint64_t {1});
        change.direction = Direction::downloads;
        QCOMPARE(asked.what_if.count(change), std::uint64_t {2});
    }
}

/// Uploads and downloads of one stream run at once on separate streams, and slower than alone.
void tst_WhatIf::copiesOfBothDirections()
{
    Tape tape(100'000 * us);
    tape.stream(13, StreamRecord::non_blocking);
    Ns time = 20 * us;
    for (Ns call = 0; call < 12; ++call) {  // up, work, down
        const Ns start = (10 + 5 * call) * us;
        const auto correlation
            = tape.call(call % 3 == 1 ? "cudaLaunchKernel" : "cudaMemcpyAsync", start, start + 4 * us);
        if (call % 3 == 1) {
            tape.kernel(correlation, 13, time, time + 10 * us);
            time += 12 * us;
        } else {
            const auto kind = call % 3 == 0 ? CopyKind::h2d : CopyKind::d2h;
            tape.copy(correlation, 13, time, time + 1000 * us, kind, MemoryKind::pinned, true, 0, 55'000'000);
            time += 1002 * us;
        }
    }
    const auto last = tape.call("cudaDeviceSynchronize", 90 * us, time + 3 * us);
    tape.sync(last, SyncRecord::context_sync, 90 * us, time + 3 * us);
    const Asked asked(tape.finish());
    QVERIFY(asked.what_if.gate().is_open());
    const auto prediction = asked.what_if.predict({{ChangeKind::own_stream}});
    QCOMPARE(prediction.count, std::uint64_t {8});
    // Five copies, three of which overlap another.
    QVERIFY2(prediction.total > 5200 * us && prediction.total < 6000 * us, std::to_string(prediction.total).c_str());
    const auto trace = asked.what_if.predicted_trace(prediction.changes);
    QCOMPARE(trace.streams.size(), std::size_t {3});
    for (Row row = 0; row < trace.streams.size(); ++row) {
        QVERIFY(!trace.operations_of(row).empty());
    }
}

/// What was copied to the host comes back: the upload waits for that; an earlier upload does not.
/// Separate streams let copies of both directions run at once only if there is an engine for each.
void tst_WhatIf::copiesByOneEngine()
{
    for (const std::uint32_t engines : {1U, 2U}) {
        Tape tape;
        DeviceRecord device {};
        device.copy_engines = engines;
        device.multiprocessors = 132;
        tape.builder().write(device);
        tape.stream(13, StreamRecord::non_blocking);
        Ns at = 20 * us;
        const auto step = [&](auto issue, Ns length) {
            issue(at, at + length);
            at += length + us;
        };
        constexpr int batches = 8;
        for (int i = 0; i < batches; ++i) {
            const auto copy = [&](CopyKind kind) {
                const auto call = tape.call("cudaMemcpyAsync", i * 6 * us, i * 6 * us + us);
                step([&](Ns start, Ns end) { tape.copy(call, 13, start, end, kind, MemoryKind::pinned, true); },
                    300 * us);
            };
            copy(CopyKind::h2d);
            const auto call = tape.call("cudaLaunchKernel", i * 6 * us + 2 * us, i * 6 * us + 3 * us);
            step([&](Ns start, Ns end) { tape.kernel(call, 13, start, end); }, 50 * us);
            copy(CopyKind::d2h);
        }
        const auto wait = tape.call("cudaDeviceSynchronize", 100 * us, at + 2 * us);
        tape.sync(wait, SyncRecord::context_sync, 100 * us, at + 2 * us);
        const Asked asked(tape.finish());
        QVERIFY(asked.what_if.gate().is_open());
        const auto predicted = asked.what_if.predict({{ChangeKind::own_stream}}).total;
        constexpr Ns copies = Ns {batches} * 600 * us;
        QVERIFY2(
            engines == 1 ? predicted >= copies : predicted < copies * 3 / 4, qPrintable(QString::number(predicted)));
    }
}

void tst_WhatIf::bringsBack()
{
    for (const bool comes_back : {true, false}) {
        Tape tape;
        tape.stream(13, StreamRecord::non_blocking);
        const auto kinds
            = comes_back ? std::pair(CopyKind::d2h, CopyKind::h2d) : std::pair(CopyKind::h2d, CopyKind::d2h);
        for (Ns i = 0; i < 4; ++i) {  // copy, kernel, copy, kernel
            const auto call
                = tape.call(i % 2 == 0 ? "cudaMemcpyAsync" : "cudaLaunchKernel", (10 + 5 * i) * us, (14 + 5 * i) * us);
            const Ns start = (20 + 102 * i) * us;
            if (i % 2 == 0) {
                const auto kind = i == 0 ? kinds.first : kinds.second;
                tape.copy(call, 13, start, start + 100 * us, kind, MemoryKind::pinned, true);
            } else {
                tape.kernel(call, 13, start, start + 100 * us);
            }
        }
        const auto last = tape.call("cudaDeviceSynchronize", 31 * us, 430 * us);
        tape.sync(last, SyncRecord::context_sync, 31 * us, 430 * us);
        const Asked asked(tape.finish());
        QVERIFY(asked.what_if.gate().is_open());
        const auto prediction = asked.what_if.predict({{ChangeKind::own_stream}});
        const auto trace = asked.what_if.predicted_trace(prediction.changes);
        const auto is = [&](OperationKind kind) {
            const auto found = std::find(trace.operations.kind.begin(), trace.operations.kind.end(), kind);
            return static_cast<std::size_t>(found - trace.operations.kind.begin());
        };
        const auto up = is(OperationKind::h2d);
        const auto down = is(OperationKind::d2h);
        const auto& ids = prediction.assumptions;
        const bool says = std::any_of(ids.begin(), ids.end(),
            [](const Assumption& a) { return a.said.id == std::string("whatif.assumes.brings_back"); });
        QCOMPARE(says, comes_back);
        QCOMPARE(trace.operations.start[up] >= trace.operations.end[down], comes_back);
    }
}

/// Two kernels on stream 14, between them an upload and its kernel on stream 13. On stream 14 the upload comes between
/// the two there, and its kernel on stream 13 still waits for it.
void tst_WhatIf::copiesOnAStreamOfThatNumber()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.stream(14, StreamRecord::non_blocking);
    const auto first = tape.call("cudaLaunchKernel", 10 * us, 14 * us);
    tape.kernel(first, 14, 20 * us, 520 * us);
    const auto up = tape.call("cudaMemcpyAsync", 15 * us, 19 * us);
    tape.copy(up, 13, 25 * us, 325 * us, CopyKind::h2d, MemoryKind::pinned, true);
    const auto needs = tape.call("cudaLaunchKernel", 20 * us, 24 * us);
    tape.kernel(needs, 13, 327 * us, 427 * us);
    const auto second = tape.call("cudaLaunchKernel", 25 * us, 29 * us);
    tape.kernel(second, 14, 522 * us, 572 * us);
    const auto wait = tape.call("cudaDeviceSynchronize", 30 * us, 575 * us);
    tape.sync(wait, SyncRecord::context_sync, 30 * us, 575 * us);
    const Asked asked(tape.finish());
    QVERIFY(asked.what_if.gate().is_open());
    const auto on_stream = [](double number) {
        return Change {ChangeKind::on_stream, Query::parse("kind:h2d"), number};
    };
    const auto prediction = asked.what_if.predict({on_stream(14)});
    QCOMPARE(prediction.count, std::uint64_t {1});
    QVERIFY2(prediction.total > 920 * us && prediction.total < 940 * us, std::to_string(prediction.total).c_str());
    const auto run = asked.what_if.predicted_trace(prediction.changes);
    QCOMPARE(run.streams.size(), asked.trace.streams.size());
    const auto begun = [&run](std::uint32_t correlation) {
        const auto found = std::find_if(run.operations.call.begin(), run.operations.call.end(),
            [&](Row call) { return run.calls.correlation[call] == correlation; });
        return static_cast<std::size_t>(found - run.operations.call.begin());
    };
    const auto& [start, end] = std::tie(run.operations.start, run.operations.end);
    QCOMPARE(run.streams[run.operations.stream[begun(up)]].id, 14U);
    QVERIFY(start[begun(up)] >= end[begun(first)]);
    QVERIFY(start[begun(second)] >= end[begun(up)]);
    QVERIFY(start[begun(needs)] >= end[begun(up)]);
    QVERIFY(start[begun(second)] < end[begun(needs)]);  // which is on another stream
    // Copies that went there stay there.
    const Change own {ChangeKind::own_stream};
    const auto& alone = prediction.changes.front();
    QCOMPARE(asked.what_if.predict({alone, own}).without_effect, std::vector {own});
    QCOMPARE(asked.what_if.predict({own, alone}).without_effect, std::vector {alone});
    for (const double number : {13.0, 15.0, 14.5}) {  // where it is, and nowhere
        QCOMPARE(asked.what_if.count(on_stream(number)), std::uint64_t {0});
    }
}

void tst_WhatIf::theOutlineIsThePredictedRun_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("change");
    QTest::newRow("nothing") << "h100/copies-both-ways.three-streams"
                             << "";
    QTest::newRow("kernels") << "h100/copies-both-ways.three-streams"
                             << "faster 2";
    QTest::newRow("graphs") << "h200/cuda-graph.launches"
                            << "graph";
    QTest::newRow("a numbered stream") << "h100/offload.own-stream"
                                       << "on-stream 13 stream:14";
}

/// When a screen's outline has operations run is when the predicted recording has them run, on each recorded stream.
void tst_WhatIf::theOutlineIsThePredictedRun()
{
    QFETCH(const QString, file);
    QFETCH(const QString, change);
    const auto path = qEnvironmentVariable("LANES_SOURCE") + "/resources/recordings/" + file + ".sqlite";
    const Asked asked(open_recording(path.toStdString()));
    std::vector<Change> changes;
    if (!change.isEmpty()) {
        changes.push_back(*change_in(change.toStdString()));
    }
    const auto outline = asked.what_if.outline(changes);
    QCOMPARE(outline.total, asked.what_if.total(changes));
    QCOMPARE(outline.count > 0, !changes.empty());
    const auto run = asked.what_if.predicted_trace(changes);
    std::vector<std::vector<std::pair<Ns, Ns>>> expected(run.streams.size()), found(run.streams.size());
    for (Row row = 0; row < run.operations.size(); ++row) {
        expected[run.operations.stream[row]].emplace_back(run.operations.start[row], run.operations.end[row]);
    }
    for (std::size_t stream = 0; stream < outline.streams.size(); ++stream) {
        for (const auto& [span, operation] : outline.streams[stream]) {
            found[stream].emplace_back(span.start, span.end);
        }
    }
    for (std::size_t stream = 0; stream < run.streams.size(); ++stream) {
        std::sort(expected[stream].begin(), expected[stream].end());
        std::sort(found[stream].begin(), found[stream].end());
        QCOMPARE(found[stream], expected[stream]);
    }
}

/// Pageable batches of another thread: a third thread copies each into pinned memory, which takes as long as the driver
/// took.
void tst_WhatIf::pinsBehindAQueue()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    for (Ns i = 0; i < 4; ++i) {
        tape.host_span(HostSpanRecord::work, (1 + 100 * i) * us, (95 + 100 * i) * us, 2);
        tape.host_span(HostSpanRecord::queue_put, (96 + 100 * i) * us, (97 + 100 * i) * us, 2);
        const Ns start = (100 + 1000 * i) * us;
        tape.host_span(HostSpanRecord::queue_get, start, start + us);
        const auto copy = tape.call("cudaMemcpyAsync", start + 2 * us, start + 900 * us);
        tape.copy(copy, 13, start + 5 * us, start + 895 * us, CopyKind::h2d, MemoryKind::pageable, true);
        const auto launch = tape.call("cudaLaunchKernel", start + 901 * us, start + 906 * us);
        tape.kernel(launch, 13, start + 910 * us, start + 990 * us);
    }
    const auto last = tape.call("cudaDeviceSynchronize", 4007 * us, 4095 * us);
    tape.sync(last, SyncRecord::context_sync, 4007 * us, 4095 * us);
    const Asked asked(tape.finish());
    QVERIFY2(asked.what_if.gate().is_open(), to_text(asked.what_if.gate(), {}, Messages::english()).c_str());
    const auto prediction = asked.what_if.predict({{ChangeKind::pin}});
    QCOMPARE(prediction.assumptions.front().said.id, std::string("whatif.assumes.pinned_by_thread"));
    QCOMPARE(prediction.reliability, Reliability::conditional);
    // 97 us to the first batch, four copies of the host one after another, and the last kernel.
    const Ns least = (97 + 4 * 890 + 80) * us;
    QVERIFY2(prediction.total > least && prediction.total < least + 100 * us, std::to_string(prediction.total).c_str());
    QVERIFY(prediction.high - prediction.low > prediction.total / 2);
}

void tst_WhatIf::overlapsCollectivesOfOneRank_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<std::uint64_t>("count");
    QTest::newRow("all-reduce") << "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
                                << std::uint64_t {4};
    QTest::newRow("to the next stage of a pipeline")
        << "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)" << std::uint64_t {0};
    QTest::newRow("a kernel that computes") << "matmul(float*)" << std::uint64_t {0};
}

/// Eight kernels of 1 ms, then four of 1 ms on another stream, which waits for the eight. Overlapped, only the last of
/// the four comes after the kernels.
void tst_WhatIf::overlapsCollectivesOfOneRank()
{
    QFETCH(const QString, name);
    QFETCH(const std::uint64_t, count);
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.stream(20, StreamRecord::non_blocking);
    Ns ends = 20 * us;
    for (Ns i = 0; i < 8; ++i) {
        const auto launch = tape.call("cudaLaunchKernel", (10 + 6 * i) * us, (15 + 6 * i) * us);
        tape.kernel(launch, 13, ends, ends + 999 * us);
        ends += 1000 * us;
    }
    tape.event(tape.call("cudaEventRecord", 60 * us, 61 * us), 13, 5, 41);
    const auto order = tape.call("cudaStreamWaitEvent", 62 * us, 63 * us);
    tape.sync(order, SyncRecord::stream_wait_event, 62 * us, 63 * us, 20, 5, 41);
    for (Ns i = 0; i < 4; ++i) {
        const auto launch = tape.call("cudaLaunchKernel", (70 + 6 * i) * us, (75 + 6 * i) * us);
        tape.kernel(launch, 20, ends, ends + 999 * us, 0, name.toStdString());
        ends += 1000 * us;
    }
    const auto wait = tape.call("cudaDeviceSynchronize", 100 * us, ends + 3 * us);
    tape.sync(wait, SyncRecord::context_sync, 100 * us, ends + 3 * us);
    const Asked asked(tape.finish());
    QVERIFY(asked.what_if.gate().is_open());
    const auto prediction = asked.what_if.predict({{ChangeKind::overlap_all_reduce}});
    QCOMPARE(prediction.count, count);
    const Ns total = count > 0 ? 9'020 * us : asked.what_if.gate().recorded;
    QVERIFY2(std::abs(prediction.total - total) < 20 * us, std::to_string(prediction.total).c_str());
    QCOMPARE(std::any_of(prediction.assumptions.begin(), prediction.assumptions.end(),
                 [](const Assumption& each) { return each.word() == "rank-alone"; }),
        count > 0);
}

void tst_WhatIf::overlapsTheBackwardPass_data()
{
    QTest::addColumn<QString>("forward");
    QTest::addColumn<QString>("backward");
    QTest::addColumn<bool>("by_turns");
    QTest::addColumn<Ns>("total");
    QTest::addColumn<bool>("is_told");
    const auto row
        = [](const char* name, const char* forward, const char* backward, bool by_turns, Ns total, bool is_told) {
              QTest::newRow(name) << QString(forward) << QString(backward) << by_turns << total << is_told;
          };
    row("a range of the forward pass", "forward", "", false, 18'000 * us, true);
    row("one of the backward pass", "", "backward", false, 18'000 * us, true);
    row("none", "", "", false, 15'000 * us, false);
    row("neither word alone", "forward_backward", "forward_backward", false, 15'000 * us, false);
    row("sums beside the backward pass", "", "", true, 0, true);
}

/// One thread launches four kernels of a forward pass and eight of a backward pass, of 1 ms. Four sums of 3 ms come
/// after them, or each after two of the backward pass. None can begin before the first two of these are done, at 6 ms.
void tst_WhatIf::overlapsTheBackwardPass()
{
    QFETCH(const QString, forward);
    QFETCH(const QString, backward);
    QFETCH(const bool, by_turns);
    QFETCH(const Ns, total);
    QFETCH(const bool, is_told);
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.stream(20, StreamRecord::non_blocking);
    constexpr int kernels = 12, of_forward = 4;
    Ns now = 10 * us, ends = 20 * us, summed = 0;
    std::uint32_t event = 40;
    const auto sum = [&] {
        tape.event(tape.call("cudaEventRecord", now, now + us), 13, 5, ++event);
        const auto order = tape.call("cudaStreamWaitEvent", now + 2 * us, now + 3 * us);
        tape.sync(order, SyncRecord::stream_wait_event, now + 2 * us, now + 3 * us, 20, 5, event);
        const auto launch = tape.call("cudaLaunchKernel", now + 4 * us, now + 9 * us);
        const Ns start = std::max(ends, summed) + us;
        summed = start + 2'999 * us;
        tape.kernel(launch, 20, start, summed, 0, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgs)");
        now += 10 * us;
    };
    Ns begun = now;
    for (int i = 0; i < kernels; ++i) {
        tape.kernel(tape.call("cudaLaunchKernel", now, now + 5 * us), 13, ends, ends + 999 * us);
        ends += 1'000 * us;
        now += 6 * us;
        if (i + 1 == of_forward && !forward.isEmpty()) {
            tape.range(forward.toStdString(), begun - us, now - us);
        }
        begun = i + 1 == of_forward ? now : begun;
        if (by_turns && i >= of_forward && i % 2 == 1) {
            sum();
        }
    }
    if (!backward.isEmpty()) {
        tape.range(backward.toStdString(), begun, now);
    }
    while (!by_turns && event < 44) {
        sum();
    }
    const auto wait = tape.call("cudaDeviceSynchronize", now, summed + 3 * us);
    tape.sync(wait, SyncRecord::context_sync, now, summed + 3 * us);
    const Asked asked(tape.finish());
    QVERIFY(asked.what_if.gate().is_open());
    const auto prediction = asked.what_if.predict({{ChangeKind::overlap_all_reduce}});
    QCOMPARE(prediction.count, std::uint64_t {by_turns ? 0U : 4U});
    if (by_turns) {
        return;
    }
    QVERIFY2(std::abs(prediction.total - total) < 100 * us, std::to_string(prediction.total).c_str());
    QCOMPARE(prediction.reliability == Reliability::good, is_told);
    QVERIFY(prediction.low <= 18'000 * us && 18'000 * us <= prediction.high);
    const auto lifted = asked.what_if.predict({{ChangeKind::overlap_all_reduce}}, {{"all-backward", false}});
    QVERIFY(is_told ? lifted.total == prediction.total : lifted.total > 18'000 * us);
}

/// If launches take the time, a change of the GPU's work has the interval of launches.
void tst_WhatIf::boundByLaunches()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    for (Ns i = 0; i < 60; ++i) {
        const auto launch = tape.call("cudaLaunchKernel", (10 + 6 * i) * us, (15 + 6 * i) * us);
        tape.kernel(launch, 13, (17 + 6 * i) * us, (20 + 6 * i) * us);
    }
    const auto last = tape.call("cudaDeviceSynchronize", 371 * us, 380 * us);
    tape.sync(last, SyncRecord::context_sync, 371 * us, 380 * us);
    const Asked asked(tape.finish());
    QCOMPARE(asked.what_if.pace().id, std::string("whatif.pace.calls"));
    const auto prediction = asked.what_if.predict({{ChangeKind::faster, Query::parse("at<1s"), 2}});
    QCOMPARE(prediction.reliability, Reliability::conditional);
    // For all kernels it is another GPU.
    QCOMPARE(asked.what_if.predict({{ChangeKind::faster, {}, 2}}).reliability, Reliability::bound);
    QVERIFY(prediction.low < prediction.total * 90 / 100 && prediction.high > prediction.total * 110 / 100);
}

/// Work of the host, an upload, a kernel and a wait in turn: one turn ahead the upload runs beside the previous
/// kernel.
void tst_WhatIf::loadsAhead()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    for (Ns turn = 0; turn < 6; ++turn) {
        const Ns start = 400 * turn * us;
        tape.host_span(HostSpanRecord::work, start + us, start + 41 * us);
        const auto copy = tape.call("cudaMemcpyAsync", start + 42 * us, start + 46 * us);
        tape.copy(copy, 13, start + 48 * us, start + 198 * us, CopyKind::h2d, MemoryKind::pinned, true);
        const auto launch = tape.call("cudaLaunchKernel", start + 47 * us, start + 52 * us);
        tape.kernel(launch, 13, start + 200 * us, start + 390 * us);
        const auto wait = tape.call("cudaStreamSynchronize", start + 53 * us, start + 394 * us);
        tape.sync(wait, SyncRecord::stream_sync, start + 53 * us, start + 394 * us, 13);
    }
    const Asked asked(tape.finish());
    QVERIFY(asked.what_if.gate().is_open());
    QVERIFY(asked.what_if.predict({{ChangeKind::own_stream}}).total > 2300 * us);  // each wait holds the next upload
    const auto prediction = asked.what_if.predict({{ChangeKind::prefetch}});
    QCOMPARE(prediction.count, std::uint64_t {6});
    // 200 us to the first kernel; then each turn takes as long as its kernel and the gap between two.
    QVERIFY2(prediction.total > (200 + 6 * 190) * us && prediction.total < (200 + 6 * 250) * us,
        std::to_string(prediction.total).c_str());
    const auto trace = asked.what_if.predicted_trace(prediction.changes);
    QCOMPARE(calls_but_orders(trace), calls_but_orders(asked.trace));
    for (Row row = 1; row < trace.calls.size(); ++row) {
        QVERIFY(trace.calls.start[row] >= trace.calls.end[row - 1]);
    }
}

/// An upload, a kernel and a download, each of 1 ms: in four pieces they overlap as far as their order allows.
void tst_WhatIf::cutsIntoPieces()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    const auto up = tape.call("cudaMemcpyAsync", 10 * us, 14 * us);
    tape.copy(up, 13, 20 * us, 1020 * us, CopyKind::h2d, MemoryKind::pinned, true, 0, 55'000'000);
    const auto launch = tape.call("cudaLaunchKernel", 15 * us, 19 * us);
    tape.kernel(launch, 13, 1022 * us, 2022 * us);
    const auto down = tape.call("cudaMemcpyAsync", 20 * us, 24 * us);
    tape.copy(down, 13, 2024 * us, 3024 * us, CopyKind::d2h, MemoryKind::pinned, true, 0, 55'000'000);
    const auto last = tape.call("cudaDeviceSynchronize", 25 * us, 3028 * us);
    tape.sync(last, SyncRecord::context_sync, 25 * us, 3028 * us);
    const Asked asked(tape.finish());
    QVERIFY(asked.what_if.gate().is_open());
    QVERIFY(asked.what_if.predict({{ChangeKind::own_stream}}).total > 3000 * us);
    const auto prediction = asked.what_if.predict({{ChangeKind::split}});
    QCOMPARE(prediction.count, std::uint64_t {3});
    QVERIFY2(prediction.total > 1500 * us && prediction.total < 1650 * us, std::to_string(prediction.total).c_str());
    const auto trace = asked.what_if.predicted_trace(prediction.changes);
    QCOMPARE(trace.operations.size(), std::size_t {12});
    QCOMPARE(calls_but_orders(trace), std::size_t {13});
    QCOMPARE(trace.streams.size(), std::size_t {3});
    std::uint64_t bytes = 0;
    for (Row row = 0; row < trace.operations.size(); ++row) {
        bytes += trace.operations.kind[row] == OperationKind::h2d ? trace.bytes_of(row) : 0;
        QCOMPARE(trace.calls.correlation[trace.operations.call[row]], trace.operations.correlation[row]);
    }
    QCOMPARE(bytes, std::uint64_t {55'000'000});
    for (Row row = 1; row < trace.calls.size(); ++row) {
        QVERIFY(trace.calls.start[row] >= trace.calls.end[row - 1]);
    }
}

/// Sixty launches that take longer than their kernels, two kinds in turn.
void tst_WhatIf::launchesAsGraphs()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    for (Ns i = 0; i < 60; ++i) {
        const auto launch = tape.call("cudaLaunchKernel", (10 + 6 * i) * us, (15 + 6 * i) * us);
        tape.kernel(launch, 13, (17 + 6 * i) * us, (20 + 6 * i) * us, 0, i % 2 == 0 ? "a(int)" : "b(int)");
    }
    const auto last = tape.call("cudaDeviceSynchronize", 371 * us, 380 * us);
    tape.sync(last, SyncRecord::context_sync, 371 * us, 380 * us);
    const Asked asked(tape.finish());
    QVERIFY(asked.what_if.gate().is_open());
    const auto found = asked.what_if.predict({{ChangeKind::graph}});
    QCOMPARE(found.count, std::uint64_t {48});  // three of sixteen: eight times the two kernels that alternate
    const auto prediction = asked.what_if.predict({{ChangeKind::graph, {}, 20}});
    QCOMPARE(prediction.count, std::uint64_t {60});
    QCOMPARE(prediction.reliability, Reliability::conditional);
    QVERIFY(prediction.total < 380 * us);
    const auto trace = asked.what_if.predicted_trace(prediction.changes);
    QCOMPARE(trace.operations.size(), std::size_t {60});
    QCOMPARE(trace.calls.size(), std::size_t {4});
    QCOMPARE(trace.text(trace.calls.name[0]), std::string_view("cudaGraphLaunch"));
    QCOMPARE(trace.operations.call[19], Row {0});
    QCOMPARE(trace.operations.call[20], Row {1});
    QCOMPARE(trace.kernels[trace.operations.detail[21]].graph_node, 2U);
}

/// Twice thirty launches with 20 ms of other work between: a graph does the launches, not the work.
void tst_WhatIf::graphsKeepWork()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    Ns now = 10 * us;
    for (int i = 0; i < 60; ++i, now += 6 * us) {
        now += i == 30 ? 20'000 * us : 0;
        const auto launch = tape.call("cudaLaunchKernel", now, now + 5 * us);
        tape.kernel(launch, 13, now + 7 * us, now + 10 * us, 0, i % 2 == 0 ? "a(int)" : "b(int)");
    }
    const auto last = tape.call("cudaDeviceSynchronize", now + us, now + 10 * us);
    tape.sync(last, SyncRecord::context_sync, now + us, now + 10 * us);
    const Asked asked(tape.finish());
    const auto prediction = asked.what_if.predict({{ChangeKind::graph, {}, 30}});
    QCOMPARE(prediction.count, std::uint64_t {60});
    QVERIFY2(prediction.total > 20'000 * us, std::to_string(prediction.total).c_str());
}

/// A loop of a thread: eight kernels, a copy within the GPU, eight kernels, a value that is waited for. The wait cuts
/// graphs, as does another thread's launch, but neither keeps the loop from being found; what comes once is left alone.
void tst_WhatIf::loopsAsGraphs()
{
    constexpr Ns iterations = 6;
    const auto made = [](bool has_other_thread) {
        Tape tape;
        tape.stream(13, StreamRecord::non_blocking);
        Ns now = 0;
        const auto launch = [&](const char* name, std::uint32_t thread = 1) {
            tape.kernel(tape.call("cudaLaunchKernel", now + 5 * us, now + 10 * us, thread), 13, now + 12 * us,
                now + 14 * us, 0, name);
            now += 15 * us;
        };
        for (const char* once : {"first(int)", "second(int)", "a(int)", "b(int)", "b(int)"}) {
            launch(once);
        }
        for (Ns i = 0; i < iterations; ++i) {
            for (Ns k = 0; k < 16; ++k) {
                launch(k % 3 == 0 ? "a(int)" : "b(int)");
                if (k == 7) {
                    const auto copy = tape.call("cudaMemcpyAsync", now + 5 * us, now + 10 * us);
                    tape.copy(copy, 13, now + 12 * us, now + 14 * us, CopyKind::d2d, MemoryKind::device, true);
                    now += 15 * us;
                }
                if (k == 11 && has_other_thread) {
                    launch("other(int)", 2);
                }
            }
            const auto copy = tape.call("cudaMemcpyAsync", now + 5 * us, now + 20 * us);
            tape.copy(copy, 13, now + 12 * us, now + 14 * us, CopyKind::d2h, MemoryKind::pageable, true, 0, 4);
            const auto wait = tape.call("cudaStreamSynchronize", now + 21 * us, now + 25 * us);
            tape.sync(wait, SyncRecord::stream_sync, now + 21 * us, now + 25 * us, 13);
            now += 40 * us;
        }
        return tape.finish();
    };
    const auto graphs_of = [](const Trace& trace) {
        return std::count_if(trace.calls.name.begin(), trace.calls.name.end(),
            [&](StringId name) { return trace.text(name) == "cudaGraphLaunch"; });
    };
    const Asked asked(made(false));
    QVERIFY2(asked.what_if.gate().is_open(), to_text(asked.what_if.gate(), {}, Messages::english()).c_str());
    const auto prediction = asked.what_if.predict({{ChangeKind::graph}});
    QCOMPARE(prediction.count, std::uint64_t {17 * iterations});
    QCOMPARE(graphs_of(asked.what_if.predicted_trace(prediction.changes)), std::ptrdiff_t {iterations});
    QVERIFY(prediction.total < asked.what_if.gate().recorded - iterations * 15 * 15 * us + 500 * us);
    const Asked cut(made(true));
    const auto parts = cut.what_if.predict({{ChangeKind::graph}});
    QCOMPARE(parts.count, std::uint64_t {17 * iterations});
    QCOMPARE(graphs_of(cut.what_if.predicted_trace(parts.changes)), std::ptrdiff_t {2 * iterations});
}

void tst_WhatIf::graphsWaitForBatches_data()
{
    QTest::addColumn<QString>("range");
    QTest::addColumn<Ns>("length");
    QTest::addColumn<bool>("gains");
    const QString by_workers = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";
    QTest::newRow("workers have it no earlier") << by_workers << 5000 * us << false;
    QTest::newRow("the batch was there, and is mapped") << by_workers << 1500 * us << true;
    QTest::newRow("the thread loads it itself")
        << "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__" << 5000 * us << true;
    QTest::newRow("something else") << "prepare" << 5000 * us << true;
}

/// A loop that comes by a batch, uploads it and launches forty kernels, which takes longer than they do. The run ends
/// with the last batch's kernels: what the graphs save before that, the thread waits for a batch that others load.
void tst_WhatIf::graphsWaitForBatches()
{
    QFETCH(const QString, range);
    QFETCH(const Ns, length);
    QFETCH(const bool, gains);
    constexpr Ns iterations = 6;
    constexpr Ns launches = 40;
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    Ns now = 10 * us;
    for (Ns i = 0; i < iterations; ++i) {
        tape.range(range.toStdString(), now, now + length);
        now += length;
        const auto copy = tape.call("cudaMemcpyAsync", now + us, now + 5 * us);
        tape.copy(copy, 13, now + 6 * us, now + 9 * us, CopyKind::h2d, MemoryKind::pinned, true);
        now += 10 * us;
        for (Ns k = 0; k < launches; ++k, now += 20 * us) {
            const auto launch = tape.call("cudaLaunchKernel", now, now + 5 * us);
            tape.kernel(launch, 13, now + 7 * us, now + 10 * us, 0, k % 2 == 0 ? "a(int)" : "b(int)");
        }
    }
    const auto last = tape.call("cudaDeviceSynchronize", now + us, now + 4 * us);
    tape.sync(last, SyncRecord::context_sync, now + us, now + 4 * us);
    const Asked asked(tape.finish());
    QVERIFY2(asked.what_if.gate().is_open(), to_text(asked.what_if.gate(), {}, Messages::english()).c_str());
    const auto recorded = asked.what_if.gate().recorded;
    const auto prediction = asked.what_if.predict({{ChangeKind::graph}});
    QVERIFY(prediction.count >= static_cast<std::uint64_t>(iterations * launches));
    constexpr Ns saved = launches * 15 * us;  // at least, in an iteration
    QVERIFY2(gains ? prediction.total < recorded - iterations * saved
                   : prediction.total > recorded - 2 * saved && prediction.total < recorded,
        std::to_string(recorded - prediction.total).c_str());
    QCOMPARE(asked.what_if.total({{ChangeKind::graph}}, {{"batches-as-recorded", false}}) < recorded - 5 * saved, true);
}

/// Confirmed assumptions count as recorded; the thread's own time before a dropped call stays if the user says so.
void tst_WhatIf::answersDecideTheClass()
{
    const Asked asked(LaunchesAndWaits().finish());
    const std::vector<Change> changes {{ChangeKind::drop_syncs}};
    const auto assumed = asked.what_if.predict(changes);
    QCOMPARE(assumed.reliability, Reliability::good);
    const auto confirmed = asked.what_if.predict(changes, {{"sync-is-needless", true}});
    QCOMPARE(confirmed.reliability, Reliability::reliable);
    QCOMPARE(confirmed.total, assumed.total);
    QCOMPARE(confirmed.assumptions.front().state, Assumption::confirmed);
    // Without what it needs the change is not made.
    const auto lifted = asked.what_if.predict(changes, {{"sync-is-needless", false}});
    QCOMPARE(lifted.count, std::uint64_t {0});
    QCOMPARE(lifted.total, 522 * us);
    QCOMPARE(lifted.assumptions.front().state, Assumption::lifted);
}

void tst_WhatIf::liftedIsDoneWithout_data()
{
    QTest::addColumn<QString>("allocates");
    QTest::addColumn<QString>("frees");
    QTest::newRow("runtime") << "cudaMalloc"
                             << "cudaFree";
    QTest::newRow("driver") << "cuMemAlloc_v2"
                            << "cuMemFree_v2";
}

/// An empty pool allocates until something comes back.
void tst_WhatIf::liftedIsDoneWithout()
{
    QFETCH(const QString, allocates);
    QFETCH(const QString, frees);
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.kernel(tape.call("cudaLaunchKernel", 0, 3 * us), 13, 5 * us, 7 * us);  // what precedes it would be start-up
    for (Ns start = 0; start < 1000 * us; start += 500 * us) {
        tape.call(allocates.toStdString(), start + 10 * us, start + 110 * us);
        const auto launch = tape.call("cudaLaunchKernel", start + 112 * us, start + 117 * us);
        tape.kernel(launch, 13, start + 119 * us, start + 219 * us);
        const auto wait = tape.call("cudaStreamSynchronize", start + 118 * us, start + 222 * us);
        tape.sync(wait, SyncRecord::stream_sync, start + 118 * us, start + 222 * us, 13);
        tape.call(frees.toStdString(), start + 225 * us, start + 425 * us);
    }
    const Asked asked(tape.finish());
    QVERIFY(asked.what_if.gate().is_open());
    const std::vector<Change> changes {{ChangeKind::pool}};
    const auto assumed = asked.what_if.predict(changes);
    const auto lifted = asked.what_if.predict(changes, {{"pool-has-room", false}});
    QCOMPARE(assumed.count, std::uint64_t {4});
    QCOMPARE(lifted.count, std::uint64_t {3});
    QVERIFY(lifted.total > assumed.total + 90 * us && lifted.total < assumed.total + 100 * us);
}

/// The user can answer each assumption, except those that bind a prediction.
void tst_WhatIf::everyAssumptionHasAWord()
{
    const QStringList conditions {"of-recorded-run", "bound-by-host", "bound-by-duplex", "kernels-beside",
        "pageable-differs", "stays-pageable", "issued-before", "torch-workers", "paced-by-batches", "wide-by-calls",
        "wide-by-host", "wide-by-loading", "wide-by-guessed-loading", "wide-by-links", "wide-by-pageable",
        "wide-by-gaps-go", "wide-by-behind-launch", "wide-by-more-calls", "wide-by-workers-run", "wide-by-all-backward",
        "link-not-measured", "rank-alone"};
    std::ifstream file((qEnvironmentVariable("LANES_SOURCE") + "/resources/text/en.yaml").toStdString());
    int found = 0;
    bool is_in = false;
    for (std::string line; std::getline(file, line);) {
        is_in = line == "  assumes:" || (is_in && line.starts_with("    "));
        if (!is_in || line == "  assumes:") {
            continue;
        }
        const auto word = QString::fromStdString(line).trimmed().section(':', 0, 0).replace('_', '-');
        const auto& words = assumption_words();
        QVERIFY2(conditions.contains(word) || std::find(words.begin(), words.end(), word.toStdString()) != words.end(),
            qPrintable(word));
        ++found;
    }
    QCOMPARE(found, static_cast<int>(assumption_words().size() + conditions.size()));
}

void tst_WhatIf::wordsOfAChangeAreReadBack()
{
    const std::vector<Change> changes {{ChangeKind::pin}, {ChangeKind::drop_syncs}, {ChangeKind::drop_values, {}, 10},
        {ChangeKind::faster, Query::parse("name:matmul at<5ms"), 1.5}, {ChangeKind::drop_syncs, Query::parse("at<1s")},
        {ChangeKind::non_blocking, Query::parse("stream:7")}, {ChangeKind::leave_legacy},
        {ChangeKind::pin, {}, 0, {}, {}, Direction::uploads},
        {ChangeKind::non_blocking, Query::parse("uploads"), 0, {}, {}, Direction::downloads},
        {ChangeKind::on_stream, Query::parse("stream:14"), 13}};
    for (const Change& change : changes) {
        const auto words = words_of(change);
        QVERIFY2(replay::change_in(words) == change, words.c_str());
    }
    for (const auto* const words : {"", "pinned", "faster 2 at<", "pin  at<"}) {
        QVERIFY2(!replay::change_in(words), words);
    }
}

void tst_WhatIf::aPartIsSaidInTimes_data()
{
    QTest::addColumn<QByteArray>("on");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("all") << QByteArray() << QByteArray("pin memory");
    QTest::newRow("a part") << QByteArray("at>=6530076876ns at<6754234599ns")
                            << QByteArray("pin memory (6.530 s to 6.754 s)");
    QTest::newRow("of a name in it") << QByteArray("(name:mm) at>=0ns at<5000000ns")
                                     << QByteArray("pin memory (name:mm) (0.00 ms to 5.00 ms)");
    QTest::newRow("a user's own words") << QByteArray("at>=2ms at<5ms") << QByteArray("pin memory (at>=2ms at<5ms)");
    QTest::newRow("not a part") << QByteArray("at<5000000ns") << QByteArray("pin memory (at<5000000ns)");
    QTest::newRow("either") << QByteArray("at>=1ns or at<5ns") << QByteArray("pin memory (at>=1ns or at<5ns)");
}

/// The window limits a change to a part by a query that it writes itself.
void tst_WhatIf::aPartIsSaidInTimes()
{
    QFETCH(QByteArray, on);
    QFETCH(QByteArray, said);
    QCOMPARE(QByteArray::fromStdString(
                 Messages::english().format(message_of({ChangeKind::pin, Query::parse(on.toStdString())}))),
        said);
}

void tst_WhatIf::writesARecording()
{
    const QTemporaryDir folder;
    const Asked asked(LaunchesAndWaits().finish());
    const std::vector<Change> changes {{ChangeKind::drop_syncs, Query::parse("at<1s"), 2}};
    const auto path = folder.filePath("predicted.sqlite").toStdString();
    save_recording(asked.what_if.predicted_trace(changes), path);
    const auto trace = open_recording(path);
    QCOMPARE(trace.source, Source::predicted);
    QCOMPARE(trace.operations.size(), std::size_t {3});
    QCOMPARE(trace.meta.at(meta::changes), std::string("drop-syncs 2 at<1s"));
    const auto caveats = caveats_of(trace);
    QVERIFY(!caveats.empty());
    QCOMPARE(std::string(caveats.front()), std::string("Predicted with these changes: drop-syncs 2 at<1s"));
    const Asked again(open_recording(path));
    QVERIFY(again.is_refused("predicted"));
}

void tst_WhatIf::json()
{
    const Asked asked(LaunchesAndWaits().finish());
    const auto text = to_json(asked.what_if.gate(),
        {asked.what_if.predict({{ChangeKind::faster, {}, 2}, {ChangeKind::pin}})}, Messages::english());
    const auto object = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
    QCOMPARE(object["measured_total_ns"].toInt(), 522000);
    QVERIFY2(object["refused"].toArray().isEmpty() && !object.contains("nothing"), text.c_str());
    const auto nothing = QJsonDocument::fromJson(
        QByteArray::fromStdString(to_json(asked.what_if.gate(), {}, Messages::english(), asked.what_if.why_nothing())));
    const auto why
        = QString::fromStdString(to_text(asked.what_if.gate(), {}, Messages::english(), asked.what_if.why_nothing()));
    const auto refused = nothing["refused"][0];
    QVERIFY(refused["code"] == "nothing_gains" && !refused["why"].toString().isEmpty()
        && why.endsWith(refused["why"].toString() + '\n'));
    QVERIFY2(why.contains("What gains most: drop synchronisations"), qPrintable(why));
    const auto change = object["changes"].toArray().at(0).toObject();
    QCOMPARE(change["predicted_total_ns"].toInt(), 372000);
    QCOMPARE(change["changes"].toArray().at(0).toObject()["kind"].toString(), QString("faster"));
    QVERIFY(change["low_ns"].toInt() < 372000 && change["high_ns"].toInt() > 372000);
    QCOMPARE(change["class"].toString(), QString("bound"));
    QCOMPARE(change["without_effect"].toArray(), QJsonArray {"pin"});  // all memory is pinned
}

QTEST_APPLESS_MAIN(tst_WhatIf)
#include "tst_whatif.moc"
