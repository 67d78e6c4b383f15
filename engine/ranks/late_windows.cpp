// SPDX-License-Identifier: MIT
#include "engine/ranks/late_windows.h"

#include <algorithm>

namespace lanes {

std::vector<std::pair<std::size_t, std::size_t>> late_windows(
    const Trace& trace, const Collectives& collectives, const LateRank& late, Interval range)
{
    std::vector<std::size_t> of_group;
    for (std::size_t index = 0; index < collectives.all.size(); ++index) {
        const Ns begin = trace.operations.start[collectives.all[index].last];
        if (collectives.all[index].group == late.group && begin >= range.start && begin < range.end) {
            of_group.push_back(index);
        }
    }
    std::vector<std::pair<std::size_t, std::size_t>> windows;
    if (late.times == 0) {
        if (of_group.size() > 1) {
            windows.emplace_back(of_group.front(), of_group.back());
        }
        return windows;
    }
    const auto is_late
        = [&](std::size_t at) { return std::binary_search(late.where.begin(), late.where.end(), of_group[at]); };
    for (std::size_t at = 1; at < of_group.size(); ++at) {
        if (is_late(at)) {
            const std::size_t before = at - 1;
            while (at + 1 < of_group.size() && is_late(at + 1)) {
                ++at;
            }
            windows.emplace_back(of_group[before], of_group[at]);
        }
    }
    return windows;
}

}  // namespace lanes
