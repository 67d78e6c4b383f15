// SPDX-License-Identifier: MIT
// The figures of a part of a recording: one function, which all that shows such figures beside lanes asks, in the
// window, in pictures and in pages. They are those of `lanes report` of the same part; a test compares both with sums
// over all events.
#pragma once

#include "gui/lanes/lane_model.h"

#include <optional>

namespace lanes::gui {

struct ScopeFigures {
    Ns length = 0;  ///< of the part
    std::optional<RangeSummary> summary;  ///< nothing where the recording was not measured yet
    std::optional<Ns> blocked;  ///< of the first thread; nothing where the recording does not hold it
    std::optional<Ns> waitCost;  ///< what its held waits cost; nothing where that is not known or lanes are filtered
};

/// Of all events, without waitCost. Exact. Cost: that of RangeIndex::summary, a fraction of a millisecond however long
/// the part is.
ScopeFigures figuresOf(const Recording& recording, Interval scope);
/// The same with waitCost.
ScopeFigures figuresOf(const LaneModel& model, Interval scope);
/// Of the events that the filter of the lanes lets through. Nothing is known until they are summed up, with the lanes;
/// nothing of the first thread where the filter hides it.
ScopeFigures shownFiguresOf(const LaneModel& model, Interval scope);

}  // namespace lanes::gui
