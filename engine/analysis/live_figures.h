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

/// The figures of one stretch of time, as in the report of that range.
struct LiveFigures {
    Interval range {0, 0};  ///< empty: nothing happened yet
    Ns gpu_busy = 0;  ///< one or more streams of any GPU busy
    Ns overlap = 0;  ///< two or more streams busy
    std::optional<Ns> blocked;  ///< of the thread that was blocked the longest; nothing: the records do not say
    Row thread = no_row;  ///< that one
    std::uint64_t operations = 0;  ///< that touch the range

    /// `time` as a part of the range; 0 if the range is empty.
    double share(Ns time) const
    {
        const auto length = range.end - range.start;
        return length > 0 ? static_cast<double>(time) / static_cast<double>(length) : 0;
    }
    double operations_a_second() const { return share(1'000'000'000) * static_cast<double>(operations); }
};

/// The second before the time up to which all processes have records: the recorder hands over those of each process
/// eight times a second. A process without a record in the last second does not count. Shorter if the recording is;
/// empty if it has neither call nor operation. Cost: linear.
Interval last_second(const Trace& trace);

/// `blocking` must be find_blocking(trace). Cost: that of RecordingBounds, then linear in the events of the range.
LiveFigures live_figures(const Trace& trace, const Blocking& blocking, Interval range);

/// "GPU busy   93 %  overlap   42 %   38210 operations/s  waits   12 % (main)", in columns that keep their places: a
/// line for a terminal, in English.
std::string to_line(const Trace& trace, const LiveFigures& figures);

}  // namespace lanes
