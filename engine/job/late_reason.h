// SPDX-License-Identifier: MIT
// Why a rank is late, on its own lanes: what it had more of than the other ranks of its group in the time in which it
// made them lose time.
#pragma once

#include "engine/ranks/job_meetings.h"
#include "engine/ranks/late_ranks.h"
#include "engine/ranks/rank_summary.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace lanes {

enum class LateReason : std::uint8_t {
    kernels,  ///< its kernels take longer
    more_kernels,  ///< it runs more of them
    copies,  ///< its copies do
    data,  ///< its CPU issues the collective later, as it waits for the next batch of data
    profiler,  ///< likewise, as the profiler keeps it: its start, its buffers
    host,  ///< its CPU issues the collective later, for another reason
    idle,  ///< its GPU does nothing for longer, and no call says why
};

/// "more_kernels".
std::string_view word_of(LateReason reason);

/// What explains at least half of what the others lose to it; nothing: nothing that is known does. Several collectives
/// are looked at together, since lateness adds up over the collectives of a step. If the rank stands out, they are all
/// of its group in `range`. If it was seldom late, they are those of each such time and the one before. A host that
/// fell back at an earlier collective, and has not caught up since, is late for what made it fall back. Cost: n log n
/// in the collectives of the group's ranks, and once through the chain of each rank that came last but one.
std::optional<LateReason> reason_of(
    const LateRank& late, Interval range, const std::vector<RankSummary>& ranks, const JobMeetings& meetings);

}  // namespace lanes
