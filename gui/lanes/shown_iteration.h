// SPDX-License-Identifier: MIT
// One iteration as a view shows it alone: where it lies, which of how many it is, and how long all of them take.
#pragma once

#include "engine/analysis/iterations.h"

#include <memory>
#include <vector>

namespace lanes::gui {

struct ShownIteration {
    Interval span;  ///< ns of the recording
    std::size_t number = 1, count = 1;  ///< of all, from 1
    bool typical = true;
    std::uint64_t kernels = 0, copies = 0;  ///< in it
    std::vector<Ns> lengths;  ///< of those after the warm-up, the shortest first
    Ns low = 0, high = 0;  ///< 5 and 95 % of them are no longer than that
    Ns average = 0;  ///< average_wall()

    Ns length() const { return span.end - span.start; }
};

/// `at` counts from 0. Cost: n log n in the iterations.
std::shared_ptr<const ShownIteration> shownIteration(const Iterations& iterations, std::size_t at);

/// What shows both from their start, with a little beside the longer one, in the time of `a`.
Interval rangeOfBoth(const ShownIteration& a, const ShownIteration& b);

}  // namespace lanes::gui
