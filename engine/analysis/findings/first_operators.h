// SPDX-License-Identifier: MIT
// Operators of PyTorch that ran for the first time and took long: what they initialise, load and compile is done once.
#pragma once

#include "engine/analysis/facts/intervals.h"
#include "engine/trace/trace.h"

#include <vector>

namespace lanes {

/// By thread, the times of outermost operators (operators.h) that took more than 1 ms and are the first of their name
/// in their process, whether in another one or not; sorted and disjoint. Empty if there are no operators. Cost:
/// linear in the ranges.
std::vector<IntervalSet> first_operators(const Trace& trace);

}  // namespace lanes
