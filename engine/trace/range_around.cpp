// SPDX-License-Identifier: MIT
#include "engine/trace/range_around.h"

#include "engine/trace/sampled_range.h"

#include <algorithm>

namespace lanes {

namespace {

/// Calls `use(row)` with the ranges of `thread` that contain `time`, from the last to begin; of those that begin
/// together the longest first. Ends where no earlier one can contain it: an outermost range begins when no other one of
/// its thread is open.
template <class Use> void visit_around(const Trace& trace, Row thread, Ns time, Use use)
{
    const auto later = std::upper_bound(trace.ranges.begin(), trace.ranges.end(), time,
        [](Ns start, const Range& range) { return start < range.start; });
    Ns outermost = 0;  // its start
    bool found = thread == no_row;
    for (auto at = later; at != trace.ranges.begin();) {
        const Range& range = *--at;
        if (found && range.start < outermost) {
            return;
        }
        if (range.thread != thread || range.mark || is_sampled(trace, range)) {
            continue;
        }
        if (range.depth == 0) {
            found = true;
            outermost = range.start;
        }
        if (holds(range, time)) {
            use(static_cast<Row>(at - trace.ranges.begin()));
        }
    }
}

}  // namespace

std::vector<Row> ranges_around(const Trace& trace, Row thread, Ns time)
{
    std::vector<Row> rows;
    visit_around(trace, thread, time, [&](Row row) { rows.push_back(row); });
    std::stable_sort(
        rows.begin(), rows.end(), [&](Row a, Row b) { return trace.ranges[a].depth > trace.ranges[b].depth; });
    return rows;
}

}  // namespace lanes
