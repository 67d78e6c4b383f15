// SPDX-License-Identifier: MIT
// The edges of blocked time: what real programs and real exports do that the plain cases do not show. What CUDA does
// in each was measured on an H100.
#include "engine/analysis/report.h"
#include "tests/engine/analysis/blocking/edge_tape.h"

#include <algorithm>
#include <QTest>

using namespace lanes;
using namespace lanes::blocking_edges;

class tst_BlockingEdges : public QObject {
    Q_OBJECT

private slots:
    void longSynchronisationsReturnEarly();
    void copyThatBeginsBehindItsCall();
    void workWithoutACall_data();
    void workWithoutACall();
    void workWithoutACallIsNumbered_data();
    void workWithoutACallIsNumbered();
    void waitBeforeAllThatIsRecorded();
    void workWithoutACallThroughAnEvent();
    void workWithoutACallIsNeverCalledFree();
    void copyCallWhoseCopyHasNoCall();
    void launchesThatWait();
    void launchesThatDoNotWait_data();
    void launchesThatDoNotWait();
    void synchronousMemset_data();
    void synchronousMemset();
    void memoryCalls_data();
    void memoryCalls();
    void hostFunctions();
    void hostFunctionWithoutATime();
    void workThatIsNotRecorded();
    void nodesOfAGraphOnOtherStreams();
    void eventBehindLegacyWork();
    void deviceWaitsForWaits();
    void eventsOfOneNumber();
    void eventWithoutACall();
};

void tst_BlockingEdges::longSynchronisationsReturnEarly()
{
    Tape tape;  // as in an export of Nsight Systems: waits of 10 ms end 4 to 7 us before the copy does
    for (Ns i = 0; i < 3; ++i) {
        const Ns at = i * 20 * ms;
        const auto copy = tape.call("cudaMemcpyAsync", at, at + 10 * us);
        tape.copy(copy, 7, at + 20 * us, at + 10 * ms + (4 + i) * us + us, CopyKind::d2h, pinned, true);
        sync_stream(tape, at + 12 * us, at + 10 * ms, 7);
    }
    SAYS(tape, "stream_sync 12000..10000000, stream_sync 20012000..30000000, stream_sync 40012000..50000000");
}

void tst_BlockingEdges::copyThatBeginsBehindItsCall()
{
    Tape tape;  // 4 KiB of pageable memory: staged, and the call returned before the copy began
    const auto copy = tape.call("cudaMemcpyAsync", 0, 13'900);
    tape.copy(copy, 7, 14'641, 15'500, CopyKind::h2d, pageable, true, 0, 4096);
    SAYS(tape, "");
    Tape slow;  // a longer call took that long for its staging
    const auto large = slow.call("cudaMemcpyAsync", 0, 50 * us);
    slow.copy(large, 7, 50 * us + 1, 51 * us, CopyKind::h2d, pageable, true, 0, 4096);
    SAYS(slow, "staging 20000..50000");
    Tape done;  // by the clocks its copy ended before the call began: it is unknown whether the call was staging
    const auto early = done.call("cudaMemcpyAsync", 10 * us, 60 * us);
    done.copy(early, 7, 5 * us, 9 * us, CopyKind::h2d, pageable, true);
    SAYS(done, "");
}

void tst_BlockingEdges::workWithoutACall_data()
{
    QTest::addColumn<Ns>("began");
    QTest::addColumn<Ns>("done");
    QTest::addColumn<std::uint32_t>("stream");
    QTest::addColumn<std::string>("expected");
    const auto row = [](const char* name, Ns began, Ns done, std::uint32_t stream, const char* expected) {
        QTest::newRow(name) << began << done << stream << std::string(expected);
    };
    row("began before the call: it waited", 20 * us, 99 * us, 13, "stream_sync 50000..100000");
    row("began while the call lasted: nobody knows", 60 * us, 99 * us, 13, "?stream_sync");
    row("likewise, within the tolerance", 60 * us, 102 * us, 13, "?stream_sync");
    row("done long before the call returned", 60 * us, 70 * us, 13, "?stream_sync");
    row("done when the call began", 20 * us, 50 * us, 13, "");
    row("went on long after the call had returned", 60 * us, 140 * us, 13, "");
    row("began when the call had returned", 100 * us, 101 * us, 13, "");
    row("on another stream", 60 * us, 99 * us, 14, "");
}

void tst_BlockingEdges::workWithoutACall()
{
    QFETCH(Ns, began);
    QFETCH(Ns, done);
    QFETCH(std::uint32_t, stream);
    QFETCH(std::string, expected);
    for (const std::uint32_t correlation : {0U, 4711U}) {  // none, or a call's from before the recording
        Tape tape;
        launch(tape, 0, 13, 6 * us, 10 * us);
        tape.kernel(correlation, stream, began, done);
        sync_stream(tape, 50 * us, 100 * us, 13);
        SAYS(tape, expected);
    }
    Tape both;  // the call also waited for something known, so it was held
    launch(both, 0, 13, 6 * us, 99 * us);
    both.kernel(0, 13, 99 * us, 99 * us + 500);
    sync_stream(both, 50 * us, 100 * us, 13);
    SAYS(both, "stream_sync 50000..100000");
    Tape device;
    launch(device, 0, 13, 6 * us, 10 * us);
    device.kernel(0, 14, 60 * us, 99 * us);
    sync_device(device, 50 * us, 100 * us);
    SAYS(device, "?device_sync");
    Tape together;  // if two end together, the one that began first decides
    launch(together, 0, 13, 6 * us, 101 * us);
    launch(together, 5 * us, 14, 100 * us + 500, 101 * us);
    sync_device(together, 50 * us, 100 * us);
    SAYS(together, "device_sync 50000..100000");
}

void tst_BlockingEdges::workWithoutACallIsNumbered_data()
{
    QTest::addColumn<Ns>("before");
    QTest::addColumn<bool>("rises");
    QTest::addColumn<std::string>("expected");
    QTest::newRow("issued before the call: it waited") << 0 * us << true << std::string("stream_sync 50000..100000");
    QTest::newRow("maybe while the call lasted") << 55 * us << true << std::string("?stream_sync");
    QTest::newRow("numbered anew") << 0 * us << false << std::string("?stream_sync");
}

/// A trace that begins in the middle: the ids of calls say that the work is older than they are.
void tst_BlockingEdges::workWithoutACallIsNumbered()
{
    QFETCH(Ns, before);
    QFETCH(bool, rises);
    QFETCH(std::string, expected);
    Tape tape;
    if (!rises) {
        tape.call("cudaGetDevice", 20 * ms, 20 * ms + us);
    }
    launch(tape, 0, 13, 6 * us, 10 * us);
    const auto wait = [&] { sync_stream(tape, 50 * us, 100 * us, 13); };
    const auto kernel = [&](std::uint32_t correlation) { tape.kernel(correlation, 13, 60 * us, 99 * us); };
    if (before == 0) {
        kernel(tape.unrecorded());
        wait();
    } else {
        wait();
        kernel(tape.unrecorded());
        tape.call("cudaGetDevice", before, before + us, 2);
    }
    SAYS(tape, expected);
}

/// PyTorch's profiler attaches to a program that works: what a first call waited for may have no record.
void tst_BlockingEdges::waitBeforeAllThatIsRecorded()
{
    for (const auto source : {Source::kineto, Source::cupti}) {
        for (const Ns length : {900 * us, 115 * ms}) {
            Tape tape;
            tape.call("cudaDeviceSynchronize", 0, length);
            launch(tape, 120 * ms, 13, 121 * ms, 122 * ms);
            const bool is_unknown = source == Source::kineto && length > ms;
            QCOMPARE(said(tape.finish(source)), std::string(is_unknown ? "?device_sync" : ""));
        }
    }
}

void tst_BlockingEdges::workWithoutACallThroughAnEvent()
{
    for (const bool waits : {true, false}) {
        Tape tape;  // stream 14 waits for an event of stream 13, which may follow the kernel without a call
        launch(tape, 0, 14, 6 * us, 10 * us);
        tape.kernel(0, 13, 60 * us, 99 * us);
        record_event(tape, 20 * us, 13, 41);
        const auto wait = tape.call(waits ? "cudaStreamWaitEvent" : "cudaEventQuery", 25 * us, 26 * us);
        tape.sync(wait, SyncRecord::stream_wait_event, 25 * us, 26 * us, 14, 5, 41);
        sync_stream(tape, 50 * us, 100 * us, 14);
        SAYS(tape, waits ? "?stream_sync" : "");
    }
    Tape event;
    launch(event, 0, 14, 6 * us, 10 * us);
    event.kernel(0, 13, 60 * us, 99 * us);
    record_event(event, 20 * us, 13, 41);
    sync_event(event, 50 * us, 100 * us, 41);
    SAYS(event, "?event_sync");
}

void tst_BlockingEdges::workWithoutACallIsNeverCalledFree()
{
    Tape tape;
    tape.thread(Tape::process, "main", 0);
    const auto call = tape.call("cudaLaunchKernel", 0, 5 * us, Tape::process);
    tape.kernel(call, 13, 6 * us, 10 * us);
    tape.kernel(0, 13, 60 * us, 20 * ms);
    const auto sync = tape.call("cudaStreamSynchronize", 50 * us, 20 * ms, Tape::process);
    tape.sync(sync, SyncRecord::stream_sync, 50 * us, 20 * ms, 13);
    const auto trace = tape.finish();
    const auto report = make_report(trace, find_blocking(trace));
    QCOMPARE(report.threads.size(), std::size_t {1});
    QVERIFY(!report.threads[0].blocked);
    QVERIFY(!report.cpu_free);
    QVERIFY(report.threads[0].blocked_by[static_cast<std::size_t>(BlockCause::memory)] == MaybeNs(0));
}

void tst_BlockingEdges::copyCallWhoseCopyHasNoCall()
{
    Tape tape;
    launch(tape, 0, 13, 6 * us, 10 * us);
    tape.call("cudaMemcpy", 20 * us, 35 * us);
    tape.copy(0, 7, 25 * us, 34 * us, CopyKind::h2d, pinned, false);
    SAYS(tape, "?copy, ?staging");
    Tape quick;  // its copy is nowhere, but an ordinary call takes as long
    launch(quick, 0, 13, 6 * us, 10 * us);
    quick.call("cudaMemcpy", 20 * us, 35 * us);
    SAYS(quick, "");
    Tape failed;
    launch(failed, 0, 13, 6 * us, 10 * us);
    failed.call("cudaMemcpy", 20 * us, 90 * us, 1, ApiCallRecord::runtime, 700);
    SAYS(failed, "");
}

void tst_BlockingEdges::launchesThatWait()
{
    Tape tape;  // CUDA_LAUNCH_BLOCKING=1: also launches of a graph, and of kernels that take next to no time
    tape.kernel(tape.call("cudaLaunchKernel", 0, 9 * ms + 8 * us), 7, 4 * us, 9 * ms);
    tape.kernel(tape.call("cudaLaunchKernel", 10 * ms, 10 * ms + 9 * us), 7, 10 * ms + 4 * us, 10 * ms + 6 * us);
    const auto graph = tape.call("cudaGraphLaunch", 11 * ms, 20 * ms + 8 * us);
    tape.kernel(graph, 7, 11 * ms + 4 * us, 15 * ms);
    tape.kernel(graph, 7, 15 * ms, 20 * ms);
    sync_device(tape, 21 * ms, 21 * ms + 3 * us);
    const auto trace = tape.finish();
    QCOMPARE(said(trace), std::string("launch 0..9008000, launch 10000000..10009000, launch 11000000..20008000"));
    QCOMPARE(trace.operations.end[find_blocking(trace).calls[2].released_by], 20 * ms);
}

void tst_BlockingEdges::launchesThatDoNotWait_data()
{
    QTest::addColumn<Ns>("length");  // of the last of 20 launches
    QTest::addColumn<Ns>("began");
    QTest::addColumn<Ns>("done");
    QTest::addColumn<bool>("others");  // whether the others return after their kernels, too
    QTest::addColumn<bool>("blocked");
    QTest::newRow("all wait") << 60 * us << 4 * us << 55 * us << true << true;
    QTest::newRow("all kernels are tiny") << 8 * us << 4 * us << 6 * us << true << false;
    QTest::newRow("tiny, and the module was loaded first") << 5 * ms << 4 * ms + 998 * us << 5 * ms << true << false;
    QTest::newRow("the thread was put aside in the call") << 900 * us << 4 * us << 55 * us << true << false;
    QTest::newRow("the thread woke up 24 us late") << 9 * ms + 45 * us << 20 * us << 9 * ms + 21 * us << true << true;
    QTest::newRow("put aside behind a kernel of 1 ms") << 1'100 * us << 4 * us << 1'004 * us << true << false;
    QTest::newRow("one alone does") << 60 * us << 4 * us << 55 * us << false << false;
}

void tst_BlockingEdges::launchesThatDoNotWait()
{
    QFETCH(Ns, length);
    QFETCH(Ns, began);
    QFETCH(Ns, done);
    QFETCH(bool, others);
    QFETCH(bool, blocked);
    Tape tape;
    for (Ns i = 0; i < 19; ++i) {
        const Ns at = i * 100 * us;
        tape.kernel(tape.call("cudaLaunchKernel", at, at + 8 * us), 7, at + 4 * us, at + (others ? 6 : 60) * us);
    }
    const Ns at = 10 * ms;
    tape.kernel(tape.call("cudaLaunchKernel", at, at + length), 7, at + began, at + done);
    QCOMPARE(find_blocking(tape.finish()).calls.size(), std::size_t {blocked ? 20U : 0U});
}

void tst_BlockingEdges::synchronousMemset_data()
{
    QTest::addColumn<MemoryKind>("memory");
    QTest::addColumn<bool>("async");
    QTest::addColumn<std::string>("expected");
    QTest::newRow("of pinned memory") << pinned << false << std::string("other 20000..1370000");
    QTest::newRow("of managed memory") << MemoryKind::managed << false << std::string("other 20000..1370000");
    QTest::newRow("of the device") << MemoryKind::device << false << std::string();
    QTest::newRow("cudaMemsetAsync") << pinned << true << std::string();
}

void tst_BlockingEdges::synchronousMemset()
{
    QFETCH(MemoryKind, memory);
    QFETCH(bool, async);
    QFETCH(std::string, expected);
    Tape tape;
    const auto call = tape.call(async ? "cudaMemsetAsync" : "cudaMemset", 20 * us, 1370 * us);
    tape.memset(call, 7, 80 * us, 1360 * us, 0, memory, async);
    SAYS(tape, expected);
}

void tst_BlockingEdges::memoryCalls_data()
{
    QTest::addColumn<bool>("memory");
    for (const char* name : {"cuMemUnmap", "cuMemRelease", "cuMemCreate", "cuMemMap", "cuMemSetAccess", "cudaFreeAsync",
             "cuMemFreeAsync", "cudaFreeHost", "cudaMallocManaged", "cudaMemPoolTrimTo", "cuMipmappedArrayDestroy"}) {
        QTest::newRow(name) << true;
    }
    for (const char* name : {"cudaMemPrefetchAsync", "cudaMemGetInfo", "cuMemGetInfo", "cudaLaunchKernel"}) {
        QTest::newRow(name) << false;
    }
}

void tst_BlockingEdges::memoryCalls()
{
    QFETCH(bool, memory);
    Tape tape;
    launch(tape, 0, 13, 6 * us, 900 * us);
    tape.call(QTest::currentDataTag(), 100 * us, 1000 * us);
    SAYS(tape, memory ? "memory 120000..900000" : "");
}

void tst_BlockingEdges::hostFunctions()
{
    Tape tape;  // a function of 10 ms in a stream is work like any other
    launch(tape, 0, 13, 6 * us, 10 * us);
    tape.host_function(tape.call("cudaLaunchHostFunc", 10 * us, 20 * us), 13, 30 * us, 10 * ms);
    sync_stream(tape, 30 * us, 10 * ms + 100 * us, 13);
    sync_stream(tape, 11 * ms, 11 * ms + 50 * us, 13);
    const auto trace = tape.finish();
    QCOMPARE(said(trace), std::string("stream_sync 30000..10100000"));
    QCOMPARE(find_blocking(trace).calls[0].released_by, no_row);
    Tape other;  // of another stream
    launch(other, 0, 13, 6 * us, 10 * us);
    other.host_function(other.call("cudaLaunchHostFunc", 10 * us, 20 * us), 13, 30 * us, 10 * ms);
    sync_stream(other, 30 * us, 10 * ms + 100 * us, 14);
    SAYS(other, "");
    Tape device;
    launch(device, 0, 13, 6 * us, 10 * us);
    device.host_function(device.call("cudaLaunchHostFunc", 10 * us, 20 * us), 13, 30 * us, 10 * ms);
    sync_device(device, 30 * us, 10 * ms + 100 * us);
    SAYS(device, "device_sync 30000..10100000");
}

void tst_BlockingEdges::hostFunctionWithoutATime()
{
    const auto tape_with = [](auto more) {
        Tape tape;
        launch(tape, 0, 13, 6 * us, 10 * us);
        launch(tape, 0, 14, 6 * us, 10 * us);
        tape.host_function(tape.call("cudaLaunchHostFunc", 10 * us, 20 * us), 13);
        more(tape);
        return said(tape.finish());
    };
    QCOMPARE(tape_with([](Tape& tape) { sync_stream(tape, 30 * us, 10 * ms, 13); }), std::string("?stream_sync"));
    QCOMPARE(tape_with([](Tape& tape) { sync_device(tape, 30 * us, 10 * ms); }), std::string("?device_sync"));
    QCOMPARE(tape_with([](Tape& tape) { sync_stream(tape, 30 * us, 10 * ms, 14); }), std::string());
    QCOMPARE(tape_with([](Tape& tape) { sync_stream(tape, 30 * us, 50 * us, 13); }), std::string());  // no wait
    QCOMPARE(tape_with([](Tape& tape) {
        record_event(tape, 20 * us, 13, 41);
        sync_event(tape, 30 * us, 10 * ms, 41);
    }),
        std::string("?event_sync"));
    QCOMPARE(tape_with([](Tape& tape) {
        record_event(tape, 20 * us, 13, 41);
        const auto wait = tape.call("cudaStreamWaitEvent", 25 * us, 26 * us);
        tape.sync(wait, SyncRecord::stream_wait_event, 25 * us, 26 * us, 14, 5, 41);
        sync_stream(tape, 30 * us, 10 * ms, 14);
    }),
        std::string("?stream_sync"));
    QCOMPARE(tape_with([](Tape& tape) {  // a kernel after it shows when it was done
        launch(tape, 22 * us, 13, 9 * ms, 10 * ms);
        sync_stream(tape, 30 * us, 10 * ms, 13);
        sync_stream(tape, 11 * ms, 12 * ms, 13);
    }),
        std::string("stream_sync 30000..10000000"));
}

void tst_BlockingEdges::workThatIsNotRecorded()
{
    for (const char* name : {"cudaMemPrefetchAsync", "cudaLaunchHostFunc", "cudaLaunchKernel"}) {
        Tape tape;  // a prefetch of managed memory, a host function without a record
        launch(tape, 0, 13, 6 * us, 10 * us);
        tape.call(name, 20 * us, 30 * us);
        sync_stream(tape, 40 * us, 240 * us, 13);
        SAYS(tape, name == std::string("cudaLaunchKernel") ? "" : "?stream_sync");
    }
    Tape behind;
    behind.call("cudaMemPrefetchAsync", 0, 10 * us);
    launch(behind, 20 * us, 13, 100 * us, 200 * us);
    sync_stream(behind, 40 * us, 240 * us, 13);
    SAYS(behind, "stream_sync 40000..240000");
}

void tst_BlockingEdges::nodesOfAGraphOnOtherStreams()
{
    for (const char* name : {"cudaGraphLaunch", "cudaLaunchKernel"}) {
        Tape tape;  // two branches: the launching stream runs the short one
        const auto launched = tape.call(name, 0, 10 * us);
        tape.kernel(launched, 14, 20 * us, 4500 * us);
        tape.kernel(launched, 17, 20 * us, 9000 * us);
        sync_stream(tape, 30 * us, 9030 * us, 14);
        const auto trace = tape.finish();
        const bool graph = name == std::string("cudaGraphLaunch");
        // Kernels of other calls belong to their streams.
        QCOMPARE(said(trace), std::string("stream_sync 30000..9030000"));
        QCOMPARE(trace.operations.end[find_blocking(trace).calls[0].released_by], (graph ? 9000 : 4500) * us);
    }
    Tape later;  // the short branch was done before the synchronisation began
    const auto launched = later.call("cudaGraphLaunch", 0, 10 * us);
    later.kernel(launched, 14, 20 * us, 25 * us);
    later.kernel(launched, 17, 20 * us, 9000 * us);
    record_event(later, 12 * us, 14, 41);
    sync_event(later, 30 * us, 9030 * us, 41);
    SAYS(later, "event_sync 30000..9030000");
}

void tst_BlockingEdges::eventBehindLegacyWork()
{
    for (const auto flag : {StreamRecord::blocking, StreamRecord::non_blocking}) {
        Tape tape;
        tape.stream(Tape::legacy_stream, StreamRecord::null);
        tape.stream(13, flag);
        launch(tape, 0, Tape::legacy_stream, 10 * us, 9 * ms);
        record_event(tape, 20 * us, 13, 41);
        sync_event(tape, 30 * us, 9 * ms + 20 * us, 41);
        SAYS(tape, flag == StreamRecord::blocking ? "event_sync 30000..9020000" : "");
        Tape synced;  // a synchronisation with that stream does not wait
        synced.stream(Tape::legacy_stream, StreamRecord::null);
        synced.stream(13, flag);
        launch(synced, 0, Tape::legacy_stream, 10 * us, 9 * ms);
        sync_stream(synced, 30 * us, 9 * ms + 20 * us, 13);
        SAYS(synced, "");
    }
    Tape before;  // later work of the legacy stream is not part of it
    before.stream(Tape::legacy_stream, StreamRecord::null);
    before.stream(13, StreamRecord::blocking);
    record_event(before, 0, 13, 41);
    launch(before, 10 * us, Tape::legacy_stream, 20 * us, 9 * ms);
    sync_event(before, 30 * us, 9 * ms + 20 * us, 41);
    SAYS(before, "");
}

void tst_BlockingEdges::deviceWaitsForWaits()
{
    Tape tape;  // a stream of this context waits for an event of another GPU's
    tape.kernel(tape.call("cudaLaunchKernel", 0, 5 * us), 20, 10 * us, 900 * us, 1);
    launch(tape, 6 * us, 13, 12 * us, 15 * us);
    tape.builder().write(EventRecord {.device_time = 0,
        .process = Tape::process,
        .device = 1,
        .context = 2,
        .stream = 20,
        .correlation = tape.call("cudaEventRecord", 14 * us, 15 * us),
        .event_id = 5,
        .event_sync = 41});
    const auto wait = tape.call("cudaStreamWaitEvent", 16 * us, 17 * us);
    tape.sync(wait, SyncRecord::stream_wait_event, 16 * us, 17 * us, 13, 5, 41);
    sync_device(tape, 20 * us, 901 * us);
    SAYS(tape, "device_sync 20000..901000");
}

void tst_BlockingEdges::eventsOfOneNumber()
{
    Tape tape;  // exports from before 2022 do not number the records of events: two contexts may each have an event 5
    tape.stream(13, StreamRecord::non_blocking);
    tape.stream(20, StreamRecord::non_blocking, 2);
    launch(tape, 0, 13, 10 * us, 900 * us);
    record_event(tape, 10 * us, 13, 0);
    tape.builder().write(EventRecord {.device_time = 0,
        .process = Tape::process,
        .device = 1,
        .context = 2,
        .stream = 20,
        .correlation = tape.call("cudaEventRecord", 14 * us, 15 * us),
        .event_id = 5,
        .event_sync = 0});
    sync_event(tape, 20 * us, 901 * us, 0);
    SAYS(tape, "event_sync 20000..901000");
    Tape gone;  // the record that is waited for is not in the recording, an earlier one is
    launch(gone, 0, 13, 10 * us, 20 * us);
    record_event(gone, 10 * us, 13, 41);
    launch(gone, 30 * us, 13, 40 * us, 900 * us);
    sync_event(gone, 50 * us, 901 * us, 42);
    SAYS(gone, "?event_sync");
}

void tst_BlockingEdges::eventWithoutACall()
{
    for (const bool timed : {true, false}) {
        Tape tape;  // the event was recorded before the recording began: the GPU's time gives its place in its stream
        tape.builder().write(EventRecord {.device_time = timed ? Tape::origin + 500 * us : 0,
            .process = Tape::process,
            .device = 0,
            .context = Tape::context,
            .stream = 13,
            .correlation = 0,
            .event_id = 5,
            .event_sync = 41});
        tape.kernel(0, 13, 5 * us, 500 * us);
        launch(tape, 10 * us, 13, 500 * us + 1, 900 * us);
        sync_event(tape, 20 * us, 502 * us, 41);
        SAYS(tape, timed ? "event_sync 20000..502000" : "?event_sync");
    }
}

QTEST_GUILESS_MAIN(tst_BlockingEdges)
#include "tst_blocking_edges.moc"
