// SPDX-License-Identifier: MIT
// Where an item lies in a frame: for outlines, arrows and what the mouse points at. Cost: of LaneModel::find().
#pragma once

#include "gui/paint/timeline_frame.h"

#include <optional>
#include <QRectF>

namespace lanes::gui {

/// Where an item is drawn, in logical pixels of the frame, cut a little beyond the plot's sides; at least 3 wide.
/// Nothing where the item has no lane. It may lie above or below what the frame shows.
std::optional<QRectF> boxOf(const TimelineFrame& frame, ItemRef item);

}  // namespace lanes::gui
