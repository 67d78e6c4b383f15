// SPDX-License-Identifier: MIT
// The named ranges (NVTX, Python) and PyTorch operators in which a thread was at a time. Whose work an operation is,
// owners.h says.
#pragma once

#include "engine/trace/trace.h"

#include <vector>

namespace lanes {

/// Whether a range that began by `time` contains it.
inline bool holds(const Range& range, Ns time)
{
    return time < range.end || (range.open && time == range.end);
}

/// The ranges of `thread` that contain `time`, the innermost first; none if `thread` is no_row. Cost: log n, and the
/// ranges of all threads that began since the thread's last outermost one.
std::vector<Row> ranges_around(const Trace& trace, Row thread, Ns time);

}  // namespace lanes
