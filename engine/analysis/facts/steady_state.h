// SPDX-License-Identifier: MIT
// The part of a recording that repeats: the iterations of a script that starts up for seconds and then works.
//
// First by ranges of one thread whose names differ only in a number at the end ("ProfilerStep#7", "step 7"): those in
// which its process issued most operations. If these are only a part of what repeats (a backward pass), an iteration
// goes from one start to the next of the first range that each iteration has once. Where there are
// none, by the operations of the stream that has most: the longest stretch in which their names come again after the
// same number of operations. Iterations at its head that took warm_up_factor times the median are left out, as long as
// least_iterations stay.
#pragma once

#include "engine/trace/trace.h"
#include "engine/trace/units.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

struct SteadyState {
    enum class Found : std::uint8_t { ranges, launches };
    Interval span;  ///< ns of the recording, to the end of the last operation that was issued in it
    std::size_t count = 0;  ///< iterations, least_iterations or more
    Found found = Found::ranges;
    std::string name = {};  ///< of the ranges, without the number; "" of launches
    Row thread = no_row;  ///< of the ranges; no_row of launches
    friend bool operator==(const SteadyState&, const SteadyState&) = default;
};

inline constexpr std::size_t least_iterations = 3;
inline constexpr std::size_t least_operations = 8;  ///< by launches: three launches of one kernel are no iterations
inline constexpr Ns warm_up_factor = 3;
/// What repeats must have this share of the operations (by launches, of the stream's), else it is not what the run is
/// about.
inline constexpr double share_that_repeats = 0.5;

/// Ranges with a smaller share of the operations issued from the first to the last of them are only parts of
/// iterations.
inline constexpr double share_of_an_iteration = 0.9;

/// Nothing where nothing repeats. A pure function of the records. By launches it finds periods of up to 32,768
/// operations. Cost: n log n in operations and ranges.
std::optional<SteadyState> find_steady_state(const Trace& trace);

/// All of its iterations in order, those of the warm-up too; empty where nothing repeats. Of launches each lasts from
/// the issue of its first operation to the end of its last one. Cost: that of find_steady_state().
std::vector<Interval> find_iterations(const Trace& trace);

/// "ProfilerStep" of "ProfilerStep#7", "step" of "step (7)". Unchanged: a name without a number, one that is a number,
/// and one with a place ("backward (train.py:63)").
std::string_view without_number(std::string_view name);

/// "Net (train.py:63)": how --pytorch names calls of models and of backward passes.
bool names_a_place(std::string_view name);

}  // namespace lanes
