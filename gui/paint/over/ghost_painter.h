// SPDX-License-Identifier: MIT
// The ghost of a predicted run over the lanes of the recorded one: where its operations would lie, as dashed outlines
// without a fill, a dashed line where it would end, and a plate that says what it is of and what it comes to.
#pragma once

#include "gui/lanes/stream_kinds.h"
#include "gui/paint/label_painter.h"
#include "gui/paint/timeline_frame.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <QPointF>
#include <QStringList>
#include <utility>
#include <vector>

namespace lanes::gui {

/// A predicted run, as far as it is drawn: when its operations run, each list inTurn().
struct GhostRun {
    std::vector<ByPart<std::vector<Interval>>> streams;  ///< by row of Trace::streams: all (whole), and those of a part
    std::map<std::pair<std::uint32_t, Engine>, std::vector<Interval>> engines;  ///< by device
    Ns end = 0;
};

/// By their starts, and none over another: what begins before the end of those before it begins at that end, and what
/// ends before it is left out.
std::vector<Interval> inTurn(std::vector<Interval> spans);

struct Ghost {
    std::shared_ptr<const GhostRun> run;  ///< null: not known yet
    ItemRef of;  ///< the operation that was pulled at; none: of no single one
    std::optional<Interval> pulled;  ///< what that operation itself would take, before more is known
    std::vector<Row> accepting;  ///< streams on which it could be dropped
    Row target = no_row;  ///< the one of them that it would be dropped on
    QStringList said;  ///< the lines of the plate
    std::optional<QPointF> at;  ///< where the mouse is, logical pixels of the frame; nothing: the plate is at `of`
};

/// Boxes of what of the run is in view, logical pixels of the frame. Operations too short for boxes of their own share
/// one where they are close together.
/// Cost: lanes times columns times log n, whatever is in view.
std::vector<QRectF> ghostBoxes(const TimelineFrame& frame, const GhostRun& run);

/// The plate of `ghost`; null: it says nothing. Beside the mouse, and within the frame.
std::optional<QRectF> ghostPlate(const TimelineFrame& frame, const Ghost& ghost, LabelPainter& labels);

void paintGhost(const TimelineFrame& frame, const Ghost& ghost, QPainter& painter, LabelPainter& labels);

}  // namespace lanes::gui
