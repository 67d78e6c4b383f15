// SPDX-License-Identifier: MIT
// How long GPU operations took and threads waited, by what they are drawn as: what the figures of a legend are made of.
#pragma once

#include "engine/analysis/recording.h"
#include "gui/lanes/item_role.h"

#include <array>
#include <stop_token>

namespace lanes::gui {

/// Sums of durations in ns, not the length of their union.
struct RoleTotals {
    std::array<Ns, itemRoleCount> of {};
    Ns all = 0;  ///< of GPU operations

    Ns operator[](ItemRole role) const { return of[static_cast<std::size_t>(role)]; }
    /// Of all of them, 0 to 1.
    double share(ItemRole role) const
    {
        return all == 0 ? 0 : static_cast<double>((*this)[role]) / static_cast<double>(all);
    }
};

/// Of a recording whose kernels are drawn by their families; operations are cut at the ends of the range. Filters do
/// not count. Cost: linear in the operations. Nothing of it is right once stopped.
RoleTotals roleTotals(const Trace& trace, Interval range, const std::stop_token& stop = {});

/// Adds how long threads were blocked in the range, by the look of each wait; not to `all`. Cost: linear in the waits.
void addWaits(RoleTotals& totals, const Recording& recording, Interval range);

}  // namespace lanes::gui
