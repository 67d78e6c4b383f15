// SPDX-License-Identifier: MIT
// What is written over a recording's lanes: its letter and title, pills that say what it was not measured by, where it
// is cut, its verdict and the filter, and a note.
#pragma once

#include "gui/paint/label_painter.h"
#include "gui/paint/timeline_frame.h"

#include <optional>

#include <vector>

namespace lanes::gui {

struct TitlePill {
    QString text;
    QColor ground, color;
    bool isJudged = false;  ///< the colours say what the clauses after the first one do
    QString reason = {};  ///< TitleVerdict::reason
};

/// In their order; none is empty.
std::vector<TitlePill> titlePills(const TimelineFrame& frame);

/// A text in that row, in logical pixels of the frame.
struct TitlePiece {
    double x;
    QString text;
    LabelPainter::Style style;
    QColor color;
    std::optional<QRectF> pill = {};  ///< what it lies on
    QColor ground = {};  ///< of the pill
};
struct TitleRow {
    std::vector<TitlePiece> pieces;
    double end = 0;  ///< where the last of them ends
};
/// Of a frame that has a title and is not compact.
TitleRow titleRow(const TimelineFrame& frame, LabelPainter& labels);

}  // namespace lanes::gui
