// SPDX-License-Identifier: MIT
// When CUDA starts up: the first call of a process that needs a context makes it, whichever call that is.
#pragma once

#include "engine/trace/trace.h"

#include <vector>

namespace lanes {

/// A call that takes longer than this before any GPU work of its process made a context in that time, ns. Measured: 40
/// to 200 ms on GPUs of servers.
inline constexpr Ns makes_context = 10'000'000;

struct CudaStart {
    Row call;  ///< outermost
    Interval span;  ///< from its start to its end, or to the first operation of its process if that begins earlier
};

/// At most one a process, in order of time: its first call of more than makes_context before its first operation,
/// unless it loads code or a call before it shows that there was a context: a recording may begin later. None of a
/// workload, whose set-up is not recorded. Cost: linear in the calls up to the last of these first operations.
std::vector<CudaStart> cuda_starts(const Trace& trace);

}  // namespace lanes
