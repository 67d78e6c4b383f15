// SPDX-License-Identifier: MIT
// What lies over the drawn lanes: what stands out until the user changes it, which pictures show as well (the selection
// with its arrows, the selected range with its figures), and what passes with the mouse (outline of what is hovered,
// the cursor's line, the tooltip). Drawn on top of the kept picture, never into it.
#pragma once

#include "engine/analysis/graph/idle_reasons.h"
#include "engine/analysis/graph/links.h"
#include "gui/lanes/cause_chain.h"
#include "gui/lanes/edge_snap.h"
#include "gui/lanes/shown_path.h"
#include "gui/paint/item_box.h"
#include "gui/paint/label_painter.h"

#include <memory>
#include <optional>

namespace lanes::gui {

/// What stands out over the lanes.
struct TimelineHighlights {
    ItemRef selected;
    bool chains = false;  ///< with all of its arrows, and with the chain of its causes
    bool allArrows = false;  ///< and with the arrows of everything in sight
    std::optional<Interval> range = {};
    std::optional<Ns> anchor = {};  ///< where two recordings are aligned
    std::shared_ptr<const ShownIteration> iteration = {};  ///< shown alone; null: everything is shown
    std::shared_ptr<const ShownPath> path = {};  ///< the critical path; null: it is not shown
    std::shared_ptr<const IdleReasons> idle = {};  ///< why streams were idle; null: it is not shown
};

/// The figures of a range, and whether a filter hides some of what they are of.
QStringList rangeLinesOf(const LaneModel& model, Interval range);
/// The arrows of a selected item: one to the first that waited for it, as `]` goes; with `chains` those to everything
/// that it is linked to, as many as are drawn.
std::vector<Link> linksOfSelected(const Recording& recording, ItemRef selected, bool chains);

/// What is drawn and written of highlights, kept by whoever draws them.
class HighlightDetails {
public:
    /// Computes what is not of these highlights yet. Cost, where something changed: that of chainOf() and figuresOf().
    void follow(const LaneModel& model, const TimelineHighlights& highlights);
    /// Of the selected item.
    const std::vector<Link>& links() const { return m_links; }
    /// The causes of the selected item, where they are wanted.
    const std::vector<ChainStep>& chain() const { return m_chain; }
    /// The figures of the selected range.
    const QStringList& rangeLines() const { return m_rangeLines; }

private:
    const LaneModel* m_model = nullptr;  // it is only compared
    ItemRef m_selected;
    bool m_chains = false;
    std::optional<Interval> m_range;
    std::vector<Link> m_links;
    std::vector<ChainStep> m_chain;
    QStringList m_rangeLines;
};

/// What passes.
struct TimelineOverlay {
    ItemRef hovered;
    std::optional<Ns> cursor;  ///< a line through all lanes
    std::optional<Ns> step;  ///< a strong line: where one steps through the run
    std::array<std::optional<Snap>, 2> snaps;  ///< what the dragged range was snapped to
    std::optional<QRectF> zoomBox;  ///< while it is dragged
    std::optional<std::size_t> lane;  ///< the one in hand, in LaneModel::lanes()
    std::optional<double> dropLine;  ///< y in the frame: where a dragged lane would go
    QStringList tip;
    QPointF tipAt;
};

/// Where what passes with the mouse is drawn: the hovered item's outline, the tip, the cursor's line. Logical pixels of
/// the frame.
std::vector<QRectF> passingBoxes(const TimelineFrame& frame, const TimelineOverlay& overlay, LabelPainter& labels);

/// `texts`: boxes of the drawn items' texts, which the plates of the chain give way to.
void paintOverlay(const TimelineFrame& frame, const TimelineHighlights& highlights, const HighlightDetails& details,
    const TimelineOverlay& overlay, QPainter& painter, LabelPainter& labels, const std::vector<QRectF>& texts);

}  // namespace lanes::gui
