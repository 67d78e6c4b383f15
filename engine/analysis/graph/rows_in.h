// SPDX-License-Identifier: MIT
#pragma once

#include "engine/analysis/graph/graph.h"

#include <algorithm>
#include <vector>

namespace lanes {

inline constexpr Ns clock_grain = 1'000;  ///< as exactly as one knows that one ended before another began, ns

/// The operations that touch `range`, in the order of their starts. Of a stream up to 256 operations are looked through
/// for one that began before the range and reaches into it. Cost: what there is, and log n for each stream.
inline std::vector<Row> rows_in(const Graph& graph, Interval range)
{
    constexpr std::size_t looked_back = 256;
    const auto& ops = graph.trace().operations;
    const auto& order = graph.dependencies().operations;
    const auto first
        = std::partition_point(order.begin(), order.end(), [&](Row row) { return ops.start[row] < range.start; });
    std::vector<Row> rows;
    for (Row stream = 0; range.start > 0 && stream < graph.trace().streams.size(); ++stream) {
        const auto of = graph.trace().operations_of(stream);
        const auto begin = ops.start.begin();
        auto row = static_cast<Row>(std::lower_bound(begin + of.begin, begin + of.end, range.start) - begin);
        for (std::size_t i = 0; i < looked_back && row > of.begin; ++i) {
            if (ops.end[--row] > range.start) {
                rows.push_back(row);
            }
        }
    }
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
