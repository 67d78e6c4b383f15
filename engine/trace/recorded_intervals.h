// SPDX-License-Identifier: MIT
// The parts in which the processes of a program were recorded, by the edges in their records.
#pragma once

#include "engine/trace/units.h"
#include "probes/record.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace lanes {

/// For each process its parts, on the records' own clock, in order and apart from each other. A part without a
/// beginning began with the process, and one without an end has not ended: the least and the largest Ns. Edges of no
/// process (of a workload's windows) are left out. Cost: sorts the edges.
inline std::map<std::uint32_t, std::vector<Interval>> recorded_intervals(std::vector<WindowRecord> edges)
{
    std::stable_sort(edges.begin(), edges.end(), [](const WindowRecord& a, const WindowRecord& b) {
        return std::pair(a.time, a.edge) < std::pair(b.time, b.edge);
    });
    constexpr Ns open = std::numeric_limits<Ns>::max();
    std::map<std::uint32_t, std::vector<Interval>> parts;
    for (const auto& edge : edges) {
        if (edge.process == 0) {
            continue;
        }
        auto& of_process = parts[edge.process];
        if (edge.edge == WindowRecord::begin) {
            of_process.push_back({edge.time, open});
        } else if (of_process.empty() || of_process.back().end != open) {
            of_process.push_back({std::numeric_limits<Ns>::min(), edge.time});
        } else {
            of_process.back().end = edge.time;
        }
    }
    return parts;
}

}  // namespace lanes
