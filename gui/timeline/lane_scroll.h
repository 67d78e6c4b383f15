// SPDX-License-Identifier: MIT
// Shows that there are more lanes than fit: a slim bar at the right edge, and lanes
// that fade where they are cut. On the screen alone; pictures hold all lanes.
#pragma once

#include "gui/paint/timeline_painter.h"

#include <optional>

namespace lanes::gui {

/// The bar's track, and its thumb that shows which part of the lanes is visible, in logical pixels of the frame. There
/// is no bar where all lanes fit.
struct ScrollBar {
    QRectF track, thumb;
    int most = 0;  ///< the greatest scroll
    static std::optional<ScrollBar> of(const TimelineFrame& frame);
    /// The scroll with the thumb's top moved by `pixels` from where it is at `scroll`.
    int scrolled(int scroll, double pixels) const;
};

void paintScrollBar(const TimelineFrame& frame, QPainter& painter);

}  // namespace lanes::gui
