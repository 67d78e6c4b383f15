// SPDX-License-Identifier: MIT
// Each rule on a recording that breaks it, with its cost, and on the nearest one that does not.
#include "engine/analysis/findings/findings.h"
#include "tests/engine/analysis/tape.h"

#include <QTest>

using namespace lanes;

namespace {

constexpr Ns us = 1000;
constexpr auto pinned = MemoryKind::pinned;
constexpr auto pageable = MemoryKind::pageable;

std::vector<Finding> findings_of(Tape& tape)
{
    const auto trace = tape.finish();
    return make_report(trace, find_blocking(trace)).findings;
}

/// The finding of a rule; one without cost if there is none.
Finding find(const std::vector<Finding>& findings, const std::string& rule)
{
    for (const auto& finding : findings) {
        if (finding.rule == rule) {
            return finding;
        }
    }
    return {};
}

/// `count` kernels of 100 us, each followed by a copy of `bytes` and a wait; between two, 30 us of nothing.
void loop(Tape& tape, int count, std::uint64_t bytes, const char* wait = "cudaStreamSynchronize")
{
    for (Ns at = 0; at < count * 150 * us; at += 150 * us) {
        tape.kernel(tape.call("cudaLaunchKernel", at, at + 2 * us), 13, at + 5 * us, at + 105 * us);
        const auto copy = tape.call("cudaMemcpyAsync", at + 2 * us, at + 4 * us);
        tape.copy(copy, 13, at + 105 * us, at + 115 * us, CopyKind::d2h, pinned, true, 0, bytes);
        const auto sync = tape.call(wait, at + 10 * us, at + 116 * us);
        tape.sync(sync, SyncRecord::stream_sync, at + 10 * us, at + 116 * us,
            std::string_view(wait) == "cudaDeviceSynchronize" ? no_id : 13);
    }
}

}  // namespace

class tst_Findings : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void pageableAsyncCopy();
    void waitsInALoop();
    void deviceWideWait();
    void waitForTheResultIsNone();
    void waitsOfThreads();
    void waitOfACallWithTwoStretches();
    void staleReads();
    void waitBeforeWork();
    void copiesNotHidden();
    void defaultStream();
    void queueFull();
    void smallCostsAreNone();
};

void tst_Findings::pageableAsyncCopy()
{
    for (const bool bad : {true, false}) {
        Tape tape;
        tape.kernel(tape.call("cudaLaunchKernel", 0, us), 13, us, 400 * us);
        const auto copy = tape.call("cudaMemcpyAsync", 10 * us, bad ? 500 * us : 15 * us);
        tape.copy(copy, 13, 400 * us, 500 * us, CopyKind::d2h, bad ? pageable : pinned, true);
        const auto finding = find(findings_of(tape), "pageable-async-copy");
        QCOMPARE(finding.cost, bad ? 490 * us : 0);
        if (bad) {
            QCOMPARE(finding.count, 1U);
            QCOMPARE(finding.evidence.size(), 1U);
            QVERIFY(finding.evidence[0] == (EventRef {EventTable::operations, 1}));
        }
    }
}

void tst_Findings::waitsInALoop()
{
    // The GPU idles 40 us from a copy's end to the next kernel, but after the last.
    {
        Tape tape;
        loop(tape, 4, 4);
        const auto findings = findings_of(tape);
        QCOMPARE(find(findings, "sync-after-small-copy").cost, 3 * 40 * us);
        QCOMPARE(find(findings, "sync-after-small-copy").count, 3U);
        QCOMPARE(find(findings, "sync-in-loop").cost, 0);
    }
    {
        Tape tape;
        loop(tape, 4, 1 << 20);
        const auto findings = findings_of(tape);
        QCOMPARE(find(findings, "sync-after-small-copy").cost, 0);
        QCOMPARE(find(findings, "sync-in-loop").cost, 3 * 40 * us);
    }
    {
        Tape tape;  // twice is no loop
        loop(tape, 3, 4);
        QCOMPARE(find(findings_of(tape), "sync-after-small-copy").cost, 0);
    }
}

void tst_Findings::deviceWideWait()
{
    Tape tape;
    loop(tape, 2, 1 << 20, "cudaDeviceSynchronize");
    const auto finding = find(findings_of(tape), "device-wide-wait");
    QCOMPARE(finding.cost, 40 * us);
    QCOMPARE(finding.count, 1U);
    QCOMPARE(finding.evidence[0].table, EventTable::calls);
}

void tst_Findings::waitForTheResultIsNone()
{
    Tape tape;
    loop(tape, 1, 4, "cudaDeviceSynchronize");
    const auto findings = findings_of(tape);
    QCOMPARE(findings.size(), std::size_t {1});
    QCOMPARE(findings[0].rule, std::string("blocked-device_sync"));  // where the time went, and no advice
}

/// Where a thread was held is said of that thread, unless a finding says it of the same calls: another thread's finding
/// of the same cost hides nothing.
void tst_Findings::waitsOfThreads()
{
    for (const Ns more : {Ns {0}, 5 * us, 400 * us}) {
        Tape tape;
        tape.thread(1, "main", 0);
        tape.thread(2, "loader", 1);
        const auto copy = tape.call("cudaMemcpyAsync", 10 * us, 500 * us, 1);  // 490 us: its finding says all of it
        tape.copy(copy, 13, 400 * us, 500 * us, CopyKind::d2h, pageable, true);
        tape.kernel(tape.call("cudaLaunchKernel", 2 * us, 5 * us, 2), 14, 10 * us, 500 * us + more);
        const auto sync = tape.call("cudaStreamSynchronize", 10 * us, 501 * us + more, 2);
        tape.sync(sync, SyncRecord::stream_sync, 10 * us, 501 * us + more, 14);
        const auto trace = tape.finish();
        const auto findings = make_report(trace, find_blocking(trace)).findings;
        QCOMPARE(find(findings, "pageable-async-copy").cost, 490 * us);
        QCOMPARE(find(findings, "blocked-copy").cost, 0);
        const auto wait = find(findings, "blocked-stream_sync");
        QCOMPARE(wait.cost, 491 * us + more);
        QCOMPARE(wait.count, 1U);
        QCOMPARE(std::string(wait.title), std::string("loader (2) waited for a stream"));
        QVERIFY(std::string(wait.advice).find("cudaStreamSynchronize") != std::string::npos);
        QCOMPARE(wait.evidence.size(), std::size_t {1});
        QCOMPARE(span_of(trace, wait.evidence[0]).end, 501 * us + more);
    }
}

/// A call of two stretches is one call, for as long as both.
void tst_Findings::waitOfACallWithTwoStretches()
{
    Tape tape;
    const auto alloc = tape.call("cudaMalloc", 20 * us, 500 * us);
    static_cast<void>(alloc);
    tape.kernel(tape.call("cudaLaunchKernel", 0, 5 * us), 13, 6 * us, 200 * us);
    tape.kernel(tape.call("cudaLaunchKernel", 8 * us, 12 * us), 13, 300 * us, 480 * us);
    const auto trace = tape.finish();
    const auto blocking = find_blocking(trace);
    const auto finding = find(make_report(trace, blocking).findings, "blocked-memory");
    const Row call = blocking.calls.front().call;
    QCOMPARE(blocking.of(call).size(), std::size_t {2});
    QCOMPARE(finding.cost, blocking.time_of(call));
    QCOMPARE(finding.cost, 160 * us + 180 * us);
    QCOMPARE(finding.count, 1U);
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
    const auto findings = make_report(trace, find_blocking(trace)).findings;
    QCOMPARE(findings.front().rule, std::string("stale-read"));  // what is wrong before what is slow
    QCOMPARE(findings.front().count, 2U);
    QCOMPARE(findings.front().stale_bytes, 3072U);
    QCOMPARE(findings.front().evidence.size(), std::size_t {2});
    QVERIFY(findings.front().evidence[0] == (EventRef {EventTable::reads, 2}));
    QCOMPARE(
        std::string(findings.front().title), std::string("z and others were read before they were there, 2 times"));
    QCOMPARE(cost_text(findings.front(), Messages::english()), std::string("3 KiB stale"));
    QVERIFY(to_text(trace, make_report(trace, find_blocking(trace))).find("3 KiB stale  z and others")
        != std::string::npos);
}

void tst_Findings::waitBeforeWork()
{
    for (const bool reads_first : {false, true}) {
        Tape tape;
        tape.copy(tape.call("cudaMemcpyAsync", 0, 2 * us), 13, 5 * us, 105 * us, CopyKind::d2h, pinned, true);
        const auto sync = tape.call("cudaStreamSynchronize", 4 * us, 106 * us);
        tape.sync(sync, SyncRecord::stream_sync, 4 * us, 106 * us, 13);
        if (reads_first) {
            tape.read("y", 107 * us, 108 * us, 8, 0);
        }
        tape.host_span(HostSpanRecord::work, 109 * us, 189 * us);
        const auto finding = find(findings_of(tape), "wait-before-work");
        QCOMPARE(finding.cost, reads_first ? 0 : 80 * us);
    }
}

void tst_Findings::copiesNotHidden()
{
    for (const bool second_stream : {false, true}) {
        Tape tape;
        for (Ns at = 0; at < 600 * us; at += 200 * us) {
            tape.kernel(tape.call("cudaLaunchKernel", at, at + us), 13, at + us, at + 101 * us);
            tape.copy(tape.call("cudaMemcpyAsync", at + us, at + 2 * us), second_stream ? 14 : 13, at + 101 * us,
                at + 181 * us, CopyKind::d2h, pinned, true);
        }
        const auto finding = find(findings_of(tape), "copies-not-hidden");
        QCOMPARE(finding.cost, second_stream ? 0 : 240 * us);
        QCOMPARE(finding.count, second_stream ? 0U : 3U);
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
        const auto finding = find(findings_of(tape), "default-stream");
        // The second waits from 8 to 110, the third from 12 to 211.
        QCOMPARE(finding.cost, flag == StreamRecord::blocking ? 203 * us : 0);
        QCOMPARE(finding.count, flag == StreamRecord::blocking ? 2U : 0U);
    }
}

void tst_Findings::queueFull()
{
    Tape tape;
    const auto launch = tape.call("cudaLaunchKernel", 0, 300 * us);
    tape.kernel(launch, 13, 310 * us, 400 * us);
    tape.overhead(OverheadRecord::command_buffer_full, launch, 1, 10 * us, 150 * us);
    tape.overhead(OverheadRecord::command_buffer_full, launch, 1, 160 * us, 290 * us);
    const auto finding = find(findings_of(tape), "queue-full");
    QCOMPARE(finding.cost, 270 * us);
    QCOMPARE(finding.count, 1U);
}

void tst_Findings::smallCostsAreNone()
{
    Tape tape;
    const auto copy = tape.call("cudaMemcpyAsync", 0, 19 * us);
    tape.copy(copy, 13, us, 19 * us, CopyKind::d2h, pageable, true);
    QVERIFY(findings_of(tape).empty());
}

QTEST_GUILESS_MAIN(tst_Findings)
#include "tst_findings.moc"
