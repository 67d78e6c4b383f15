// SPDX-License-Identifier: MIT
// The dependency graph of a recording, in both directions: what came before what, which predecessor was waited for
// last, and what a thread did before a given time.
//
// Nodes are operations, outermost calls, host work, queue waits and reads. Program order, stream order and call ->
// operation follow from the tables of the Trace. Dependencies has the edges between streams, threads and GPUs,
// StartCauses which predecessor of an operation ended last, Blocking what released a call.
#pragma once

#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/facts/steady_state.h"
#include "engine/analysis/facts/thread_items.h"
#include "engine/analysis/figures/thread_ranges.h"
#include "engine/analysis/graph/dependencies.h"
#include "engine/analysis/graph/sampled_places.h"
#include "engine/analysis/graph/start_causes.h"
#include "engine/trace/event_ref.h"
#include "engine/trace/owners.h"

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace lanes {

/// Trace and Blocking must outlive it. Cost: that of Dependencies and StartCauses; 9 bytes an operation, 4 more if it
/// waited for another than its predecessor on the stream; 8 a call, 4 a host span and read; 12 a named range.
class Graph {
public:
    Graph(const Trace& trace, const Blocking& blocking);

    const Trace& trace() const { return *m_trace; }
    const Blocking& blocking() const { return *m_blocking; }
    const Dependencies& dependencies() const { return m_dependencies; }
    const StartCauses& starts() const { return m_starts; }

    /// The operations that started because this one ended: it was the last that they waited for. Cost: log n.
    std::vector<Row> let_begin(Row operation) const;
    /// The kernel of the same collective that started last, for which this one waited; no_row: none, or the clocks of
    /// merged ranks may differ by as much as it started later. Cost: log n.
    Row partner_of(Row operation) const;
    /// The operation whose end released a blocked stretch (into Blocking::calls): BlockedCall::released_by, or for an
    /// allocation the operation that ended when the stretch did. no_row: not recorded. Cost: log n.
    Row released_by(Row stretch) const;
    /// The host span of another thread that released a get, put or join, into Trace::host_spans; no_row: none or
    /// unknown.
    Row handover_of(Row host_span) const;
    /// The last outermost call, host span or read that the thread began before `time`. Cost: log n.
    EventRef before(Row thread, Ns time) const;
    /// The first one that it began at `time` or later. Cost: log n.
    EventRef behind(Row thread, Ns time) const;

    /// The first turn (turns.h) that the thread was given at `time` or later; null: none. Cost: log n.
    const Turn* turn_at(Row thread, Ns time) const;
    /// The last turn that it was given before `time`; null: none. Cost: log n.
    const Turn* turn_before(Row thread, Ns time) const;
    /// The named ranges of threads.
    const ThreadRanges& ranges() const { return m_ranges; }
    /// Where Python was, by samples.
    const SampledPlaces& sampled() const { return m_sampled; }
    /// Whose work each operation is.
    const Owners& owners() const { return m_owners; }
    /// The part that repeats; nothing where nothing repeats. From any thread. Cost: the first time that of
    /// find_repetition().
    const std::optional<Repetition>& repetition() const;

    /// False for threads that only query the GPU now and then, such as NCCL's watchdog: nothing waits for them.
    bool works(Row thread) const { return m_works[thread]; }

    /// The number of outermost calls, host spans and reads that the thread began before `time`; an index for item().
    /// Cost: log n.
    std::size_t items_before(Row thread, Ns time) const;
    /// The same, faster if the result is at most `known` and close to it. Cost: log of the difference.
    std::size_t items_before(Row thread, Ns time, std::size_t known) const;
    std::size_t items(Row thread) const { return m_items.size(thread); }
    EventRef item(Row thread, std::size_t place) const;

    /// The last end of an operation or outermost call; 0: none.
    Ns last_end() const { return m_last_end; }

private:
    std::size_t items_before(Row thread, Ns time, std::size_t from, std::size_t to) const;
    bool begins_before(Row thread, std::size_t place, Ns time) const;

    const Trace* m_trace;
    const Blocking* m_blocking;
    Dependencies m_dependencies;
    StartCauses m_starts;
    std::vector<Row> m_by_after;  ///< operations that waited for another than their predecessor on the stream, sorted
                                  ///< by what they waited for
    ThreadItems m_items;
    ThreadRanges m_ranges;
    SampledPlaces m_sampled;
    Owners m_owners;
    std::vector<bool> m_works;  ///< by thread
    struct FoundRepetition {
        std::once_flag once;
        std::optional<Repetition> value = {};
    };
    std::unique_ptr<FoundRepetition> m_repetition = std::make_unique<FoundRepetition>();
    Ns m_last_end = 0;
    Ns m_clocks_apart = 0;  ///< meta::clock_uncertainty_ns
};

}  // namespace lanes
