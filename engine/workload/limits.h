// SPDX-License-Identifier: MIT
// Limits on figures: `wall<5%, blocked>-2ms`, `total < 20 ms, wrong < 1 B`.
//
//   limits = limit {"," limit}         limit = figure ("<" | ">") ["+" | "-"] number ["%" | unit]
//
// What a figure is, and whether a percentage is a change or a share, is the caller's affair.
#pragma once

#include "engine/workload/quantity.h"

#include <string>
#include <string_view>
#include <vector>

namespace lanes {

struct Limit {
    std::string text;  ///< as given, without spaces
    std::size_t figure;  ///< which of the names
    bool below;  ///< must be less than the bound, else more
    bool relative;  ///< the bound is in percent
    Dimension dimension;  ///< of a bound that is not: a time, bytes, or a plain number
    double bound;  ///< percent, ns, bytes or a number
};

/// One or more. `figures` are the names that are known; of times and percentages alone where `of_times`. Throws
/// ExpressionError (engine/workload/expression.h). Cost: linear.
std::vector<Limit> parse_limits(std::string_view text, const std::vector<std::string>& figures, bool of_times);

}  // namespace lanes
