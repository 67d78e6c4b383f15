// SPDX-License-Identifier: MIT
// The figures of any range of a recording, at once: they follow the mouse while a
// range is dragged.
//
// Sums up to a moment are kept for every few hundred operations; the operations from
// there to the end of the range are added one by one, so that every figure is exact.
#pragma once

#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/figures/intervals.h"
#include "engine/analysis/figures/recording_bounds.h"
#include "engine/trace/progress.h"
#include "engine/trace/trace.h"

#include <array>
#include <optional>
#include <vector>

namespace lanes {

/// Of all streams of all GPUs, in a range.
struct RangeSummary {
    struct OfKind {
        std::uint64_t count = 0;  ///< operations that touch the range, as Counts has them
        Ns busy = 0;  ///< length of their union
        std::uint64_t bytes
            = 0;  ///< copied or set; of an operation that reaches out of the range, its share of the time
    };
    Interval range {0, 0};
    std::array<Ns, 3> at_least {};  ///< time with at least one, two, three streams busy
    std::array<OfKind, 7> kinds;  ///< by OperationKind
    OfKind copies;  ///< of all kinds of copies together

    const OfKind& of(OperationKind kind) const { return kinds[static_cast<std::size_t>(kind)]; }
};

/// Trace and Blocking must outlive it. Cost: to build, n log(streams), about 0.6 bytes an operation, 0.13 an API
/// call and 5 a blocked stretch; a summary takes (512 + 64 streams) log(streams), however long the range is.
class RangeIndex {
public:
    RangeIndex(const Trace& trace, const Blocking& blocking, const Progress& progress = {});

    /// `range` is cut to [0, Trace::duration]; of an empty one everything is 0.
    RangeSummary summary(Interval range) const;
    /// Blocked time of a thread; nothing where the recording cannot tell. Cost: log n.
    std::optional<Ns> blocked(Row thread, Interval range) const;

    const RecordingBounds& bounds() const { return m_bounds; }
    std::size_t bytes() const;

private:
    /// Sums of all that was before a moment.
    struct Sums {
        std::array<Ns, 3> at_least {};
        std::array<Ns, 8> busy {};  ///< by kind; all copies
        std::array<std::uint64_t, 7> started {}, bytes {};  ///< of what began before
    };
    struct Checkpoint {
        Ns time;
        Sums sums;
    };
    /// The sums up to a moment, and what is special about it.
    struct Moment {
        Sums sums;  ///< bytes: less what the open operations still have to do
        std::array<std::uint64_t, 7> open {}, instants {};  ///< operations around it; those without length at it
    };
    class Summing;
    struct ThreadBlocked {
        std::vector<Row> stretches;  ///< into Blocking::calls
        std::vector<Interval> checkpoints;  ///< every 16 of them: the union's length before (start), its last end (end)
    };

    void add_operations(const Progress& progress);
    void add_blocked();
    Moment at(Ns time) const;
    Ns blocked_before(const ThreadBlocked& of, Ns time) const;

    const Trace& m_trace;
    const Blocking& m_blocking;
    RecordingBounds m_bounds;
    std::vector<Checkpoint> m_checkpoints;  ///< by time; the first is at 0
    std::vector<ThreadBlocked> m_blocked;  ///< by thread
};

}  // namespace lanes
