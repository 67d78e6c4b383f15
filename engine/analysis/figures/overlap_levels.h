// SPDX-License-Identifier: MIT
// When at least one, two and three streams were busy at once: what the overlap
// ribbon shows.
//
// Found one stretch of time after another: what the streams did in it is sorted by time and swept, in memory that fits
// a processor's cache, however many streams there are. Stretches do not depend on one another, so threads share them.
// Cost: about 15 ns an operation, 16 bytes an interval of the result, 1 MB beside it.
#pragma once

#include "engine/analysis/facts/intervals.h"
#include "engine/trace/trace.h"

#include <array>
#include <functional>
#include <optional>
#include <stop_token>

namespace lanes {

/// Time in which at least one, two, three streams were busy.
using OverlapLevels = std::array<IntervalSet, 3>;

class OverlapSweep {
public:
    /// Looks at the streams of `trace`, or of one of its GPUs; the trace must outlive it. Linear in the operations of
    /// streams that overlap themselves, whose unions it makes; nothing else is copied. With `shown`, for these
    /// operations alone: 16 bytes each.
    explicit OverlapSweep(
        const Trace& trace, std::optional<std::uint32_t> device = {}, const std::function<bool(Row)>& shown = {});

    /// The levels of [range.start, range.end). Stopped half-way, its result is unspecified.
    /// Any number of threads may ask at once.
    OverlapLevels levels(Interval range, const std::stop_token& stop = {}) const;

    /// The only stream, if there is but one and its operations follow one another: it is the first level then.
    bool is_one_stream() const { return m_streams.size() == 1 && m_united.empty(); }

    /// Cuts [0, until) into at most `parts` stretches with about the same number of operations.
    std::vector<Interval> stretches(Ns until, std::size_t parts) const;

    /// The levels of a range from those of two ranges that follow one another.
    static void append(OverlapLevels& levels, OverlapLevels&& next);

private:
    /// What one stream did: disjoint, by start.
    struct Stream {
        const Ns* start;
        const Ns* end;
        std::size_t size;
    };
    struct Times {
        std::vector<Ns> start, end;
    };
    class Window;

    std::vector<Stream> m_streams;
    std::vector<Times> m_united;  // of the streams that overlap themselves
};

}  // namespace lanes
