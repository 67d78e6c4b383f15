// SPDX-License-Identifier: MIT
// Shows one iteration alone (TimelineFrame::iteration): covers what the lanes draw before and after it, and marks where
// it ends, where all others end (a line each, at the foot of the ruler) and where 5 to 95 % of them do (a shade).
//
// Cost: a rectangle a lane and one for each iteration in sight.
#pragma once

#include "gui/paint/label_painter.h"
#include "gui/paint/timeline_frame.h"

namespace lanes::gui {

/// Nothing where the frame shows no iteration alone. Under everything that a user places.
void paintIteration(const TimelineFrame& frame, QPainter& painter, LabelPainter& labels, bool vector);

}  // namespace lanes::gui
