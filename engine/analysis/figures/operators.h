// SPDX-License-Identifier: MIT
// PyTorch's operators: work of the CPU. Traces of its profiler and our own recordings of PyTorch have them as ranges.
#pragma once

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

}  // namespace lanes
