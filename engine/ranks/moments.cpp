// SPDX-License-Identifier: MIT
#include "engine/ranks/moments.h"

#include "engine/analysis/facts/call_class.h"

#include <algorithm>
#include <tuple>

namespace lanes {

void add_moments(const Trace& trace, Row operation, std::vector<Moment>& moments, Ns& issue)
{
    const auto& ops = trace.operations;
    moments.push_back({ops.start[operation], operation, Moment::begins});
    const Ns start = ops.start[operation], end = ops.end[operation];
    // After its own begin.
    moments.push_back({std::min(end, std::max(start + 1, end - most_rounding)), operation, Moment::ends});
    if (const Row call = outermost(trace.calls, ops.call[operation]); call != no_row) {
        issue = std::min(issue, ops.start[operation] - trace.calls.start[call]);
    }
}

void sort_moments(std::vector<Moment>& moments)
{
    std::sort(moments.begin(), moments.end(), [](const Moment& a, const Moment& b) {
        return std::tie(a.time, a.what, a.row) < std::tie(b.time, b.what, b.row);
    });
}

}  // namespace lanes
