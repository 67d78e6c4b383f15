// SPDX-License-Identifier: MIT
// The part of a recording that repeats: the iterations of a script that starts up for seconds and then works.
//
// First by ranges of one thread whose names differ only in a number at the end ("ProfilerStep#7", "step 7"): those in
// which its process issued most operations. The thread must issue a tenth of them or more: a loader's worker has no
// loop of the model. If they are only a part of what repeats (a backward pass), an iteration goes from one start to the
// next of the first range that each iteration has once. Ranges are not believed if find_launch_loop() (launch_loop.h)
// finds several of them in each iteration (layers), or several iterations in each that is called an epoch; steps of
// PyTorch's profiler always are. Where there are none, by these launches. Last, by ranges of other threads, and by
// operators.
//
// The name is that of the range: the user's or a model's call; of launches, that of the range which comes once in nine
// of ten iterations and holds most operations. A backward pass gives the name only if no other range does; operators
// and libraries do not, unless operators are all that is found.
//
// Iterations at its head that took warm_up_factor times the median are left out, as long as least_iterations stay; of
// launches also those of a loop before it (LaunchLoop::before_wait).
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
    std::string name = {};  ///< of a range, without the number; "" of launches without ranges
    std::string begins_with = {};  ///< the range at whose start an iteration begins; "" of launches
    Row thread = no_row;  ///< of the ranges; of launches the one that issues them, no_row: not known
    friend bool operator==(const SteadyState&, const SteadyState&) = default;
};

inline constexpr std::size_t least_iterations = 3;
inline constexpr Ns warm_up_factor = 3;
/// What repeats must have this share of the operations (by launches, of the stream's or the process's), else it is not
/// what the run is about.
inline constexpr double share_that_repeats = 0.5;

/// Ranges with a smaller share of the operations issued from the first to the last of them are only parts of
/// iterations.
inline constexpr double share_of_an_iteration = 0.9;

/// Nothing where nothing repeats. A pure function of the records. Cost: n log n in operations and ranges, and that of
/// find_launch_loop().
std::optional<SteadyState> find_steady_state(const Trace& trace);

/// All of its iterations in order, those of the warm-up too; empty where nothing repeats. Of launches each lasts from
/// the issue of its first operation to the end of its last one. Cost: that of find_steady_state().
std::vector<Interval> find_iterations(const Trace& trace);

/// Both of them, found once.
struct Repetition {
    SteadyState steady;
    std::vector<Interval> iterations;
    std::vector<std::vector<Row>> operations = {};  ///< LaunchLoop::operations of launches; empty of ranges
};
std::optional<Repetition> find_repetition(const Trace& trace);

/// "ProfilerStep" of "ProfilerStep#7", "step" of "step (7)". Unchanged: a name without a number, one that is a number,
/// and one with a place ("backward (train.py:63)").
std::string_view without_number(std::string_view name);

/// "Net (train.py:63)": how --pytorch names calls of models and of backward passes.
bool names_a_place(std::string_view name);

}  // namespace lanes
