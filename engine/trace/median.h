// SPDX-License-Identifier: MIT
// The value in the middle of several, or at another place in their order. Of an even number,
// - median_of gives the lower of the two in the middle: one of the values, so it belongs to a run, an iteration or a
//   call. Figures, gates and alignments use it;
// - mean_of_middle gives the mean of the two: for all events of one name, in summaries and in the window's card;
// - nth_part(values, 1, 2) gives the upper of the two: what loops and replays learn from samples.
// The fit of model devices interpolates (engine/calibrate/estimate.h).
#pragma once

#include "engine/trace/units.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lanes {

/// The value that `place` others come before in order. Needs more than `place`; changes their order. Cost: linear.
template <typename T> T nth_of(std::vector<T>& values, std::size_t place)
{
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

/// The value that `part` of `of` others come before, as in nth_part(times, 3, 4) for the upper quartile: `part` is less
/// than `of`. Needs at least one; changes their order. Cost: linear.
template <typename T> T nth_part(std::vector<T>& values, std::size_t part, std::size_t of)
{
    return nth_of(values, values.size() * part / of);
}

/// Needs at least one. Cost: linear.
template <typename T> T median_of(std::vector<T> values)
{
    return nth_of(values, (values.size() - 1) / 2);
}

/// Rounded down for an even number. Needs at least one; changes their order. Cost: linear.
inline Ns mean_of_middle(std::vector<Ns>& times)
{
    const Ns upper = nth_part(times, 1, 2);
    if (times.size() % 2 != 0) {
        return upper;
    }
    const Ns lower = *std::max_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
    return lower + (upper - lower) / 2;
}

}  // namespace lanes
