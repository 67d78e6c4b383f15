// SPDX-License-Identifier: MIT
// Draws one recording: title row, ruler, lanes and their names. The view on the
// screen and the picture files are drawn by this same code.
//
// Everything that it draws follows from a TimelineFrame. Selection, hover and
// arrows are no part of it: see timeline_overlay.h.
#pragma once

#include "gui/paint/label_painter.h"
#include "gui/paint/over/gpu_time_painter.h"
#include "gui/paint/row_painter.h"
#include "gui/paint/ruler_ticks.h"

#include <bitset>

namespace lanes::gui {

class TimelinePainter {
public:
    /// On an RGB32 image of at least geometry.size · ratio pixels, with its top left corner at `offset` device pixels.
    void paint(const TimelineFrame& frame, QImage& image, QPoint offset = {});
    /// On a vector device, with the frame's top left corner at the painter's origin.
    void paint(const TimelineFrame& frame, QPainter& painter);

    LabelPainter& labels() { return m_labels; }
    /// Where the texts of items are that were drawn last, in logical pixels of the frame.
    const std::vector<QRectF>& textBoxes() const { return m_textBoxes; }
    /// The roles whose mark a bar carries, in all that was painted.
    const std::bitset<itemRoleCount>& marked() const { return m_marked; }

private:
    struct Target {
        QPainter& painter;
        bool vector;
    };
    void paintGround(const TimelineFrame& frame, Target target, const RulerTicks& ticks);
    void paintText(const TimelineFrame& frame, Target target, const RulerTicks& ticks);
    void paintItemLabels(const TimelineFrame& frame, Target target);
    void paintPending(const TimelineFrame& frame, Target target);
    void paintTitle(const TimelineFrame& frame, Target target);
    void paintRuler(const TimelineFrame& frame, Target target, const RulerTicks& ticks);
    void paintEnd(const TimelineFrame& frame, Target target);

    LabelPainter m_labels;
    RowPainter m_rows;
    std::vector<GpuGraph> m_graphs;
    std::vector<QRectF> m_textBoxes;
    std::bitset<itemRoleCount> m_marked;
};

}  // namespace lanes::gui
