// SPDX-License-Identifier: MIT
// Why operations began and calls waited: the analysis against what the model device knows, over
// random workloads. LANES_WORKLOADS sets how many.
#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/graph/graph.h"
#include "engine/analysis/graph/idle_reasons.h"
#include "engine/trace/trace_builder.h"
#include "tests/engine/run/model/random_pipeline.h"
#include "tests/engine/run/model/records.h"

#include <QTest>
#include <set>

using namespace lanes;
using namespace lanes::tests;

namespace {

using Key = std::pair<std::uint32_t, std::uint32_t>;

StartCause cause_of(ModelTruth::Start cause)
{
    switch (cause) {
    case ModelTruth::Start::launch:
        return StartCause::launch;
    case ModelTruth::Start::stream:
        return StartCause::stream;
    case ModelTruth::Start::event:
        return StartCause::event;
    case ModelTruth::Start::graph:
        return StartCause::graph;
    case ModelTruth::Start::legacy:
        return StartCause::legacy;
    case ModelTruth::Start::engine:
        return StartCause::engine;
    case ModelTruth::Start::multiprocessors:
        return StartCause::multiprocessors;
    }
    return StartCause::unknown;
}

bool is_right(ModelTruth::Wait truth, BlockCause told)
{
    switch (truth) {
    case ModelTruth::Wait::copy:
        return told == BlockCause::copy;
    case ModelTruth::Wait::staging:  // the GPU may be done as the call returns: the call was held until then
        return told == BlockCause::staging || told == BlockCause::copy;
    case ModelTruth::Wait::launch:
        return told == BlockCause::launch;
    case ModelTruth::Wait::stream_sync:
        return told == BlockCause::stream_sync;
    case ModelTruth::Wait::device_sync:
        return told == BlockCause::device_sync;
    case ModelTruth::Wait::event_sync:
        return told == BlockCause::event_sync;
    case ModelTruth::Wait::queue_full:
        return told == BlockCause::queue_full;
    case ModelTruth::Wait::memory:
        return told == BlockCause::memory;
    }
    return false;
}

IdleReason reason_of(ModelTruth::Wait wait, bool pageable)
{
    switch (wait) {
    case ModelTruth::Wait::copy:
    case ModelTruth::Wait::staging:
        return pageable ? IdleReason::pageable : IdleReason::sync;
    case ModelTruth::Wait::queue_full:
        return IdleReason::queue_full;
    case ModelTruth::Wait::memory:
        return IdleReason::memory;
    default:
        return IdleReason::sync;
    }
}

bool is_right(StartCause truth, IdleReason told)
{
    switch (truth) {
    case StartCause::launch:
    case StartCause::stream:
        return told == IdleReason::hand_over || told == IdleReason::queue_full || told == IdleReason::memory;
    case StartCause::event:
        return told == IdleReason::event;
    case StartCause::graph:
        return told == IdleReason::graph;
    case StartCause::legacy:
        return told == IdleReason::legacy;
    case StartCause::engine:  // before it was ready it may have waited for something else
        return told == IdleReason::engine || told == IdleReason::event || told == IdleReason::legacy;
    case StartCause::multiprocessors:
        return told == IdleReason::multiprocessors || told == IdleReason::event || told == IdleReason::legacy;
    case StartCause::unknown:
        break;
    }
    return false;
}

struct Score {
    Ns idle = 0, right_idle = 0;
    std::map<std::pair<std::string, std::string>, Ns> wrong_idle;  ///< truth, told

    std::uint64_t starts = 0, right_starts = 0, right_after = 0, with_after = 0;
    std::uint64_t syncs = 0, right_syncs = 0;
    Ns blocked = 0, right_blocked = 0;
    std::map<std::pair<StartCause, StartCause>, std::uint64_t> wrong;  ///< truth, told
    std::map<StartCause, std::uint64_t> of;

    /// Idle time of streams: up to the call, what the model knows of its thread's waits; then, why the work began then.
    void add_idle(const Graph& graph, const ModelTruth& truth, const std::map<Row, StartCause>& causes,
        const std::map<std::uint32_t, Row>& call_rows)
    {
        const auto& trace = graph.trace();
        struct Wait {
            Interval span;
            IdleReason reason;
        };
        std::map<Row, std::vector<Wait>> waits;  // by thread
        for (const auto& waited : truth.waits) {
            const auto call = call_rows.find(waited.correlation);
            if (call == call_rows.end()) {
                continue;
            }
            bool pageable = false;
            for (Row row = 0; row < trace.operations.size(); ++row) {
                if (trace.operations.correlation[row] == waited.correlation && is_copy(trace.operations.kind[row])) {
                    const auto& copy = trace.copies[trace.operations.detail[row]];
                    pageable = copy.source == MemoryKind::pageable || copy.target == MemoryKind::pageable;
                }
            }
            waits[trace.calls.thread[call->second]].push_back(
                {{trace.calls.start[call->second], trace.calls.end[call->second]}, reason_of(waited.cause, pageable)});
        }
        for (const auto& span : trace.host_spans) {
            if (span.type != HostSpanRecord::work && span.type != HostSpanRecord::staging) {
                waits[span.thread].push_back({{span.start, span.end}, IdleReason::host_wait});
            }
        }
        const auto told = idle_reasons(graph, {0, trace.duration});
        const auto note = [&](Ns time, bool right, std::string_view truly, IdleReason reason) {
            idle += time;
            right_idle += right ? time : 0;
            if (!right && time > 0) {
                wrong_idle[{std::string(truly), std::string(name_of(reason))}] += time;
            }
        };
        for (const auto& lane : told.lanes) {
            for (const auto& part : lane.parts) {
                if (part.operation == no_row) {
                    continue;
                }
                const Row call = outermost(trace.calls, trace.operations.call[part.operation]);
                const Ns called = trace.calls.start[call];
                const Interval before {part.span.start, std::max(part.span.start, std::min(part.span.end, called))};
                Ns held = 0;
                for (const auto& wait : waits[trace.calls.thread[call]]) {
                    const Ns time = std::max<Ns>(
                        0, std::min(wait.span.end, before.end) - std::max(wait.span.start, before.start));
                    held += time;
                    const bool is_short = wait.span.end - wait.span.start <= 20 * us;
                    note(time, part.reason == wait.reason || (is_short && part.reason == IdleReason::late),
                        name_of(wait.reason), part.reason);
                }
                const bool allocates = part.reason == IdleReason::memory;  // all of such a call counts
                note(before.end - before.start - held, part.reason == IdleReason::late || allocates, "late",
                    part.reason);
                const Ns behind = part.span.end - std::max(part.span.start, before.end);
                const auto cause = causes.find(part.operation);
                const Row after = graph.starts().after(part.operation);
                const bool tail = part.reason == IdleReason::hand_over
                    && (part.span.end - part.span.start <= 20 * us
                        || (after != no_row && trace.operations.end[after] <= part.span.start));
                if (cause != causes.end()) {
                    note(behind, tail || is_right(cause->second, part.reason), name_of(cause->second), part.reason);
                }
            }
        }
    }

    void add(const Program& program)
    {
        TraceBuilder records;
        ModelTruth truth;
        ModelOptions options;
        options.truth = &truth;
        run_model(program, h100(), records, options);
        const auto trace = records.finish(Source::model);
        const auto blocking = find_blocking(trace);
        const Graph graph(trace, blocking);
        const auto& causes = graph.starts();
        std::map<Row, StartCause> true_causes;
        std::map<Key, Row> rows;
        for (Row row = 0; row < trace.operations.size(); ++row) {
            const bool kernel = trace.operations.kind[row] == OperationKind::kernel;
            const bool memset = trace.operations.kind[row] == OperationKind::memset;
            const Row detail = trace.operations.detail[row];
            const auto node = kernel ? trace.kernels[detail].graph_node
                : memset             ? trace.memsets[detail].graph_node
                                     : trace.copies[detail].graph_node;
            rows[{trace.operations.correlation[row], node}] = row;
        }
        const auto row_of = [&](ModelTruth::Work work) {
            const auto found = rows.find({work.correlation, work.graph_node});
            return found == rows.end() ? no_row : found->second;
        };
        for (const auto& started : truth.starts) {
            const Row row = row_of(started.what);
            if (row == no_row) {
                continue;
            }
            auto right = cause_of(started.cause);
            if (const Row after = row_of(started.after); after != no_row
                && (right == StartCause::stream || right == StartCause::legacy || right == StartCause::event)) {
                // A second reason may be given for what a stream waits for anyway.
                right = trace.operations.stream[after] == trace.operations.stream[row] ? StartCause::stream
                    : right == StartCause::stream                                      ? StartCause::legacy
                                                                                       : right;
            }
            ++starts;
            ++of[right];
            true_causes[row] = right;
            if (causes.cause(row) == right) {
                ++right_starts;
                if (started.after.correlation != 0) {
                    ++with_after;
                    right_after += causes.after(row) == row_of(started.after) ? 1 : 0;
                }
            } else {
                ++wrong[{right, causes.cause(row)}];
                if (qEnvironmentVariableIsSet("LANES_SHOW")) {
                    const auto& ops = trace.operations;
                    const Row after = row_of(started.after);
                    const Row told = causes.after(row);
                    qInfo() << "truth" << name_of(right).data() << "told" << name_of(causes.cause(row)).data() << "op"
                            << trace.text(ops.name[row]).data() << "stream" << trace.streams[ops.stream[row]].id
                            << "flag" << trace.streams[ops.stream[row]].flag << "start" << ops.start[row] << "call"
                            << trace.calls.start[ops.call[row]] << "-" << trace.calls.end[ops.call[row]]
                            << "truth after" << (after == no_row ? 0 : ops.end[after]) << "told after"
                            << (told == no_row ? 0 : ops.end[told]);
                }
            }
        }
        std::map<std::uint32_t, const ModelTruth::Waited*> waits;
        for (const auto& waited : truth.waits) {
            waits[waited.correlation] = &waited;
        }
        std::set<std::uint32_t> blamed;
        for (const auto& stretch : blocking.calls) {
            const auto correlation = trace.calls.correlation[stretch.call];
            const auto found = waits.find(correlation);
            blocked += stretch.end - stretch.start;
            blamed.insert(correlation);
            if (found != waits.end() && is_right(found->second->cause, stretch.cause)) {
                right_blocked += stretch.end - stretch.start;
            } else if (qEnvironmentVariableIsSet("LANES_SHOW")) {
                qInfo() << "wait" << trace.text(trace.calls.name[stretch.call]).data()
                        << trace.calls.start[stretch.call] << trace.calls.end[stretch.call] << "told"
                        << name_of(stretch.cause).data() << stretch.start << stretch.end
                        << (found == waits.end() ? -1 : static_cast<int>(found->second->cause));
            }
            if (stretch.cause == BlockCause::stream_sync || stretch.cause == BlockCause::device_sync
                || stretch.cause == BlockCause::event_sync || stretch.cause == BlockCause::copy) {
                ++syncs;
                const Row right = found == waits.end() ? no_row : row_of(found->second->released_by);
                const auto& end = trace.operations.end;
                right_syncs += right != no_row && stretch.released_by != no_row
                        && (right == stretch.released_by || end[right] == end[stretch.released_by])
                    ? 1
                    : 0;
            }
        }
        std::map<std::uint32_t, Row> call_rows;
        for (Row call = 0; call < trace.calls.size(); ++call) {
            call_rows.try_emplace(trace.calls.correlation[call], call);
        }
        add_idle(graph, truth, true_causes, call_rows);
        for (const auto& waited : truth.waits) {  // held, and nothing says so
            if (!blamed.contains(waited.correlation) && waited.end - waited.start > 20 * us) {
                blocked += waited.end - waited.start;
                if (qEnvironmentVariableIsSet("LANES_SHOW")) {
                    qInfo() << "wait not told" << static_cast<int>(waited.cause) << waited.start << waited.end;
                }
            }
        }
    }
};

double percent(std::uint64_t part, std::uint64_t whole)
{
    return whole == 0 ? 100 : 100. * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

class tst_ModelTruth : public QObject {
    Q_OBJECT

private slots:
    void causesAreThoseOfTheModel();
};

void tst_ModelTruth::causesAreThoseOfTheModel()
{
    const int workloads
        = qEnvironmentVariableIsSet("LANES_WORKLOADS") ? qEnvironmentVariableIntValue("LANES_WORKLOADS") : 40;
    Score score;
    for (int seed = 1; seed <= workloads; ++seed) {
        const auto number = static_cast<unsigned>(seed);
        score.add(seed % 3 == 0 ? random_program(number).builder.program : random_pipeline(number).program);
    }
    const double starts = percent(score.right_starts, score.starts);
    const double after = percent(score.right_after, score.with_after);
    const double syncs = percent(score.right_syncs, score.syncs);
    const double blocked = percent(std::uint64_t(score.right_blocked), std::uint64_t(score.blocked));
    qInfo("%d workloads: cause of start right for %.2f %% of %llu operations (and what was waited for, of these, for "
          "%.2f %%), cause of wait for %.2f %% of blocked time, releasing operation for %.2f %% of %llu waits",
        workloads, starts, static_cast<unsigned long long>(score.starts), after, blocked, syncs,
        static_cast<unsigned long long>(score.syncs));
    for (const auto& [cause, count] : score.of) {
        qInfo("  %s: %llu", name_of(cause).data(), static_cast<unsigned long long>(count));
    }
    for (const auto& [causes, count] : score.wrong) {
        qInfo("  %s told as %s: %llu", name_of(causes.first).data(), name_of(causes.second).data(),
            static_cast<unsigned long long>(count));
    }
    const double idle = percent(std::uint64_t(score.right_idle), std::uint64_t(score.idle));
    qInfo("reason of idle time right for %.2f %% of %.3f s", idle, double(score.idle) / 1e9);
    for (const auto& [reasons, time] : score.wrong_idle) {
        qInfo("  %s told as %s: %.3f ms", reasons.first.c_str(), reasons.second.c_str(), double(time) / 1e6);
    }
    QVERIFY(idle >= 98);
    QVERIFY(starts >= 98);
    QVERIFY(after >= 98);
    QVERIFY(blocked >= 99);
    QVERIFY(syncs >= 98);
}

QTEST_GUILESS_MAIN(tst_ModelTruth)
#include "tst_model_truth.moc"
