// SPDX-License-Identifier: MIT
// The time at the cursor, on a small plate in the ruler where its line begins.
#pragma once

#include "gui/paint/label_painter.h"
#include "gui/paint/timeline_frame.h"

#include <optional>

namespace lanes::gui {

/// A time as the ruler counts it, as fine as a pixel is.
QString timeInView(const TimelineFrame& frame, Ns time);

/// Logical pixels of the frame; nothing where the cursor is out of sight or the frame has no ruler.
std::optional<QRectF> cursorPlate(const TimelineFrame& frame, Ns cursor, LabelPainter& labels);

void paintCursorPlate(const TimelineFrame& frame, Ns cursor, QPainter& painter, LabelPainter& labels);

}  // namespace lanes::gui
