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

/// Whether that moment of a thread is in one of them. Cost: log n.
bool is_in_first_operator(const std::vector<IntervalSet>& first, Row thread, Ns time);

}  // namespace lanes
