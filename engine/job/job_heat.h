// SPDX-License-Identifier: MIT
// What each rank of a job did over time: a row a rank, on the first clock. A cell has the greatest value of the steps
// that touch its time, never their mean, so that one late step of a hundred is seen.
#pragma once

#include "engine/ranks/job_meetings.h"
#include "engine/ranks/rank_summary.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanes {

enum class HeatMeasure : std::uint8_t {
    waited,  ///< for other ranks, in collectives
    exposed,  ///< communication beside no other kernel
    idle,  ///< the GPU did nothing
    step,  ///< how long the step took
};
inline constexpr std::array heat_measures {
    HeatMeasure::waited, HeatMeasure::exposed, HeatMeasure::idle, HeatMeasure::step};

/// "waited", "exposed", "idle", "step".
const char* name_of(HeatMeasure measure);

inline constexpr std::size_t heat_columns = 512;
inline constexpr Ns no_heat = -1;

struct JobHeat {
    std::size_t ranks = 0;
    Interval time;  ///< on the first clock: heat_columns equal parts
    bool is_of_steps = false;  ///< values are of a step; else of a part of each rank's time, `part` long
    Ns part = 0;
    std::vector<Ns> cells;  ///< [rank * heat_columns + column], ns; no_heat: nothing was recorded there
    Ns top = 0;  ///< of all that was recorded 99.9 % of what is known is no greater; rounded up to two digits

    Ns at(std::size_t rank, std::size_t column) const { return cells[rank * heat_columns + column]; }
    Ns start_of(std::size_t column) const;
    /// The column of a moment, within the columns.
    std::size_t column_of(Ns time) const;
};

using JobHeats = std::array<JobHeat, heat_measures.size()>;  ///< by HeatMeasure

/// A step of a rank, on the first clock; where not all ranks have steps, one of its bins.
struct HeatPart {
    Ns start, end;
    std::array<Ns, heat_measures.size()> values;  ///< by HeatMeasure
};

/// What heat maps are made of.
struct HeatParts {
    std::vector<std::vector<HeatPart>> of_rank;
    Interval time;  ///< of all that was recorded
    /// What a view opens with: the time of the steps, with a little beside them, where all ranks have steps and these
    /// take less than half of the time; else all of it.
    Interval opened;
    bool is_of_steps = false;  ///< as JobHeat has them
    Ns part = 0;
};

/// `waits`: waits_of(). Where not all ranks have steps, HeatMeasure::step has no values. Cost: linear in the
/// collectives and the steps.
HeatParts heat_parts_of(
    const std::vector<RankSummary>& ranks, const JobMeetings& meetings, const std::vector<Ns>& waits);

/// Of a stretch of time, such as a view shows. Its `top` is 0. Cost: linear in the parts and the cells.
JobHeat heat_of(const HeatParts& parts, HeatMeasure measure, Interval time);

/// Of all the time, with their tops.
JobHeats heats_of(const HeatParts& parts);

}  // namespace lanes
