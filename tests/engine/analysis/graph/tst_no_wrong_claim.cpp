// SPDX-License-Identifier: MIT
// Recordings that lack tables, end in the middle, hold two processes, reuse ids, or have wrong clocks: each statement
// is what the whole recording says, or that it is not known.
#include "engine/analysis/graph/critical_path.h"
#include "engine/analysis/graph/missed_overlap.h"
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "tests/effort.h"
#include "tests/engine/analysis/graphed.h"

#include <QTest>

#include <memory>

using namespace lanes;

class tst_NoWrongClaim : public QObject {
    Q_OBJECT

private slots:
    void lacksTables_data();
    void lacksTables();
    void endsInTheMiddle_data() { shipped(); }
    void endsInTheMiddle();
    void clocksApart_data() { shipped(); }
    void clocksApart();
    void twoProcesses();
    void idsComeAgain();

private:
    static void shipped();
};

namespace {

constexpr Ns us = 1000;

using Told = Graphed;

template <class T> void keep(std::vector<T>& column, const std::vector<bool>& kept)
{
    std::size_t to = 0;
    for (std::size_t row = 0; row < column.size(); ++row) {
        if (kept[row]) {
            column[to++] = column[row];
        }
    }
    column.resize(to);
}

/// These operations and calls of `trace`, without anything that refers to others.
void leave(Trace& trace, const std::vector<bool>& operations, const std::vector<bool>& calls)
{
    std::vector<Row> place(trace.calls.size(), no_row);
    Row next = 0;
    for (Row row = 0; row < place.size(); ++row) {
        place[row] = calls[row] ? next++ : no_row;
    }
    const auto moved = [&](Row call) { return call == no_row ? no_row : place[call]; };
    auto& ops = trace.operations;
    keep(ops.start, operations);
    keep(ops.end, operations);
    keep(ops.stream, operations);
    keep(ops.name, operations);
    keep(ops.correlation, operations);
    keep(ops.call, operations);
    keep(ops.detail, operations);
    keep(ops.kind, operations);
    auto& table = trace.calls;
    keep(table.start, calls);
    keep(table.end, calls);
    keep(table.thread, calls);
    keep(table.name, calls);
    keep(table.correlation, calls);
    keep(table.outer, calls);
    keep(table.step, calls);
    keep(table.result, calls);
    keep(table.api, calls);
    for (auto& call : ops.call) {
        call = moved(call);
    }
    for (auto& call : table.outer) {
        call = moved(call);
    }
    const auto of = [&](auto& rows) {
        std::erase_if(rows, [&](const auto& row) { return row.call != no_row && moved(row.call) == no_row; });
        for (auto& row : rows) {
            row.call = moved(row.call);
        }
    };
    of(trace.syncs);
    of(trace.events);
    of(trace.host_functions);
    of(trace.query_spins);
    of(trace.overheads);
    of(trace.memory);
}

/// What `part` and `whole` say differently, if neither says "unknown": operations, and ns of idle time of streams.
struct Wrong {
    std::uint64_t starts = 0, all_starts = 0;
    Ns idle = 0, all_idle = 0;
    QString text;
};

Wrong compared(const Told& whole, const Told& part, Ns until, Ns shift = 0)
{
    Wrong wrong;
    std::map<std::tuple<Row, Ns, std::uint32_t>, Row> rows;
    const auto& ops = whole.trace.operations;
    for (Row row = 0; row < ops.size(); ++row) {
        rows[{ops.stream[row], ops.start[row] + shift, ops.correlation[row]}] = row;
    }
    const auto& of = part.trace.operations;
    std::map<QString, int> kinds;
    for (Row row = 0; row < of.size(); ++row) {
        const auto found = rows.find({of.stream[row], of.start[row], of.correlation[row]});
        if (found == rows.end()) {
            continue;
        }
        const auto right = whole.graph.starts().cause(found->second);
        const auto told = part.graph.starts().cause(row);
        ++wrong.all_starts;
        // What ended just before it (a usual step and 20 µs) had to end first in any case.
        const Row after = part.graph.starts().after(row);
        const bool is_near = after != no_row && of.end[after] + 30 * us >= of.start[row];
        if (told != StartCause::unknown && right != StartCause::unknown && told != right && !is_near) {
            ++wrong.starts;
            ++kinds[QString("%1 told as %2 ").arg(name_of(right).data(), name_of(told).data())];
        }
    }
    const auto idle = idle_reasons(whole.graph, {0, until});
    const auto less = idle_reasons(part.graph, {0, until});
    std::map<QString, Ns> times;
    for (const auto& lane : less.lanes) {
        const LaneIdle* other = nullptr;
        for (const auto& each : idle.lanes) {
            other = each.stream == lane.stream ? &each : other;
        }
        for (const auto& told : lane.parts) {
            wrong.all_idle += told.span.end - told.span.start;
            for (const auto& right : other->parts) {
                const Ns time = std::min(right.span.end, told.span.end) - std::max(right.span.start, told.span.start);
                // If no queues are recorded, a call that waited for one is merely late; so is one after a wait of
                // 20 µs or less, since only longer waits are unknown.
                const bool came_late = told.reason == IdleReason::late
                    && ((right.reason == IdleReason::host_wait && part.trace.host_spans.empty())
                        || (right.reason == IdleReason::sync && right.span.end - right.span.start <= 20 * us));
                // After something that ended just before, as above, it is a step.
                const bool is_step = told.reason == IdleReason::hand_over && told.span.end - told.span.start <= 30 * us;
                if (time > 0 && !is_step && right.reason != told.reason && told.reason != IdleReason::unknown
                    && told.reason != IdleReason::nothing && right.reason != IdleReason::unknown && !came_late) {
                    wrong.idle += time;
                    times[QString("%1 told as %2").arg(name_of(right.reason).data(), name_of(told.reason).data())]
                        += time;
                }
            }
        }
    }
    for (const auto& [kind, count] : kinds) {
        wrong.text += kind + QString::number(count) + "; ";
    }
    for (const auto& [kind, time] : times) {
        wrong.text += kind + QString(" %1 us; ").arg(time / us);
    }
    return wrong;
}

/// The path is whole, and nothing is negative.
void holdsTogether(const Told& told)
{
    const Interval range {0, told.trace.duration};
    const auto path = critical_path(told.graph, range);
    Ns sum = 0;
    for (const auto& part : path.parts) {
        QVERIFY(part.span.end > part.span.start);
        sum += part.span.end - part.span.start;
    }
    QCOMPARE(sum, path.range.end - path.range.start);
    for (const auto& lane : idle_reasons(told.graph, range).lanes) {
        Ns all = lane.busy;
        for (const auto& part : lane.parts) {
            QVERIFY(part.span.end > part.span.start);
            all += part.span.end - part.span.start;
        }
        QCOMPARE(all, told.graph.last_end());
    }
    for (const auto& pair : missed_overlap(told.graph, range).pairs) {
        QVERIFY(pair.time > 0);
    }
}

/// An unchanged recording, kept for the tests that follow.
const Told& whole_of(const QString& name)
{
    static QString last;
    static std::unique_ptr<const Told> told;
    if (last != name) {
        told = std::make_unique<const Told>(open_recording(shipped_recordings().filePath(name).toStdString()));
        last = name;
    }
    return *told;
}

}  // namespace

void tst_NoWrongClaim::shipped()
{
    QTest::addColumn<QString>("name");
    for (const auto& name : shipped_recordings().entryList({"*.sqlite"})) {
        QTest::newRow(qPrintable(name)) << name;
    }
}

void tst_NoWrongClaim::lacksTables_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("table");
    int recording = 0;
    for (const auto& name : shipped_recordings().entryList({"*.sqlite"})) {
        int turn = recording++;  // each table is missing in some of them
        for (const auto* table : {"calls", "syncs", "events", "devices", "overheads", "hostSpans"}) {
            if (turn++ % one_trial_in == 0) {
                QTest::addRow("%s without %s", qPrintable(name), table) << name << table;
            }
        }
    }
}

void tst_NoWrongClaim::lacksTables()
{
    QFETCH(QString, name);
    QFETCH(QString, table);
    const Told& whole = whole_of(name);
    Trace trace = whole.trace;
    if (table == "calls") {
        leave(trace, std::vector<bool>(trace.operations.size(), true), std::vector<bool>(trace.calls.size()));
    } else if (table == "syncs") {
        trace.syncs.clear();
    } else if (table == "events") {
        trace.events.clear();
    } else if (table == "devices") {
        trace.devices.clear();
    } else if (table == "overheads") {
        trace.overheads.clear();
    } else {
        trace.host_spans.clear();
    }
    const Told part(std::move(trace));
    holdsTogether(part);
    const auto wrong = compared(whole, part, whole.trace.duration);
    QVERIFY2(wrong.starts <= std::max<std::uint64_t>(1, wrong.all_starts / 100), qPrintable(wrong.text));
    QVERIFY2(wrong.idle * 100 <= wrong.all_idle, qPrintable(wrong.text));
}

void tst_NoWrongClaim::endsInTheMiddle()
{
    QFETCH(QString, name);
    const Told& whole = whole_of(name);
    Trace trace = whole.trace;
    const Ns until = trace.duration / 2;
    std::vector<bool> operations;
    for (const Ns end : trace.operations.end) {
        operations.push_back(end <= until);
    }
    std::vector<bool> calls;
    for (const Ns end : trace.calls.end) {
        calls.push_back(end <= until);
    }
    for (Row call = 0; call < trace.calls.size(); ++call) {  // no driver call stays without its runtime call
        const Row outer = trace.calls.outer[call];
        calls[call] = calls[call] && (outer == no_row || calls[outer]);
    }
    leave(trace, operations, calls);
    std::erase_if(trace.host_spans, [&](const HostSpan& span) { return span.end > until; });
    std::erase_if(trace.reads, [&](const Read& read) { return read.end > until; });
    std::erase_if(trace.syncs, [&](const Sync& sync) { return sync.end > until; });
    trace.duration = until;
    trace.meta[meta::complete] = "no";
    const Told part(std::move(trace));
    holdsTogether(part);
    const auto wrong = compared(whole, part, part.graph.last_end());
    QVERIFY2(wrong.starts <= std::max<std::uint64_t>(1, wrong.all_starts / 100), qPrintable(wrong.text));
    QVERIFY2(wrong.idle * 100 <= wrong.all_idle, qPrintable(wrong.text));
}

/// The GPU's clock is slow: operations seem to begin before their calls. Real exports are up to 7 µs apart;
/// at 30 µs the results need only be consistent.
void tst_NoWrongClaim::clocksApart()
{
    QFETCH(QString, name);
    const Told& whole = whole_of(name);
    for (const Ns shift : {-5 * us, -30 * us}) {
        Trace trace = whole.trace;
        for (auto* times : {&trace.operations.start, &trace.operations.end}) {
            for (Ns& time : *times) {
                time = std::max<Ns>(0, time + shift);
            }
        }
        const Told part(std::move(trace));
        holdsTogether(part);
        const auto wrong = compared(whole, part, part.graph.last_end(), shift);
        if (shift == -5 * us) {
            QVERIFY2(wrong.starts <= std::max<std::uint64_t>(1, wrong.all_starts / 20), qPrintable(wrong.text));
        }
    }
}

/// Two processes with the same ids of streams, contexts and events: neither waits for anything of the other.
void tst_NoWrongClaim::twoProcesses()
{
    Tape tape;
    const auto other = [&](auto record) {
        record.process = Tape::process + 1;
        tape.builder().write(record);
    };
    other(ContextRecord {.process = 0, .device = 0, .context = Tape::context, .null_stream = Tape::legacy_stream});
    tape.stream(13, StreamRecord::blocking);
    tape.stream(14, StreamRecord::blocking);
    tape.kernel(tape.call("cudaLaunchKernel", 0, 4 * us), 13, 5 * us, 100 * us);
    tape.event(tape.call("cudaEventRecord", 6 * us, 8 * us), 13, 1, 5);
    // The other process: a wait for an event of that id, the legacy default stream, and a kernel that begins just then.
    const auto call = [&](std::string_view name, std::uint32_t correlation, Ns start, Ns end) {
        other(ApiCallRecord {.start = Tape::origin + start,
            .end = Tape::origin + end,
            .process = 0,
            .thread = 9,
            .correlation = correlation,
            .name = tape.builder().intern(name),
            .api = ApiCallRecord::runtime,
            .result = 0});
    };
    call("cudaStreamWaitEvent", 501, 10 * us, 12 * us);
    other(SyncRecord {.start = Tape::origin + 10 * us,
        .end = Tape::origin + 12 * us,
        .process = 0,
        .context = Tape::context,
        .stream = Tape::legacy_stream,
        .correlation = 501,
        .event_id = 1,
        .event_sync = 5,
        .type = SyncRecord::stream_wait_event,
        .result = 0});
    call("cudaLaunchKernel", 502, 14 * us, 18 * us);
    KernelRecord kernel {};
    kernel.start = Tape::origin + 101 * us;
    kernel.end = Tape::origin + 200 * us;
    kernel.context = Tape::context;
    kernel.stream = Tape::legacy_stream;
    kernel.correlation = 502;
    kernel.channel = no_id;
    kernel.name = tape.builder().intern("other(int)");
    other(kernel);
    const Told told(tape.finish());
    QCOMPARE(told.trace.operations.size(), std::size_t {2});
    for (Row row = 0; row < 2; ++row) {
        const Row after = told.graph.starts().after(row);
        QCOMPARE(after, no_row);
    }
    for (const auto& [operation, before] : told.graph.dependencies().behind) {
        QCOMPARE(told.trace.streams[told.trace.operations.stream[operation]].process,
            told.trace.streams[told.trace.operations.stream[before]].process);
    }
    holdsTogether(told);
}

/// An event and a stream that were destroyed, and others that got their ids.
void tst_NoWrongClaim::idsComeAgain()
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.stream(14, StreamRecord::non_blocking);
    tape.stream(15, StreamRecord::non_blocking);
    tape.kernel(tape.call("cudaLaunchKernel", 0, 4 * us), 13, 5 * us, 100 * us);
    tape.event(tape.call("cudaEventRecord", 6 * us, 8 * us), 13, 1, 5);
    tape.kernel(tape.call("cudaLaunchKernel", 10 * us, 14 * us), 14, 15 * us, 300 * us);
    tape.event(tape.call("cudaEventRecord", 16 * us, 18 * us), 14, 1, 6);  // another event of that id
    tape.sync(
        tape.call("cudaStreamWaitEvent", 20 * us, 22 * us), SyncRecord::stream_wait_event, 20 * us, 22 * us, 15, 1, 5);
    tape.kernel(tape.call("cudaLaunchKernel", 24 * us, 28 * us), 15, 102 * us, 150 * us);
    const Told told(tape.finish());
    QCOMPARE(told.graph.starts().cause(2), StartCause::event);
    QCOMPARE(told.graph.starts().after(2), Row {0});  // not the kernel of stream 14, which ran on
    QCOMPARE(told.graph.dependencies().behind.size(), std::size_t {1});
    holdsTogether(told);
}

QTEST_GUILESS_MAIN(tst_NoWrongClaim)
#include "tst_no_wrong_claim.moc"
