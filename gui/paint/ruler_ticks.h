// SPDX-License-Identifier: MIT
// Where the ticks of a frame's ruler lie: as many as there is room for their labels.
#pragma once

#include "gui/paint/label_painter.h"
#include "gui/paint/timeline_frame.h"

namespace lanes::gui {

/// What the ruler is labelled in.
inline constexpr LabelPainter::Style ruler_style {11, TextStyle::regular};

/// A ruler's ticks: the steps between labels, and what they are labelled.
struct RulerTicks {
    Ns step = 1;
    Ns first = 0;  ///< the first tick at or before the view's left edge
    static RulerTicks of(const TimelineFrame& frame, LabelPainter& labels);
};

}  // namespace lanes::gui
