// SPDX-License-Identifier: MIT
// How one GPU spent its time: kernels that compute, everything else that it did (communication, copies, memsets), and
// both at once.
#pragma once

#include "engine/analysis/facts/communication.h"
#include "engine/analysis/facts/intervals.h"

#include <stop_token>

namespace lanes {

/// Disjoint sets; what none of them holds is idle.
struct GpuTimes {
    IntervalSet side_by_side;  ///< a kernel computed, and something else ran as well
    IntervalSet compute_alone;  ///< kernels computed, and nothing else ran
    IntervalSet exposed;  ///< something ran, and no kernel computed
};

/// Of the part `range` of a trace. Cost: about 40 ns an operation of the GPU, and 16 bytes each while it works. Stopped
/// half-way its result is unspecified.
GpuTimes gpu_times(const Trace& trace, const CommunicationKernels& communicates, std::uint32_t device, Interval range,
    const std::stop_token& stop = {});

}  // namespace lanes
