// SPDX-License-Identifier: MIT
// Two sides of a comparison of one recording or several each: medians, the spread of a side's runs, and why two sides
// cannot be compared at all.
#pragma once

#include "engine/analysis/compare/compare.h"
#include "engine/analysis/repeats.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// What sides are compared by, in the order of Differences with `iteration` after `wall` and `idle` after `busy`.
inline constexpr std::size_t side_figures = 11;
/// "wall", "iteration", "busy", "idle", "overlap", "hidden", "exposed", "blocked", "held", "held_cost", "free".
std::string_view side_figure_name(std::size_t figure);

/// One side. Of several recordings, `shown` is the one of median wall time (of an even number the lower one of the two
/// in the middle).
struct ComparedSide {
    explicit ComparedSide(std::vector<ReportedRecording> runs);

    std::vector<ReportedRecording> runs;  ///< one or more
    std::size_t shown = 0;
    std::string name;  ///< of the folder that holds them; "": that of the run
    /// By figure, of all runs. If the one run is the median of several (repeats.h), `wall` is that of the several,
    /// unless only a part of it is reported. Nothing where a run lacks what the figure is computed from.
    std::array<std::optional<Spread>, side_figures> figures;
};

/// Whether the ranges of the two sides overlap: then the difference may be chance. False for two single runs, whose
/// spread is unknown.
bool within_spread(const ComparedSide& a, const ComparedSide& b, std::size_t figure);

/// Why no figure of B can be compared with one of A: other GPUs, a model against a measurement, runs that were cut
/// short, read wrong bytes, or lost records, runs of one side that did other work, or two that have little in common
/// (is_one_program()). Empty: they can.
std::optional<Message> cannot_compare(const ComparedSide& a, const ComparedSide& b);

}  // namespace lanes
