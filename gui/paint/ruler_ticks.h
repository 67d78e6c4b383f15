// SPDX-License-Identifier: MIT
// Where the ticks of a frame's ruler lie: as many as there is room for their labels.
#pragma once

#include "gui/paint/label_painter.h"
#include "gui/paint/timeline_frame.h"

#include <cstdint>
#include <QRectF>
#include <vector>

namespace lanes::gui {

/// What the ruler is labelled in.
inline constexpr LabelPainter::Style ruler_style {11, TextStyle::regular};

/// A ruler's ticks: the steps between labels, and what they are labelled.
struct RulerTicks {
    Ns step = 1;
    Ns first = 0;  ///< the first tick at or before the view's left edge
    std::int64_t count = 0;  ///< up to the right edge; 0: there is no ruler
    Ns at(std::int64_t tick) const { return first + tick * step; }
    static RulerTicks of(const TimelineFrame& frame, LabelPainter& labels);
};

/// A figure on the ruler, in logical pixels of the frame.
struct RulerFigure {
    QRectF box;
    QString text;
};

/// The figures that are drawn: those with room for all of them, beside the flags of marks.
std::vector<RulerFigure> rulerFigures(const TimelineFrame& frame, const RulerTicks& ticks, LabelPainter& labels);

/// `plate` with the figures that it would lie on: a plate on the ruler covers them whole, as half of a figure is
/// another one.
QRectF overFigures(const TimelineFrame& frame, const QRectF& plate, LabelPainter& labels);

}  // namespace lanes::gui
