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
    Interval time;  ///< on the first clock: of all that was recorded; heat_columns equal parts
    bool is_of_steps = false;  ///< values are of a step; else of a part of each rank's time, `part` long
    Ns part = 0;
    std::vector<Ns> cells;  ///< [rank * heat_columns + column], ns; no_heat: nothing was recorded there
    Ns top = 0;  ///< 99.9 % of what is known is no greater; rounded up to two digits

    Ns at(std::size_t rank, std::size_t column) const { return cells[rank * heat_columns + column]; }
    Ns start_of(std::size_t column) const;
    /// The column of a moment, within the columns.
    std::size_t column_of(Ns time) const;
};

using JobHeats = std::array<JobHeat, heat_measures.size()>;  ///< by HeatMeasure

/// `waits`: waits_of(). Where ranks have no steps, HeatMeasure::step has no values. Cost: linear in the collectives,
/// the steps and the cells.
JobHeats heats_of(const std::vector<RankSummary>& ranks, const JobMeetings& meetings, const std::vector<Ns>& waits);

}  // namespace lanes
