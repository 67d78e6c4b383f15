// SPDX-License-Identifier: MIT
// How keys and the wheel move the time that a view shows: lanes and heat maps alike.
#pragma once

#include "gui/lanes/time_window.h"
#include "gui/timeline/timeline_actions.h"

#include <optional>

class QWheelEvent;

namespace lanes::gui {

/// A narrower box is a click; logical pixels.
inline constexpr double least_zoom_box = 4;

/// Zoomed or panned, and not yet kept inside of what there is to show. `x`: what stays where it is, in columns.
/// Nothing: the action does neither.
std::optional<TimeScale> movedBy(TimelineAction action, const TimeWindow& time, double x);
/// Nothing: this turn of the wheel scrolls lanes.
std::optional<TimeScale> movedBy(const QWheelEvent& wheel, const TimeWindow& time, double x);
/// How far it was turned; positive: up.
double notchesOf(const QWheelEvent& wheel);
/// The span with a third of its length beside it.
Interval withMargins(Interval span);

}  // namespace lanes::gui
