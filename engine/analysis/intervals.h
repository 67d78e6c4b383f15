// SPDX-License-Identifier: MIT
// Sets of time as sorted, disjoint, half-open intervals, and the few things the
// figures are made of: union, intersection, difference, length, and how many
// overlap.
#pragma once

#include "probes/record.h"

#include <vector>

namespace lanes {

struct Interval {
    Ns start, end;  ///< [start, end), start < end
    friend bool operator==(const Interval&, const Interval&) = default;
};

/// Sorted by start, disjoint, not touching.
using IntervalSet = std::vector<Interval>;

/// The union of any intervals; empty ones vanish. n log n, linear if sorted by start.
IntervalSet unite(std::vector<Interval> intervals);
IntervalSet intersect(const IntervalSet& a, const IntervalSet& b);
IntervalSet subtract(const IntervalSet& a, const IntervalSet& b);
/// The part inside `range`.
IntervalSet clip(const IntervalSet& a, Interval range);
/// Busy time: the sum of the lengths, which for a union is never more than the span.
Ns length(const IntervalSet& a);

/// A stretch in which `count` of the given sets were busy at once.
struct Level {
    Ns start, end;
    std::uint32_t count;
};
/// Covers `range` without gaps; neighbours differ in count.
std::vector<Level> concurrency(const std::vector<IntervalSet>& sets, Interval range);

}  // namespace lanes
