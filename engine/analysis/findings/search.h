// SPDX-License-Identifier: MIT
// What the searches for findings have in common: where they look, what they yield, and from when on a cost is worth a
// word.
#pragma once

#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/facts/intervals.h"
#include "engine/analysis/figures/recording_bounds.h"
#include "engine/analysis/figures/report_figures.h"
#include "engine/analysis/findings/finding.h"
#include "engine/analysis/graph/dependencies.h"
#include "engine/analysis/graph/graph.h"
#include "engine/analysis/graph/wait_costs.h"
#include "engine/replay/change.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanes {

inline constexpr Ns least_cost = 20'000;  ///< and 1 % of the wall time
inline constexpr Ns short_copy = 20'000;  ///< not worth a stream of its own
inline constexpr std::size_t a_loop = 3;  ///< so many times are no accident
inline constexpr std::size_t most_evidence = 100;

/// All that a search reads; it lives as long as they do.
struct Search {
    const Trace& trace;
    const Blocking& blocking;
    const RecordingBounds& bounds;
    const ReportFigures& report;  ///< with its figures
    const WaitCosts& waits;
    const Graph& graph;

    /// What the waits in these calls cost, as far as they are held (wait_costs.h).
    Ns held_cost(const std::vector<Row>& of_calls) const;
    Interval part_in_range(Ns start, Ns end) const { return common({start, end}, report.range); }
    Ns in_range(Ns start, Ns end) const { return length(part_in_range(start, end)); }
    bool is_worth_it(Ns cost) const { return cost >= least_cost && cost >= report.wall / 100; }
    /// The outermost call; no_row: unknown.
    Row issuer(Row operation) const { return outermost(trace.calls, trace.operations.call[operation]); }
    /// The next outermost call of the thread of `call`; no_row: none among the next thousand of all threads.
    Row next_call(Row call) const;
};

/// Events that show a finding: the longest.
class Evidence {
public:
    void add(EventRef event, Ns length);
    /// The event that was added last took more time.
    void lengthen(Ns length) { m_events.back().first += length; }
    std::size_t count() const { return m_count; }
    Ns longest_length() const;
    std::vector<EventRef> longest() const;

private:
    void keep_longest();
    std::vector<std::pair<Ns, EventRef>> m_events;
    std::size_t m_count = 0;
};

/// What may be a finding: what shows it, and what would be changed to be rid of it.
struct Candidate {
    std::string rule;
    Ns bound = 0;  ///< it cannot cost more
    std::vector<Interval> taken;  ///< until bound_by_taken(); they may overlap
    Evidence evidence;
    replay::FoundRows rows;  ///< that the rule's changes (rules.h) are limited to, in any order until tidy()
    /// The rows where something holds that no record tells, and whether it does changes the gain: an uploaded batch
    /// that must first be copied to pinned memory. Its sentence is the rule's `otherwise`.
    std::optional<replay::FoundRows> otherwise;
    /// What its waits cost, as far as they are held: that they take no time at all (at_once) gains no more.
    std::optional<Ns> held;
    /// Its waits, of a program, cost nothing as it is: only what it gains on top of other changes is a gain.
    bool is_free = false;
    std::optional<Message> title, advice;  ///< else those of the rule
    /// Those that do what `advice` says, for add_recorded(); else those of the rule.
    std::optional<std::vector<std::vector<replay::ChangeKind>>> changes;
    std::vector<Message::Part> said;  ///< what the rule's title says besides its cost and count

    void take(Interval stretch, EventRef event)
    {
        taken.push_back(stretch);
        evidence.add(event, length(stretch));
    }
    /// More of the event that was taken last.
    void take_more(Interval stretch)
    {
        taken.push_back(stretch);
        evidence.lengthen(length(stretch));
    }
    /// The bound is the time that was taken. What several threads, streams or GPUs lost at the same time was lost once.
    void bound_by_taken() { bound = length(unite(std::exchange(taken, {}))); }
    /// Own time of a thread that was found.
    void save(Row thread, Interval stretch)
    {
        rows.own_time.resize(std::max(rows.own_time.size(), std::size_t {thread} + 1));
        rows.own_time[thread].push_back(stretch);
    }
};
/// Sorts rows as FoundRows says.
replay::FoundRows tidy(replay::FoundRows rows);

/// What the findings before have changed already.
struct Cured {
    std::vector<bool> calls;  ///< by call; empty: none
    std::vector<bool> pinned;  ///< by operation: a copy that is of pinned memory then; empty: none
    std::vector<bool> moved;  ///< by operation: a copy that is on a stream of its own then; empty: none
    bool has_call(Row call) const { return call < calls.size() && calls[call]; }
    bool is_pinned(Row operation) const { return operation < pinned.size() && pinned[operation]; }
    bool is_moved(Row operation) const { return operation < moved.size() && moved[operation]; }
};

// The searches, one a file. Those of waits and calls come in the order in which they are to be cured.

/// pageable-async-copy, gpus-take-turns, sync-after-small-copy, wait-before-work, device-wide-wait, sync-in-loop,
/// query-spin, queue-full and blocked-CAUSE. Cost: linear in blocked stretches and operations, log n for each stretch.
std::vector<Candidate> find_waits(const Search& search);
/// allocation-in-loop. Cost: linear in calls and operations, where any call allocates.
Candidate find_allocations(const Search& search);
/// loading-in-run. Cost: linear in the operations; that of find_steady_state() where a launch loaded code.
Candidate find_loading(const Search& search);
/// default-stream. Cost: n log(streams), where a context has a legacy default stream and blocking ones.
Candidate find_default_stream(const Search& search, const std::vector<Row>& operations_by_time);
/// copy-through-host. Cost: linear in calls and operations, log n for each upload.
Candidate find_copies_through_host(const Search& search, const Dependencies& order);
/// copies-too-small. Cost: linear in the operations.
Candidate find_small_copies(const Search& search);
/// copies-not-hidden. Cost: linear in the operations, where copies are exposed.
Candidate find_unhidden_copies(const Search& search);
/// one-direction. Cost: linear in the operations, where a GPU copies in both directions.
Candidate find_one_direction(const Search& search);

/// copies-after-kernels and communication-after-kernels: there the cost is known without a replay.
/// Copies take as long as they do once what was found before is cured. Cost: linear in the operations, where copies or
/// communication are exposed.
struct AfterKernels {
    Candidate copies, communication;
};
AfterKernels find_after_kernels(const Search& search, const Dependencies& order, const Cured& cured);

/// communication-late: the cost is known without a replay, too. Cost: linear in the operations of the range, where
/// there are collectives of several GPUs.
Candidate find_late_gpu(const Search& search, const Dependencies& order, const Cured& cured);

/// idle-between-iterations. Cost: that of find_iterations().
Candidate find_idle_between_iterations(const Search& search);

/// recorder-overhead from `first` on: before it the program starts up anyway. Cost: linear in the overheads.
Candidate find_recorder_overhead(const Search& search, Ns first);

/// stale-read; nothing where no read found old bytes.
std::optional<Finding> find_stale_reads(const Search& search);

/// data-loader: while no GPU was `busy`. `since_first` becomes the part of its bound after `first`. Cost: linear in the
/// ranges of the range, where any waits for a DataLoader.
Candidate find_data_loader(const Search& search, const IntervalSet& busy, Ns first, Ns& since_first);
/// Whether a range is a thread's wait for the next batch of PyTorch's DataLoader.
bool waits_for_data_loader(const Trace& trace, Row range);

/// launch-bound, starved, graph-capture and cpu-late: while no GPU was busy; but for waits that data-loader has told.
/// `from`: before it the run starts up. Cost: linear in calls, host spans, reads and operations of the range.
struct Idle {
    Candidate launches, work;
    Candidate late;  ///< the operations that ended the longest idle times
    Ns graphs = 0;  ///< of the time of `launches`, in launches of graphs
    Ns launched = 0;  ///< all of it, as the evidence has it
    Ns first = 0;  ///< of the time of `work`, in first_operators(), but in calls that are cured
    Ns on_cpu = 0;  ///< of the time of `work`, in operators of a millisecond or more that issue nothing
    Candidate captures;  ///< of CUDA graphs; its bound is the idle time in them
};
Idle find_idle(const Search& search, const IntervalSet& busy, Ns from, bool without_data_loader, const Cured& cured);
/// first-operators before the first operation begins, at `until`; but for calls that are cured. Cost: linear in the
/// ranges.
Candidate find_first_operators(const Search& search, Ns until, const Cured& cured);

}  // namespace lanes
