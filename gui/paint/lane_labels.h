// SPDX-License-Identifier: MIT
// The column left of the lanes: what each is called, the triangle that collapses it,
// the pin of a pinned one, and under the last lane how many are hidden. The same code
// decides where it is drawn and where the mouse hits it.
#pragma once

#include "gui/paint/label_painter.h"
#include "gui/paint/timeline_frame.h"

#include <optional>
#include <QStringList>

namespace lanes::gui {

enum class LabelPart : std::uint8_t { none, name, triangle, hidden };

struct LabelHit {
    LabelPart part = LabelPart::none;
    std::size_t lane = 0;  ///< in LaneModel::lanes(), of a name or a triangle
};

/// What of the label column is at a point of the frame.
LabelHit labelAt(const TimelineFrame& frame, QPointF at);

/// Room for the pill that shows how busy a lane is, right of its name, in logical pixels of the frame; nothing where
/// the lane is out of sight or the frame has no pills.
std::optional<QRectF> pillBoxOf(const TimelineFrame& frame, const PlacedLane& lane);

/// Where a lane's name is over its rows in a compact frame, or beside them in a tight one; empty where it has none.
QRectF compactNameBox(const TimelineFrame& frame, const PlacedLane& lane, LabelPainter& labels);

/// Lines for a tooltip: the whole name, what it is and mostly does.
QStringList labelTip(const TimelineFrame& frame, std::size_t lane);

void paintLaneLabels(const TimelineFrame& frame, QPainter& painter, LabelPainter& labels, bool vector);

}  // namespace lanes::gui
