// SPDX-License-Identifier: MIT
// Draws the figures of the lanes right of their names: a pill each; hatched where it
// shows blocked time, outlined where it is for the selected range.
#pragma once

#include "gui/paint/lane_figure.h"
#include "gui/paint/lane_labels.h"

namespace lanes::gui {

void paintLanePills(const TimelineFrame& frame, QPainter& painter, LabelPainter& labels, bool vector);

/// What a lane's name and its figure take of the line over its rows in a compact frame, or beside them in a tight one;
/// empty where it has none.
QRectF compactTextBox(const TimelineFrame& frame, const PlacedLane& lane, LabelPainter& labels);

}  // namespace lanes::gui
