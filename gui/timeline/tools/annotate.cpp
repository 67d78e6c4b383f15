// SPDX-License-Identifier: MIT
#include "gui/timeline/tools/annotate.h"

#include "gui/lanes/edge_snap.h"
#include "gui/paint/frame_hits.h"
#include "gui/paint/over/annotation_painter.h"

#include <cmath>

namespace lanes::gui {

namespace {

constexpr double annotation_snap = 6, annotation_grip = 6, least_drag = 4;  // pixels

bool hasTwoEnds(Annotation::Kind kind)
{
    return kind != Annotation::Kind::text;
}

}  // namespace

bool AnnotateTool::onLanes(QPointF at) const
{
    const FrameGeometry& g = m_timeline.frame().geometry;
    return at.x() >= g.labelWidth && at.x() < g.size.width() && at.y() >= g.lanesTop() && at.y() < g.size.height();
}

AnnotationSpot AnnotateTool::spot(const Pointer& pointer, Annotation::Kind kind) const
{
    const TimelineFrame frame = m_timeline.frame();
    const FrameGeometry& g = frame.geometry;
    AnnotationSpot found = spotAt(frame,
        {std::clamp<double>(pointer.at.x(), g.labelWidth, g.size.width()),
            std::clamp<double>(pointer.at.y(), g.lanesTop(), g.size.height() - 1)});
    const bool snaps = kind == Annotation::Kind::bracket || kind == Annotation::Kind::frame;
    if (snaps && !pointer.modifiers.testFlag(Qt::AltModifier)) {
        if (const auto snap = snapAt(frame.model, frame.layout, frame.scale, frame.layoutY(pointer.at.y()), found.time,
                annotation_snap * frame.ratio)) {
            found.time = snap->time;
        }
    }
    return found;
}

std::optional<Qt::CursorShape> AnnotateTool::hover(QPointF at)
{
    if (m_timeline.annotations().pending()) {
        return onLanes(at) ? std::optional(Qt::CrossCursor) : std::nullopt;
    }
    return annotationAt(m_timeline.frame(), at, m_labels) ? std::optional(Qt::SizeAllCursor) : std::nullopt;
}

bool AnnotateTool::press(const Pointer& pointer)
{
    if (pointer.button != Qt::LeftButton || !onLanes(pointer.at)) {
        return false;
    }
    AnnotationHand& hand = m_timeline.annotations();
    m_pressed = pointer.at;
    m_fresh = hand.pending().has_value();
    if (m_fresh) {
        const AnnotationSpot at = spot(pointer, *hand.pending());
        m_before = {*hand.pending(), 0, at, at, {}};
        m_index = hand.add(m_before);
        m_part = hasTwoEnds(m_before.kind) ? Handle::to : Handle::whole;
        return true;
    }
    const TimelineFrame frame = m_timeline.frame();
    const auto hit = annotationAt(frame, pointer.at, m_labels);
    if (!hit) {
        hand.choose({});
        return false;
    }
    hand.choose(hit);
    m_index = *hit;
    m_before = (*hand.all())[m_index];
    m_part = Handle::whole;
    for (const AnnotationPlace& place : placeAnnotations(frame, m_labels)) {
        if (place.index == m_index && hasTwoEnds(m_before.kind)) {
            const bool framed = m_before.kind == Annotation::Kind::frame;
            const auto near = [&](QPointF end) {
                return std::fabs(end.x() - pointer.at.x()) <= annotation_grip
                    && (framed || std::fabs(end.y() - pointer.at.y()) <= annotation_grip);
            };
            m_part = near(place.from) ? Handle::from : near(place.to) ? Handle::to : Handle::whole;
        }
    }
    return true;
}

/// As it is with the mouse here.
Annotation AnnotateTool::moved(const Pointer& pointer) const
{
    Annotation one = m_before;
    const bool level = one.kind == Annotation::Kind::bracket || one.kind == Annotation::Kind::frame;
    if (m_part == Handle::whole) {
        const TimelineFrame frame = m_timeline.frame();
        const AnnotationSpot before = spotAt(frame, m_pressed);
        const AnnotationSpot now = spotAt(frame, pointer.at);
        const Ns by = std::max(now.time - before.time, -std::min(one.from.time, one.to.time));
        one.from.time += by;
        one.to.time += by;
        if (one.kind == Annotation::Kind::text || (level && !one.from.lane.empty())) {
            one.from.lane = one.to.lane = now.lane;
            one.from.height = one.to.height = now.height;
        } else if (one.kind == Annotation::Kind::arrow) {
            const auto shifted = [&](AnnotationSpot& end) {
                end.height = before.lane == now.lane ? std::clamp(end.height + now.height - before.height, 0.0, 1.0)
                                                     : end.height;
            };
            shifted(one.from);
            shifted(one.to);
        }
        return one;
    }
    AnnotationSpot& end = m_part == Handle::from ? one.from : one.to;
    const AnnotationSpot& other = m_part == Handle::from ? one.to : one.from;
    end = spot(pointer, one.kind);
    if (level) {
        end.lane = other.lane;
        end.height = other.height;
    }
    return one;
}

void AnnotateTool::move(const Pointer& pointer)
{
    m_timeline.annotations().sketch(m_index, moved(pointer));
}

void AnnotateTool::release(const Pointer& pointer)
{
    AnnotationHand& hand = m_timeline.annotations();
    hand.begin({});
    const bool dragged = std::hypot(pointer.at.x() - m_pressed.x(), pointer.at.y() - m_pressed.y()) >= least_drag;
    if (!m_fresh && !dragged) {
        hand.sketch(m_index, m_before);
        return;
    }
    Annotation one = moved(pointer);
    if (m_fresh && hasTwoEnds(one.kind) && !dragged) {
        const TimelineFrame frame = m_timeline.frame();
        const ItemRef item = one.kind == Annotation::Kind::arrow ? ItemRef {} : itemAt(frame, m_pressed);
        if (!item) {
            hand.remove(m_index);
            return;
        }
        const Interval span = spanOf(frame.model.recording(), item);
        one.from.time = span.start;
        one.to.time = span.end;
    }
    if (one.kind != Annotation::Kind::arrow && one.to.time < one.from.time) {
        std::swap(one.from.time, one.to.time);
    }
    hand.change(m_index, one);
    if (m_fresh && (one.kind == Annotation::Kind::text || one.kind == Annotation::Kind::arrow)) {
        hand.edit(m_index);
    }
}

void AnnotateTool::cancel()
{
    AnnotationHand& hand = m_timeline.annotations();
    hand.begin({});
    m_fresh ? hand.remove(m_index) : hand.sketch(m_index, m_before);
}

bool AnnotateTool::doubleClick(const Pointer& pointer)
{
    const auto hit
        = pointer.button == Qt::LeftButton ? annotationAt(m_timeline.frame(), pointer.at, m_labels) : std::nullopt;
    if (hit) {
        m_timeline.annotations().edit(*hit);
    }
    return hit.has_value();
}

}  // namespace lanes::gui
