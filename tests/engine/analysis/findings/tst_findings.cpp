// SPDX-License-Identifier: MIT
// Each rule on a recording that breaks it, with its cost, and on the nearest one that does not.
#include "engine/trace/event.h"
#include "tests/engine/analysis/findings/found.h"
#include "tests/engine/analysis/findings/random_tape.h"

using namespace lanes;

namespace {

constexpr Ns us = 1000;
constexpr auto pinned = MemoryKind::pinned;
constexpr auto pageable = MemoryKind::pageable;
constexpr auto stream_sync = SyncRecord::stream_sync;

/// `count` kernels of 100 us, each followed by a copy of `bytes` and a wait; between two, 30 us of nothing.
void loop(Tape& tape, int count, std::uint64_t bytes, const char* wait = "cudaStreamSynchronize")
{
    for (Ns at = 0; at < count * 150 * us; at += 150 * us) {
        tape.kernel(tape.call("cudaLaunchKernel", at, at + 2 * us), 13, at + 5 * us, at + 105 * us);
        const auto copy = tape.call("cudaMemcpyAsync", at + 2 * us, at + 4 * us);
        tape.copy(copy, 13, at + 105 * us, at + 115 * us, CopyKind::d2h, pinned, true, 0, bytes);
        const auto sync = tape.call(wait, at + 10 * us, at + 116 * us);
        const bool device = std::string_view(wait) == "cudaDeviceSynchronize";
        tape.sync(
            sync, device ? SyncRecord::context_sync : stream_sync, at + 10 * us, at + 116 * us, device ? no_id : 13);
    }
}

}  // namespace

class tst_Findings : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void pageableAsyncCopy();
    void waitBehindAPageableCopy();
    void streamsStillWait();
    void allocationInLoop();
    void loadingInRun();
    void waitsInALoop();
    void deviceWideWait();
    void waitBeforeCodeIsLoaded();
    void gpusTakeTurns();
    void costsOfAPartAreOfThatPart();
    void waitForTheResultIsNone();
    void waitsOfThreads();
    void waitWithinAnAllocation();
    void theLongestWaitIsNamed();
    void staleReads();
    void waitBeforeWork();
    void waitOnlyForTheOrder();
    void copiesNotHidden();
    void shortKernelsHideLittle();
    void copiesOfAPartAreOfThatPart();
    void waitsForCopiesThatTakeTurns();
    void fillAndDrainHaveNothingToHideBehind();
    void resultsAfterKernels_data();
    void resultsAfterKernels();
    void defaultStream();
    void queueFull();
    void whatTwoCuresWinCountsOnce();
    void smallCostsAreNone();
    void noCostIsMoreThanTheWallTime();
};

void tst_Findings::pageableAsyncCopy()
{
    for (const bool bad : {true, false}) {
        Tape tape;
        tape.kernel(tape.call("cudaLaunchKernel", 0, us), 13, us, 400 * us);
        const auto copy = tape.call("cudaMemcpyAsync", 10 * us, bad ? 500 * us : 15 * us);
        tape.copy(copy, 13, 400 * us, 500 * us, CopyKind::d2h, bad ? pageable : pinned, true);
        const auto finding = find_in(tape, "pageable-async-copy");
        // 1 MiB from pinned memory takes 19 us at 55 GB/s, and nothing else waits for it.
        COMPARE_ABOUT(finding.cost, bad ? 81 * us : 0);
        if (bad) {
            QCOMPARE(finding.count, 1U);
            QCOMPARE(finding.evidence.size(), 1U);
            QVERIFY(finding.evidence[0] == (EventRef {EventTable::operations, 1}));
        }
    }
}

/// Behind copies to pageable memory PyTorch waits; with pinned memory and non_blocking=True it does neither.
void tst_Findings::waitBehindAPageableCopy()
{
    Tape tape;
    for (Ns at = 0; at < 600 * us; at += 200 * us) {
        tape.kernel(tape.call("cudaLaunchKernel", at, at + 2 * us), 13, at + 5 * us, at + 105 * us);
        const auto copy = tape.call("cudaMemcpyAsync", at + 3 * us, at + 195 * us);
        tape.copy(copy, 13, at + 106 * us, at + 190 * us, CopyKind::d2h, pageable, true);
        const auto sync = tape.call("cudaStreamSynchronize", at + 195 * us, at + 197 * us);
        tape.sync(sync, stream_sync, at + 195 * us, at + 197 * us, 13);
    }
    // 597 us; then three kernels of 100 us, copies of 22 us, what lies between them, and the last wait, which stays.
    COMPARE_ABOUT(find_in(tape, "pageable-async-copy").cost, 200 * us);
}

/// What a stream waits for through an event, it waits for in the replay too.
void tst_Findings::streamsStillWait()
{
    Tape tape;
    const auto copy = tape.call("cudaMemcpyAsync", 0, 1010 * us);
    tape.copy(copy, 13, 10 * us, 1010 * us, CopyKind::h2d, pageable, true, 0, 16 << 20);
    tape.event(tape.call("cudaEventRecord", 1011 * us, 1012 * us), 13, 5, 5);
    tape.sync(tape.call("cudaStreamWaitEvent", 1013 * us, 1014 * us), SyncRecord::stream_wait_event, 1013 * us,
        1014 * us, 14, 5, 5);
    tape.kernel(tape.call("cudaLaunchKernel", 1015 * us, 1017 * us), 14, 1020 * us, 1120 * us);
    // The copy takes 305 us from pinned memory, and the kernel comes behind it.
    COMPARE_ABOUT(find_in(tape, "pageable-async-copy").cost, 1120 * us - (10 + 305 + 100) * us);
}

void tst_Findings::allocationInLoop()
{
    for (const auto& [allocate, release, count, bad] :
        {std::tuple("cudaMalloc", "cudaFree", 4, true), std::tuple("cudaMallocAsync", "cudaFreeAsync", 4, false),
            std::tuple("cudaMalloc", "cudaFree", 1, false)}) {
        Tape tape;
        Ns at = 0;
        for (int i = 0; i < count; ++i, at += 300 * us) {
            static_cast<void>(tape.call(allocate, at, at + 90 * us));
            tape.kernel(tape.call("cudaLaunchKernel", at + 91 * us, at + 94 * us), 13, at + 97 * us, at + 197 * us);
            static_cast<void>(tape.call(release, at + 95 * us, at + 299 * us));
        }
        tape.kernel(tape.call("cudaLaunchKernel", at, at + 3 * us), 13, at + 6 * us, at + 100 * us);
        const auto finding = find_in(tape, "allocation-in-loop");
        // The first allocation stands before all GPU work. Five kernels back to back are left behind it.
        COMPARE_ABOUT(finding.cost, bad ? at + 100 * us - (97 * us + 4 * 100 * us + 94 * us) : 0);
        QCOMPARE(finding.count, bad ? 7U : 0U);
    }
}

void tst_Findings::loadingInRun()
{
    // Kernel after kernel; the third one is new, and so is what it takes to launch it. Later it takes as long again.
    const auto tape_of = [](bool is_new, bool with_steps) {
        Tape tape;
        Ns at = 0;
        for (int i = 0; i < 8; ++i) {
            const bool slow = i == 0 || i == 4 || i == 6;
            const Ns launch = slow ? 2000 * us : 4 * us;
            const Ns begin = at;
            tape.kernel(tape.call("cudaLaunchKernel", at, at + launch), 13, at + launch + us, at + launch + 101 * us, 0,
                i == 0                             ? "start(int)"
                    : is_new && (i == 4 || i == 6) ? "new(int)"
                                                   : "work(int)");
            at += launch + 102 * us;
            if (with_steps) {
                tape.range("step " + std::to_string(i), begin, at);
            }
        }
        return tape.finish();
    };
    const auto found = [](const Trace& trace) { return find(report_of(trace).findings, "loading-in-run"); };
    QCOMPARE(found(tape_of(true, true)).count, 1U);  // not the warm-up's, and not the second one of that kernel
    COMPARE_ABOUT(found(tape_of(true, true)).cost, 2000 * us);
    QCOMPARE(found(tape_of(false, true)).count, 0U);  // it ran before
    QCOMPARE(found(tape_of(true, false)).count, 2U);  // nobody says what is warm-up
    Tape tape;  // a library loads what it needs by a call of its own
    for (Ns i = 0, at = 0; i < 6; ++i) {
        const Ns begin = at;
        if (i == 0 || i == 3) {
            tape.call("cuLibraryLoadData", at, at + 1800 * us, 1, ApiCallRecord::driver);
            at += 1800 * us;
        }
        tape.kernel(tape.call("cudaLaunchKernel", at, at + 4 * us), 13, at + 5 * us, at + (i == 5 ? 4000 : 105) * us);
        at += 110 * us;
        tape.range("step " + std::to_string(i), begin, at);
        if (i == 5) {  // while the GPU still works: for what comes behind the part
            tape.call("cuLibraryLoadData", at + us, at + 2500 * us, 1, ApiCallRecord::driver);
            tape.kernel(
                tape.call("cudaLaunchKernel", at + 5000 * us, at + 5004 * us), 13, at + 5005 * us, at + 5100 * us);
        }
    }
    const auto own = find_in(tape, "loading-in-run");
    QCOMPARE(own.count, 1U);
    COMPARE_ABOUT(own.cost, 1800 * us);
    QVERIFY(std::string(own.advice).find("CUDA_MODULE_LOADING") != std::string::npos);
    Tape hip;
    for (Ns at = 0; at < 9000 * us; at += 3000 * us) {
        const std::string name = "kernel " + std::to_string(at);
        hip.kernel(hip.call("hipLaunchKernel", at, at + 2500 * us), 13, at + 2505 * us, at + 2600 * us, 0, name);
    }
    const auto of_hip = find_in(hip, "loading-in-run");
    QVERIFY(of_hip.count > 0);
    QVERIFY(std::string(of_hip.advice).find("CUDA") == std::string::npos);
}

void tst_Findings::waitsInALoop()
{
    {
        Tape tape;  // without the copies and the waits, launches are 34 us apart: kernels follow one another
        loop(tape, 4, 4);
        const auto findings = report_of(tape.finish()).findings;
        COMPARE_ABOUT(find(findings, "sync-after-small-copy").cost, 3 * 50 * us);
        QCOMPARE(find(findings, "sync-after-small-copy").count, 3U);
        QCOMPARE(find(findings, "sync-in-loop").cost, 0);
    }
    {
        Tape tape;  // the copies stay
        loop(tape, 4, 1 << 20);
        const auto findings = report_of(tape.finish()).findings;
        QCOMPARE(find(findings, "sync-after-small-copy").cost, 0);
        // An event to wait for takes the thread 5 us.
        COMPARE_ABOUT(find(findings, "sync-in-loop").cost, 3 * (40 - 5) * us);
        QCOMPARE(find(findings, "sync-in-loop").evidence[0].table, EventTable::calls);
    }
    {
        Tape tape;  // twice is no loop, but it costs what it costs
        loop(tape, 3, 4);
        const auto findings = report_of(tape.finish()).findings;
        QCOMPARE(find(findings, "sync-after-small-copy").cost, 0);
        COMPARE_ABOUT(find(findings, "blocked-stream_sync").cost, 2 * (40 - 5) * us);
    }
}

void tst_Findings::deviceWideWait()
{
    for (const int count : {2, 1}) {  // the last one is a wait for the result
        Tape tape;
        loop(tape, count, 1 << 20, "cudaDeviceSynchronize");
        const auto finding = find_in(tape, "device-wide-wait");
        COMPARE_ABOUT(finding.cost, (count - 1) * 40 * us);
        QCOMPARE(finding.count, count - 1U);
    }
}

/// Its lane says that it costs nothing: code that is loaded next may wait for the GPU by itself.
void tst_Findings::waitBeforeCodeIsLoaded()
{
    for (const bool loads : {false, true}) {
        Tape tape;
        tape.kernel(tape.call("cudaLaunchKernel", 0, 2 * us), 13, 5 * us, 3'005 * us);
        const auto sync = tape.call("cudaDeviceSynchronize", 3 * us, 3'006 * us);
        tape.sync(sync, SyncRecord::context_sync, 3 * us, 3'006 * us);
        static_cast<void>(tape.call(loads ? "cuLibraryLoadData" : "cudaEventCreate", 3'007 * us, 5'007 * us));
        tape.kernel(tape.call("cudaLaunchKernel", 5'008 * us, 5'010 * us), 13, 5'013 * us, 5'113 * us);
        const auto report = report_of(tape.finish());
        QCOMPARE(find(report.findings, "device-wide-wait").count, loads ? 0U : 1U);
        QCOMPARE(report.threads.front().held_cost.value_or(0) > 0, !loads);
    }
}

void tst_Findings::gpusTakeTurns()
{
    for (const std::uint32_t second : {1U, 0U}) {
        Tape tape;
        tape.kernel(tape.call("cudaLaunchKernel", 0, 2 * us), 13, 5 * us, 105 * us);
        const auto sync = tape.call("cudaDeviceSynchronize", 3 * us, 106 * us);
        tape.sync(sync, SyncRecord::context_sync, 3 * us, 106 * us);
        static_cast<void>(tape.call("cudaSetDevice", 106 * us, 107 * us));
        tape.kernel(tape.call("cudaLaunchKernel", 107 * us, 109 * us), 14, 112 * us, 212 * us, second);
        const auto finding = find_in(tape, "gpus-take-turns");
        COMPARE_ABOUT(finding.cost, second == 1 ? 101 * us : 0);
        QCOMPARE(finding.count, second == 1 ? 1U : 0U);
    }
}

/// Of a part the waits are found that are in it, and each costs what the run gains without it.
void tst_Findings::costsOfAPartAreOfThatPart()
{
    for (const bool in_the_midst : {true, false}) {
        Tape tape;
        loop(tape, 6, 1 << 20, "cudaDeviceSynchronize");
        const auto trace = tape.finish();
        Ns begin = 0;
        Ns end = 0;  // of the wait
        std::size_t waits = 0;
        for (Row call = 0; call < trace.calls.size(); ++call) {
            if (trace.text(trace.calls.name[call]) == "cudaDeviceSynchronize" && ++waits == 3) {
                begin = trace.calls.start[call];
                end = trace.calls.end[call];
            }
        }
        QVERIFY(end > begin);
        const Interval part = in_the_midst ? Interval {0, end + 60 * us} : Interval {begin, end};
        const auto found = find(make_report(trace, find_blocking(trace), part).findings, "device-wide-wait");
        QCOMPARE(found.count, in_the_midst ? 4U : 0U);  // the next one begins in it
        COMPARE_ABOUT(found.cost, (in_the_midst ? 4 : 0) * 35 * us);  // during the wait alone the GPU has no gap
    }
}

void tst_Findings::waitForTheResultIsNone()
{
    Tape tape;
    loop(tape, 1, 4, "cudaDeviceSynchronize");
    QVERIFY(report_of(tape.finish()).findings.empty());
}

/// Where a thread was held is said of that thread: another thread's finding hides nothing. A wait for the result is
/// none.
void tst_Findings::waitsOfThreads()
{
    for (const bool goes_on : {true, false}) {
        Tape tape;
        tape.thread(1, "main", 0);
        tape.thread(2, "loader", 1);
        const auto copy = tape.call("cudaMemcpyAsync", 10 * us, 500 * us, 1);
        tape.copy(copy, 13, 400 * us, 500 * us, CopyKind::h2d, pageable, true);
        const auto result = tape.call("cudaMemcpyAsync", 2 * us, 5 * us, 2);
        tape.copy(result, 14, 10 * us, 600 * us, CopyKind::d2h, pinned, true);
        const auto sync = tape.call("cudaStreamSynchronize", 10 * us, 601 * us, 2);
        tape.sync(sync, stream_sync, 10 * us, 601 * us, 14);
        if (goes_on) {
            tape.kernel(tape.call("cudaLaunchKernel", 602 * us, 605 * us, 2), 15, 608 * us, 908 * us);
        }
        const auto trace = tape.finish();
        const auto findings = report_of(trace).findings;
        const auto wait = find(findings, "blocked-stream_sync");
        QCOMPARE(wait.count, goes_on ? 1U : 0U);
        if (goes_on) {
            COMPARE_ABOUT(wait.cost, 908 * us - 600 * us);  // the kernel runs beside the copy
            QVERIFY(std::string(wait.title).starts_with("loader (2) was blocked, waiting for a stream: up to 3"));
            QVERIFY(std::string(wait.advice).find("cudaStreamSynchronize") != std::string::npos);
            QCOMPARE(wait.evidence.size(), std::size_t {1});
            QCOMPARE(span_of(trace, wait.evidence[0]).end, 601 * us);
        }
    }
}

/// What an allocation took besides is no wait: it costs no more than it was held.
void tst_Findings::waitWithinAnAllocation()
{
    Tape tape;
    tape.kernel(tape.call("cudaLaunchKernel", 0, 4 * us), 13, 5 * us, 1000 * us);
    static_cast<void>(tape.call("cudaMallocHost", 10 * us, 10'000 * us));
    tape.kernel(tape.call("cudaLaunchKernel", 10'010 * us, 10'014 * us), 13, 10'015 * us, 10'115 * us);
    COMPARE_ABOUT(find_in(tape, "blocked-memory").cost, 970 * us);
}

/// Of the calls that were held, the sentence names the one that was held longest, by all that it waited for.
void tst_Findings::theLongestWaitIsNamed()
{
    Tape tape;
    tape.kernel(tape.call("cudaLaunchKernel", 0, 4 * us), 13, 5 * us, 120 * us);
    tape.kernel(tape.call("cudaLaunchKernel", 4 * us, 8 * us), 13, 130 * us, 220 * us);
    static_cast<void>(tape.call("cudaMallocHost", 10 * us, 400 * us));  // held from 30 to 120, and from 130 to 220
    tape.kernel(tape.call("cudaLaunchKernel", 410 * us, 414 * us), 13, 415 * us, 600 * us);
    static_cast<void>(tape.call("cudaFree", 420 * us, 1000 * us));  // held from 440 to 600
    tape.kernel(tape.call("cudaLaunchKernel", 1010 * us, 1014 * us), 13, 1015 * us, 1100 * us);
    const auto wait = find_in(tape, "blocked-memory");
    QCOMPARE(wait.count, 2U);
    const auto advice = std::string(wait.advice);
    QVERIFY2(advice.find("cudaMallocHost") != std::string::npos && advice.find("180 µs") != std::string::npos,
        advice.c_str());
}

void tst_Findings::staleReads()
{
    Tape tape;
    const auto copy = tape.call("cudaMemcpyAsync", 0, 300 * us);
    tape.copy(copy, 13, us, 300 * us, CopyKind::d2h, pageable, true);
    tape.read("x", 310 * us, 311 * us, 4096, 0);
    tape.read("y", 320 * us, 321 * us, 4096, 1024);
    tape.read("z", 330 * us, 331 * us, 4096, 2048);
    const auto trace = tape.finish();
    const auto report = report_of(trace);
    const auto& findings = report.findings;
    QCOMPARE(findings.front().rule, std::string("stale-read"));  // what is wrong before what is slow
    QCOMPARE(findings.front().count, 2U);
    QCOMPARE(findings.front().cost, 0);
    QCOMPARE(findings.front().stale_bytes, 3072U);
    QCOMPARE(findings.front().evidence.size(), std::size_t {2});
    QVERIFY(findings.front().evidence[0] == (EventRef {EventTable::reads, 2}));
    QCOMPARE(
        std::string(findings.front().title), std::string("z and others held wrong bytes when they were read, 2 times"));
    QCOMPARE(cost_text(findings.front(), Messages::english()), std::string("3 KiB wrong"));
    QVERIFY(to_text(trace, report).find("3 KiB wrong  z and others") != std::string::npos);
    QVERIFY(std::string(findings.front().advice).find("2 KiB of 4 KiB") != std::string::npos);
    QVERIFY(std::string(findings.front().advice).find("it is wrong, not slow") != std::string::npos);
}

void tst_Findings::waitBeforeWork()
{
    for (const bool calls_between : {false, true}) {
        for (const bool reads_first : {false, true}) {
            Tape tape;
            tape.copy(tape.call("cudaMemcpyAsync", 0, 2 * us), 13, 5 * us, 105 * us, CopyKind::d2h, pinned, true);
            const auto sync = tape.call("cudaStreamSynchronize", 4 * us, 106 * us);
            tape.sync(sync, stream_sync, 4 * us, 106 * us, 13);
            if (reads_first) {
                tape.read("y", 107 * us, 108 * us, 8, 0);
            }
            if (calls_between) {  // longer than what may lie between, but a call is no work, and no pause
                static_cast<void>(tape.call("cudaFuncGetAttributes", 108 * us, 158 * us));
            }
            const Ns work = calls_between ? 159 * us : 109 * us;
            tape.host_span(HostSpanRecord::work, work, work + 80 * us);
            const auto last = tape.call("cudaDeviceSynchronize", work + 81 * us, work + 83 * us);
            tape.sync(last, SyncRecord::context_sync, work + 81 * us, work + 83 * us);
            const auto finding = find_in(tape, "wait-before-work");
            // The call and the work go on while the copy does; the last call then waits for the later of both.
            const Ns without = std::max(106 * us, work + 83 * us - 102 * us);
            COMPARE_ABOUT(finding.cost, reads_first ? 0 : work + 83 * us - without);
            if (!reads_first) {
                QCOMPARE(finding.advice.id, std::string("finding.wait-before-work.advice"));
            }
        }
    }
}

/// The CPU waits only so that another stream's copy comes behind the kernel: that stream can wait.
void tst_Findings::waitOnlyForTheOrder()
{
    Tape tape;
    for (Ns at = 0; at < 900 * us; at += 300 * us) {
        tape.kernel(tape.call("cudaLaunchKernel", at, at + 2 * us), 13, at + 5 * us, at + 205 * us);
        const auto sync = tape.call("cudaDeviceSynchronize", at + 3 * us, at + 206 * us);
        tape.sync(sync, SyncRecord::context_sync, at + 3 * us, at + 206 * us);
        tape.copy(tape.call("cudaMemcpyAsync", at + 207 * us, at + 210 * us), 14, at + 212 * us, at + 290 * us,
            CopyKind::d2h, pinned, true);
        tape.host_span(HostSpanRecord::work, at + 212 * us, at + 299 * us);
    }
    const auto finding = find_in(tape, "wait-before-work");
    QCOMPARE(finding.count, 3U);
    QCOMPARE(finding.advice.id, std::string("finding.wait-before-work.stream_advice"));
    // Kernels back to back, and the last copy still behind the last kernel.
    COMPARE_ABOUT(finding.cost, 890 * us - (5 * us + 3 * 200 * us + 80 * us));
}

/// Three kernels and three copies that take turns on one stream, issued ahead.
void tst_Findings::copiesNotHidden()
{
    for (const bool second_stream : {false, true}) {
        Tape tape;
        for (int i = 0; i < 3; ++i) {
            const Ns at = 10 * us + i * (second_stream ? 100 : 180) * us;
            tape.kernel(tape.call("cudaLaunchKernel", i * 5 * us, (i * 5 + 2) * us), 13, at, at + 100 * us);
            tape.copy(tape.call("cudaMemcpyAsync", (i * 5 + 2) * us, (i * 5 + 4) * us), second_stream ? 14 : 13,
                at + 100 * us, at + 180 * us, CopyKind::d2h, pinned, true);
        }
        const auto finding = find_in(tape, "copies-not-hidden");
        COMPARE_ABOUT(finding.cost, second_stream ? 0 : 160 * us);
        QCOMPARE(finding.count, second_stream ? 0U : 2U);  // the last has nothing to hide behind
    }
}

/// Three kernels of 20 us between copies of 500, in a recording that is too large to be replayed: kernels cannot hide
/// more than they take. The last copy has no kernel after it.
void tst_Findings::shortKernelsHideLittle()
{
    Tape tape;
    for (std::uint32_t stream = 100; stream < 4200; ++stream) {
        tape.memset(tape.call("cudaMemsetAsync", 0, 1), stream, 10 * us, 10 * us + 1);
        for (int i = 0; i < 4; ++i) {
            tape.call("cudaGetLastError", 1, 2);
        }
    }
    for (int i = 0; i < 3; ++i) {
        const Ns at = 20 * us + i * 520 * us;
        tape.kernel(tape.call("cudaLaunchKernel", 2 + i, 3 + i), 13, at, at + 20 * us);
        tape.copy(
            tape.call("cudaMemcpyAsync", 3 + i, 4 + i), 13, at + 20 * us, at + 520 * us, CopyKind::d2h, pinned, true);
    }
    const auto trace = tape.finish();
    const Interval part {10 * us, trace.duration};
    QCOMPARE(find(make_report(trace, find_blocking(trace), part).findings, "copies-not-hidden").cost, 60 * us);
}

/// Eight of them, and the first four looked at: copies outside the part are not what its finding would hide.
void tst_Findings::copiesOfAPartAreOfThatPart()
{
    Tape tape;
    for (int i = 0; i < 8; ++i) {
        const Ns at = 50 * us + i * 180 * us;
        tape.kernel(tape.call("cudaLaunchKernel", i * 5 * us, (i * 5 + 2) * us), 13, at, at + 100 * us);
        tape.copy(tape.call("cudaMemcpyAsync", (i * 5 + 2) * us, (i * 5 + 4) * us), 13, at + 100 * us, at + 180 * us,
            CopyKind::d2h, pinned, true);
    }
    const auto trace = tape.finish();
    const Interval part {0, 50 * us + 4 * 180 * us};
    const auto finding = find(make_report(trace, find_blocking(trace), part).findings, "copies-not-hidden");
    QCOMPARE(finding.changes.size(), std::size_t {1});
    QCOMPARE(finding.changes[0].rows->operations.size(), std::size_t {4});
    QVERIFY2(finding.cost <= 4 * 80 * us, qPrintable(QString::number(finding.cost)));
}

/// Copy in, wait, kernel, 50 us of the thread's own, on one stream: without the waits alone copies and kernels still
/// take turns. With a stream for the copies a round takes the thread 135 us instead of 180, and without the waits, too,
/// the 100 us of its kernel.
void tst_Findings::waitsForCopiesThatTakeTurns()
{
    Tape tape;
    for (int i = 0; i < 6; ++i) {
        const Ns at = 10 * us + i * 180 * us;  // of the copy
        const Ns issued = i == 0 ? 0 : at - 45 * us;
        tape.copy(
            tape.call("cudaMemcpyAsync", issued, issued + 2 * us), 13, at, at + 80 * us, CopyKind::h2d, pinned, true);
        tape.sync(tape.call("cudaStreamSynchronize", issued + 2 * us, at + 81 * us), stream_sync, issued + 2 * us,
            at + 81 * us, 13);
        tape.kernel(tape.call("cudaLaunchKernel", at + 81 * us, at + 83 * us), 13, at + 84 * us, at + 180 * us);
    }
    const auto findings = report_of(tape.finish()).findings;
    const Ns copies = find(findings, "copies-not-hidden").cost;
    const Ns waits = find(findings, "sync-in-loop").cost;
    QVERIFY2(copies > 100 * us && waits > 100 * us, qPrintable(QString("%1 %2").arg(copies).arg(waits)));
    QVERIFY2(std::abs(copies + waits - 5 * 80 * us) < 40 * us, qPrintable(QString("%1 %2").arg(copies).arg(waits)));
}

/// Copy in, kernels with copies beside them on one stream, copy out: nothing is to be hidden.
void tst_Findings::fillAndDrainHaveNothingToHideBehind()
{
    Tape tape;
    const auto issue = [&](int i) { return tape.call("cudaLaunchKernel", i * us, i * us + 500); };
    tape.copy(issue(0), 13, 20 * us, 220 * us, CopyKind::h2d, pinned, true);
    tape.kernel(issue(1), 13, 221 * us, 421 * us);
    tape.copy(issue(2), 13, 421 * us, 422 * us, CopyKind::h2d, pinned, true);
    tape.kernel(issue(3), 13, 422 * us, 622 * us);
    tape.copy(issue(4), 13, 622 * us, 623 * us, CopyKind::h2d, pinned, true);
    tape.kernel(issue(5), 13, 623 * us, 823 * us);
    tape.copy(issue(6), 13, 824 * us, 1024 * us, CopyKind::d2h, pinned, true);
    QVERIFY(report_of(tape.finish()).findings.empty());
}

void tst_Findings::resultsAfterKernels_data()
{
    QTest::addColumn<QByteArray>("kernel");
    QTest::addColumn<bool>("is_found");
    QTest::newRow("copies") << QByteArray() << true;
    QTest::newRow("NCCL's kernels") << QByteArray("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgs)") << true;
    QTest::newRow("sends of a pipeline") << QByteArray("ncclDevKernel_SendRecv(ncclDevKernelArgs)") << false;
    QTest::newRow("sends of a workload") << QByteArray("nccl send_recv") << false;
}

void tst_Findings::resultsAfterKernels()
{
    QFETCH(QByteArray, kernel);
    QFETCH(bool, is_found);
    const bool communicate = !kernel.isEmpty();
    for (const int count : {3, 1}) {  // one result of one kernel can only come after it
        Tape tape;
        for (int i = 0; i < count; ++i) {
            tape.kernel(tape.call("cudaLaunchKernel", i * 4 * us, i * 4 * us + 2 * us), 13, (10 + i * 100) * us,
                (110 + i * 100) * us);
        }
        for (int i = 0; i < count; ++i) {
            const Ns at = (10 + count * 100 + i * 80) * us;
            const auto call = tape.call("cudaMemcpyAsync", (20 + i * 4) * us, (22 + i * 4) * us);
            if (communicate) {
                tape.kernel(call, 13, at, at + 80 * us, 0, kernel.toStdString());
            } else {
                tape.copy(call, 13, at, at + 80 * us, CopyKind::d2h, pinned, true);
            }
        }
        const auto finding = find_in(tape, communicate ? "communication-after-kernels" : "copies-after-kernels");
        COMPARE_ABOUT(finding.cost, count == 3 && is_found ? 160 * us : 0);  // all but the last
        QCOMPARE(finding.count, count == 3 && is_found ? 3U : 0U);
    }
}

void tst_Findings::defaultStream()
{
    for (const auto flag : {StreamRecord::blocking, StreamRecord::non_blocking}) {
        Tape tape;
        tape.stream(Tape::legacy_stream, StreamRecord::null);
        tape.stream(13, flag);
        tape.stream(14, flag);
        tape.kernel(tape.call("cudaLaunchKernel", 0, 5 * us), 13, 10 * us, 110 * us);
        tape.kernel(tape.call("cudaLaunchKernel", 5 * us, 8 * us), Tape::legacy_stream, 111 * us, 211 * us);
        tape.kernel(tape.call("cudaLaunchKernel", 8 * us, 12 * us), 14, 212 * us, 312 * us);
        const auto sync = tape.call("cudaDeviceSynchronize", 13 * us, 313 * us);
        tape.sync(sync, SyncRecord::context_sync, 13 * us, 313 * us);
        const auto finding = find_in(tape, "default-stream");
        // All begin within 20 us then.
        COMPARE_ABOUT(finding.cost, flag == StreamRecord::blocking ? 194 * us : 0);
        QCOMPARE(finding.count, flag == StreamRecord::blocking ? 2U : 0U);
    }
}

/// A full queue costs something where it keeps other work from the GPU. A queue of one launch is none that a replay
/// knows: the cost is what the thread was held.
void tst_Findings::queueFull()
{
    for (const bool full : {true, false}) {
        Tape tape;
        const auto launch = tape.call("cudaLaunchKernel", 0, 300 * us);
        tape.kernel(launch, 13, 310 * us, 400 * us);
        if (full) {
            tape.overhead(OverheadRecord::command_buffer_full, launch, 1, 10 * us, 150 * us);
            tape.overhead(OverheadRecord::command_buffer_full, launch, 1, 160 * us, 290 * us);
        }
        tape.kernel(tape.call("cudaLaunchKernel", 301 * us, 305 * us), 14, 310 * us, 900 * us);
        const auto finding = find_in(tape, "queue-full");
        COMPARE_ABOUT(finding.cost, full ? 270 * us : 0);
        QCOMPARE(finding.count, full ? 1U : 0U);
    }
}

/// A wait that keeps the CPU from work leaves the GPU idle while it works later: that is one loss, not two.
void tst_Findings::whatTwoCuresWinCountsOnce()
{
    Tape tape;
    tape.copy(tape.call("cudaMemcpyAsync", 0, 2 * us), 13, 5 * us, 105 * us, CopyKind::d2h, pinned, true);
    const auto sync = tape.call("cudaStreamSynchronize", 4 * us, 106 * us);
    tape.sync(sync, stream_sync, 4 * us, 106 * us, 13);
    tape.host_span(HostSpanRecord::work, 107 * us, 197 * us);
    const auto last = tape.call("cudaDeviceSynchronize", 198 * us, 200 * us);
    tape.sync(last, SyncRecord::context_sync, 198 * us, 200 * us);
    const auto trace = tape.finish();
    const auto report = report_of(trace);
    COMPARE_ABOUT(find(report.findings, "wait-before-work").cost, 94 * us);
    QCOMPARE(find(report.findings, "starved").cost, 0);  // 93 us of 200
}

void tst_Findings::smallCostsAreNone()
{
    Tape tape;
    const auto copy = tape.call("cudaMemcpyAsync", 0, 19 * us);
    tape.copy(copy, 13, us, 19 * us, CopyKind::d2h, pageable, true);
    QVERIFY(report_of(tape.finish()).findings.empty());
}

void tst_Findings::noCostIsMoreThanTheWallTime()
{
    std::size_t found = 0;
    for (unsigned seed = 0; seed < 100; ++seed) {
        const auto trace = random_recording(seed);
        const auto blocking = find_blocking(trace);
        for (const auto& range : {Interval {0, trace.duration}, Interval {trace.duration / 4, trace.duration / 2}}) {
            const auto report = make_report(trace, blocking, range);
            for (const auto& finding : report.findings) {
                QVERIFY2(finding.cost >= 0 && finding.cost <= report.wall, qPrintable(QString::number(seed)));
                QVERIFY(finding.count >= finding.evidence.size() && !finding.evidence.empty());
                ++found;
            }
        }
    }
    QVERIFY(found > 100);
}

QTEST_GUILESS_MAIN(tst_Findings)
#include "tst_findings.moc"
