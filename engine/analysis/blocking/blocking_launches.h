// SPDX-License-Identifier: MIT
// Launches that return only when their kernels are done, as CUDA_LAUNCH_BLOCKING=1 makes all of a process.
#pragma once

#include "engine/analysis/facts/call_class.h"
#include "engine/trace/trace.h"

#include <vector>

namespace lanes {

/// An ordinary launch may by chance return just as its own tiny kernel ends. So whether a process waits in its launches
/// is decided from all of them: 95 % of those with a kernel returned only when it was done, and at least one lasted
/// while more than 20 us of its kernel ran and returned within 20 us plus a fiftieth of that time of its end, which no
/// ordinary launch does. On H100s a launch returns 8 to 24 us after a kernel of 9 ms: the thread has to be woken.
class BlockingLaunches {
public:
    /// `classes` are call_classes(trace), `late` is gpu_clock_late(trace). Cost: linear in operations, 4 bytes a call
    /// while `trace` has kernels.
    BlockingLaunches(const Trace& trace, const std::vector<CallClass>& classes, Ns late);

    /// The operation that a launch issued and waited for; no_row: it did not wait, or is no launch.
    Row awaited(Row call) const { return m_awaited.empty() ? no_row : m_awaited[call]; }

private:
    std::vector<Row> m_awaited;  ///< by outermost call; empty: no process waits in its launches
};

}  // namespace lanes
