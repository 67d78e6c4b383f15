// SPDX-License-Identifier: MIT
// Units of all of engine/ and gui/: those of the records (probes/units.h), and Interval.
#pragma once

#include "probes/units.h"

#include <algorithm>

namespace lanes {

/// Records with a time this far from 0, or farther, are damaged: differences of smaller times fit into Ns.
inline constexpr Ns record_time_limit = Ns {1} << 61U;
constexpr bool is_sane(Ns time)
{
    return time > -record_time_limit && time < record_time_limit;
}

/// [start, end) in ns from the recording's start; empty if start == end.
struct Interval {
    Ns start = 0, end = 0;
    friend bool operator==(const Interval&, const Interval&) = default;
};

/// Whether [start, end) and `range` overlap. Without length it also counts at both ends of the range.
constexpr bool touches(Ns start, Ns end, Interval range)
{
    return (start < range.end && end > range.start) || (start == end && start >= range.start && start <= range.end);
}

/// What is in both; the end is before the start where there is nothing between them.
constexpr Interval common(Interval a, Interval b)
{
    return {std::max(a.start, b.start), std::min(a.end, b.end)};
}

/// Never below 0.
constexpr Ns length(Interval interval)
{
    return std::max<Ns>(0, interval.end - interval.start);
}

/// How much of [start, end) lies in `range`; of what touches it at least 1, so that 0 says that there is nothing.
constexpr Ns time_in(Ns start, Ns end, Interval range)
{
    return touches(start, end, range) ? std::max<Ns>(length(common({start, end}, range)), 1) : 0;
}

}  // namespace lanes
