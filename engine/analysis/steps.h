// SPDX-License-Identifier: MIT
// Finds the iterations of a program for `lanes record --steps A:B`.
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

/// From the beginning of step `first` to that of step `end`, or, if there is none, to the end of the step before it.
/// Steps are ranges "ProfilerStep#N" with that number; without any, the iterations of find_iterations(). Nothing if a
/// step is missing: `problem` says which there are. Times are ns of the recording. Cost: that of find_iterations().
std::optional<Interval> find_steps(const Trace& trace, StepNumbers steps, std::string& problem);

}  // namespace lanes
