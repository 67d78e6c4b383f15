// SPDX-License-Identifier: MIT
// Figures of any range of a recording, of all its events or of those that a filter keeps, fast enough to follow the
// mouse while a range is dragged.
//
// The sums from the start of the recording are stored for every few hundred operations; operations between such a
// checkpoint and an end of the range are added one by one, so all figures are exact.
#pragma once

#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/facts/intervals.h"
#include "engine/analysis/figures/recording_bounds.h"
#include "engine/trace/progress.h"
#include "engine/trace/trace.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace lanes {

/// Figures of all streams of all GPUs in a range.
struct RangeSummary {
    struct OfKind {
        std::uint64_t count = 0;  ///< number of operations that touch the range, as in Counts
        Ns busy = 0;  ///< length of their union
        std::uint64_t bytes = 0;  ///< copied or set; of an operation across an end of the range, its share by time
    };
    Interval range {0, 0};
    std::array<Ns, 3> at_least {};  ///< time with at least one, two, three streams busy
    std::array<OfKind, 7> kinds;  ///< by OperationKind
    OfKind copies;  ///< all kinds of copies together

    const OfKind& of(OperationKind kind) const { return kinds[static_cast<std::size_t>(kind)]; }
};

/// Trace and Blocking must outlive it. Cost: n log(streams) to build; about 0.6 bytes an operation, 0.13 an API call, 5
/// a blocked stretch. A summary costs (512 + 64 streams) log(streams) for any length of the range.
class RangeIndex {
public:
    RangeIndex(const Trace& trace, const Blocking& blocking, const Progress& progress = {});

    /// Events that count, by row of the trace's tables. Of a call, the blocked time counts.
    struct Kept {
        std::vector<bool> operations, calls;
    };
    /// The figures of these alone, for the recording of `whole`, with which it shares the bounds. Costs as much as
    /// `whole`, and 0.13 bytes an operation more.
    RangeIndex(const RangeIndex& whole, Kept kept, const Progress& progress = {});

    /// `range` is cut to [0, Trace::duration]; all figures of an empty range are 0.
    RangeSummary summary(Interval range) const;
    /// Blocked time of a thread; nothing if the recording does not say. Cost: log n.
    std::optional<Ns> blocked(Row thread, Interval range) const;

    /// Of all events.
    const RecordingBounds& bounds() const { return *m_bounds; }
    std::size_t bytes() const;

private:
    /// Sums over everything before a time.
    struct Sums {
        std::array<Ns, 3> at_least {};
        std::array<Ns, 8> busy {};  ///< by kind; the last is all copies
        std::array<std::uint64_t, 7> started {}, bytes {};  ///< by kind, of operations that began before
    };
    struct Checkpoint {
        Ns time;
        Sums sums;
    };
    /// The sums up to a time, and what happens at that time.
    struct SumsAt {
        Sums sums;  ///< bytes: without what the open operations have not done yet
        std::array<std::uint64_t, 7> open {}, instants {};  ///< operations that run at that time; those without length
    };
    class Summing;
    struct ThreadBlocked {
        std::vector<Row> stretches;  ///< into Blocking::calls
        std::vector<Interval> checkpoints;  ///< every 16 of them: the union's length before (start), its last end (end)
    };

    void add_all(const Progress& progress);
    void add_operations(const Progress& progress);
    void add_blocked();
    SumsAt at(Ns time) const;
    const std::vector<bool>* kept_operations() const { return m_kept ? &m_kept->operations : nullptr; }
    Ns blocked_before(const ThreadBlocked& of, Ns time) const;

    const Trace& m_trace;
    const Blocking& m_blocking;
    std::shared_ptr<const RecordingBounds> m_bounds;
    std::optional<Kept> m_kept;  ///< nothing: all
    std::vector<Checkpoint> m_checkpoints;  ///< by time; the first is at 0
    std::vector<ThreadBlocked> m_blocked;  ///< by thread
};

}  // namespace lanes
