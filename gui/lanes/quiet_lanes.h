// SPDX-License-Identifier: MIT
// Threads and streams of a program that did next to nothing: the lanes of threads open collapsed, those that issued no
// work for a GPU and the streams of each GPU in one line.
#pragma once

#include "gui/lanes/lane_arrangement.h"

namespace lanes::gui {

/// What a thread did in openedPart() takes less than this share of what the busiest one did: calls, ranges, work, waits
/// and reads.
inline constexpr double quiet_share = 0.01;

/// Collapses the lanes of quiet threads, of those that only sat in frames of Python while others did more, and the
/// headers of threads and streams that did little (lane_order.h), where nothing else is arranged yet; of a recording of
/// a workload none, whose threads are few and each there for a reason. Cost: calls, ranges, host spans and reads of the
/// recording.
LaneArrangement withoutQuietLanes(const LaneModel& model);

}  // namespace lanes::gui
