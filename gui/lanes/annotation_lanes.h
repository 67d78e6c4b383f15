// SPDX-License-Identifier: MIT
// What lanes are called in annotations: the same in every language.
#pragma once

#include "gui/lanes/lane_model.h"

#include <string>
#include <vector>

namespace lanes::gui {

/// What the lanes are called in annotations, in the order of LaneModel::lanes(): "overlap", a thread's or a stream's
/// own name, "thread 7", "GPU 0", "GPU 0 H2D"; one that occurs again is "compute (2)".
std::vector<std::string> annotationLanes(const LaneModel& model);

}  // namespace lanes::gui
