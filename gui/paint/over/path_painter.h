// SPDX-License-Identifier: MIT
// The critical path on the drawn lanes: a line along the foot of what is on it, which steps from lane to lane where one
// thing waited for another, an outline around each operation and call that is wide enough, and a veil over the rest.
//
// Cost: a few binary searches for every column that the path has parts in, on each lane; steps from lane to lane are
// drawn while there are few in sight.
#pragma once

#include "gui/lanes/shown_path.h"
#include "gui/paint/timeline_frame.h"

#include <QRectF>
#include <vector>

class QPainter;

namespace lanes::gui {

/// Over the lanes, under what is selected. A text on an item (`texts`, boxes in the frame) that is on the path in part
/// is all under the veil, and no line crosses it.
void paintPath(const TimelineFrame& frame, const ShownPath& path, QPainter& painter, const std::vector<QRectF>& texts);

/// As the legend shows it.
void paintPathSwatch(QPainter& painter, const Theme& theme, const QRectF& box);

}  // namespace lanes::gui
