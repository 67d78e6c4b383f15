// SPDX-License-Identifier: MIT
// Which lanes a picture shows whose height has no room for all of them: it cannot be scrolled.
#pragma once

#include "gui/lanes/lane_layout.h"

namespace lanes::gui {

/// `arranged` without as many lanes as it takes for the others to fit into `height` logical pixels: first threads that
/// called nothing in `range` and counters, then other threads, then streams and engines without work there. The ribbon
/// stays, and so do the first thread and lanes with GPU work, as long as there are others. Cost: a layout for each lane
/// that goes.
ArrangedLanes lanesWithRoom(
    const LaneModel& model, const ArrangedLanes& arranged, Interval range, int height, LaneDensity density);

}  // namespace lanes::gui
