// SPDX-License-Identifier: MIT
#include "engine/analysis/figures/first_operators.h"

#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/figures/operators.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <unordered_set>

namespace lanes {

std::vector<IntervalSet> first_operators(const Trace& trace)
{
    std::vector<IntervalSet> first;
    const auto outermost = outermost_operators(trace);
    std::vector<bool> is_long(trace.ranges.size());
    bool any = false;
    for (const auto& rows : outermost) {
        for (const Row row : rows) {
            is_long[row] = trace.ranges[row].end - trace.ranges[row].start > loads_code;
            any = any || is_long[row];
        }
    }
    if (!any) {
        return first;
    }
    first.resize(trace.threads.size());
    std::unordered_set<std::uint64_t> seen;  // process and name
    for (Row row = 0; row < trace.ranges.size(); ++row) {
        const auto& range = trace.ranges[row];
        if (is_operator(trace, row)) {
            const auto key = std::uint64_t {trace.threads[range.thread].process} << 32U | range.name;
            if (seen.insert(key).second && is_long[row]) {
                first[range.thread].push_back({range.start, range.end});
            }
        }
    }
    return first;
}

bool is_in_first_operator(const std::vector<IntervalSet>& first, Row thread, Ns time)
{
    if (thread >= first.size()) {
        return false;
    }
    const auto& once = first[thread];
    const auto after
        = std::partition_point(once.begin(), once.end(), [&](const Interval& span) { return span.start <= time; });
    return after != once.begin() && time < std::prev(after)->end;
}

}  // namespace lanes
