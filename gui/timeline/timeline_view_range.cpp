// SPDX-License-Identifier: MIT
// TimelineView's selected range: dragged from edge to edge, and moved by keys.
#include "gui/timeline/timeline_view.h"

#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

constexpr double snap_pixels = 6;
constexpr double grip_pixels = 4;  // beside an edge of the range that still grip it

}  // namespace

/// The time at the mouse, at the nearest edge of an item in the lane under it unless Alt is held.
Ns TimelineView::snappedTime(QPointF at, Qt::KeyboardModifiers modifiers, std::optional<Snap>* snap) const
{
    const Ns time = timeAt(std::clamp<double>(at.x(), labelWidth(), area().width()));
    const TimelineFrame shown = frame();
    *snap = modifiers.testFlag(Qt::AltModifier)
        ? std::nullopt
        : snapAt(shown.model, shown.layout, shown.scale, shown.layoutY(at.y()), time, snap_pixels * shown.ratio);
    return *snap ? (*snap)->time : time;
}

/// The edge of the selected range at `x`: the time of the other edge, which stays where it is.
std::optional<Ns> TimelineView::gripAt(double x) const
{
    if (!m_model || !m_overlay.range) {
        return {};
    }
    const TimelineFrame shown = frame();
    const double toStart = std::fabs(shown.xOf(m_overlay.range->start) - x);
    const double toEnd = std::fabs(shown.xOf(m_overlay.range->end) - x);
    if (std::min(toStart, toEnd) > grip_pixels) {
        return {};
    }
    return toStart < toEnd ? m_overlay.range->end : m_overlay.range->start;
}

void TimelineView::beginRange(QPointF at, Qt::KeyboardModifiers modifiers)
{
    std::optional<Snap> snap;
    m_anchor = snappedTime(at, modifiers, &snap);
    m_overlay.snaps = {snap, std::nullopt};
}

void TimelineView::dragRange(QPointF at, Qt::KeyboardModifiers modifiers)
{
    const Ns time = snappedTime(at, modifiers, &m_overlay.snaps[1]);
    setSelectedRange(TimeSpan {std::min(m_anchor, time), std::max(m_anchor, time)});
    update();
}

/// Moves one edge of the range to the next edge of an item: of the selected item's lane, else of any lane. Without a
/// range, the selected item is the range.
void TimelineView::stepRange(bool end, int direction)
{
    if (!m_model) {
        return;
    }
    const auto place = m_overlay.selected ? m_model->find(m_overlay.selected) : std::nullopt;
    const auto row = place ? m_layout.find(place->lane, place->row) : std::nullopt;
    const std::optional<std::size_t> lane = row ? std::optional(row->lane->lane) : std::nullopt;
    if (!m_overlay.range) {
        if (m_overlay.selected) {
            setSelectedRange(spanOf(m_model->recording(), m_overlay.selected));
        } else if (const auto first = nextEdge(*m_model, m_layout, lane, visibleRange().start, 1)) {
            setSelectedRange(TimeSpan {*first, nextEdge(*m_model, m_layout, lane, *first, 1).value_or(*first)});
        }
        return;
    }
    TimeSpan range = *m_overlay.range;
    Ns& moved = end ? range.end : range.start;
    const auto next = nextEdge(*m_model, m_layout, lane, moved, direction);
    if (!next) {
        return;
    }
    moved = *next;
    if (range.start < range.end) {
        m_overlay.snaps = {};
        setSelectedRange(range);
        bringIntoSight({*next, *next});
    }
}

}  // namespace lanes::gui
