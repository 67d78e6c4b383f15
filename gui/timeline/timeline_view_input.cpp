// SPDX-License-Identifier: MIT
// The hand of TimelineView: mouse, wheel, keys.
#include "gui/paint/arrows.h"
#include "gui/paint/item_text.h"
#include "gui/paint/time_format.h"
#include "gui/timeline/timeline_view.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

constexpr double grace = 3;  // logical pixels beside an item that still hit it
constexpr double wheel_zoom = 1.25;  // a notch

}  // namespace

Ns TimelineView::timeAt(double x) const
{
    return m_scale.timeAt((x - labelWidth()) * ratio());
}

/// The lane at the height of a point, whether over its name or its rows; null between and below.
const PlacedLane* TimelineView::laneAt(QPointF at) const
{
    if (!m_model || at.y() < FrameGeometry::title_height + FrameGeometry::ruler_height) {
        return nullptr;
    }
    const int lane = m_layout.laneAt(frame().layoutY(at.y()));
    return lane < 0 ? nullptr : &m_layout.lanes()[static_cast<std::size_t>(lane)];
}

ItemRef TimelineView::itemAt(QPointF at) const
{
    const PlacedLane* lane = at.x() < labelWidth() ? nullptr : laneAt(at);
    if (lane == nullptr || m_model->lanes()[lane->lane].key.kind == LaneKind::overlap) {
        return {};
    }
    const Ns from = timeAt(at.x() - grace);
    const Ns to = timeAt(at.x() + grace);
    const Ns here = timeAt(at.x());
    for (int row = m_layout.rowAt(static_cast<int>(lane - m_layout.lanes().data()), frame().layoutY(at.y())); row >= 0; --row) {
        const PlacedRow& placed = lane->rows[static_cast<std::size_t>(row)];
        const LaneRow& candidate = m_model->lanes()[placed.lane].rows[placed.row];
        const std::size_t best = candidate.nearest(from, here, to);
        if (best < candidate.items.size()) {
            return candidate.itemAt(best);
        }
        if (!placed.over) {
            break;
        }
    }
    return {};
}

ItemRef TimelineView::edgeItemAt(QPointF at)
{
    if (m_model && !m_overlay.links.empty()) {
        for (const Arrow& arrow : layoutArrows(frame(), m_overlay.links, true, m_painter.labels())) {
            for (const auto& edge : {arrow.from, arrow.to}) {
                if (edge && edge->box.contains(at)) {
                    return edge->item;
                }
            }
        }
    }
    return {};
}

void TimelineView::hover(QPointF at)
{
    const ItemRef item = itemAt(at);
    updatePassing();
    m_overlay.hovered = item;
    m_overlay.tip.clear();
    m_overlay.tipAt = at;
    if (item) {
        m_overlay.tip = tooltipOf(m_model->recording(), item);
    }
    hoverLabel(at);
    if (const PlacedLane* lane = at.x() < labelWidth() ? nullptr : laneAt(at)) {
        const int row = m_layout.rowAt(static_cast<int>(lane - m_layout.lanes().data()), frame().layoutY(at.y()));
        if (row >= 0) {
            hoverColumn(lane->rows[static_cast<std::size_t>(row)], at);
        }
    }
    updatePassing();
}

/// Over a column that holds several items the tip says how many and how busy.
void TimelineView::hoverColumn(const PlacedRow& at, QPointF mouse)
{
    const Lane& shown = m_model->lanes()[at.lane];
    const Ns start = timeAt(mouse.x());
    const Ns end = std::max(timeAt(mouse.x() + 1), start + 1);
    if (shown.key.kind == LaneKind::overlap) {
        const auto busyIn = [&](std::size_t i) { return shown.rows[i].busyIn(start, end); };
        const auto share = [&](Ns ns) { return formatShare(static_cast<double>(ns) / static_cast<double>(end - start)); };
        if (busyIn(0) == 0 && (start < 0 || start >= m_model->duration())) {
            return;
        }
        const Ns level[] = {end - start - busyIn(0), busyIn(0) - busyIn(1), busyIn(1) - busyIn(2), busyIn(2)};
        const QString words[] = {tr("idle"), tr("one thing at a time"), tr("two at once"), tr("three or more at once")};
        const auto most = static_cast<std::size_t>(std::max_element(std::begin(level), std::end(level)) - std::begin(level));
        m_overlay.tip = QStringList{words[most]};
        if (level[most] < end - start) {
            for (std::size_t i = 0; i < 4; ++i) {
                if (level[i] > 0) {
                    m_overlay.tip << tr("%1: %2 of this pixel").arg(words[i], share(level[i]));
                }
            }
        }
        return;
    }
    const LaneRow& r = shown.rows[at.row];
    const std::size_t from = r.items.firstEndingAfter(start);
    const std::size_t to = r.items.firstStartingAt(end);
    if (to > from + 1) {
        const double busy = static_cast<double>(r.busyIn(start, end)) / static_cast<double>(end - start);
        m_overlay.tip << tr("%1 here, busy %2: zoom in to tell them apart").arg(to - from).arg(formatShare(busy));
    }
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    setFocus(Qt::MouseFocusReason);
    m_pressed = inFrame(event->position());
    m_pressedScale = m_scale;
    m_overlay.tip.clear();
    const bool inPlot = m_model && m_pressed.x() >= labelWidth() && m_pressed.y() >= FrameGeometry::title_height;
    if (event->button() == Qt::LeftButton && pressScrollBar(m_pressed)) {
        m_drag = Drag::scroll;
        return;
    }
    if (!inPlot) {
        m_drag = m_model && event->button() == Qt::LeftButton ? Drag::label : Drag::none;
        return;
    }
    if (const auto mark = markAt(m_pressed); mark && event->button() == Qt::LeftButton) {
        goToMark(*mark);
        return;
    }
    if (const ItemRef item = edgeItemAt(m_pressed); item && event->button() == Qt::LeftButton) {
        follow(item);
        return;
    }
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ControlModifier))) {
        m_drag = Drag::box;
    } else if (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ShiftModifier)) {
        m_drag = Drag::pan;
        setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton) {
        const auto stays = gripAt(m_pressed.x());
        m_drag = stays ? Drag::range : Drag::press;
        m_anchor = stays.value_or(0);
        m_overlay.snaps = {};
    }
    update();
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    m_mouse = inFrame(event->position());
    const double x = std::clamp<double>(m_mouse.x(), labelWidth(), area().width());
    if (m_model && m_mouse.x() >= labelWidth()) {
        const Ns time = timeAt(x);
        setCursorTime(time);
        emit cursorMoved(time);
    }
    switch (m_drag) {
    case Drag::none:
        hover(m_mouse);
        if (m_mouse.x() >= labelWidth() && (edgeItemAt(m_mouse) || gripAt(m_mouse.x()))) {
            setCursor(edgeItemAt(m_mouse) ? Qt::PointingHandCursor : Qt::SizeHorCursor);
        }
        break;
    case Drag::press:
        if (std::fabs(m_mouse.x() - m_pressed.x()) < QApplication::startDragDistance() / 2.0) {
            break;
        }
        m_drag = Drag::range;
        beginRange(m_pressed, event->modifiers());
        [[fallthrough]];
    case Drag::range:
        dragRange(m_mouse, event->modifiers());
        break;
    case Drag::pan: {
        const auto by = static_cast<std::int64_t>(std::lround((m_pressed.x() - m_mouse.x()) * ratio()));
        applyScale(m_pressedScale.panned(by), true);
        break;
    }
    case Drag::scroll:
        dragScrollBar(m_mouse);
        break;
    case Drag::label:
    case Drag::lane:
        dragLane(m_mouse);
        break;
    case Drag::box:
        m_overlay.zoomBox = QRectF(QPointF(std::clamp<double>(m_pressed.x(), labelWidth(), area().width()), FrameGeometry::title_height),
            QPointF(x, area().height() - 1.0)).normalized();
        update();
        break;
    }
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_drag != Drag::none && event->button() != Qt::RightButton) {
        finishDrag(inFrame(event->position()));
    }
}

void TimelineView::finishDrag(QPointF at)
{
    const Drag drag = std::exchange(m_drag, Drag::none);
    unsetCursor();
    m_overlay.snaps = {};
    update();
    if (drag == Drag::label || drag == Drag::lane) {
        finishLabelDrag(drag, at);
    } else if (drag == Drag::press) {
        const ItemRef item = itemAt(at);
        if (!item) {
            setSelectedRange({});
        }
        setSelection(item);
    } else if (drag == Drag::box && m_overlay.zoomBox) {
        const QRectF box = *std::exchange(m_overlay.zoomBox, std::nullopt);
        if (box.width() >= 4) {
            showRange({timeAt(box.left()), timeAt(box.right())});
        }
        update();
    }
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && doubleClickLabel(inFrame(event->position()))) {
        return;
    }
    if (const auto mark = markAt(inFrame(event->position())); mark && event->button() == Qt::LeftButton) {
        editMark(*mark, false);
        return;
    }
    const ItemRef item = itemAt(inFrame(event->position()));
    if (event->button() == Qt::LeftButton && item) {
        const TimeSpan span = spanOf(m_model->recording(), item);
        const Ns margin = std::max<Ns>((span.end - span.start) / 3, 2);
        setSelection(item);
        showRange({span.start - margin, span.end + margin});
    }
}

void TimelineView::wheelEvent(QWheelEvent* event)
{
    const QPoint angle = event->angleDelta();
    const double notches = (angle.y() != 0 ? angle.y() : angle.x()) / 120.0;
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        zoomAt(std::pow(wheel_zoom, notches), std::max<double>(inFrame(event->position()).x(), labelWidth()));
    } else if (event->modifiers().testFlag(Qt::ShiftModifier) || angle.y() == 0) {
        panBy(-notches * 0.1);
    } else {
        setScroll(m_scroll - static_cast<int>(notches * 60));
    }
    event->accept();
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    // As it is pressed; then without Shift, which some keyboards need for + or 0.
    for (const auto without : {Qt::KeyboardModifiers(Qt::KeypadModifier), Qt::KeypadModifier | Qt::ShiftModifier}) {
        const QKeySequence pressed(event->key() | static_cast<int>(event->modifiers() & ~without));
        for (const TimelineActionInfo& info : timelineActions()) {
            if (info.keys.contains(pressed)) {
                perform(info.action);
                event->accept();
                return;
            }
        }
    }
    QWidget::keyPressEvent(event);
}

void TimelineView::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    emit focused();
}

void TimelineView::leaveEvent(QEvent*)
{
    m_mouse = {-1, -1};
    updatePassing();
    m_overlay.hovered = {};
    m_overlay.tip.clear();
    setCursorTime(no_time);
    emit cursorMoved(no_time);
}

}  // namespace lanes::gui
