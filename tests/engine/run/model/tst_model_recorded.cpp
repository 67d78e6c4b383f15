// SPDX-License-Identifier: MIT
// What recordings of an H100 show around the edges of an operation, and the model shows like them: what is
// done first when a copy is staged, what a change of engine costs, and what a read looks at.
#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/report.h"
#include "engine/trace/trace_builder.h"
#include "program_builder.h"
#include "records.h"

#include <cmath>
#include <QTest>

using namespace lanes;
using namespace lanes::tests;

namespace {

Trace trace_of(const ProgramBuilder& builder)
{
    TraceBuilder records;
    run_model(builder.program, h100(), records);
    return records.finish(Source::model);
}

ProgramBuilder one_copy(MemoryKind from, MemoryKind to, std::uint64_t bytes)
{
    ProgramBuilder b;
    b.copy(b.buffer(from, bytes), b.buffer(to, bytes), b.stream());
    return b;
}

enum Between { kernel, copy };

/// From the end of a kernel or copy to the start of the next one, on its stream or, through an event, on another.
Ns gap(Between first, Between second, bool other_stream)
{
    ProgramBuilder b;
    const auto from = b.stream();
    const auto to = other_stream ? b.stream() : from;
    const auto gpu = b.buffer(MemoryKind::device, 8 * mib);
    const auto host = b.buffer(MemoryKind::pinned, 8 * mib);
    const auto issue
        = [&](Between what, Index stream) { what == kernel ? b.kernel(stream, ms, 1) : b.copy(gpu, host, stream); };
    issue(first, from);
    if (other_stream) {
        const auto event = b.event();
        b.step(RecordAction {event, from});
        b.step(WaitAction {event, to});
    }
    issue(second, to);
    const auto trace = trace_of(b);
    return trace.operations.start[1] - trace.operations.end[0];
}

}  // namespace

class tst_ModelRecorded : public QObject {
    Q_OBJECT

private slots:
    void stagedUploadEndsAfterItsCall();
    void stagedDownloadEndsBeforeItsCall();
    void changeOfEngineTakesLonger();
    void stagedUploadLetsOnlyItsThreadGoOn();
    void stagingStepsLieInsideTheCall_data();
    void stagingStepsLieInsideTheCall();
    void pinnedCopyHasNoStagingSteps();
    void readLooksAtPages();
};

void tst_ModelRecorded::stagedUploadEndsAfterItsCall()
{
    for (const auto bytes : {256 * kib, 4 * mib, 256 * mib}) {
        const auto trace = trace_of(one_copy(MemoryKind::pageable, MemoryKind::device, bytes));
        const Ns after = trace.operations.end[0] - trace.calls.end[0];
        QVERIFY2(after > 2 * us && after < 25 * us, qPrintable(QString::number(after)));
        QVERIFY(trace.operations.start[0] > trace.calls.start[0]);
        const auto blocking = find_blocking(trace);
        QCOMPARE(blocking.calls.size(), 1U);
        // The clocks may be wrong by a little: a call that returns early by less counts as held to its copy's end.
        const Ns early = tolerance(trace.calls.end[0] - trace.calls.start[0]);
        QCOMPARE(blocking.calls[0].cause, after > early ? BlockCause::staging : BlockCause::copy);
        QVERIFY(bytes > mib || after > early);
    }
}

void tst_ModelRecorded::stagedDownloadEndsBeforeItsCall()
{
    const auto trace = trace_of(one_copy(MemoryKind::device, MemoryKind::pageable, 64 * mib));
    const Ns before = trace.calls.end[0] - trace.operations.end[0];
    QVERIFY2(before > 60 * us && before < 120 * us, qPrintable(QString::number(before)));  // recorded: 87 to 108 us
    const auto blocking = find_blocking(trace);
    QCOMPARE(blocking.calls.size(), 1U);
    QCOMPARE(blocking.calls[0].cause, BlockCause::copy);
}

void tst_ModelRecorded::changeOfEngineTakesLonger()
{
    const Ns step = h100().engine_switch;
    QVERIFY(step > 0);
    for (const bool other_stream : {false, true}) {
        const auto without = gap(kernel, kernel, other_stream);
        QVERIFY(without > 0);
        QCOMPARE(gap(kernel, copy, other_stream), without + step);
        QCOMPARE(gap(copy, kernel, other_stream), without + step);
        QCOMPARE(gap(copy, copy, other_stream), without);
    }
}

// A thread that stages goes on before the copy's end; one that synchronises with the copy does not.
void tst_ModelRecorded::stagedUploadLetsOnlyItsThreadGoOn()
{
    auto b = one_copy(MemoryKind::pageable, MemoryKind::device, 64 * mib);
    b.new_thread("waits");
    b.spin(ms);
    b.step(SyncStreamAction {0});
    const auto trace = trace_of(b);
    QCOMPARE(trace.calls.size(), 2U);
    QVERIFY(trace.calls.end[0] < trace.operations.end[0]);
    QVERIFY(trace.calls.end[1] > trace.operations.end[0]);
}

void tst_ModelRecorded::stagingStepsLieInsideTheCall_data()
{
    QTest::addColumn<bool>("up");
    QTest::addColumn<quint64>("bytes");
    for (const bool up : {true, false}) {
        for (const auto bytes : {512 * kib, 4 * mib, 64 * mib}) {
            QTest::newRow(qPrintable(QString("%1 %2 KiB").arg(up ? "up" : "down").arg(bytes / kib)))
                << up << quint64(bytes);
        }
    }
}

void tst_ModelRecorded::stagingStepsLieInsideTheCall()
{
    QFETCH(bool, up);
    QFETCH(quint64, bytes);
    const auto host = MemoryKind::pageable;
    const auto gpu = MemoryKind::device;
    const auto trace = trace_of(one_copy(up ? host : gpu, up ? gpu : host, bytes));
    QCOMPARE(trace.calls.size(), 1U);
    std::size_t host_copies = 0;
    Ns last = trace.calls.start[0];
    for (const auto& span : trace.host_spans) {
        QCOMPARE(span.type, HostSpanRecord::staging);
        QVERIFY(span.start >= last && span.end > span.start);  // one after another
        last = span.end;
        host_copies += trace.text(span.name) == "host copy" ? 1 : 0;
    }
    QVERIFY(last <= trace.calls.end[0]);
    QCOMPARE(host_copies, std::size_t(std::ceil(static_cast<double>(bytes) / h100().staging_chunk)));
    // Nothing waits for it, and no host work is done: the thread waits for the call.
    const auto blocking = find_blocking(trace);
    QCOMPARE(make_report(trace, blocking).threads[0].host_wait.value(), Ns(0));
}

void tst_ModelRecorded::pinnedCopyHasNoStagingSteps()
{
    QVERIFY(trace_of(one_copy(MemoryKind::pinned, MemoryKind::device, 4 * mib)).host_spans.empty());
    // Small copies are staged in one step: the rest goes on without the thread.
    const auto small = trace_of(one_copy(MemoryKind::pageable, MemoryKind::device, 16 * kib));
    QCOMPARE(small.host_spans.size(), 1U);
    QVERIFY(small.host_spans[0].end <= small.calls.end[0]);
    QVERIFY(small.operations.start[0] >= small.host_spans[0].end);
}

void tst_ModelRecorded::readLooksAtPages()
{
    const auto time = [](std::uint64_t bytes) {
        ProgramBuilder b;
        b.read(b.buffer(MemoryKind::pinned, bytes));
        const auto trace = trace_of(b);
        return trace.reads[0].end - trace.reads[0].start;
    };
    const auto in_full = time(mib);
    QVERIFY(in_full > 50 * us && in_full < 200 * us);
    QVERIFY(time(512 * kib) > in_full * 4 / 10 && time(512 * kib) < in_full * 6 / 10);
    QVERIFY(time(64 * mib) > 2 * in_full);  // recorded: 0.38 ms
    QVERIFY(time(64 * mib) < 6 * in_full);  // all of it, word for word, would take 64 times as long
}

QTEST_GUILESS_MAIN(tst_ModelRecorded)
#include "tst_model_recorded.moc"
