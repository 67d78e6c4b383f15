// SPDX-License-Identifier: MIT
// What happened in a selected range: the figures that stand beside it while it is dragged.
#pragma once

#include "gui/timeline/lane_model.h"

namespace lanes::gui {

struct RangeFigures {
    Ns length = 0;   ///< of the range
    Ns busy = 0;     ///< at least one stream at work
    Ns overlap = 0;  ///< two or more
    std::optional<Ns> blocked;   ///< of the first thread; nothing where the recording cannot tell
    std::uint64_t bytes = 0;     ///< of copies that began in the range
    std::size_t operations = 0;  ///< that touch it
};

/// Exact. Linear in what lies in the range.
RangeFigures figuresOf(const LaneModel& model, TimeSpan range);

/// "ΔT 12.3 ms · busy 87 % · overlap 40 % · blocked 1.20 ms · 128 MiB copied".
QString textOf(const RangeFigures& figures);

}  // namespace lanes::gui
