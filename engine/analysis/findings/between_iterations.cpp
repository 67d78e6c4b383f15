// SPDX-License-Identifier: MIT
// GPUs idle from the end of one iteration's work to the start of the next one's, while the thread that issues it is in
// its own work.
#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/facts/steady_state.h"
#include "engine/analysis/figures/operators.h"
#include "engine/analysis/findings/search.h"

#include <algorithm>

namespace lanes {

namespace {

/// Whether such a range is a call of PyTorch's: of a model, a backward pass, an operator. What it does before its first
/// launch is its own Python, where a step may load its batch.
bool is_call_of_pytorch(const Trace& trace, const SteadyState& steady)
{
    if (names_a_place(steady.name)) {
        return true;
    }
    const auto range = std::find_if(trace.ranges.begin(), trace.ranges.end(), [&](const Range& each) {
        return each.thread == steady.thread && without_number(trace.text(each.name)) == steady.name;
    });
    return range != trace.ranges.end() && is_operator(trace, static_cast<Row>(range - trace.ranges.begin()));
}

}  // namespace

Candidate find_idle_between_iterations(const Search& search)
{
    const auto& trace = search.trace;
    const auto& ops = trace.operations;
    Candidate found;
    found.rule = "idle-between-iterations";
    const Ns idle = search.report.wall - search.report.gpu_busy;
    if (!search.is_worth_it(idle) || trace.ranges.size() < least_iterations) {
        return found;
    }
    // A pattern of launches does not say where an iteration ends and something else begins.
    const auto steady = find_steady_state(trace);
    if (!steady || steady->found != SteadyState::Found::ranges) {
        return found;
    }
    const auto iterations = find_iterations(trace);
    const bool ends_at_start = is_call_of_pytorch(trace, *steady);
    std::vector<std::vector<Interval>> reads(trace.threads.size());  // of results: no other work
    for (const auto& read : trace.reads) {
        if (read.thread != no_row) {
            reads[read.thread].push_back({read.start, read.end});
        }
    }
    std::vector<std::vector<Interval>> waits(trace.threads.size());
    for (const auto& stretch : search.blocking.calls) {
        if (const Row thread = trace.calls.thread[stretch.call]; thread != no_row) {
            waits[thread].push_back({stretch.start, stretch.end});
        }
    }
    // A thread that waited for the GPU, and not to read, could have gone on before: that is a finding of its wait.
    const auto need_not_have_waited = [&](Row thread, Ns done, Ns until) {
        const auto behind = std::partition_point(
            waits[thread].begin(), waits[thread].end(), [&](const Interval& wait) { return wait.start < until; });
        if (behind == waits[thread].begin() || std::prev(behind)->end < done - ordinary_call) {
            return false;
        }
        return std::none_of(reads[thread].begin(), reads[thread].end(),
            [&](const Interval& read) { return read.start >= std::prev(behind)->end && read.start < until; });
    };
    // Of each iteration: when the first of its operations began and the last one ended, and who issued the first.
    struct Work {
        Ns start = INT64_MAX, end = INT64_MIN;
        Row first = no_row;
    };
    std::vector<Work> work(iterations.size());
    for (Row row = 0; row < ops.size(); ++row) {
        const Row call = search.issuer(row);
        if (call == no_row) {
            continue;
        }
        const Ns issued = trace.calls.start[call];
        const auto next = std::upper_bound(iterations.begin(), iterations.end(), issued,
            [](Ns time, const Interval& iteration) { return time < iteration.start; });
        if (next == iterations.begin()) {
            continue;
        }
        auto& of = work[static_cast<std::size_t>(std::prev(next) - iterations.begin())];
        of.end = std::max(of.end, ops.end[row]);
        if (ops.start[row] < of.start) {
            of.start = ops.start[row];
            of.first = row;
        }
    }
    Ns done = work.front().end;
    for (std::size_t i = 1; i < work.size(); ++i) {
        if (work[i].first == no_row) {
            continue;
        }
        const Row call = search.issuer(work[i].first);
        const Row thread = trace.calls.thread[call];
        // From the call on the GPU is handed its work.
        const Ns issued = std::min(work[i].start, trace.calls.start[call]);
        const Ns until = ends_at_start ? std::min(issued, iterations[i].start) : issued;
        if (done != INT64_MIN && thread != no_row && done < until && !need_not_have_waited(thread, done, until)) {
            const auto own = subtract(clip({{done, until}}, search.report.range), unite(reads[thread]));
            if (const Ns time = length(own); time > ordinary_call) {
                found.take(time, {EventTable::operations, work[i].first});
                for (const auto& stretch : own) {
                    found.save(thread, stretch);
                }
            }
        }
        done = std::max(done, work[i].end);
    }
    return found;
}

}  // namespace lanes
