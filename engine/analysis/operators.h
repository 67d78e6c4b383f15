// SPDX-License-Identifier: MIT
// PyTorch's operators, which a trace of its profiler and our own recording of PyTorch have as ranges: work of the CPU.
#pragma once

#include "engine/analysis/recording_bounds.h"

namespace lanes {

/// Calls `take(row)` for each range that touches `within` and is an operator in no other one of its thread, by start.
/// Nothing in recordings that others made: a range is then no more than a name. Cost: the ranges of `within`.
template <class Take> void each_operator(const Trace& trace, const RecordingBounds& bounds, Interval within, Take take)
{
    if (trace.source != Source::kineto && trace.source != Source::cupti) {
        return;
    }
    std::vector<Ns> until(trace.threads.size(), INT64_MIN);  // of each thread, where its outermost operator ends
    each_touching(trace.ranges, bounds.ranges, within, [&](Row row) {
        const auto& range = trace.ranges[row];
        const auto kind = trace.text(range.domain);
        if (range.thread != no_row && !range.mark && range.end > until[range.thread]
            && (kind == operator_domain || kind == "Operator")) {
            until[range.thread] = range.end;
            take(row);
        }
    });
}

}  // namespace lanes
