// SPDX-License-Identifier: MIT
// How long a lane was busy in any stretch of time: the union of its rows, exact.
//
// Items of one row never overlap, so the first row's index answers for it; what the
// other rows add to it is kept as intervals. Cost: log n to ask; to make, n log n in the
// items of all rows but the first, and 24 bytes an interval of what these add. Lanes
// of one row cost nothing.
#pragma once

#include "engine/analysis/facts/intervals.h"
#include "gui/lanes/lane_row.h"

#include <optional>

namespace lanes::gui {

class LaneBusy {
public:
    LaneBusy() = default;
    /// Of rows of GPU operations; in() is given the same rows.
    explicit LaneBusy(const std::vector<LaneRow>& rows);

    /// Busy time of [start, end) in ns.
    Ns in(const std::vector<LaneRow>& rows, Ns start, Ns end) const;
    std::size_t bytes() const { return m_rest ? m_rest->set().size() * (sizeof(Interval) + sizeof(Ns)) : 0; }

private:
    std::optional<Coverage> m_rest;  // of the rows but the first, without the time of the first
};

}  // namespace lanes::gui
