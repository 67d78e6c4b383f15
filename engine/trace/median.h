// SPDX-License-Identifier: MIT
// The median of times that all figures, gates and alignments use: of an even number, the lower of the two in the
// middle. That is one of the times, so it belongs to a run, an iteration or a call. (Tables of sums by name give the
// mean of the two, and the fit of model devices interpolates: docs/definitions.md, engine/calibrate/estimate.h.)
#pragma once

#include "engine/trace/units.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lanes {

/// Needs at least one. Cost: linear.
inline Ns median_of(std::vector<Ns> times)
{
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

}  // namespace lanes
