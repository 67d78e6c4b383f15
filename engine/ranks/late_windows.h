// SPDX-License-Identifier: MIT
// The time in which a late GPU is compared with the others of its group, to find why it is late.
#pragma once

#include "engine/ranks/late_ranks.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace lanes {

/// Pairs of collectives of its group, into Collectives::all: the time is from each rank's start of one to its start of
/// the other. Of a GPU that stands out: the first one in `range` and the last one, as lateness adds up over the
/// collectives of a step. Of one that was seldom late: for each such time, the one before it and the last one of it.
/// Cost: linear in the collectives.
std::vector<std::pair<std::size_t, std::size_t>> late_windows(
    const Trace& trace, const Collectives& collectives, const LateRank& late, Interval range);

}  // namespace lanes
