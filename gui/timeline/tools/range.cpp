// SPDX-License-Identifier: MIT
#include "gui/timeline/tools/range.h"

#include "gui/lanes/edge_snap.h"
#include "gui/paint/frame_hits.h"
#include "gui/paint/over/idle_painter.h"

#include <algorithm>
#include <cmath>
#include <QGuiApplication>
#include <QStyleHints>

namespace lanes::gui {

namespace {

constexpr double snap_pixels = 6;
constexpr double grip_pixels = 4;  // beside an edge of the range that still grip it

}  // namespace

/// The time at the mouse, at the nearest edge of an item in the lane under it unless Alt is held.
Ns RangeTool::snapped(const Pointer& pointer, std::optional<Snap>* snap) const
{
    const TimelineFrame frame = m_timeline.frame();
    const Ns time
        = frame.timeAt(std::clamp<double>(pointer.at.x(), frame.geometry.labelWidth, frame.geometry.size.width()));
    *snap = pointer.modifiers.testFlag(Qt::AltModifier)
        ? std::nullopt
        : snapAt(
            frame.model, frame.layout, frame.scale, frame.layoutY(pointer.at.y()), time, snap_pixels * frame.ratio);
    return *snap ? (*snap)->time : time;
}

/// The edge of the selected range at `x`: the time of the other edge, which stays where it is.
std::optional<Ns> RangeTool::gripAt(double x) const
{
    const auto range = m_timeline.state().highlights.range;
    if (!range) {
        return {};
    }
    const TimelineFrame frame = m_timeline.frame();
    const double toStart = std::fabs(frame.xOf(range->start) - x);
    const double toEnd = std::fabs(frame.xOf(range->end) - x);
    if (std::min(toStart, toEnd) > grip_pixels) {
        return {};
    }
    return toStart < toEnd ? range->end : range->start;
}

std::optional<Qt::CursorShape> RangeTool::hover(QPointF at)
{
    const bool grips = at.x() >= m_timeline.frame().geometry.labelWidth && gripAt(at.x());
    return grips ? std::optional(Qt::SizeHorCursor) : std::nullopt;
}

bool RangeTool::press(const Pointer& pointer)
{
    m_pressed = pointer.at;
    m_stays = gripAt(pointer.at.x());
    m_overlay.snaps = {};
    return pointer.button == Qt::LeftButton;
}

void RangeTool::move(const Pointer& pointer)
{
    if (!m_stays) {
        if (std::fabs(pointer.at.x() - m_pressed.x()) < QGuiApplication::styleHints()->startDragDistance() / 2.0) {
            return;
        }
        m_stays = snapped({m_pressed, pointer.button, pointer.modifiers}, &m_overlay.snaps[0]);
    }
    const Ns time = snapped(pointer, &m_overlay.snaps[1]);
    m_timeline.selectRange(Interval {std::min(*m_stays, time), std::max(*m_stays, time)});
}

void RangeTool::release(const Pointer& pointer)
{
    m_overlay.snaps = {};
    if (m_stays) {
        return;
    }
    ItemRef item = itemAt(m_timeline.frame(), pointer.at);
    if (const auto& idle = m_timeline.state().highlights.idle; idle && !item) {  // to what was kept waiting
        const IdlePart* part = idleAt(m_timeline.frame(), *idle, pointer.at);
        item = part != nullptr && part->operation != no_row ? ItemRef(ItemKind::operation, part->operation) : item;
    }
    if (!item) {
        m_timeline.selectRange({});
    }
    m_timeline.pick(item);
}

bool RangeTool::doubleClick(const Pointer& pointer)
{
    const ItemRef item = pointer.button == Qt::LeftButton ? itemAt(m_timeline.frame(), pointer.at) : ItemRef {};
    if (item) {
        m_timeline.select(item);
        m_timeline.zoomTo(spanOf(m_timeline.model()->recording(), item));
    }
    return static_cast<bool>(item);
}

}  // namespace lanes::gui
