// SPDX-License-Identifier: MIT
// Draws counters as curves of steps over a filled ground: a column of pixels reaches from the least to the most value
// of its time. Scaled from 0 or the least value to the most of the whole recording, so that panning changes no height.
//
// Cost: a search a column, however many samples lie in it.
#pragma once

#include "gui/paint/label_painter.h"
#include "gui/paint/timeline_frame.h"

#include <vector>

namespace lanes::gui {

void paintCounters(const TimelineFrame& frame, QPainter& painter, bool vector);

/// The value of a counter in sight at a time, on a plate beside the cursor's line. Logical pixels of the frame.
struct CounterPlate {
    QRectF box;
    QPointF dot;  ///< on the curve
    QString text;
};
std::vector<CounterPlate> counterPlates(const TimelineFrame& frame, Ns cursor, LabelPainter& labels);
void paintCounterPlates(const TimelineFrame& frame, Ns cursor, QPainter& painter, LabelPainter& labels);

}  // namespace lanes::gui
