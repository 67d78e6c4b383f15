// SPDX-License-Identifier: MIT
// What of a frame lies at a point of it, in its logical pixels, and what a tooltip says of that.
#pragma once

#include "gui/paint/timeline_frame.h"

#include <optional>
#include <QPointF>
#include <QStringList>

namespace lanes::gui {

/// The lane at the height of a point, whether over its name or its rows; null between and below.
const PlacedLane* laneAt(const TimelineFrame& frame, QPointF at);

/// The item at a point, with three pixels' grace beside it. Cost: a binary search for every row that lies there.
ItemRef itemAt(const TimelineFrame& frame, QPointF at);

/// What the mouse rests on: the `item` there; over a column that holds several, how many and how busy it is; a lane,
/// with its figure in the scope. Empty where there is nothing.
QStringList tipAt(const TimelineFrame& frame, ItemRef item, QPointF at);

}  // namespace lanes::gui
