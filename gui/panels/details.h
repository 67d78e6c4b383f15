// SPDX-License-Identifier: MIT
// Everything a recording says about one event, as names and values: for the details
// panel, its clipboard, and tooltips.
#pragma once

#include "gui/panels/event_ref.h"
#include "gui/panels/open_recording.h"

#include <vector>

namespace lanes::gui {

struct DetailField {
    QString name, value;
};

/// Empty for no event. Cost: linear in the blocked calls, else constant.
std::vector<DetailField> detailsOf(const OpenRecording& recording, EventRef event);

/// What the timeline calls the event: "matmul", "cudaMemcpyAsync".
QString nameOf(const Trace& trace, EventRef event);

/// The step of the workload that it belongs to; nullptr where there is none.
const StepInfo* stepOf(const OpenRecording& recording, EventRef event);

/// The blocked stretch of an API call; nullptr if it was not blocked.
const BlockedCall* blockedOf(const Blocking& blocking, EventRef event);

/// The other end: an operation's API call, a call's first operation or the one that released it; none if there is none.
/// Cost: linear in the operations for a call, constant for an operation.
EventRef partnerOf(const OpenRecording& recording, EventRef event);

}  // namespace lanes::gui
