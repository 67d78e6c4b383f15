// SPDX-License-Identifier: MIT
// Sets of time as sorted, disjoint, half-open intervals, and the few things the
// figures are made of: union, intersection, difference and length.
#pragma once

#include "engine/trace/units.h"

#include <vector>

namespace lanes {

/// Sorted by start, disjoint, not touching, none of them empty.
using IntervalSet = std::vector<Interval>;

/// The union of any intervals; empty ones vanish. n log n, linear if sorted by start.
IntervalSet unite(std::vector<Interval> intervals);
IntervalSet intersect(const IntervalSet& a, const IntervalSet& b);
IntervalSet subtract(const IntervalSet& a, const IntervalSet& b);
/// The part inside `range`.
IntervalSet clip(const IntervalSet& a, Interval range);
/// Busy time: the sum of the lengths, which for a union is never more than the span.
Ns length(const IntervalSet& a);

/// Answers quickly how much of a set is within a stretch. Takes 8 bytes an interval beside the set.
class Coverage {
public:
    explicit Coverage(IntervalSet set);
    const IntervalSet& set() const { return m_set; }
    /// Busy time in `stretch`; log n.
    Ns within(Interval stretch) const;
    /// Busy time in all of `stretches`.
    Ns within(const IntervalSet& stretches) const;

private:
    Ns before(Ns time) const;

    IntervalSet m_set;
    std::vector<Ns> m_before;  ///< busy time before each interval
};

}  // namespace lanes
