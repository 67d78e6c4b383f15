// SPDX-License-Identifier: MIT
// Which kernels of a job's ranks are one collective, and how the ranks' clocks differ.
//
// Kernels that name their communicator are one collective if they are the n-th of it on each rank. Kernels that name
// none are first matched by their names and order. That aligns the clocks, and on aligned clocks find_collectives()
// says which kernels ended together. It also says that of a communicator that ranks called different numbers of times.
// Where the ranks recorded different steps of PyTorch's profiler, kernels are matched by their order within a step.
#pragma once

#include "engine/ranks/clock_alignment.h"
#include "engine/ranks/collectives.h"
#include "engine/ranks/rank_summary.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lanes {

/// What of a job's collectives does not fit together.
struct JobGap {
    enum Kind : std::uint8_t {
        lacks,  ///< `rank` lacks `count` of `of` collectives that its group has
        unmatched,  ///< `count` of `of` kernels of `rank` that communicate have no counterpart
    } kind;
    std::uint32_t rank;  ///< into the summaries
    std::string what;  ///< communicator, or the kernel's name
    std::size_t count, of;
};

/// Two collectives that cannot both be as recorded unless the clock of `rank` was set between them.
struct JobContradiction {
    std::uint32_t rank;  ///< the first of that clock
    std::string before, after;  ///< "AllReduce 12", counted from 1
    Ns by;
};

/// The numbers of the first and the last step of PyTorch's profiler in which a rank issued a collective.
struct RecordedSteps {
    std::int64_t first, last;
    friend auto operator<=>(const RecordedSteps&, const RecordedSteps&) = default;
};

struct JobMeetings {
    /// The kernels of the matched collectives on the first clock, for find_late_ranks(): a device and a stream a rank,
    /// with the rank's index as id. There are no calls and no other operations.
    Trace trace;
    Collectives collectives;  ///< rows of `trace`
    /// By row of `trace`: into the rank's RankSummary::collectives.
    std::vector<std::uint32_t> collective_of;
    std::vector<std::uint32_t> clock_of;  ///< by rank: into `clocks`
    ClockAlignment alignment;
    std::vector<JobContradiction> contradictions;  ///< of the alignment
    std::vector<JobGap> gaps;
    /// By rank; `last` is -1 of one without collectives. Empty unless all others have some, and they differ.
    std::vector<RecordedSteps> steps;
    Ns uncertainty = 0;  ///< how far apart two ranks' times may be by mistake: twice the median of the worst clock
    bool has_one_clock = true;  ///< all ranks' clocks are aligned with each other
    /// By rank: where clocks were not aligned with the first one, how far they are moved so that all begin together.
    std::vector<Ns> moved;

    std::uint32_t rank_of(Row row) const { return trace.streams[trace.operations.stream[row]].device; }
    /// A time of that rank on the first clock.
    Ns aligned(std::uint32_t rank, Ns own) const
    {
        return own - alignment.clocks[clock_of[rank]].ahead(own) + moved[rank];
    }
};

/// Cost: n log n in the collectives of all ranks.
JobMeetings meet(const std::vector<RankSummary>& ranks);

}  // namespace lanes
