// SPDX-License-Identifier: MIT
// Prefetching for loops that go through tables in another order than theirs, where nearly every access would wait for
// memory: the processor's own prefetching does not follow that many places at once.
#pragma once

#include "engine/trace/trace.h"

#include <cstddef>
#include <vector>

namespace lanes {

inline constexpr std::size_t look_ahead_rows = 16;  ///< two lines of the cache, of 8 bytes a row

/// Fetches the rows a little after `row`. Cost: an instruction a column.
template <class... T> void look_ahead(std::size_t row, const std::vector<T>&... columns)
{
    const auto ahead = row + look_ahead_rows;
    const auto fetch = [ahead](const auto& column) {
        if (ahead < column.size()) {
            __builtin_prefetch(column.data() + ahead);
        }
    };
    (fetch(columns), ...);
}

/// The same for the rows to which `to` points a little after `row`.
template <class... T>
void look_ahead_through(const std::vector<Row>& to, std::size_t row, const std::vector<T>&... columns)
{
    const auto ahead = row + look_ahead_rows;
    if (ahead < to.size() && to[ahead] != no_row) {
        (__builtin_prefetch(columns.data() + to[ahead]), ...);
    }
}

}  // namespace lanes
