// SPDX-License-Identifier: MIT
// Chooses the row of a thread or stream for each slice, so that slices on one row nest.
#pragma once

#include "probes/record.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace lanes {

/// Puts slices on as few rows as their nesting allows, each on the first one that takes it. Invariant: slices on one
/// row nest or, if `flat`, do not even overlap. Cost: log n a slice.
class NestingRows {
public:
    explicit NestingRows(bool flat)
        : m_flat(flat)
    {
    }
    /// The row for the next slice; slices come by start, the longer one first.
    std::size_t place(Ns start, Ns end)
    {
        while (!m_ends.empty() && m_ends.top().first <= start) {
            const auto row = m_ends.top().second;
            m_ends.pop();
            m_open[row].pop_back();  // the innermost ends first
            set_room(row);
        }
        const auto row = first_with_room(end);
        m_open[row].push_back(end);
        m_ends.emplace(end, row);
        set_room(row);
        return row;
    }

private:
    static constexpr Ns all = std::numeric_limits<Ns>::max(), none = std::numeric_limits<Ns>::min();

    /// A node is the larger of the two below it, the leaves are the rows; 1 is the root.
    void set_room(std::size_t row)
    {
        const auto& open = m_open[row];
        auto node = m_leaves + row;
        m_room[node] = open.empty() ? all : m_flat ? none : open.back();
        for (node /= 2; node > 0; node /= 2) {
            m_room[node] = std::max(m_room[2 * node], m_room[2 * node + 1]);
        }
    }
    std::size_t first_with_room(Ns end)
    {
        if (m_room[1] < end) {
            grow();
        }
        std::size_t node = 1;
        while (node < m_leaves) {
            node = 2 * node + (m_room[2 * node] >= end ? 0 : 1);
        }
        return node - m_leaves;
    }
    void grow()
    {
        const auto rows = m_leaves;
        m_leaves *= 2;
        m_open.resize(m_leaves);
        m_room.assign(2 * m_leaves, all);
        for (std::size_t row = 0; row < rows; ++row) {
            m_room[m_leaves + row] = m_flat ? none : m_open[row].back();  // a slice takes all of a row
        }
        for (auto node = m_leaves - 1; node > 0; --node) {
            m_room[node] = std::max(m_room[2 * node], m_room[2 * node + 1]);
        }
    }

    using End = std::pair<Ns, std::size_t>;
    bool m_flat;
    std::size_t m_leaves = 1;
    /// By row: the ends of open slices, innermost last.
    std::vector<std::vector<Ns>> m_open = std::vector<std::vector<Ns>>(1);
    std::vector<Ns> m_room = std::vector<Ns>(2, all);  // the latest end that a row takes
    std::priority_queue<End, std::vector<End>, std::greater<>> m_ends;  // of all open slices
};

}  // namespace lanes
