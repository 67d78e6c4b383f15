// SPDX-License-Identifier: MIT
// A part of a recording as people write it: "2ms:5.5ms", "2ms:", ":300us", "0:1000000", "steady".
#pragma once

#include "engine/analysis/facts/intervals.h"
#include "engine/trace/trace.h"

#include <string_view>

namespace lanes {

/// A:B in times from the recording's start with a unit each (ns, us, µs, ms, s; bare numbers are ns); an empty side
/// means the start or `duration`, and an end after `duration` stays as it is. Throws std::invalid_argument with one
/// line that says what is wrong, also for a range that begins at `duration` or later. If the run ended before the
/// recording did, at `run`, the line says that as well, since all else shows `run` as the total.
Interval parse_time_range(std::string_view text, Ns duration, Ns run = 0);

/// The same for a recording, or "steady": the part that repeats (engine/analysis/facts/steady_state.h). Throws
/// std::invalid_argument as above, also for "steady" where nothing repeats. Cost: for "steady" that of
/// find_steady_state().
Interval parse_range_of(const Trace& trace, std::string_view text);

/// "2.5ms", or ns without a unit. Throws std::invalid_argument saying what was found and expected.
Ns parse_time(std::string_view text);

}  // namespace lanes
