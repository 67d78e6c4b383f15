// SPDX-License-Identifier: MIT
// When the clock of a recording was set.
#pragma once

#include "engine/ranks/rank_summary.h"
#include "engine/trace/trace.h"

#include <vector>

namespace lanes {

/// By how much two clocks of a host may differ from one sample to the next without one of them being set: clocks are
/// slewed by 100 ppm at most (most_drift is that of two), and the two are not read at the same instant.
constexpr Ns most_slewed(Ns apart)
{
    return 20'000 + apart / 10'000;
}

/// From Trace::clocks; empty where there are none. Cost: linear in them.
std::vector<ClockSet> clock_set(const Trace& trace);

}  // namespace lanes
