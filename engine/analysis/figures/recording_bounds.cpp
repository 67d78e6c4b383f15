// SPDX-License-Identifier: MIT
#include "engine/analysis/figures/recording_bounds.h"

#include "engine/analysis/facts/communication.h"
#include "engine/analysis/figures/value_copies.h"
#include "engine/trace/cut.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/names/device_rows.h"

#include <map>
#include <set>

namespace lanes {

namespace {

Row first_thread_of(const Trace& trace, const std::vector<RecordingBounds::OfThread>& threads)
{
    const Step* first = nullptr;
    for (const auto& step : trace.steps) {  // sorted by start
        if (step.thread != no_row && (first == nullptr || step.step < first->step)) {
            first = &step;
        }
    }
    if (first != nullptr) {
        return first->thread;
    }
    // Of a run of several processes one may only start the others: those that give a GPU work come first.
    const auto working = working_threads(trace);
    Row main = no_row;
    for (Row thread = 0; thread < threads.size(); ++thread) {
        if (threads[thread].did_something && trace.threads[thread].id == trace.threads[thread].process) {
            if (working[thread]) {
                return thread;
            }
            main = main == no_row ? thread : main;
        }
    }
    if (main != no_row) {
        return main;
    }
    std::vector<std::uint64_t> calls(threads.size());
    for (Row call = 0; call < trace.calls.size(); ++call) {
        if (trace.calls.outer[call] == no_row && trace.calls.thread[call] != no_row) {
            ++calls[trace.calls.thread[call]];
        }
    }
    Row most = no_row;
    for (Row thread = 0; thread < threads.size(); ++thread) {
        if (threads[thread].did_something && (most == no_row || calls[thread] > calls[most])) {
            most = thread;
        }
    }
    return most;
}

}  // namespace

std::vector<bool> working_threads(const Trace& trace)
{
    const auto& threads = trace.threads;
    std::vector<bool> working(threads.size(), true);
    const auto is_of_another = [&](const auto& thread) { return thread.process != threads.front().process; };
    if (threads.empty() || std::none_of(threads.begin(), threads.end(), is_of_another)) {
        return working;
    }
    std::set<std::uint32_t> issue;  // processes
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        if (const auto rows = trace.operations_of(stream); rows.begin < rows.end) {
            issue.insert(trace.streams[stream].process);
        }
    }
    std::vector<bool> of_thread(threads.size());
    for (const Row call : trace.operations.call) {
        if (call != no_row && trace.calls.thread[call] != no_row) {
            of_thread[trace.calls.thread[call]] = true;
        }
    }
    for (Row thread = 0; thread < threads.size(); ++thread) {
        if (of_thread[thread]) {
            issue.insert(threads[thread].process);
        }
    }
    for (Row thread = 0; thread < threads.size(); ++thread) {
        working[thread] = issue.contains(threads[thread].process);
    }
    if (std::find(working.begin(), working.end(), true) == working.end()) {
        working.assign(working.size(), true);
    }
    return working;
}

Ns end_of_work(const Trace& trace)
{
    const auto cut = cut_of(trace);
    Ns last = cut ? cut->work_end : 0;
    if (trace.calls.size() == 0 && trace.operations.size() == 0) {  // a trace of the CPU alone
        for (const auto& range : trace.ranges) {
            last = std::max(last, range.end);
        }
        return last;
    }
    for (const Ns end : trace.operations.end) {
        last = std::max(last, end);
    }
    const auto working = working_threads(trace);
    for (Row call = 0; call < trace.calls.size(); ++call) {
        const Row thread = trace.calls.thread[call];
        if (trace.calls.end[call] > last && (thread == no_row || working[thread])) {
            last = trace.calls.end[call];
        }
    }
    return last;
}

RecordingBounds::RecordingBounds(const Trace& trace, const Blocking& blocking)
    : threads(trace.threads.size())
    , communicates(trace)
    , classes(call_classes(trace))
    , operations(trace.operations.end)
    , calls(trace.calls.end)
    , syncs(trace.syncs, &Sync::end)
    , blocked(blocking.calls, &BlockedCall::end)
    , ranges(trace.ranges, &Range::end)
    , host_spans(trace.host_spans, &HostSpan::end)
    , reads(trace.reads, &Read::end)
{
    last_end = end_of_work(trace);
    const auto note = [this](Row thread) {
        if (thread != no_row) {
            threads[thread].did_something = true;
        }
    };
    for (Row call = 0; call < trace.calls.size(); ++call) {
        if (trace.calls.outer[call] == no_row) {
            note(trace.calls.thread[call]);
        }
    }
    const auto note_all = [&](const auto& table) {
        for (const auto& item : table) {
            note(item.thread);
        }
    };
    note_all(trace.host_spans);
    note_all(trace.ranges);
    note_all(trace.reads);
    note_all(trace.steps);
    for (Row thread = 0; thread < trace.threads.size(); ++thread) {
        auto& did = threads[thread].did_something;
        did = did && device_of_row(trace, trace.threads[thread]) == no_id;
    }
    issues.resize(trace.calls.size());
    for (const Row call : trace.operations.call) {
        if (call != no_row) {
            issues[call] = true;
        }
    }
    note_issues(trace);
    note_start_up(trace);
    first_thread = first_thread_of(trace, threads);
}

void RecordingBounds::note_issues(const Trace& trace)
{
    const auto& table = trace.calls;
    // By outermost call: it fetches a value, and does nothing else. Empty: no call does.
    std::vector<bool> only_fetches;
    if (std::any_of(trace.copies.begin(), trace.copies.end(),
            [](const CopyDetail& copy) { return copy.copy == CopyKind::d2h && copy.bytes <= most_of_a_value; })) {
        only_fetches.resize(table.size());
        for (const bool fetches : {true, false}) {  // a graph does both
            for (Row row = 0; row < trace.operations.size(); ++row) {
                const Row call = outermost(table, trace.operations.call[row]);
                if (call != no_row && fetches_value(trace, row) == fetches) {
                    only_fetches[call] = fetches;
                }
            }
        }
    }
    for (Row row = 0; row < table.size(); ++row) {
        if (!issues[row]) {
            continue;
        }
        const Row call = outermost(table, row);
        issues[call] = true;
        const Row thread = table.thread[call];
        if (thread != no_row && (only_fetches.empty() || !only_fetches[call])) {
            threads[thread].last_issue = std::max(threads[thread].last_issue, table.start[call]);
        }
    }
}

void RecordingBounds::note_start_up(const Trace& trace)
{
    std::map<std::uint32_t, Ns> first;
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        if (const auto rows = trace.operations_of(stream); !rows.empty()) {
            const Ns start = trace.operations.start[rows.begin];
            auto& of_process = first.try_emplace(trace.streams[stream].process, start).first->second;
            of_process = std::min(of_process, start);
        }
    }
    if (first.size() < 2 || trace.meta.contains(meta::workload)) {
        return;
    }
    for (Row thread = 0; thread < threads.size(); ++thread) {
        if (const auto found = first.find(trace.threads[thread].process); found != first.end()) {
            threads[thread].starts_up_until = found->second;
        }
    }
}

std::size_t RecordingBounds::bytes() const
{
    return operations.bytes() + calls.bytes() + syncs.bytes() + blocked.bytes() + ranges.bytes() + host_spans.bytes()
        + reads.bytes() + threads.size() * sizeof(OfThread) + communicates.bytes() + issues.size() / 8
        + classes.size() * sizeof(CallClass);
}

}  // namespace lanes
