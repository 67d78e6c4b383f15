// SPDX-License-Identifier: MIT
// The head of a recording in a narrow picture: its letter, title and total, then its pills, which take as many lines as
// they need: nothing is elided but a single word that is wider than the picture.
#pragma once

#include "gui/paint/label_painter.h"
#include "gui/paint/timeline_frame.h"

#include <vector>

namespace lanes::gui {

class CompactHead {
public:
    /// The height in the frame's geometry counts for nothing.
    CompactHead(const TimelineFrame& frame, LabelPainter& labels);

    int height() const { return m_height; }
    void paint(QPainter& painter, LabelPainter& labels, bool vector) const;

private:
    struct Piece {
        double x, middle;
        QString text;
        LabelPainter::Style style;
        QColor color;
    };
    struct Plate {
        QRectF box;
        QColor color;
    };
    const Theme& m_theme;
    double m_width;
    std::vector<Plate> m_plates;
    std::vector<Piece> m_pieces;
    int m_height = 0;
};

}  // namespace lanes::gui
