// SPDX-License-Identifier: MIT
// Everything a recording says about one event, as names and values: for the details
// panel, its clipboard, and tooltips.
#pragma once

#include "gui/lanes/shown_path.h"
#include "gui/lanes/shown_recording.h"
#include "gui/session/open_recording.h"

#include <vector>

namespace lanes::gui {

struct DetailField {
    QString name, value;
};

/// Empty for no event. With the critical path, if it is known, also how much later an operation could have ended.
/// Cost: log n; of an operation also that of ranges_around().
std::vector<DetailField> detailsOf(const OpenRecording& recording, EventRef event, const ShownPath* path = nullptr);

/// What the timeline calls the event: "matmul", "cudaMemcpyAsync".
QString nameOf(const Trace& trace, EventRef event);

/// The step of the workload that it belongs to; nullptr where there is none.
const StepInfo* stepOf(const OpenRecording& recording, EventRef event);

}  // namespace lanes::gui
