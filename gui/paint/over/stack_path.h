// SPDX-License-Identifier: MIT
// The line over the rows of a thread with a deep stack: the frames that are around all of the view and so have no row,
// as a path, and the triangle that unfolds the stack. Where there is no such line, the triangle is beside the first
// row, at the right of the lane's name.
#pragma once

#include "gui/paint/label_painter.h"
#include "gui/paint/timeline_frame.h"

#include <functional>

namespace lanes::gui {

/// "<module> › main › … › run": all of the names, or as many of the first and last as `fits` lets through, at least the
/// last one; empty for none.
QString stackPath(const QStringList& names, const std::function<bool(const QString&)>& fits);

/// The lane whose triangle is at a point; null: there is none.
const PlacedLane* stackTriangleAt(const TimelineFrame& frame, QPointF at);
/// The frames of the path at a point, a line each; empty where there is none.
QStringList stackPathTip(const TimelineFrame& frame, QPointF at);

void paintStackPaths(const TimelineFrame& frame, QPainter& painter, LabelPainter& labels, bool vector);

}  // namespace lanes::gui
