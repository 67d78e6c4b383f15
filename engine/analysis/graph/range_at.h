// SPDX-License-Identifier: MIT
// In which named range of its thread a stretch of time lies: what a program itself calls what it did then.
#pragma once

#include "engine/trace/trace.h"

#include <vector>

namespace lanes {

/// Trace must outlive it. Cost: linear in the ranges, 4 bytes each.
class RangesByThread {
public:
    explicit RangesByThread(const Trace& trace);

    /// The innermost range of `thread` that nine tenths of `stretch` lie in, or where there is none the shortest of
    /// another thread of its process that half of it lies in; into Trace::ranges, no_row: none. Of each thread the last
    /// 64 are looked at. Cost: log n for each thread.
    Row around(Row thread, Interval stretch) const;

private:
    Row within(Row thread, Interval stretch, Ns least) const;

    const Trace* m_trace;
    std::vector<std::vector<Row>> m_rows;  ///< by thread, by start
};

}  // namespace lanes
