// SPDX-License-Identifier: MIT
#pragma once

#include "engine/analysis/graph/graph.h"

#include <algorithm>
#include <vector>

namespace lanes {

inline constexpr Ns clock_grain = 1'000;  ///< how exactly one knows that one ended before another began, ns

inline constexpr Row reach_looked_through = 256;  ///< operations of a stream before a time that may end after it

/// Operations that began before `time` and end after it, in no order; up to 256 of each stream are looked through.
/// Cost: log n for each stream.
inline std::vector<Row> rows_reaching(const Graph& graph, Ns time)
{
    const auto& ops = graph.trace().operations;
    std::vector<Row> rows;
    for (Row stream = 0; time > 0 && stream < graph.trace().streams.size(); ++stream) {
        const auto of = graph.trace().operations_of(stream);
        const auto begin = ops.start.begin();
        auto row = static_cast<Row>(std::lower_bound(begin + of.begin, begin + of.end, time) - begin);
        for (Row i = 0; i < reach_looked_through && row > of.begin; ++i) {
            if (ops.end[--row] > time) {
                rows.push_back(row);
            }
        }
    }
    return rows;
}

/// The operations that touch `range` and have a length, by start. Cost: linear in the result, and log n for each
/// stream.
inline std::vector<Row> rows_in(const Graph& graph, Interval range)
{
    const auto& ops = graph.trace().operations;
    const auto& order = graph.dependencies().operations;
    const auto first
        = std::partition_point(order.begin(), order.end(), [&](Row row) { return ops.start[row] < range.start; });
    std::vector<Row> rows = rows_reaching(graph, range.start);
    std::sort(rows.begin(), rows.end(),
        [&](Row a, Row b) { return ops.start[a] != ops.start[b] ? ops.start[a] < ops.start[b] : a < b; });
    for (auto at = first; at != order.end() && ops.start[*at] < range.end; ++at) {
        if (ops.end[*at] > ops.start[*at]) {
            rows.push_back(*at);
        }
    }
    return rows;
}

}  // namespace lanes
