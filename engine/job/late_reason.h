// SPDX-License-Identifier: MIT
// Why a rank is late, on its own lanes: what it did between the collective before and the one to which it came last,
// against the rank that came to it last but one.
#pragma once

#include "engine/ranks/job_meetings.h"
#include "engine/ranks/late_ranks.h"
#include "engine/ranks/rank_summary.h"

#include <cstdint>
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
    idle,  ///< none of these
};

/// "more_kernels".
std::string_view word_of(LateReason reason);

/// That to which more than half of what it came too late is due. A host that fell back at an earlier collective, and
/// that no wait of the others made up for since, is late for what made it fall back. Cost: n log n in the collectives
/// of `late`'s rank, and once through the chain of each rank that came last but one.
LateReason reason_of(const LateRank& late, const std::vector<RankSummary>& ranks, const JobMeetings& meetings);

}  // namespace lanes
