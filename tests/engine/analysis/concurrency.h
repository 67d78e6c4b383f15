// SPDX-License-Identifier: MIT
// How many sets of time are busy at once, by sorting all their edges: what sweeps and indexes are compared with.
#pragma once

#include "engine/analysis/facts/intervals.h"

#include <algorithm>
#include <array>
#include <map>

namespace lanes {

/// A stretch in which `count` of the given sets were busy at once.
struct Level {
    Ns start, end;
    std::uint32_t count;
};

/// Covers `range` without gaps; neighbours differ in count.
inline std::vector<Level> concurrency(const std::vector<IntervalSet>& sets, Interval range)
{
    std::map<Ns, int> change {{range.start, 0}, {range.end, 0}};
    int open = 0;
    for (const IntervalSet& set : sets) {
        for (const auto& [start, end] : set) {
            ++change[start];
            --change[end];
        }
    }
    std::vector<Level> levels;
    for (auto at = change.begin(); at != change.end() && at->first < range.end; ++at) {
        open += at->second;
        const auto count = static_cast<std::uint32_t>(open);
        if (at->first < range.start) {
            continue;
        }
        if (levels.empty() || levels.back().count != count) {
            levels.push_back({at->first, range.end, count});
            if (levels.size() > 1) {
                levels[levels.size() - 2].end = at->first;
            }
        }
    }
    return levels;
}

/// How long none, one, two, and three or more of `sets` are busy at once; the sum is the range's length.
inline std::array<Ns, 4> time_at_depth(const std::vector<IntervalSet>& sets, Interval range)
{
    std::array<Ns, 4> sums {};
    for (const Level& level : concurrency(sets, range)) {
        sums[std::min(level.count, 3U)] += level.end - level.start;
    }
    return sums;
}

}  // namespace lanes
