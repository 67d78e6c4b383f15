// SPDX-License-Identifier: MIT
// What all of engine/ and gui/ count in: the units of the records (probes/units.h) and stretches of time. Whoever
// needs no more of a recording than these includes this, not the records.
#pragma once

#include "probes/units.h"

namespace lanes {

/// [start, end) in ns from the recording's start. start < end in an IntervalSet; start == end is an event without
/// length, or no time at all.
struct Interval {
    Ns start = 0, end = 0;
    friend bool operator==(const Interval&, const Interval&) = default;
};

}  // namespace lanes
