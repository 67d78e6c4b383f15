// SPDX-License-Identifier: MIT
// The figures of the last second of a program that is being recorded: what a monitor shows.
#pragma once

#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/facts/intervals.h"
#include "engine/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lanes {

/// Of one stretch of time; each is what the report of that range says.
struct LiveFigures {
    Interval range {0, 0};  ///< empty: nothing happened yet
    Ns gpu_busy = 0;  ///< one stream of any GPU, or more
    Ns overlap = 0;  ///< two streams or more
    std::optional<Ns> blocked;  ///< of the thread that was blocked the longest; nothing: the records cannot tell
    Row thread = no_row;  ///< that one
    std::uint64_t operations = 0;  ///< that touch the range

    /// `time` as a part of the range, 0 of an empty one.
    double share(Ns time) const
    {
        const auto length = range.end - range.start;
        return length > 0 ? static_cast<double>(time) / static_cast<double>(length) : 0;
    }
    double operations_a_second() const { return share(1'000'000'000) * static_cast<double>(operations); }
};

/// The second up to the moment to which the records of all processes reach: the recorder hands over those of each
/// process eight times a second. A process without a record in the last second has nothing to say. Shorter where the
/// recording is; empty where it has neither call nor operation. Cost: linear.
Interval last_second(const Trace& trace);

/// `blocking` must be find_blocking(trace). Cost: of RecordingBounds, then of what lies in the range.
LiveFigures live_figures(const Trace& trace, const Blocking& blocking, Interval range);

/// "GPU busy  93 %  overlap  42 %   38210 operations/s  blocked  12 % (main)", in columns that keep their places: a
/// line for a terminal, in English.
std::string to_line(const Trace& trace, const LiveFigures& figures);

}  // namespace lanes
