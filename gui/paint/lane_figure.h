// SPDX-License-Identifier: MIT
// The one figure beside a lane's name: for the ribbon how long two or more
// streams were busy, for a thread how long it waited for a GPU, for GPUs, streams and engines
// how long they were busy, for counters the most that they were; in the scope. Computed
// from the record, never sampled: exact to the ns. Cost: log n.
#pragma once

#include "gui/lanes/lane_model.h"
#include "gui/lanes/scope.h"

#include <QString>

#include <array>
#include <cstdint>
#include <optional>

namespace lanes::gui {

struct TimelineFrame;

struct LaneFigure {
    enum class What : std::uint8_t { overlap, blocked, busy, value, gpuTime } what = What::busy;
    Ns time = 0;
    Ns held = 0, cost = 0;  ///< of `time`, in waits that cost something, and what they cost (wait_costs.h)
    std::array<Ns, 3> parts {};  ///< of a GPU's time: side by side, compute alone, exposed
    Ns of = 1;  ///< the length of the range, at least 1
    Scope::Of scope = Scope::Of::visible;
    bool filtered = false;  ///< of what a filter lets through
    CounterCurve::Values values {};  ///< of a counter
    CounterRecord::Unit unit = CounterRecord::none;

    /// Whether any waits cost time: its colour is that of the lane's waits, grey where all of them are free.
    bool isHeld() const { return cost > 0; }
    /// Of `time`; where isHeld(), of what was held.
    double share() const { return static_cast<double>(isHeld() ? held : time) / static_cast<double>(of); }
    /// A thread that never waits, streams that never overlap: not worth a figure.
    bool isNothing() const { return time == 0 && (what == What::overlap || what == What::blocked); }
    QString text() const;  ///< "87 %"; "1.5 GiB"
    QString sentence() const;  ///< for a tooltip: what it is, of what
};

/// Whether a lane has a figure for any range. A process's header, a thread whose waits are not recorded and a lane
/// without rows have none.
bool hasFigure(const LaneModel& model, std::size_t lane);

/// Of the scope that the frame is drawn with: what is in view counts as far as the recording goes, a selected range as
/// it was selected, like the figures beside it. Nothing where the recording does not hold what it needs, where the lane
/// is not ready, or where no part of it is visible.
std::optional<LaneFigure> figureOf(const TimelineFrame& frame, std::size_t lane);
std::optional<LaneFigure> figureOf(const LaneModel& model, std::size_t lane, const DrawnScope& scope);

}  // namespace lanes::gui
