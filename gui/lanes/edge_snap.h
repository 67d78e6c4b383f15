// SPDX-License-Identifier: MIT
// The starts and ends of items, for measuring from one to another. Cost: a binary search for every row.
#pragma once

#include "gui/lanes/lane_layout.h"
#include "gui/lanes/time_scale.h"

#include <optional>

namespace lanes::gui {

/// Where a range was snapped to.
struct Snap {
    Ns time = 0;
    std::size_t lane = 0;  ///< in LaneModel::lanes(): whose edge it is
    friend bool operator==(const Snap&, const Snap&) = default;
};

/// The edge nearest to `time` in the lane that is shown at `y` of the layout, at most `columns` of the scale away.
std::optional<Snap> snapAt(
    const LaneModel& model, const LaneLayout& layout, const TimeScale& scale, int y, Ns time, double columns);

/// The first edge after `time` (direction 1) or the last before it (-1), of a lane's items; of all lanes that are
/// shown where `lane` is nothing.
std::optional<Ns> nextEdge(
    const LaneModel& model, const LaneLayout& layout, std::optional<std::size_t> lane, Ns time, int direction);

}  // namespace lanes::gui
