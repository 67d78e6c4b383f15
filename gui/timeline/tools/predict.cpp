// SPDX-License-Identifier: MIT
#include "gui/timeline/tools/predict.h"

#include "gui/paint/frame_hits.h"
#include "gui/paint/item_box.h"

#include <algorithm>
#include <cmath>
#include <QGuiApplication>
#include <QStyleHints>
#include <utility>

namespace lanes::gui {

namespace {

constexpr double pulled_edge = 4;  // beside the edge that still grip it
constexpr double most_of_bar = 3;  // the part of a narrow bar that grips its edge, the others select: one of so many

/// Of the selected operation: as recorded, or as it is wished now.
Interval wishedSpan(const Timeline& timeline)
{
    Interval span = spanOf(*timeline.recording(), timeline.selection());
    const auto& wish = timeline.predicting().wish();
    if (wish && wish->what == Wish::Of::length && wish->item == timeline.selection()) {
        span.end = span.start + std::llround(static_cast<double>(span.end - span.start) * wishedTimes(wish->times));
    }
    return span;
}

double least_pull()
{
    return QGuiApplication::styleHints()->startDragDistance() / 2.0;
}

}  // namespace

PredictTool::Grip PredictTool::gripAt(QPointF at) const
{
    const ItemRef selected = m_timeline.selection();
    if (!m_timeline.predicting().isOffered() || m_timeline.isUnfinished()
        || !canPull(m_timeline.model()->trace(), selected)) {
        return Grip::none;
    }
    const TimelineFrame frame = m_timeline.frame();
    const auto box = boxOf(frame, selected);
    const PlacedLane* lane = laneAt(frame, at);
    const auto place = box ? frame.layout.find(frame.model, selected) : std::nullopt;
    if (!place || lane != place->lane || at.x() < frame.geometry.labelWidth || at.y() < box->top()
        || at.y() > box->bottom()) {
        return Grip::none;
    }
    if (const auto range = m_timeline.state().highlights.range; range
        && std::min(std::fabs(frame.xOf(range->start) - at.x()), std::fabs(frame.xOf(range->end) - at.x()))
            <= pulled_edge) {
        return Grip::none;  // the range's own edge
    }
    const double edge = std::max(frame.xOf(wishedSpan(m_timeline).end), box->left() + 3);
    const double inside = std::min(pulled_edge, (edge - box->left()) / most_of_bar);
    if (at.x() >= edge - inside && at.x() <= edge + pulled_edge) {
        return Grip::edge;
    }
    return box->contains(at) ? Grip::body : Grip::none;
}

std::optional<Qt::CursorShape> PredictTool::hover(QPointF at)
{
    return gripAt(at) == Grip::edge ? std::optional(Qt::SizeHorCursor) : std::nullopt;
}

bool PredictTool::press(const Pointer& pointer)
{
    if (pointer.button != Qt::LeftButton || pointer.modifiers != Qt::NoModifier) {
        return false;
    }
    m_drag = Drag::none;
    m_isRange = false;
    m_pressed = pointer.at;
    m_grip = gripAt(pointer.at);
    m_streams
        = m_grip == Grip::body ? streamsFor(m_timeline.model()->trace(), m_timeline.selection()) : std::vector<Row>();
    if (m_grip == Grip::none) {
        m_timeline.predicting().takeBack();
    }
    if (m_grip != Grip::edge && m_streams.empty()) {
        return false;
    }
    m_beside = pointer.at.x() - m_timeline.frame().xOf(wishedSpan(m_timeline).end);
    m_range.press(pointer);
    return true;
}

void PredictTool::pull(QPointF at)
{
    const ItemRef item = m_timeline.selection();
    const Interval span = spanOf(*m_timeline.recording(), item);
    const TimelineFrame frame = m_timeline.frame();
    const double length = static_cast<double>(std::max<Ns>(span.end - span.start, 1));
    const double times = static_cast<double>(frame.timeAt(at.x() - m_beside) - span.start) / length;
    constexpr double whole = 0.02;  // that near to its recorded time it is that
    m_timeline.predicting().ask({Wish::Of::length, item, wishedTimes(std::fabs(times - 1) < whole ? 1 : times)}, at);
}

/// The stream of the lane at that height, if it takes the copy.
std::optional<Row> PredictTool::streamAt(QPointF at) const
{
    const PlacedLane* placed = laneAt(m_timeline.frame(), at);
    if (placed == nullptr) {
        return {};
    }
    const Lane& lane = m_timeline.model()->lanes()[placed->lane];
    const bool takesIt = lane.key.kind == LaneKind::stream
        && std::find(m_streams.begin(), m_streams.end(), lane.row) != m_streams.end();
    return takesIt ? std::optional(lane.row) : std::nullopt;
}

void PredictTool::moveTo(QPointF at)
{
    PredictHand& hand = m_timeline.predicting();
    if (const auto stream = streamAt(at)) {
        hand.ask({Wish::Of::stream, m_timeline.selection(), 1, *stream}, at);
    } else {
        hand.takeBack();
    }
    hand.setAccepting(m_streams);
}

void PredictTool::move(const Pointer& pointer)
{
    const QPointF moved = pointer.at - m_pressed;
    if (m_drag == Drag::none && !m_isRange) {
        if (m_grip == Grip::edge && std::fabs(moved.x()) >= least_pull()) {
            m_drag = Drag::length;
        } else if (m_grip == Grip::body && std::fabs(moved.y()) >= 2 * least_pull()
            && std::fabs(moved.y()) > std::fabs(moved.x())) {
            m_drag = Drag::stream;
        } else if (m_grip == Grip::body && std::fabs(moved.x()) >= least_pull()) {
            m_isRange = true;
            m_timeline.predicting().takeBack();
        }
    }
    if (m_drag == Drag::length) {
        pull(pointer.at);
    } else if (m_drag == Drag::stream) {
        moveTo(pointer.at);
    } else if (m_isRange) {
        m_range.move(pointer);
    }
}

void PredictTool::release(const Pointer& pointer)
{
    m_timeline.predicting().setAccepting({});
    if (std::exchange(m_drag, Drag::none) == Drag::none) {
        m_range.release(pointer);
    }
}

void PredictTool::cancel()
{
    m_drag = Drag::none;
    m_range.cancel();
    m_timeline.predicting().takeBack();
}

std::optional<Qt::CursorShape> PredictTool::shape() const
{
    return m_drag == Drag::length ? std::optional(Qt::SizeHorCursor)
        : m_drag == Drag::stream  ? std::optional(Qt::ClosedHandCursor)
                                  : std::nullopt;
}

}  // namespace lanes::gui
