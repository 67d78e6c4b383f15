// SPDX-License-Identifier: MIT
// The marks of a recording as they are drawn: a flag with its text on the ruler, a line down the lanes. On the screen
// and in pictures.
#pragma once

#include "gui/paint/label_painter.h"
#include "gui/paint/timeline_frame.h"

#include <optional>

namespace lanes::gui {

/// A mark's flag, in logical pixels of the frame.
struct MarkFlag {
    std::size_t mark;  ///< in Recording::marks
    double x;  ///< of the line
    QRectF box;
    QString text;  ///< what of its text has room before the next flag; "" where none has
};

/// The flags of the marks that are in sight, in the order of time.
std::vector<MarkFlag> flagsOf(const TimelineFrame& frame, LabelPainter& labels);

/// The mark whose flag lies at a point.
std::optional<std::size_t> markAt(const TimelineFrame& frame, QPointF at, LabelPainter& labels);

/// The left side for a plate on the ruler between `from` and `to`: as near to its own as the flags let it, or its own
/// where they leave no room.
double besideFlags(const std::vector<MarkFlag>& flags, const QRectF& plate, double from, double to);

void paintMarks(const TimelineFrame& frame, QPainter& painter, LabelPainter& labels, bool vector);
/// Over them, the one that is selected in a window.
void paintChosenMark(const TimelineFrame& frame, std::size_t mark, QPainter& painter, LabelPainter& labels);

}  // namespace lanes::gui
