// SPDX-License-Identifier: MIT
// Where the arrows between items run, and what is shown at the edge of the view for an end that is not in sight: in
// which direction it lies, its name and how much earlier or later it is. Drawn from this, and hit by clicks.
#pragma once

#include "engine/analysis/graph/links.h"
#include "gui/paint/label_painter.h"
#include "gui/paint/timeline_frame.h"

#include <optional>

namespace lanes::gui {

/// An end that is out of sight.
struct ArrowEdge {
    ItemRef item;
    QString text;  ///< "matmul, 3.2 ms later"; empty where there is no room for it beside bars
    QRectF box;  ///< of the text; a click on it goes to the item
    QPointF tip, direction;  ///< of the small head at the edge
};

struct Arrow {
    Link link;
    QPointF start, end;
    bool down = true;  ///< runs downwards
    bool within = false;  ///< one row: it leaves the bar below and comes back from below
    std::optional<ArrowEdge> from, to;
    QColor color;  ///< by the kind of the link
};

/// The arrows of these links, with edges where `edges`; without, those alone that have both ends in sight. Links
/// between items that are both out of sight have labels on both ends.
std::vector<Arrow> layoutArrows(
    const TimelineFrame& frame, const std::vector<Link>& links, bool edges, LabelPainter& labels);

/// The item whose label is at the edge of the view, at a point; none where there is no label.
ItemRef edgeItemAt(const TimelineFrame& frame, const std::vector<Link>& links, QPointF at, LabelPainter& labels);

void paintArrows(
    const TimelineFrame& frame, const std::vector<Arrow>& arrows, QPainter& painter, LabelPainter& labels, bool slight);

/// The links of all items in sight, where these are at most `most`; `inSight` gets how many there are.
std::vector<Link> linksInSight(const TimelineFrame& frame, std::size_t most, std::size_t* inSight);

}  // namespace lanes::gui
