// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/range_at.h"

#include <algorithm>

namespace lanes {

RangesByThread::RangesByThread(const Trace& trace)
    : m_trace(&trace)
    , m_rows(trace.threads.size())
{
    for (Row row = 0; row < trace.ranges.size(); ++row) {
        if (trace.ranges[row].thread != no_row && !trace.ranges[row].mark && !trace.ranges[row].open) {
            m_rows[trace.ranges[row].thread].push_back(row);
        }
    }
    for (auto& rows : m_rows) {
        std::stable_sort(
            rows.begin(), rows.end(), [&](Row a, Row b) { return trace.ranges[a].start < trace.ranges[b].start; });
    }
}

/// The shortest that `least` of the stretch lies in.
Row RangesByThread::within(Row thread, Interval stretch, Ns least) const
{
    constexpr std::ptrdiff_t looked_at = 64;
    const auto& ranges = m_trace->ranges;
    const auto& rows = m_rows[thread];
    auto at = std::partition_point(
        rows.begin(), rows.end(), [&](Row row) { return ranges[row].start <= stretch.end - least; });
    Row found = no_row;
    for (auto left = std::min(looked_at, at - rows.begin()); left > 0; --left) {
        const auto& range = ranges[*--at];
        const auto length = [&](Row row) { return ranges[row].end - ranges[row].start; };
        if (std::min(range.end, stretch.end) - std::max(range.start, stretch.start) >= least
            && (found == no_row || length(*at) < length(found))) {
            found = *at;
        }
    }
    return found;
}

Row RangesByThread::around(Row thread, Interval stretch) const
{
    constexpr Ns part = 10;
    if (thread == no_row) {
        return no_row;
    }
    const Ns length = stretch.end - stretch.start;
    Row found = within(thread, stretch, length - length / part);
    const auto process = m_trace->threads[thread].process;
    for (Row other = 0; found == no_row && other < m_rows.size(); ++other) {
        found = m_trace->threads[other].process == process ? within(other, stretch, length / 2) : no_row;
    }
    return found;
}

}  // namespace lanes
