// SPDX-License-Identifier: MIT
// A part of a recording as people write it: "2ms:5.5ms", "2ms:", ":300us", "0:1000000", "steady".
#pragma once

#include "engine/analysis/facts/intervals.h"
#include "engine/trace/trace.h"

#include <string_view>

namespace lanes {

/// A:B in times from the recording's start with a unit each (ns, us, µs, ms, s; bare numbers are ns); an empty
/// side means the start or `duration`, and what ends behind `duration` stays as it is. Throws std::invalid_argument
/// with one line that says what is wrong, also of a range that begins at `duration` or behind it: where the run ended
/// before the recording did, at `run`, it says that as well, for `run` is the total that is told everywhere else.
Interval parse_time_range(std::string_view text, Ns duration, Ns run = 0);

/// The same of a recording, or "steady": the part that repeats (engine/analysis/facts/steady_state.h). Throws
/// std::invalid_argument as above, also for "steady" where nothing repeats. Cost: none, of "steady"
/// find_steady_state().
Interval parse_range_of(const Trace& trace, std::string_view text);

/// "2.5ms", or ns without a unit. Throws std::invalid_argument saying what was found and expected.
Ns parse_time(std::string_view text);

}  // namespace lanes
