// SPDX-License-Identifier: MIT
// The named range (NVTX, Python) or PyTorch operator in which a thread was at a time, such as when it launched a
// kernel.
#pragma once

#include "engine/trace/trace.h"

#include <vector>

namespace lanes {

/// The innermost range around the start (not the end) of each call; into Trace::ranges, no_row: there is none, or the
/// call names no thread. Cost: linear.
std::vector<Row> ranges_around_calls(const Trace& trace);

/// The ranges of `thread` that contain `time`, the innermost first; none if `thread` is no_row. Cost: log n, and the
/// ranges of all threads that began since the thread's last outermost one.
std::vector<Row> ranges_around(const Trace& trace, Row thread, Ns time);

}  // namespace lanes
