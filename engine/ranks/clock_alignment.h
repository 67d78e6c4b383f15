// SPDX-License-Identifier: MIT
// How the clocks of hosts differ, as bounds that follow from collectives: nobody leaves one before all have come. Times
// are not rewritten; what is found says how to read them.
//
// For each moment of a clock there is a window that holds by how much it is ahead of the first clock. Bounds:
//   - end(i) >= start(j) for two members of a collective in which all wait for all, and from the sender to a receiver
//     where only that one waits. It cannot be wrong.
//   - end(i) >= start(j) + shortest duration of such a collective - margin. Data needs that long once all have come,
//     but for what ends of one collective differ (margin: measured, see below). Where these bounds contradict each
//     other, the first kind alone counts.
//   - an answer of a clock to a question over the network is such a meeting of two: it was given after the question was
//     sent and before the answer was there.
//   - a clock drifts by at most most_drift, so a bound holds for other moments, too, but less tightly. Where a record
//   is
//     long (long_record), the drift itself is bounded by the windows of its beginning and end.
// Where bounds of the first kind contradict each other, a clock was set: there is a new piece, and the two collectives
// are named. Where samples of a host's two clocks say that one was set, there is a new piece, too.
#pragma once

#include "engine/trace/units.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace lanes {

/// 100 ppm each of two clocks.
inline constexpr double most_drift = 200e-6;
/// A clock's drift is bounded by its own record from here on: the windows of two moments, 20 us wide, tell 4 ppm.
inline constexpr Ns long_record = 10'000'000'000;
inline constexpr std::size_t long_record_meetings = 100;
/// Ends of one collective differ by 5 to 27 us (durations of 0.1 to 0.9 ms, NVLink), by 36 to 52 us (1.5 ms).
constexpr Ns alignment_margin(Ns shortest)
{
    return 15'000 + shortest / 25;
}

/// One collective. Members of one clock may be given as one: their last start and their first end.
struct ClockMeeting {
    struct Member {
        std::uint32_t clock;
        Ns last_start, first_end;  ///< on that clock
    };
    static constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

    std::vector<Member> members;
    Ns shortest = 0;  ///< the least time that any of its kind took
    std::size_t sender = all;  ///< into `members`: all others wait for that one only; all: all wait for all
};

struct ClockWindow {
    Ns at;  ///< on its own clock
    Ns low, high;  ///< it is ahead of the first clock by so much
    Ns middle() const { return low + (high - low) / 2; }
    Ns half() const { return (high - low + 1) / 2; }
};

struct ClockPiece {
    std::vector<ClockWindow> windows;  ///< by time, never empty
    Ns begin = 0;  ///< it is of times from here on: that of the first window, or when the clock was set before it
};

/// What one clock is to another, the first of those that meet.
struct AlignedClock {
    enum class Method : std::uint8_t {
        first,  ///< others are compared with it
        collectives,  ///< or questions
        unknown,  ///< it meets no other
    } method = Method::unknown;
    std::uint32_t compared_with
        = 0;  ///< the clock that it is ahead of: the first one that it meets, also through others
    bool is_tight = false;  ///< by the second kind of bounds, too
    /// All windows hold 0. Clocks that were not brought together are milliseconds apart: these two are one, or kept
    /// together, and it is taken to be 0 ahead.
    bool agrees = false;
    std::vector<ClockPiece> pieces;  ///< by time; empty unless by collectives
    double least_drift = -most_drift, greatest_drift = most_drift;  ///< against the first clock

    /// Ahead of the first clock at a moment of its own; between two windows a straight line. 0 if unknown.
    Ns ahead(Ns own) const;
    /// By so much ahead() may be wrong, at most. 0 of the first; `unknown` has no bound.
    Ns uncertainty(Ns own) const;
    /// The median of that over its windows.
    Ns uncertainty() const;
    /// The window of a moment; of the unknown, all times.
    ClockWindow window(Ns own) const;
};

/// Two collectives that cannot both be as recorded unless a clock was set between them.
struct ClockContradiction {
    std::uint32_t clock;
    std::size_t before, after;  ///< into the meetings
    Ns by;
};

struct ClockAlignment {
    std::vector<AlignedClock> clocks;
    std::vector<ClockContradiction> contradictions;
};

/// Clocks are numbered from 0. Each is compared with the first one that it meets, directly or through others. `set`: by
/// clock, ascending: moments of it between which nobody set it; a piece ends there. Empty: none is known. Cost: n log n
/// in all members, and linear for each clock between one and the first.
ClockAlignment align_clocks(
    std::size_t clocks, const std::vector<ClockMeeting>& meetings, const std::vector<std::vector<Ns>>& set = {});

}  // namespace lanes
