// SPDX-License-Identifier: MIT
// Everything a recording says about one event, as names and values: for the details
// panel, its clipboard, and tooltips.
#pragma once

#include "gui/panels/open_recording.h"
#include "gui/timeline/recording.h"

#include <vector>

namespace lanes::gui {

struct DetailField {
    QString name, value;
};

/// What the panels show for an item of a lane: a blocked stretch is its API call; the overlap ribbon is no event.
ItemRef eventOf(const Recording& recording, ItemRef item);

/// Empty for no event. Cost: linear in the blocked calls, else constant.
std::vector<DetailField> detailsOf(const OpenRecording& recording, ItemRef item);

/// What the timeline calls the event: "matmul", "cudaMemcpyAsync".
QString nameOf(const Trace& trace, ItemRef event);

/// The step of the workload that it belongs to; nullptr where there is none.
const StepInfo* stepOf(const OpenRecording& recording, ItemRef event);

/// The blocked stretch of an API call; nullptr if it was not blocked.
const BlockedCall* blockedOf(const Blocking& blocking, ItemRef event);

}  // namespace lanes::gui
