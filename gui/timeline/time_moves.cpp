// SPDX-License-Identifier: MIT
#include "gui/timeline/time_moves.h"

#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

constexpr double zoom_step = 1.4;
constexpr double pan_step = 0.15;  // of the view's width
constexpr double wheel_zoom = 1.25;  // a notch
constexpr double wheel_pan = 0.1;  // of the view's width

}  // namespace

std::optional<TimeScale> movedBy(TimelineAction action, const TimeWindow& time, double x)
{
    switch (action) {
    case TimelineAction::zoomIn:
        return time.scale().zoomed(zoom_step, x);
    case TimelineAction::zoomOut:
        return time.scale().zoomed(1 / zoom_step, x);
    case TimelineAction::panLeft:
        return time.scale().panned(-std::lround(pan_step * time.columns()));
    case TimelineAction::panRight:
        return time.scale().panned(std::lround(pan_step * time.columns()));
    default:
        return std::nullopt;
    }
}

double notchesOf(const QWheelEvent& wheel)
{
    const QPoint angle = wheel.angleDelta();
    return (angle.y() != 0 ? angle.y() : angle.x()) / 120.0;
}

std::optional<TimeScale> movedBy(const QWheelEvent& wheel, const TimeWindow& time, double x)
{
    const bool pans = wheel.modifiers().testFlag(Qt::ShiftModifier) || wheel.angleDelta().y() == 0;
    if (wheel.modifiers().testFlag(Qt::ControlModifier) ? !wheelZooms() : wheelZooms() && !pans) {
        return time.scale().zoomed(std::pow(wheel_zoom, notchesOf(wheel)), x);
    }
    if (pans) {
        return time.scale().panned(std::lround(-notchesOf(wheel) * wheel_pan * time.columns()));
    }
    return std::nullopt;
}

Interval withMargins(Interval span)
{
    const Ns margin = std::max<Ns>((span.end - span.start) / 3, 2);
    return {span.start - margin, span.end + margin};
}

}  // namespace lanes::gui
