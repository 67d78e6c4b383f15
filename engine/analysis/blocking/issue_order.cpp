// SPDX-License-Identifier: MIT
#include "engine/analysis/blocking/issue_order.h"

#include <algorithm>

namespace lanes {

namespace {

/// A thread may be suspended between getting its call's id and the time of its start.
constexpr Ns late_stamp = 1'000'000;

}  // namespace

IssueOrder::IssueOrder(const Trace& trace)
{
    const auto& issued_by = trace.operations.call;
    if (std::find(issued_by.begin(), issued_by.end(), no_row) == issued_by.end()) {
        return;
    }
    const auto& calls = trace.calls;
    for (Row row = 0; row < calls.size(); ++row) {
        if (calls.thread[row] != no_row && calls.correlation[row] != 0) {
            m_calls[trace.threads[calls.thread[row]].process].push_back(
                {calls.correlation[row], calls.start[row], calls.end[row]});
        }
    }
    for (auto& [process, numbered] : m_calls) {
        std::sort(numbered.begin(), numbered.end(),
            [](const Numbered& a, const Numbered& b) { return a.correlation < b.correlation; });
        bool rises = true;
        for (std::size_t i = numbered.size() - 1; i-- > 0;) {
            const auto& later = numbered[i + 1];
            rises = rises && numbered[i].start <= later.end + late_stamp;
            numbered[i].start = std::min(numbered[i].start, later.start);
            numbered[i].end = std::min(numbered[i].end, later.end);
        }
        if (!rises) {
            numbered.clear();
        }
    }
}

Ns IssueOrder::before(std::uint32_t process, std::uint32_t correlation) const
{
    const auto of = m_calls.find(process);
    if (of == m_calls.end() || correlation == 0) {
        return INT64_MAX;
    }
    const auto next = std::upper_bound(of->second.begin(), of->second.end(), correlation,
        [](std::uint32_t id, const Numbered& call) { return id < call.correlation; });
    return next == of->second.end() ? INT64_MAX : next->start;
}

}  // namespace lanes
