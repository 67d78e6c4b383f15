// SPDX-License-Identifier: MIT
// Whether the iterations of a recording take another time from one of them on: the GPU became hot, a cache filled up, a
// schedule went on to longer sequences. One figure for all of them would hide that.
//
// The lengths are cut in two where their ranks differ most (as Pettitt's test does), so a few long ones do not move the
// cut. A step is said only where it is clear: both parts have least_in_a_part lengths, their medians differ by
// least_step of the shorter one, and nine of ten lengths of each part are no further from its median than a quarter of
// that difference. Lengths that grow little by little, come in turns, or are long now and then are no step.
#pragma once

#include "engine/analysis/facts/steady_state.h"
#include "engine/trace/units.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace lanes {

struct LengthStep {
    std::size_t first = 0;  ///< the first of the later part, counted from 0
    Ns before = 0, after = 0;  ///< ns, the medians of both parts
    friend bool operator==(const LengthStep&, const LengthStep&) = default;
};

inline constexpr std::size_t least_in_a_part = 5;
inline constexpr double least_step = 0.1;

/// Of lengths in the order of time. Cost: n log n.
std::optional<LengthStep> find_length_step(const std::vector<Ns>& lengths);
/// Of the iterations after the warm-up, without the last one, which lacks what comes before a next one; `first` counts
/// all of them. `repetition` must be of `trace`. Cost: that of iteration_spans().
std::optional<LengthStep> find_length_step(const Trace& trace, const Repetition& repetition);

}  // namespace lanes
