// SPDX-License-Identifier: MIT
// What the CPU did while no GPU was busy. The verdict measures how long that was (verdict_facts); this says which calls
// and which work it was.
#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/figures/first_operators.h"
#include "engine/analysis/figures/operators.h"
#include "engine/analysis/findings/search.h"

#include <map>

namespace lanes {

namespace {

/// The time of these operators of all threads, without calls that a finding has already.
IntervalSet not_cured(const Trace& trace, const std::vector<IntervalSet>& operators, const Cured& cured)
{
    IntervalSet all;
    for (const auto& of_thread : operators) {
        all.insert(all.end(), of_thread.begin(), of_thread.end());
    }
    IntervalSet gone;
    for (Row call = 0; call < cured.calls.size() && !all.empty(); ++call) {
        if (cured.calls[call]) {
            gone.push_back({trace.calls.start[call], trace.calls.end[call]});
        }
    }
    return subtract(unite(std::move(all)), unite(std::move(gone)));
}

/// The starts of idle times by their ends, at which an operation begins: after the range, if the last one ends there.
std::map<Ns, Ns> gaps_between_operations(const Trace& trace, const IntervalSet& busy, const Interval& range)
{
    std::map<Ns, Ns> gaps;
    for (std::size_t i = 1; i < busy.size(); ++i) {
        gaps.emplace_hint(gaps.end(), busy[i].start, busy[i - 1].end);
    }
    if (busy.empty()) {
        return gaps;
    }
    Ns next = INT64_MAX;
    bool ran_before = false;
    for (const Ns start : trace.operations.start) {
        next = start >= range.end ? std::min(next, start) : next;
        ran_before = ran_before || start < range.start;
    }
    if (ran_before && busy.front().start > range.start) {
        gaps.emplace(busy.front().start, range.start);
    }
    if (next < INT64_MAX && busy.back().end < range.end) {
        gaps.emplace(next, busy.back().end);
    }
    return gaps;
}

struct Capture {
    Row thread, begin;  ///< the call that begins it
    Interval times;  ///< from that call's start to the end of the call that ends it
};

/// What streams captured into CUDA graphs, by end. A capture that does not end in the recording is none.
std::vector<Capture> captures_of(const Trace& trace)
{
    const auto& calls = trace.calls;
    const auto edges = capture_edges(trace);
    std::map<Row, Row> open;  // by thread
    std::vector<Capture> captures;
    for (Row call = 0; call < calls.size(); ++call) {
        const Row thread = calls.thread[call];
        if (edges[calls.name[call]] == CaptureEdge::none || calls.outer[call] != no_row || thread == no_row) {
            continue;
        }
        if (edges[calls.name[call]] == CaptureEdge::begin) {
            open[thread] = call;
        } else if (const auto of = open.find(thread); of != open.end()) {
            captures.push_back({thread, of->second, {calls.start[of->second], calls.end[call]}});
            open.erase(of);
        }
    }
    return captures;
}

/// A part of an outermost operator that takes longer than launches do.
struct LongOperator {
    Interval times;  ///< of the operator
    Ns idle = 0;  ///< of the GPUs, in the part
    bool issues = false;
};

/// Marks the operator in which a call issued work: parts of one operator are side by side.
void issue_in(std::vector<LongOperator>& operators, Ns time)
{
    auto op = std::partition_point(
        operators.begin(), operators.end(), [&](const LongOperator& each) { return each.times.end <= time; });
    for (; op != operators.end() && op->times.start <= time; ++op) {
        op->issues = true;
    }
}

/// Operations before which the GPU had nothing to do, each with the idle time that its call ended.
void take_late_operations(const Search& search, const IntervalSet& busy, Candidate& late)
{
    const auto& trace = search.trace;
    auto gaps = gaps_between_operations(trace, busy, search.report.range);
    for (Row row = 0; row < trace.operations.size() && !gaps.empty(); ++row) {
        if (const auto gap = gaps.find(trace.operations.start[row]); gap != gaps.end()) {
            const Row call = outermost(trace.calls, trace.operations.call[row]);
            const Ns until = std::min(search.report.range.end,
                call == no_row ? gap->first : had_nothing_until(trace.calls.end[call], gap->second, gap->first));
            if (until > gap->second) {
                late.evidence.add({EventTable::operations, row}, until - gap->second);
            }
            gaps.erase(gap);
        }
    }
}

/// How long the GPUs were idle in `range` while a thread was in operators that ran for the first time, was not
/// `blocked` there, and nothing cures it.
Ns idle_in_first_operators(const Trace& trace, const Coverage& gpu, const std::vector<IntervalSet>& blocked,
    Interval range, const Cured& cured)
{
    auto first = first_operators(trace);
    for (std::size_t thread = 0; thread < first.size(); ++thread) {
        first[thread] = subtract(unite(std::move(first[thread])), blocked[thread]);
    }
    Ns idle = 0;
    for (const auto& part : clip(not_cured(trace, first, cured), range)) {
        idle += part.end - part.start - gpu.within(part);
    }
    return idle;
}

}  // namespace

Idle find_idle(const Search& search, const IntervalSet& busy, Ns from, bool without_data_loader, const Cured& cured)
{
    const auto& trace = search.trace;
    const auto& calls = trace.calls;
    const Interval range {std::max(from, search.report.range.start), search.report.range.end};
    const Coverage gpu(busy);
    Idle found;
    found.launches.rule = "launch-bound";
    found.work.rule = "starved";
    found.late.rule = "cpu-late";
    found.captures.rule = "graph-capture";
    take_late_operations(search, busy, found.late);
    const auto take = [&](Candidate& candidate, Row thread, Ns start, Ns end, EventRef event) -> Ns {
        const Interval part = common(search.bounds.since_start_up(thread, {start, end}), range);
        if (part.start < part.end) {
            if (const Ns idle = part.end - part.start - gpu.within(part); idle > 0) {
                candidate.evidence.add(event, idle);
                return idle;
            }
        }
        return 0;
    };
    each_touching(trace.host_spans, search.bounds.host_spans, range, [&](Row row) {
        const auto& span = trace.host_spans[row];
        if (span.type == HostSpanRecord::work) {
            take(found.work, span.thread, span.start, span.end, {EventTable::host_spans, row});
        }
    });
    each_touching(trace.reads, search.bounds.reads, range, [&](Row row) {
        const auto& read = trace.reads[row];
        take(found.work, read.thread, read.start, read.end, {EventTable::reads, row});
    });
    const auto blocked = blocked_by_thread(trace, search.blocking);
    std::vector<std::vector<LongOperator>> long_operators(trace.threads.size());
    each_working_operator(trace, search.bounds, blocked, range, [&](Row row, const Interval& part) {
        if (!without_data_loader || !waits_for_data_loader(trace, row)) {
            const auto& op = trace.ranges[row];
            const Ns idle = take(found.work, op.thread, part.start, part.end, {EventTable::ranges, row});
            if (op.end - op.start >= loads_code && idle > 0) {
                long_operators[op.thread].push_back({{op.start, op.end}, idle});
            }
        }
    });
    const auto times_of = [&](Row call) { return Interval {calls.start[call], calls.end[call]}; };
    each_touching(calls.size(), search.bounds.calls, range, times_of, [&](Row call) {
        if (calls.outer[call] == no_row) {
            const EventRef event {EventTable::calls, call};
            if (search.bounds.issues[call]) {
                if (calls.thread[call] != no_row) {
                    issue_in(long_operators[calls.thread[call]], calls.start[call]);
                }
                // As in verdict_facts: a longer launch of a kernel loads code or waits for a lock.
                const bool of_kernel = search.bounds.classes[calls.name[call]] == CallClass::other;
                const Ns launched
                    = of_kernel ? std::min(calls.end[call], calls.start[call] + loads_code) : calls.end[call];
                const Ns idle = take(found.launches, calls.thread[call], calls.start[call], launched, event);
                found.launched += idle;
                found.graphs += search.bounds.classes[calls.name[call]] == CallClass::graph_launch ? idle : 0;
                take(found.work, calls.thread[call], launched, calls.end[call], event);
            } else if (search.bounds.classes[calls.name[call]] == CallClass::memory) {
                take(found.work, calls.thread[call], calls.start[call], calls.end[call], event);
            }
        }
    });
    for (const auto& of_thread : long_operators) {
        for (const auto& op : of_thread) {
            found.on_cpu += op.issues ? 0 : op.idle;
        }
    }
    for (const auto& [thread, begin, times] : captures_of(trace)) {
        found.captures.bound += take(found.captures, thread, times.start, times.end, {EventTable::calls, begin});
    }
    found.first = idle_in_first_operators(trace, gpu, blocked, range, cured);
    return found;
}

Candidate find_first_operators(const Search& search, Ns until, const Cured& cured)
{
    const auto& trace = search.trace;
    Candidate found;
    found.rule = "first-operators";
    const auto first = first_operators(trace);
    std::vector<std::size_t> next(first.size());
    for (Row row = 0; row < trace.ranges.size() && trace.ranges[row].start < until; ++row) {
        const auto& range = trace.ranges[row];
        if (!is_operator(trace, row) || range.thread >= first.size()) {
            continue;
        }
        const auto& of_thread = first[range.thread];
        auto& at = next[range.thread];
        while (at < of_thread.size() && of_thread[at].end <= range.start) {
            ++at;
        }
        if (at < of_thread.size() && of_thread[at].start == range.start && of_thread[at].end == range.end) {
            found.evidence.add({EventTable::ranges, row}, search.in_range(range.start, std::min(range.end, until)));
        }
    }
    found.bound = length(clip(not_cured(trace, first, cured), {search.report.range.start, until}));
    return found;
}

}  // namespace lanes
