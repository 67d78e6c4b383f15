// SPDX-License-Identifier: MIT
// Each rule of blocked time on a recording written by hand, with the figures it must give to the nanosecond.
#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/blocking/gpu_clock.h"
#include "engine/analysis/facts/call_class.h"
#include "tests/engine/analysis/tape.h"

#include <algorithm>
#include <QTest>
#include <random>

using namespace lanes;

namespace {

constexpr Ns us = 1000;
constexpr auto pinned = MemoryKind::pinned;
constexpr auto pageable = MemoryKind::pageable;

/// What a recording is expected to yield: (start, end, cause), in order.
struct Expected {
    Ns start, end;
    BlockCause cause;
};

/// The rule for recordings of launches, copies, synchronisations and stream waits, computed slowly and plainly.
class PlainRule {
public:
    explicit PlainRule(const Trace& trace)
        : m_trace(trace)
    {
    }

    std::vector<Expected> blocked() const
    {
        std::vector<Expected> found;
        for (Row call = 0; call < m_trace.calls.size(); ++call) {
            const Ns s = m_trace.calls.start[call];
            const Ns e = m_trace.calls.end[call];
            const auto name = m_trace.text(m_trace.calls.name[call]);
            Ns r = -1;
            Ns began = -1;
            bool is_pageable = false;
            auto cause = BlockCause::copy;
            for (Row row = 0; row < m_trace.operations.size(); ++row) {
                if (m_trace.operations.call[row] == call && is_copy(m_trace.operations.kind[row])) {
                    const auto& copy = m_trace.copies[m_trace.operations.detail[row]];
                    is_pageable = copy.source == pageable || copy.target == pageable;
                    r = is_pageable || !copy.async ? m_trace.operations.end[row] : -1;
                    began = m_trace.operations.start[row];
                }
            }
            for (const auto& sync : m_trace.syncs) {
                if (sync.call != call || name == "cudaStreamWaitEvent") {
                    continue;
                }
                if (name == "cudaStreamSynchronize") {
                    cause = BlockCause::stream_sync;
                    r = of_stream(sync.stream, s);
                } else if (name == "cudaDeviceSynchronize") {
                    cause = BlockCause::device_sync;
                    for (Row row = 0; row < m_trace.operations.size(); ++row) {
                        r = submitted(row) < s ? std::max(r, m_trace.operations.end[row]) : r;
                    }
                } else {
                    cause = BlockCause::event_sync;
                    r = of_event(sync.event_sync);
                }
            }
            if (cause != BlockCause::copy) {
                for (Row row = 0; row < m_trace.operations.size(); ++row) {
                    began = m_trace.operations.end[row] == r ? m_trace.operations.start[row] : began;
                }
            }
            const Ns early = 2000 + (e - s) / 500;
            if (r > s && began < e && r - e <= (early < 20000 ? early : 20000)) {
                found.push_back({s, e, cause});
            } else if (is_pageable && r > e && e - s > 20 * us) {
                found.push_back({s + 20 * us, e, BlockCause::staging});
            }
        }
        std::stable_sort(
            found.begin(), found.end(), [](const Expected& a, const Expected& b) { return a.start < b.start; });
        return found;
    }

private:
    Ns submitted(Row operation) const { return m_trace.calls.start[m_trace.operations.call[operation]]; }
    Ns of_own_stream(Row stream, Ns before) const
    {
        Ns r = -1;
        for (Row row = 0; row < m_trace.operations.size(); ++row) {
            if (m_trace.operations.stream[row] == stream && submitted(row) < before) {
                r = std::max(r, m_trace.operations.end[row]);
            }
        }
        for (const auto& sync : m_trace.syncs) {
            if (sync.type == SyncRecord::stream_wait_event && sync.stream == stream
                && m_trace.calls.start[sync.call] < before) {
                r = std::max(r, of_event(sync.event_sync));
            }
        }
        return r;
    }
    Ns of_stream(Row stream, Ns before) const
    {
        Ns r = of_own_stream(stream, before);
        if (m_trace.streams[stream].flag == StreamRecord::null) {
            for (Row other = 0; other < m_trace.streams.size(); ++other) {
                if (m_trace.streams[other].flag == StreamRecord::blocking) {
                    r = std::max(r, of_own_stream(other, before));
                }
            }
        }
        return r;
    }
    Ns of_event(std::uint32_t event_sync) const
    {
        for (const auto& event : m_trace.events) {
            if (event.event_sync == event_sync) {
                Ns r = of_stream(event.stream, event.time);
                for (Row other = 0; other < m_trace.streams.size(); ++other) {
                    if (m_trace.streams[event.stream].flag == StreamRecord::blocking
                        && m_trace.streams[other].flag == StreamRecord::null) {
                        r = std::max(r, of_own_stream(other, event.time));
                    }
                }
                return r;
            }
        }
        return -1;
    }

    const Trace& m_trace;
};

}  // namespace

#define VERIFY_BLOCKED(of, ...)                                                                                        \
    do {                                                                                                               \
        const Blocking found = (of);                                                                                   \
        const std::vector<Expected> expected {__VA_ARGS__};                                                            \
        QVERIFY(found.known);                                                                                          \
        QCOMPARE(found.calls.size(), expected.size());                                                                 \
        for (std::size_t index = 0; index < expected.size(); ++index) {                                                \
            QCOMPARE(found.calls[index].start, expected[index].start);                                                 \
            QCOMPARE(found.calls[index].end, expected[index].end);                                                     \
            QCOMPARE(name_of(found.calls[index].cause), name_of(expected[index].cause));                               \
        }                                                                                                              \
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
    void lateClockOfTheGpu_data();
    void lateClockOfTheGpu();
    void copyThatIsNotRecorded();
    void runCutShort();
    void agreesWithTheRuleOnRandomRecordings();
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
        Tape tape;  // nothing joins the two
        tape.call("cudaDeviceSynchronize", 0, 50 * us);
        tape.kernel(0, 7, 0, 50 * us);
        QVERIFY(!find_blocking(tape.finish()).known);
    }
}

void tst_Blocking::classesOfCalls()
{
    QCOMPARE(class_of("cudaStreamSynchronize_ptsz"), CallClass::stream_sync);
    QCOMPARE(class_of("cuCtxSynchronize"), CallClass::device_sync);
    QCOMPARE(class_of("cuCtxSynchronize_v2"), CallClass::device_sync);
    QCOMPARE(class_of("hipEventSynchronize"), CallClass::event_sync);
    QCOMPARE(class_of("cudaEventQuery"), CallClass::query);
    QCOMPARE(class_of("cudaEventRecordWithFlags"), CallClass::event_record);
    QCOMPARE(class_of("cudaMemcpyAsync"), CallClass::copy_async);
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
    QTest::addColumn<int>("host");
    QTest::addColumn<Ns>("copyEnd");
    QTest::addColumn<bool>("blocked");
    QTest::newRow("cudaMemcpy, pinned") << false << static_cast<int>(pinned) << 90 * us << true;
    QTest::newRow("cudaMemcpyAsync, pageable") << true << static_cast<int>(pageable) << 90 * us << true;
    QTest::newRow("cudaMemcpy, 2 us and 1/500 early by the clocks")
        << false << static_cast<int>(pinned) << 102 * us + 180 << true;
    QTest::newRow("cudaMemcpy, earlier than that") << false << static_cast<int>(pinned) << 102 * us + 181 << false;
    const auto unknown = static_cast<int>(MemoryKind::unknown);
    QTest::newRow("Async, of memory of no known kind") << true << unknown << 90 * us << true;
    QTest::newRow("Async, of memory of no known kind, returned before") << true << unknown << 110 * us << false;
    QTest::newRow("Async, of memory of no known kind, a short copy") << true << unknown << 39 * us << false;
}

void tst_Blocking::blockingCopies()
{
    QFETCH(bool, async);
    QFETCH(int, host);
    QFETCH(Ns, copyEnd);
    QFETCH(bool, blocked);
    Tape tape;
    const auto call = tape.call(async ? "cudaMemcpyAsync" : "cudaMemcpy", 10 * us, 100 * us);
    tape.copy(call, 7, 20 * us, copyEnd, CopyKind::h2d, static_cast<MemoryKind>(host), async);
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
    // Its stream is idle by now: it takes long for another reason.
    const auto second = tape.call("cudaStreamSynchronize", 110 * us, 170 * us);
    tape.sync(second, SyncRecord::stream_sync, 111 * us, 160 * us, 13);
    const auto third = tape.call("cudaStreamSynchronize", 180 * us, 501 * us);
    tape.sync(third, SyncRecord::stream_sync, 180 * us, 500 * us, 14);
    const auto trace = tape.finish();
    const auto blocking = find_blocking(trace);
    VERIFY_BLOCKED(
        blocking, {20 * us, 103 * us, BlockCause::stream_sync}, {180 * us, 501 * us, BlockCause::stream_sync});
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
    tape.sync(sync, SyncRecord::event, 21 * us, 301 * us);  // the name in some Nsight versions
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
        VERIFY_BLOCKED(
            blocking, {20 * us, 101 * us, BlockCause::event_sync}, {120 * us, 399 * us, BlockCause::event_sync});
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
    QTest::newRow("999 pending") << 999 << 300 * us << Ns {0};
    QTest::newRow("an ordinary call") << 1000 << 20 * us << Ns {0};
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
        Tape tape;  // one stream: it can wait for nothing else
        tape.kernel(tape.call("cudaLaunchKernel", 0, 5 * us), 13, 10 * us, 100 * us);
        tape.call("cudaStreamSynchronize", 20 * us, 101 * us);
        const auto blocking = find_blocking(tape.finish());
        VERIFY_BLOCKED(blocking, {20 * us, 101 * us, BlockCause::stream_sync});
        QVERIFY(blocking.knows(0));
    }
    {
        Tape tape;  // two streams: one of them would have held it
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
        Tape tape;  // two streams: neither would have held it
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

void tst_Blocking::runCutShort()
{
    Tape tape;
    tape.kernel(tape.call("cudaLaunchKernel", 0, 5 * us), 13, 10 * us, 100 * us);
    tape.call("cudaLaunchKernel", 5 * us, 8 * us);  // its kernel was never delivered
    const auto sync = tape.call("cudaDeviceSynchronize", 120 * us, 900 * us);
    tape.sync(sync, SyncRecord::context_sync, 120 * us, 900 * us);
    auto trace = tape.finish();
    QVERIFY(find_blocking(trace).knows(0));
    trace.meta["gpu_end_ns"] = "100000";
    QVERIFY(!find_blocking(trace).knows(0, BlockCause::device_sync));
    QVERIFY(find_blocking(trace).knows(0, BlockCause::copy));
}

void tst_Blocking::lateClockOfTheGpu_data()
{
    QTest::addColumn<Ns>("late");
    QTest::addColumn<Ns>("issue");  // from the first launch to its kernel, by the clock of the CPU
    QTest::addColumn<bool>("download");
    QTest::addColumn<bool>("blocked");
    QTest::newRow("a clock that agrees") << Ns {0} << 10 * us << false << true;
    QTest::newRow("60 us late") << 60 * us << 10 * us << false << true;
    QTest::newRow("1 ms late") << 1000 * us << 10 * us << false << true;
    QTest::newRow("60 us late, small copies after the kernels") << 60 * us << 10 * us << true << true;
    QTest::newRow("no one offset explains it") << 60 * us << -30 * us << false << false;
}

// Kernels of 490 µs, each waited for. By the recorded times, what a call waits for may even begin after its return.
void tst_Blocking::lateClockOfTheGpu()
{
    QFETCH(Ns, late);
    QFETCH(Ns, issue);
    QFETCH(bool, download);
    QFETCH(bool, blocked);
    Tape tape;
    for (Ns at = 0; at < 5000 * us; at += 1000 * us) {
        const auto call = tape.call("cudaLaunchKernel", at, at + 5 * us);
        tape.kernel(call, 7, at + (at == 0 ? issue : 10 * us) + late, at + 500 * us + late);
        if (download) {
            const auto copy = tape.call("cudaMemcpyAsync", at + 6 * us, at + 8 * us);
            tape.copy(copy, 7, at + 500 * us + late, at + 502 * us + late, CopyKind::d2h, pinned, true, 0, 4);
        }
        const auto sync = tape.call("cudaStreamSynchronize", at + 10 * us, at + 506 * us);
        tape.sync(sync, SyncRecord::stream_sync, at + 10 * us, at + 506 * us, 7);
    }
    const auto trace = tape.finish();
    const auto blocking = find_blocking(trace);
    QVERIFY(blocking.known);
    QCOMPARE(blocking.calls.size(), blocked ? 5U : 0U);
    QCOMPARE(gpu_clock_late(trace), blocked && late > 0 ? late - (download ? 4 : 6) * us : 0);
    for (const auto& stretch : blocking.calls) {
        QCOMPARE(stretch.end - stretch.start, 496 * us);
        QCOMPARE(name_of(stretch.cause), std::string_view("stream_sync"));
        QVERIFY(stretch.released_by != no_row);
    }
}

void tst_Blocking::agreesWithTheRuleOnRandomRecordings()
{
    std::mt19937 random(3);
    std::size_t blocked = 0;
    for (int round = 0; round < 300; ++round) {
        Tape tape;
        tape.stream(Tape::legacy_stream, StreamRecord::null);
        tape.stream(13, StreamRecord::blocking);
        tape.stream(14, StreamRecord::blocking);
        tape.stream(15, StreamRecord::non_blocking);
        constexpr std::array<std::uint32_t, 4> streams {Tape::legacy_stream, 13, 14, 15};
        std::vector<std::uint32_t> events;  // event_sync of the events recorded so far
        std::array<Ns, 2> clock {0, 500};
        Ns now = 0;  // events are recorded before anything waits for them
        const auto first = tape.call("cudaLaunchKernel", 0, 1);
        tape.kernel(first, 13, 1 * us, 2 * us);
        for (int i = 0; i < 40; ++i) {
            const std::uint32_t thread = clock[0] <= clock[1] ? 0 : 1;
            now = std::max(now, clock[thread]) + 1 + static_cast<Ns>(random() % 9000);
            const Ns start = now;
            const Ns end = start + 1 + static_cast<Ns>(random() % (50 * us));
            clock[thread] = end;
            const Ns gpu_start = start + static_cast<Ns>(random() % (60 * us));
            const Ns gpu_end = gpu_start + static_cast<Ns>(random() % (40 * us));
            const auto stream = streams[random() % streams.size()];
            const auto call = [&](const char* name) { return tape.call(name, start, end, thread + 1); };
            switch (random() % 7) {
            case 0:
                tape.kernel(call("cudaLaunchKernel"), stream, gpu_start, gpu_end);
                break;
            case 1:
                tape.copy(call("cudaMemcpyAsync"), stream, gpu_start, gpu_end, CopyKind::h2d,
                    random() % 2 == 0 ? pageable : pinned, true);
                break;
            case 2:
                tape.copy(call("cudaMemcpy"), stream, gpu_start, gpu_end, CopyKind::d2h, pinned, false);
                break;
            case 3:
                tape.sync(call("cudaStreamSynchronize"), SyncRecord::stream_sync, start, end, stream);
                break;
            case 4:
                tape.sync(call("cudaDeviceSynchronize"), SyncRecord::context_sync, start, end);
                break;
            case 5:
                events.push_back(static_cast<std::uint32_t>(events.size()) + 1);
                tape.event(call("cudaEventRecord"), stream, 5, events.back());
                break;
            default:
                if (events.empty()) {
                    break;
                }
                if (random() % 2 == 0) {
                    tape.sync(call("cudaStreamWaitEvent"), SyncRecord::stream_wait_event, start, end, stream, 5,
                        events.back());
                } else {
                    tape.sync(call("cudaEventSynchronize"), SyncRecord::event, start, end, no_id, 5, events.back());
                }
            }
        }
        const auto trace = tape.finish();
        const auto expected = PlainRule(trace).blocked();
        const auto found = find_blocking(trace).calls;
        blocked += expected.size();
        QCOMPARE(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            QCOMPARE(found[i].start, expected[i].start);
            QCOMPARE(found[i].end, expected[i].end);
            QCOMPARE(name_of(found[i].cause), name_of(expected[i].cause));
        }
    }
    QVERIFY(blocked > 1000);
}

QTEST_GUILESS_MAIN(tst_Blocking)
#include "tst_blocking.moc"
