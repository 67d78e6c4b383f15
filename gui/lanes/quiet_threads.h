// SPDX-License-Identifier: MIT
// Threads of a program that did next to nothing: their lanes open collapsed, those that issued no work for a GPU in one
// line.
#pragma once

#include "gui/lanes/lane_arrangement.h"

namespace lanes::gui {

/// What a thread did takes less than this share of what the busiest one did: calls, ranges, work, waits and reads.
inline constexpr double quiet_share = 0.01;

/// Collapses the lanes of quiet threads and the header of those that issued nothing (lane_order.h), where nothing else
/// is arranged yet; of a recording of a workload none, whose threads are few and each there for a reason. Cost: ranges,
/// host spans and reads of the recording.
LaneArrangement withoutQuietThreads(const LaneModel& model);

}  // namespace lanes::gui
