// SPDX-License-Identifier: MIT
// Where the iterations of a program lie, for `lanes record --steps A:B`.
#pragma once

#include "engine/trace/trace.h"
#include "engine/trace/units.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lanes {

/// [first, end), counted from 0.
struct StepNumbers {
    std::uint32_t first = 0, end = 0;
};

/// From the beginning of step `first` to that of step `end`, or to the end of the step before it where there is none.
/// Steps are ranges "ProfilerStep#N" and have their number; where there are none, the iterations that
/// find_iterations() finds. Nothing where a step is missing: `problem` says what there is.
/// Times are ns of the recording. Cost: that of find_iterations().
std::optional<Interval> find_steps(const Trace& trace, StepNumbers steps, std::string& problem);

}  // namespace lanes
