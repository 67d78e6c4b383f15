// SPDX-License-Identifier: MIT
// A row of items as a scan for one view sees it, in ticks from the recording's start.
// Column k of the view lies between its edges k and k + 1.
#pragma once

#include "gui/lanes/occupancy_index.h"
#include "gui/lanes/time_scale.h"

#include <bit>
#include <cstdint>
#include <utility>

namespace lanes::gui {

template <class Items> struct RowView {
    /// From this length in columns on an item is drawn on its own. Its length alone counts, not where it lies: of
    /// equal items at the limit every second one would look wider.
    static constexpr int wide_columns = 3;

    const Items& items;
    const OccupancyIndex& index;
    const TimeScale& scale;
    std::size_t columns;
    bool tellsWide;  ///< else none is drawn on its own
    std::int64_t den = scale.den();
    std::int64_t num = scale.num();
    std::int64_t left = scale.first() * num;

    std::int64_t edge(std::size_t k) const { return left + static_cast<std::int64_t>(k) * num; }
    std::int64_t start(std::size_t i) const { return items.start(i) * den; }
    std::int64_t end(std::size_t i) const { return items.end(i) * den; }
    Ns wholeNs(std::int64_t tick) const { return tick >> std::countr_zero(static_cast<std::uint64_t>(den)); }

    /// From and to where an item would be drawn on its own.
    std::pair<std::int64_t, std::int64_t> snapped(std::size_t i) const
    {
        return {TimeScale::floorDivide(start(i) + num / 2, num) - scale.first(),
            TimeScale::floorDivide(end(i) + num / 2, num) - scale.first()};
    }
    bool isWide(std::size_t i) const { return tellsWide && end(i) - start(i) >= wide_columns * num; }
};

}  // namespace lanes::gui
