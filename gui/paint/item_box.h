// SPDX-License-Identifier: MIT
// Where items lie in a frame: for outlines, arrows and what the mouse points at, and for plates that keep off them.
#pragma once

#include "gui/paint/timeline_frame.h"

#include <optional>
#include <QRectF>

namespace lanes::gui {

/// Where an item is drawn, in logical pixels of the frame, cut a little beyond the plot's sides; at least 3 wide.
/// Nothing where the item has no lane. It may lie above or below what the frame shows. Cost: of
/// LaneModel::find().
std::optional<QRectF> boxOf(const TimelineFrame& frame, ItemRef item);

/// How much of the lanes' bars lies under a plate, in square pixels. Cost: of LaneRow::busyIn() for each row under it.
double barsUnder(const TimelineFrame& frame, const QRectF& plate);

}  // namespace lanes::gui
