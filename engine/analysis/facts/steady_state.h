// SPDX-License-Identifier: MIT
// The part of a recording that repeats: of a script that starts up for seconds and then works, the iterations.
//
// First by ranges of one thread whose names differ in a number at the end alone ("ProfilerStep#7", "step 7"), the
// ones in which its process issued most operations. Where they are a part of what repeats (a backward pass), an
// iteration goes from one start to the next, of the range that comes once in each and first of all. Where there are
// none, by the operations of the stream that has most: the longest stretch in which their names come again after the
// same number of operations. At its head iterations that took warm_up_factor times the median are left out, as long as
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
/// What repeats has this share of the operations (of the stream's, by launches), else it is not what the run is about.
inline constexpr double share_that_repeats = 0.5;

/// Ranges with less of the operations that are issued from the first to the last of them are parts of iterations.
inline constexpr double share_of_an_iteration = 0.9;

/// Nothing where nothing repeats. A pure function of the records. Cost: n log n of the operations and the ranges; of
/// launches periods of up to 32,768 operations are found.
std::optional<SteadyState> find_steady_state(const Trace& trace);

/// All of its iterations in order, those of the warm-up too; empty where nothing repeats. Of launches each lasts from
/// the issue of its first operation to the end of its last one. Cost: that of find_steady_state().
std::vector<Interval> find_iterations(const Trace& trace);

/// "ProfilerStep" of "ProfilerStep#7", "step" of "step (7)"; a name without a number, or of one alone, as it is, and so
/// is one with a place ("backward (train.py:63)").
std::string_view without_number(std::string_view name);

/// "Net (train.py:63)": how --pytorch names calls of models and of backward passes.
bool names_a_place(std::string_view name);

}  // namespace lanes
