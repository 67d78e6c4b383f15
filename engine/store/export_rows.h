// SPDX-License-Identifier: MIT
// Which row of a thread or stream a slice is drawn on, so that what is on one row nests.
#pragma once

#include "probes/record.h"

#include <cstddef>
#include <vector>

namespace lanes {

/// Puts slices on as few rows as their nesting allows. Invariant: what is on one row nests, or where `flat` does not
/// even overlap.
class NestingRows {
public:
    explicit NestingRows(bool flat) : m_flat(flat) {}
    /// The row for the next slice; slices come by start, the longer one first.
    std::size_t place(Ns start, Ns end)
    {
        for (std::size_t i = 0;; ++i) {
            if (i == m_open.size()) {
                m_open.emplace_back();
            }
            auto& open = m_open[i];
            while (!open.empty() && open.back() <= start) {
                open.pop_back();
            }
            if (open.empty() || (!m_flat && end <= open.back())) {
                open.push_back(end);
                return i;
            }
        }
    }

private:
    bool m_flat;
    std::vector<std::vector<Ns>> m_open;  // of each row, the ends of what is open, innermost last
};

}  // namespace lanes
