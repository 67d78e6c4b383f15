// SPDX-License-Identifier: MIT
// What a thread does while a GPU works: the band under the overlap ribbon. Its sums are the report's: for the first
// thread, free and working together are Report::cpu_free.
#pragma once

#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/facts/intervals.h"
#include "engine/trace/trace.h"

namespace lanes {

/// Four disjoint sets, which add up to the time in which the GPU was busy.
struct BesideGpu {
    /// Gaps of up to this length between two calls or spans count as work of the thread: 20 µs, what a call may take
    /// without waiting for anything (docs/definitions.md).
    static constexpr Ns gap = 20'000;

    IntervalSet held;  ///< blocked
    IntervalSet waiting;  ///< in a host wait: for another thread, not for a GPU; not held
    IntervalSet
        working;  ///< in an API call, in host work, or reading, or in a gap between these; neither held nor waiting
    IntervalSet free;  ///< none of these
};

/// `busy` is when the GPU works, `thread` is one whose blocked time is known (Blocking::knows). Cost: linear in the
/// calls, host spans and reads of the recording and in `busy`; 16 bytes an interval of the result.
BesideGpu beside_gpu(const Trace& trace, const Blocking& blocking, Row thread, const IntervalSet& busy);

}  // namespace lanes
