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
    if (names_a_place(steady.begins_with)) {
        return true;
    }
    const auto range = std::find_if(trace.ranges.begin(), trace.ranges.end(), [&](const Range& each) {
        return each.thread == steady.thread && without_number(trace.text(each.name)) == steady.begins_with;
    });
    return range != trace.ranges.end() && is_operator(trace, static_cast<Row>(range - trace.ranges.begin()));
}

/// Stretches by thread.
using OfThreads = std::vector<std::vector<Interval>>;

/// Reads of results: no other work.
OfThreads reads_of_threads(const Trace& trace)
{
    OfThreads reads(trace.threads.size());
    for (const auto& read : trace.reads) {
        if (read.thread != no_row) {
            reads[read.thread].push_back({read.start, read.end});
        }
    }
    return reads;
}

OfThreads waits_of_threads(const Search& search)
{
    OfThreads waits(search.trace.threads.size());
    for (const auto& stretch : search.blocking.calls) {
        if (const Row thread = search.trace.calls.thread[stretch.call]; thread != no_row) {
            waits[thread].push_back({stretch.start, stretch.end});
        }
    }
    return waits;
}

/// Whether a thread's last wait for the GPU before `until` lasted to `done`, and it read nothing after that wait. It
/// could have gone on before: that is a finding of its wait.
bool need_not_have_waited(const std::vector<Interval>& waits, const std::vector<Interval>& reads, Ns done, Ns until)
{
    const auto after
        = std::partition_point(waits.begin(), waits.end(), [&](const Interval& wait) { return wait.start < until; });
    if (after == waits.begin() || std::prev(after)->end < done - ordinary_call) {
        return false;
    }
    return std::none_of(reads.begin(), reads.end(),
        [&](const Interval& read) { return read.start >= std::prev(after)->end && read.start < until; });
}

/// When the first operation of an iteration began, and when the last one to end did.
struct WorkOfIteration {
    Ns start = INT64_MAX, end = INT64_MIN;
    Row first = no_row;  ///< the operation that began first
};

/// An operation is of the iteration that its call was made in or after.
std::vector<WorkOfIteration> work_of_iterations(const Search& search, const std::vector<Interval>& iterations)
{
    const auto& ops = search.trace.operations;
    std::vector<WorkOfIteration> work(iterations.size());
    for (Row row = 0; row < ops.size(); ++row) {
        const Row call = search.issuer(row);
        if (call == no_row) {
            continue;
        }
        const Ns issued = search.trace.calls.start[call];
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
    return work;
}

}  // namespace

Candidate find_idle_between_iterations(const Search& search)
{
    const auto& trace = search.trace;
    Candidate found;
    found.rule = "idle-between-iterations";
    const Ns idle = search.report.wall - search.report.gpu_busy;
    if (!search.is_worth_it(idle) || trace.ranges.size() < least_iterations) {
        return found;
    }
    // A pattern of launches does not say where an iteration ends and something else begins.
    const auto& repetition = search.graph.repetition();
    if (!repetition || repetition->steady.found != SteadyState::Found::ranges) {
        return found;
    }
    const auto& iterations = repetition->iterations;
    const bool ends_at_start = is_call_of_pytorch(trace, repetition->steady);
    const auto reads = reads_of_threads(trace);
    const auto waits = waits_of_threads(search);
    const auto work = work_of_iterations(search, iterations);
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
        if (done != INT64_MIN && thread != no_row && done < until
            && !need_not_have_waited(waits[thread], reads[thread], done, until)) {
            const auto own = subtract(clip({{done, until}}, search.report.range), unite(reads[thread]));
            if (const Ns time = length(own); time > ordinary_call) {
                found.evidence.add({EventTable::operations, work[i].first}, time);
                for (const auto& stretch : own) {
                    found.taken.push_back(stretch);
                    found.save(thread, stretch);
                }
            }
        }
        done = std::max(done, work[i].end);
    }
    found.bound_by_taken();
    return found;
}

}  // namespace lanes
