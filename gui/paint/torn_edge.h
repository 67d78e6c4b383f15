// SPDX-License-Identifier: MIT
// A picture of a part of a recording says so: in words, and at its sides, where the lanes are torn off and not at an
// end.
#pragma once

#include "gui/paint/timeline_frame.h"

#include <optional>
#include <QPainter>

namespace lanes::gui {

/// Which of the run goes on beyond the frame.
struct CutSides {
    bool left = false, right = false;
};
CutSides cutSides(const TimelineFrame& frame);

/// "shown, with percentages: 0 ms to 100 ms"; empty where all of the run is shown.
QString shownPartText(const TimelineFrame& frame);

/// Over the lanes, whatever has been drawn on them.
void paintTornEdges(const TimelineFrame& frame, QPainter& painter);

}  // namespace lanes::gui
