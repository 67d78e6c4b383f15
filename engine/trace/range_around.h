// SPDX-License-Identifier: MIT
// In which named range (NVTX, Python) or operator of PyTorch's a thread was at a time: under which it launched a
// kernel.
#pragma once

#include "engine/trace/trace.h"

#include <vector>

namespace lanes {

/// The innermost range of `thread` that holds `time`, its end not; into Trace::ranges, no_row: it was in none, or
/// `thread` is no_row. Cost: log n, and the ranges of all threads that began since the thread's last outermost one.
Row range_around(const Trace& trace, Row thread, Ns time);

/// That range and those that it lies in, the outermost last. Cost: as above.
std::vector<Row> ranges_around(const Trace& trace, Row thread, Ns time);

}  // namespace lanes
