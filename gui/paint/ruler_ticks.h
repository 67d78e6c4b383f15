// SPDX-License-Identifier: MIT
// Where the ticks of a frame's ruler lie: as many as there is room for their labels.
#pragma once

#include "gui/paint/label_painter.h"
#include "gui/paint/timeline_frame.h"

#include <cstdint>
#include <optional>
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
    LabelPainter::Style style = ruler_style;
    bool isEnd = false;  ///< endFigureIn()
};

/// The figures that are drawn: those of the ticks that have room for all of their text beside the flags of marks,
/// the recording's length and clockFigure(), then these two.
std::vector<RulerFigure> rulerFigures(const TimelineFrame& frame, const RulerTicks& ticks, LabelPainter& labels);

/// How far two moments that are drawn at the same place may really be apart, because different clocks measured them; 0:
/// one clock did, or nothing bounds it. Both are in a frame, or the second is in the frame that is aligned with it.
/// `aligned`: Alignment::uncertainty.
Ns clockUncertainty(const Trace& trace, Ns aligned);

/// "clocks ± 21 µs" at the ruler's end: how well the clocks of what is shown are known. Nothing where they are one, or
/// where it would take much of a short ruler.
std::optional<RulerFigure> clockFigure(const TimelineFrame& frame, LabelPainter& labels);

/// How long the recording is, in the height of `place`: right of the line at its end, or else left of it.
RulerFigure endFigureIn(const TimelineFrame& frame, const QRectF& place, LabelPainter& labels);

/// Where that is, if the lanes leave room under them.
std::optional<QRectF> placeUnderLanes(const TimelineFrame& frame);

/// `plate` with the figures that it would lie on: a plate on the ruler covers them whole, as half of a figure is
/// another one.
QRectF overFigures(const TimelineFrame& frame, const QRectF& plate, LabelPainter& labels);

}  // namespace lanes::gui
