// SPDX-License-Identifier: MIT
// Which lane of one recording is which of another: what is done to a lane of one of two compared recordings is done to
// its counterpart.
#pragma once

#include "gui/lanes/lane_model.h"

#include <map>

namespace lanes::gui {

/// From the keys of `from` to those of `to`: ribbons; processes and GPUs by their order; threads and streams of paired
/// headers by their names where both have one of that name, else by their order among those without a counterpart;
/// engines by what they do. Lanes without a counterpart are left out. Cost: lanes squared.
std::map<LaneKey, LaneKey> lanePairs(const LaneModel& from, const LaneModel& to);

}  // namespace lanes::gui
