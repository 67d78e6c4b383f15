// SPDX-License-Identifier: MIT
// What happens on GPUs in order of time, as replays of collectives go through it.
#pragma once

#include "engine/trace/trace.h"

#include <cstdint>
#include <vector>

namespace lanes {

struct Moment {
    Ns time;
    Row row;  ///< into Trace::operations; of goes_on: into the replay's waits
    enum : std::uint8_t { ends, goes_on, begins } what;  ///< in this order at one time
};

/// A launch takes effect 3 to 5 us after it began, on idle streams of H100 and H200; it takes longer only if others
/// come first.
inline constexpr Ns most_issue = 5'000;

/// Times of one file may be wrong by as much: tools that keep microseconds since 1970 as doubles round them to 0.25 us,
/// begin and length each. An operation that begins this short before another one's end follows it.
inline constexpr Ns most_rounding = 500;

/// Adds begin and end of an operation, the end earlier by most_rounding. `issue` becomes at most the time from its call
/// to its start, if its call is known.
void add_moments(const Trace& trace, Row operation, std::vector<Moment>& moments, Ns& issue);

/// By time. Cost: n log n.
void sort_moments(std::vector<Moment>& moments);

}  // namespace lanes
