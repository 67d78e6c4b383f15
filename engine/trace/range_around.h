// SPDX-License-Identifier: MIT
// In which named range (NVTX, Python) or operator of PyTorch's a thread was at a time: under which it launched a
// kernel.
#pragma once

#include "engine/trace/trace.h"

#include <vector>

namespace lanes {

/// The innermost range around the start of each call, its end not; into Trace::ranges, no_row: it was in none, or names
/// no thread. Cost: linear.
std::vector<Row> ranges_around_calls(const Trace& trace);

/// The ranges of `thread` that hold `time`, the innermost first; none where `thread` is no_row. Cost: log n, and the
/// ranges of all threads that began since the thread's last outermost one.
std::vector<Row> ranges_around(const Trace& trace, Row thread, Ns time);

}  // namespace lanes
