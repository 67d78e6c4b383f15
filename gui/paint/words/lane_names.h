// SPDX-License-Identifier: MIT
// What a lane is called, in the window's language: from what the recording says of its thread, stream or GPU.
#pragma once

#include "gui/lanes/lane_model.h"

#include <QString>

namespace lanes::gui {

struct LaneName {
    QString title;
    QString subtitle;  ///< what it is or mostly does; may be empty
};

/// Of LaneModel::lanes()[lane]. Cost: about 1 us.
LaneName laneName(const LaneModel& model, std::size_t lane);

}  // namespace lanes::gui
