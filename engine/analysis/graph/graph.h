// SPDX-License-Identifier: MIT
// The dependency graph of a recording, walked in both directions: what came before what, which of it was waited for
// last, and what a thread did before a moment.
//
// Its nodes are the recording's operations, outermost calls, host work, queue waits and reads. Program order, stream
// order and call -> operation are the tables' own; Dependencies has what joins streams, threads and GPUs, StartCauses
// which of an operation's predecessors was the last, Blocking what released a call.
#pragma once

#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/graph/dependencies.h"
#include "engine/analysis/graph/start_causes.h"
#include "engine/analysis/graph/thread_ranges.h"
#include "engine/trace/event.h"

#include <span>
#include <vector>

namespace lanes {

/// Trace and Blocking must outlive it. Cost: that of Dependencies and StartCauses; 9 bytes an operation, 4 more for one
/// that waited for another than its neighbour on the stream, and 4 a call, host span and read, and 8
/// a named range.
class Graph {
public:
    Graph(const Trace& trace, const Blocking& blocking);

    const Trace& trace() const { return *m_trace; }
    const Blocking& blocking() const { return *m_blocking; }
    const Dependencies& dependencies() const { return m_dependencies; }
    const StartCauses& starts() const { return m_starts; }

    /// The operations that waited for this one last, and began because it ended. Cost: log n.
    std::vector<Row> let_begin(Row operation) const;
    /// The kernel of the same collective that the others waited for; no_row: this is it, or there is none. Cost: log n.
    Row partner_of(Row operation) const;
    /// The operation whose end let a blocked stretch (into Blocking::calls) end: the one that it was held by, or for a
    /// call that allocates the one of which the stretch's end is the end. no_row: not recorded. Cost: log n.
    Row released_by(Row stretch) const;
    /// What of another thread let a get, a put or a join go on, into Trace::host_spans; no_row: none, or unknown.
    Row handover_of(Row host_span) const;
    /// What the thread was doing at `time`, or did last before it: an outermost call, a host span or a read that began
    /// before `time`; none if there is none. Cost: log n.
    EventRef before(Row thread, Ns time) const;
    /// The same for the next one that begins at `time` or later.
    EventRef behind(Row thread, Ns time) const;

    /// The turn that the thread was given at `time`, or next: the first whose `at` is not before it; null: there is
    /// none.
    const Turn* turn_at(Row thread, Ns time) const;
    /// The one that it was given before that; null: there is none. Cost of both: log n.
    const Turn* turn_before(Row thread, Ns time) const;
    /// What threads are in by their own account where they are in no call.
    const ThreadRanges& ranges() const { return m_ranges; }

    /// Whether the thread does more than to ask the GPU now and then, as NCCL's watchdog does: nobody waits for that.
    bool works(Row thread) const { return m_works[thread]; }

    /// How many things the thread began before `time`: its outermost calls, host spans and reads, in this order
    /// item(). Cost: log n.
    std::size_t items_before(Row thread, Ns time) const;
    /// The same where they are at most `known`, and little fewer. Cost: log n of how many fewer.
    std::size_t items_before(Row thread, Ns time, std::size_t known) const;
    std::size_t items(Row thread) const { return m_items[thread].size(); }
    EventRef item(Row thread, std::size_t place) const;

    /// Operations of which the recording does not say why they began when they did.
    std::uint64_t unknown_starts() const { return m_unknown; }
    /// Of an operation or an outermost call; 0: there is none.
    Ns last_end() const { return m_last_end; }

private:
    const Trace* m_trace;
    const Blocking* m_blocking;
    Dependencies m_dependencies;
    StartCauses m_starts;
    std::vector<Row> m_by_after;  ///< operations that waited for another than their neighbour, by what they waited for
    std::vector<std::vector<std::uint32_t>> m_items;  ///< by thread: table and row, in the order of time
    ThreadRanges m_ranges;
    std::vector<bool> m_works;  ///< by thread
    std::uint64_t m_unknown = 0;
    Ns m_last_end = 0;
};

}  // namespace lanes
