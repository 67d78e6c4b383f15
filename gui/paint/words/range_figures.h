// SPDX-License-Identifier: MIT
// What happened in a selected range: the figures that stand beside it while it is dragged.
#pragma once

#include "gui/lanes/shown_recording.h"

#include <QStringList>

#include <optional>

namespace lanes::gui {

struct RangeFigures {
    Ns length = 0;  ///< of the range
    std::optional<RangeSummary> summary;  ///< nothing where the recording was not measured yet
    std::optional<Ns> blocked;  ///< of the first thread; nothing where the recording does not hold it
};

/// Exact. Cost: that of RangeIndex::summary, a fraction of a millisecond however long the range is.
RangeFigures figuresOf(const Recording& recording, Interval range);

/// "ΔT 12.3 ms · GPU busy 87 % · overlap 40 % · CPU blocked 1.20 ms", then
/// "128 MiB D2H at 53.1 GB/s · 12 kernels · 8 copies", each only where there is something to say.
///
/// The bytes are those that were copied inside the range: of a copy that reaches out of it, the share of its time that
/// lies inside. The bandwidth is these bytes by the time in the range in which at least one copy of that direction ran:
/// what the link carried while it was used. Two directions with the most bytes are named, the others are summed.
/// The counts are of what touches the range.
QStringList linesOf(const RangeFigures& figures);

}  // namespace lanes::gui
