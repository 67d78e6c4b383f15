// SPDX-License-Identifier: MIT
// Each rule of blocked time on a recording written by hand, with the figures it must give to the nanosecond.
#include "engine/analysis/blocking.h"
#include "engine/analysis/call_class.h"
#include "tests/engine/analysis/tape.h"

#include <QTest>

using namespace lanes;

namespace {

constexpr Ns us = 1000;
constexpr auto pinned = MemoryKind::pinned;
constexpr auto pageable = MemoryKind::pageable;

/// What one expects of a recording: (start, end, cause), in order.
struct Expected {
    Ns start, end;
    BlockCause cause;
};

}  // namespace

#define VERIFY_BLOCKED(of, ...) \
    do { \
        const Blocking found = (of); \
        const std::vector<Expected> expected{__VA_ARGS__}; \
        QVERIFY(found.known); \
        QCOMPARE(found.calls.size(), expected.size()); \
        for (std::size_t index = 0; index < expected.size(); ++index) { \
            QCOMPARE(found.calls[index].start, expected[index].start); \
            QCOMPARE(found.calls[index].end, expected[index].end); \
            QCOMPARE(name_of(found.calls[index].cause), name_of(expected[index].cause)); \
        } \
    } while (false)

class tst_Blocking : public QObject {
    Q_OBJECT

private slots:
    void nothingToTellFrom();
    void classesOfCalls();
    void pinnedAsyncDoesNotBlock();
    void blockingCopies_data();
    void blockingCopies();
    void pageableCopyThatReturnsEarlyIsStaging();
    void copyOfSameDeviceReturnsAtOnce();
    void streamSyncWaitsForItsStreamOnly();
    void workSubmittedLaterIsNotAwaited();
    void legacyStreamWaitsForBlockingStreams();
    void deviceSyncWaitsForAllOfTheContext();
    void eventSyncWaitsForWhatWasRecorded();
    void streamWaitsCarryOver();
    void queriesNeverBlock();
    void onlyOutermostCallsCount();
    void driverCallAlone();
    void fullQueueByRecord();
    void fullQueueByCount_data();
    void fullQueueByCount();
    void memoryWhileTheGpuIsBusy();
    void missingSyncRecord();
    void copyThatIsNotRecorded();
};

void tst_Blocking::nothingToTellFrom()
{
    {
        Tape tape;  // calls, no operations
        tape.call("cudaDeviceSynchronize", 0, 50 * us);
        QVERIFY(!find_blocking(tape.finish()).known);
    }
    {
        Tape tape;  // operations, no calls
        tape.kernel(1, 7, 0, 50 * us);
        QVERIFY(!find_blocking(tape.finish()).known);
    }
    {
        Tape tape;  // nothing that joins the two
        tape.call("cudaDeviceSynchronize", 0, 50 * us);
        tape.kernel(0, 7, 0, 50 * us);
        QVERIFY(!find_blocking(tape.finish()).known);
    }
}

void tst_Blocking::classesOfCalls()
{
    QCOMPARE(class_of("cudaStreamSynchronize_ptsz"), CallClass::stream_sync);
    QCOMPARE(class_of("cuCtxSynchronize"), CallClass::device_sync);
    QCOMPARE(class_of("hipEventSynchronize"), CallClass::event_sync);
    QCOMPARE(class_of("cudaEventQuery"), CallClass::query);
    QCOMPARE(class_of("cudaEventRecordWithFlags"), CallClass::event_record);
    QCOMPARE(class_of("cudaMemcpyAsync"), CallClass::copy);
    QCOMPARE(class_of("cuMemAlloc"), CallClass::memory);
    QCOMPARE(class_of("cudaMallocHost"), CallClass::memory);
    QCOMPARE(class_of("cudaFree"), CallClass::memory);
    QCOMPARE(class_of("cudaGraphLaunch"), CallClass::graph_launch);
    QCOMPARE(class_of("cudaLaunchKernel"), CallClass::other);
    QCOMPARE(class_of("Malloc"), CallClass::other);
}

void tst_Blocking::pinnedAsyncDoesNotBlock()
{
    Tape tape;  // the copy is even done before its call returns
    const auto call = tape.call("cudaMemcpyAsync", 0, 30 * us);
    tape.copy(call, 7, 5 * us, 6 * us, CopyKind::d2h, pinned, true);
    VERIFY_BLOCKED(find_blocking(tape.finish()), );
}

void tst_Blocking::blockingCopies_data()
{
    QTest::addColumn<bool>("async");
    QTest::addColumn<bool>("isPageable");
    QTest::addColumn<Ns>("copyEnd");
    QTest::addColumn<bool>("blocked");
    QTest::newRow("cudaMemcpy, pinned") << false << false << 90 * us << true;
    QTest::newRow("cudaMemcpyAsync, pageable") << true << true << 90 * us << true;
    QTest::newRow("cudaMemcpy, 2 us early by the clocks") << false << false << 102 * us << true;
    QTest::newRow("cudaMemcpy, more than 2 us early") << false << false << 102 * us + 1 << false;
}

void tst_Blocking::blockingCopies()
{
    QFETCH(bool, async);
    QFETCH(bool, isPageable);
    QFETCH(Ns, copyEnd);
    QFETCH(bool, blocked);
    Tape tape;
    const auto call = tape.call(async ? "cudaMemcpyAsync" : "cudaMemcpy", 10 * us, 100 * us);
    tape.copy(call, 7, 20 * us, copyEnd, CopyKind::h2d, isPageable ? pageable : pinned, async);
    const auto trace = tape.finish();
    const auto blocking = find_blocking(trace);
    if (blocked) {
        VERIFY_BLOCKED(blocking, {10 * us, 100 * us, BlockCause::copy});
        QCOMPARE(blocking.calls[0].released_by, 0U);
    } else {
        VERIFY_BLOCKED(blocking, );
    }
}

void tst_Blocking::pageableCopyThatReturnsEarlyIsStaging()
{
    Tape tape;
    const auto kernel = tape.call("cudaLaunchKernel", 0, 5 * us);
    tape.kernel(kernel, 7, 10 * us, 2000 * us);
    const auto small = tape.call("cudaMemcpyAsync", 10 * us, 30 * us);  // 20 us: an ordinary call
    tape.copy(small, 7, 2000 * us, 2010 * us, CopyKind::h2d, pageable, true);
    const auto large = tape.call("cudaMemcpyAsync", 100 * us, 150 * us);
    tape.copy(large, 7, 2010 * us, 2100 * us, CopyKind::h2d, pageable, true);
    const auto trace = tape.finish();
    const auto blocking = find_blocking(trace);
    VERIFY_BLOCKED(blocking, {120 * us, 150 * us, BlockCause::staging});
    QCOMPARE(trace.operations.start[blocking.calls[0].released_by], 2010 * us);
}

void tst_Blocking::copyOfSameDeviceReturnsAtOnce()
{
    Tape tape;
    const auto call = tape.call("cudaMemcpy", 0, 90 * us);
    tape.copy(call, 7, 50 * us, 300 * us, CopyKind::d2d, MemoryKind::device, false);
    VERIFY_BLOCKED(find_blocking(tape.finish()), );
}

void tst_Blocking::streamSyncWaitsForItsStreamOnly()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.stream(14, StreamRecord::non_blocking);
    tape.kernel(tape.call("cudaLaunchKernel", 0, 5 * us), 13, 10 * us, 100 * us);
    tape.kernel(tape.call("cudaLaunchKernel", 5 * us, 9 * us), 14, 10 * us, 500 * us);
    const auto first = tape.call("cudaStreamSynchronize", 20 * us, 103 * us);
    tape.sync(first, SyncRecord::stream_sync, 21 * us, 102 * us, 13);
    // Its stream is idle by now; that it takes long has another reason.
    const auto second = tape.call("cudaStreamSynchronize", 110 * us, 170 * us);
    tape.sync(second, SyncRecord::stream_sync, 111 * us, 160 * us, 13);
    const auto third = tape.call("cudaStreamSynchronize", 180 * us, 501 * us);
    tape.sync(third, SyncRecord::stream_sync, 180 * us, 500 * us, 14);
    const auto trace = tape.finish();
    const auto blocking = find_blocking(trace);
    VERIFY_BLOCKED(blocking, {20 * us, 103 * us, BlockCause::stream_sync}, {180 * us, 501 * us, BlockCause::stream_sync});
    QCOMPARE(trace.operations.end[blocking.calls[0].released_by], 100 * us);
    QCOMPARE(trace.operations.end[blocking.calls[1].released_by], 500 * us);
}

void tst_Blocking::workSubmittedLaterIsNotAwaited()
{
    Tape tape;  // another thread submits to the stream while this one waits
    tape.kernel(tape.call("cudaLaunchKernel", 0, 5 * us), 13, 10 * us, 100 * us);
    const auto sync = tape.call("cudaStreamSynchronize", 20 * us, 101 * us);
    tape.sync(sync, SyncRecord::stream_sync, 21 * us, 101 * us, 13);
    tape.kernel(tape.call("cudaLaunchKernel", 50 * us, 55 * us, 2), 13, 100 * us, 900 * us);
    const auto trace = tape.finish();
    const auto blocking = find_blocking(trace);
    VERIFY_BLOCKED(blocking, {20 * us, 101 * us, BlockCause::stream_sync});
    QCOMPARE(blocking.calls[0].released_by, 0U);
}

void tst_Blocking::legacyStreamWaitsForBlockingStreams()
{
    for (const bool is_blocking : {true, false}) {
        Tape tape;
        tape.stream(Tape::legacy_stream, StreamRecord::null);
        tape.stream(13, is_blocking ? StreamRecord::blocking : StreamRecord::non_blocking);
        tape.kernel(tape.call("cudaLaunchKernel", 0, 5 * us), 13, 10 * us, 100 * us);
        const auto sync = tape.call("cudaStreamSynchronize", 20 * us, 101 * us);
        tape.sync(sync, SyncRecord::stream_sync, 21 * us, 101 * us, Tape::legacy_stream);
        if (is_blocking) {
            VERIFY_BLOCKED(find_blocking(tape.finish()), {20 * us, 101 * us, BlockCause::stream_sync});
        } else {
            VERIFY_BLOCKED(find_blocking(tape.finish()), );
        }
    }
}

void tst_Blocking::deviceSyncWaitsForAllOfTheContext()
{
    Tape tape;
    tape.kernel(tape.call("cudaLaunchKernel", 0, 5 * us), 13, 10 * us, 100 * us);
    tape.kernel(tape.call("cudaLaunchKernel", 5 * us, 9 * us), 14, 10 * us, 300 * us);
    tape.kernel(tape.call("cudaLaunchKernel", 9 * us, 12 * us), 20, 10 * us, 700 * us, 1);  // of another device
    const auto sync = tape.call("cudaDeviceSynchronize", 20 * us, 302 * us);
    tape.sync(sync, SyncRecord::event, 21 * us, 301 * us);  // some Nsight versions call it so
    VERIFY_BLOCKED(find_blocking(tape.finish()), {20 * us, 302 * us, BlockCause::device_sync});
}

void tst_Blocking::eventSyncWaitsForWhatWasRecorded()
{
    for (const bool by_number : {true, false}) {
        Tape tape;
        tape.kernel(tape.call("cudaLaunchKernel", 0, 5 * us), 13, 10 * us, 100 * us);
        tape.event(tape.call("cudaEventRecord", 6 * us, 7 * us), 13, 5, by_number ? 41 : 0);
        tape.kernel(tape.call("cudaLaunchKernel", 8 * us, 9 * us), 13, 100 * us, 400 * us);
        const auto early = tape.call("cudaEventSynchronize", 20 * us, 101 * us);
        tape.sync(early, SyncRecord::event, 20 * us, 101 * us, no_id, 5, by_number ? 41 : 0);
        tape.event(tape.call("cudaEventRecord", 110 * us, 111 * us), 13, 5, by_number ? 42 : 0);
        const auto late = tape.call("cudaEventSynchronize", 120 * us, 399 * us);
        tape.sync(late, SyncRecord::event, 120 * us, 399 * us, no_id, 5, by_number ? 42 : 0);
        const auto trace = tape.finish();
        const auto blocking = find_blocking(trace);
        VERIFY_BLOCKED(blocking, {20 * us, 101 * us, BlockCause::event_sync}, {120 * us, 399 * us, BlockCause::event_sync});
        QCOMPARE(blocking.calls[0].released_by, 0U);
        QCOMPARE(blocking.calls[1].released_by, 1U);
    }
}

void tst_Blocking::streamWaitsCarryOver()
{
    Tape tape;  // stream 14 has no work but the wait for 13
    tape.kernel(tape.call("cudaLaunchKernel", 0, 5 * us), 13, 10 * us, 100 * us);
    tape.event(tape.call("cudaEventRecord", 6 * us, 7 * us), 13, 5, 41);
    const auto wait = tape.call("cudaStreamWaitEvent", 8 * us, 9 * us);
    tape.sync(wait, SyncRecord::stream_wait_event, 8 * us, 9 * us, 14, 5, 41);
    const auto sync = tape.call("cudaStreamSynchronize", 20 * us, 101 * us);
    tape.sync(sync, SyncRecord::stream_sync, 21 * us, 101 * us, 14);
    VERIFY_BLOCKED(find_blocking(tape.finish()), {20 * us, 101 * us, BlockCause::stream_sync});
}

void tst_Blocking::queriesNeverBlock()
{
    Tape tape;
    tape.kernel(tape.call("cudaLaunchKernel", 0, 5 * us), 13, 10 * us, 100 * us);
    const auto query = tape.call("cudaStreamQuery", 20 * us, 101 * us);
    tape.sync(query, SyncRecord::stream_sync, 21 * us, 101 * us, 13);
    VERIFY_BLOCKED(find_blocking(tape.finish()), );
}

void tst_Blocking::onlyOutermostCallsCount()
{
    Tape tape;  // the records of the GPU name the driver call
    tape.call("cudaMemcpy", 10 * us, 100 * us);
    const auto inner = tape.call("cuMemcpyHtoD", 12 * us, 98 * us, 1, ApiCallRecord::driver);
    tape.copy(inner, 7, 20 * us, 97 * us, CopyKind::h2d, pinned, false);
    VERIFY_BLOCKED(find_blocking(tape.finish()), {10 * us, 100 * us, BlockCause::copy});
}

void tst_Blocking::driverCallAlone()
{
    Tape tape;
    const auto launch = tape.call("cuLaunchKernel", 0, 5 * us, 1, ApiCallRecord::driver);
    tape.kernel(launch, 13, 10 * us, 100 * us);
    const auto sync = tape.call("cuCtxSynchronize", 20 * us, 101 * us, 1, ApiCallRecord::driver);
    tape.sync(sync, SyncRecord::context_sync, 21 * us, 101 * us);
    VERIFY_BLOCKED(find_blocking(tape.finish()), {20 * us, 101 * us, BlockCause::device_sync});
}

void tst_Blocking::fullQueueByRecord()
{
    for (const bool joined : {true, false}) {
        Tape tape;
        const auto launch = tape.call("cudaLaunchKernel", 10 * us, 60 * us);
        tape.kernel(launch, 13, 80 * us, 100 * us);
        tape.overhead(OverheadRecord::command_buffer_full, joined ? launch : 0, 1, 15 * us, 55 * us);
        tape.overhead(OverheadRecord::buffer_flush, launch, 1, 56 * us, 58 * us);
        VERIFY_BLOCKED(find_blocking(tape.finish()), {15 * us, 55 * us, BlockCause::queue_full});
    }
}

void tst_Blocking::fullQueueByCount_data()
{
    QTest::addColumn<int>("pending");
    QTest::addColumn<Ns>("length");
    QTest::addColumn<Ns>("blocked");
    QTest::newRow("1000 pending") << 1000 << 300 * us << 280 * us;
    QTest::newRow("999 pending") << 999 << 300 * us << Ns{0};
    QTest::newRow("an ordinary call") << 1000 << 20 * us << Ns{0};
}

void tst_Blocking::fullQueueByCount()
{
    QFETCH(int, pending);
    QFETCH(Ns, length);
    QFETCH(Ns, blocked);
    Tape tape;
    const Ns gpu_start = 5000 * us;
    for (int i = 0; i < pending; ++i) {
        tape.kernel(tape.call("cudaLaunchKernel", i * 2 * us, i * 2 * us + us), 13, gpu_start + i * 100 * us,
            gpu_start + (i + 1) * 100 * us);
    }
    // The first of them ends while this call lasts.
    const Ns start = gpu_start + 100 * us - 1;
    const auto launch = tape.call("cudaLaunchKernel", start, start + length);
    tape.kernel(launch, 13, gpu_start + pending * 100 * us, gpu_start + (pending + 1) * 100 * us);
    const auto trace = tape.finish();
    const auto blocking = find_blocking(trace);
    if (blocked == 0) {
        VERIFY_BLOCKED(blocking, );
    } else {
        VERIFY_BLOCKED(blocking, {start + length - blocked, start + length, BlockCause::queue_full});
        QCOMPARE(trace.operations.end[blocking.calls[0].released_by], gpu_start + 300 * us);
    }
}

void tst_Blocking::memoryWhileTheGpuIsBusy()
{
    Tape tape;
    tape.kernel(tape.call("cudaLaunchKernel", 0, 5 * us), 13, 10 * us, 100 * us);
    tape.kernel(tape.call("cudaLaunchKernel", 5 * us, 8 * us), 13, 150 * us, 200 * us);
    tape.call("cudaMalloc", 50 * us, 180 * us);
    tape.call("cudaFree", 185 * us, 204 * us);  // an ordinary call
    VERIFY_BLOCKED(find_blocking(tape.finish()), {70 * us, 100 * us, BlockCause::memory},
        {150 * us, 180 * us, BlockCause::memory});
}

void tst_Blocking::missingSyncRecord()
{
    {
        Tape tape;  // one stream: what else should it wait for
        tape.kernel(tape.call("cudaLaunchKernel", 0, 5 * us), 13, 10 * us, 100 * us);
        tape.call("cudaStreamSynchronize", 20 * us, 101 * us);
        const auto blocking = find_blocking(tape.finish());
        VERIFY_BLOCKED(blocking, {20 * us, 101 * us, BlockCause::stream_sync});
        QVERIFY(blocking.knows(0));
    }
    {
        Tape tape;  // two streams, one of which would have held it
        tape.kernel(tape.call("cudaLaunchKernel", 0, 5 * us), 13, 10 * us, 100 * us);
        tape.kernel(tape.call("cudaLaunchKernel", 5 * us, 8 * us), 14, 10 * us, 300 * us);
        tape.call("cudaStreamSynchronize", 20 * us, 101 * us);
        tape.call("cudaDeviceSynchronize", 110 * us, 301 * us);
        const auto blocking = find_blocking(tape.finish());
        VERIFY_BLOCKED(blocking, {110 * us, 301 * us, BlockCause::device_sync});
        QVERIFY(!blocking.knows(0));
        QVERIFY(!blocking.knows(0, BlockCause::stream_sync));
        QVERIFY(blocking.knows(0, BlockCause::device_sync));
    }
    {
        Tape tape;  // two streams, neither of which would have
        tape.kernel(tape.call("cudaLaunchKernel", 0, 5 * us), 13, 10 * us, 100 * us);
        tape.kernel(tape.call("cudaLaunchKernel", 5 * us, 8 * us), 14, 10 * us, 300 * us);
        tape.call("cudaStreamSynchronize", 20 * us, 90 * us);
        const auto blocking = find_blocking(tape.finish());
        VERIFY_BLOCKED(blocking, );
        QVERIFY(blocking.knows(0));
    }
}

void tst_Blocking::copyThatIsNotRecorded()
{
    Tape tape;
    tape.kernel(tape.call("cudaLaunchKernel", 0, 5 * us), 13, 10 * us, 100 * us);
    tape.call("cudaMemcpy", 20 * us, 110 * us);
    const auto blocking = find_blocking(tape.finish());
    VERIFY_BLOCKED(blocking, );
    QVERIFY(!blocking.knows(0, BlockCause::copy));
}

QTEST_GUILESS_MAIN(tst_Blocking)
#include "tst_blocking.moc"
