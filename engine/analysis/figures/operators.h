// SPDX-License-Identifier: MIT
// PyTorch's operators: work of the CPU. Traces of its profiler and our own recordings of PyTorch have them as ranges.
#pragma once

#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/figures/recording_bounds.h"
#include "engine/trace/operator_range.h"

namespace lanes {

/// By thread, the operators that are within no other one, by start. Cost: linear in the ranges.
inline std::vector<std::vector<Row>> outermost_operators(const Trace& trace)
{
    std::vector<std::vector<Row>> operators(trace.threads.size());
    std::vector<Ns> until(trace.threads.size(), INT64_MIN);
    for (Row row = 0; row < trace.ranges.size(); ++row) {
        const auto& range = trace.ranges[row];
        if (is_operator(trace, row) && range.end > until[range.thread] && range.start >= until[range.thread]) {
            until[range.thread] = range.end;
            operators[range.thread].push_back(row);
        }
    }
    return operators;
}

/// Calls `take(row)` for each outermost operator of each thread that touches `within`, by start. For none in recordings
/// of other tools, where a range is no more than a name. Cost: the ranges of `within`.
template <class Take> void each_operator(const Trace& trace, const RecordingBounds& bounds, Interval within, Take take)
{
    if (trace.source != Source::kineto && trace.source != Source::cupti) {
        return;
    }
    std::vector<Ns> until(trace.threads.size(), INT64_MIN);  // of each thread, where its outermost operator ends
    each_touching(trace.ranges, bounds.ranges, within, [&](Row row) {
        const auto& range = trace.ranges[row];
        if (is_operator(trace, row) && range.end > until[range.thread]) {
            until[range.thread] = range.end;
            take(row);
        }
    });
}

/// By thread, when it was blocked, by start. Cost: the stretches.
inline std::vector<IntervalSet> blocked_by_thread(const Trace& trace, const Blocking& blocking)
{
    std::vector<IntervalSet> blocked(trace.threads.size());
    for (const auto& stretch : blocking.calls) {  // by start
        if (const Row thread = trace.calls.thread[stretch.call]; thread != no_row) {
            blocked[thread].push_back({stretch.start, stretch.end});
        }
    }
    return blocked;
}

/// Calls `take(row, part)` for each part of each such operator in which its thread was not blocked: an operator that
/// waits in a call does not work. `blocked`: of blocked_by_thread(). Cost: also log n of the stretches, and those
/// within.
template <class Take>
void each_working_operator(const Trace& trace, const RecordingBounds& bounds, const std::vector<IntervalSet>& blocked,
    Interval within, Take take)
{
    each_operator(trace, bounds, within, [&](Row row) {
        const auto& range = trace.ranges[row];
        const auto& waits = blocked[range.thread];
        Ns from = range.start;
        auto wait = std::partition_point(
            waits.begin(), waits.end(), [&](const Interval& each) { return each.end <= range.start; });
        for (; wait != waits.end() && wait->start < range.end; ++wait) {
            if (from < wait->start) {
                take(row, Interval {from, wait->start});
            }
            from = std::max(from, wait->end);
        }
        if (from < range.end) {
            take(row, Interval {from, range.end});
        }
    });
}

}  // namespace lanes
