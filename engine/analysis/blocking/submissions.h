// SPDX-License-Identifier: MIT
// What work was submitted to the GPUs before a given time, and when it was done. Every synchronising call waits for
// such work.
#pragma once

#include "engine/analysis/blocking/callless_work.h"
#include "engine/analysis/blocking/untimed_work.h"
#include "engine/analysis/facts/call_class.h"
#include "engine/trace/merge_tree.h"
#include "engine/trace/trace.h"

#include <cstdint>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lanes {

/// The end of some submitted work, and what the recording does not say about it.
struct LastWork {
    Ns began = 0, end = 0;
    Row operation = no_row;  ///< the operation that ends last; no_row: a host function, or nothing
    bool any = false;  ///< there is work with a time
    CalllessWork::Reach may;  ///< operations without a call that may be part of it
    UntimedWork::Reach untimed;  ///< work without a time that is part of it

    bool is_untimed() const { return UntimedWork::any(untimed); }
};

/// Walks through the submissions of a trace by time: operations (at the start of their call, or by when they were
/// issued at the latest if the call is not known), host functions, records of events, and streams' waits for events,
/// which add the waited work to what the stream has to do.
///
/// A call that submits work without a record (a prefetch of managed memory, a host function that was not
/// recorded) makes all streams of its process untimed until they have later work. So does work that a process issued
/// before its recorded part.
///
/// Cost: n log(streams) in total; n log n and 4 bytes an operation for streams whose operations did not start in the
/// order in which they were issued.
class Submissions {
public:
    explicit Submissions(const Trace& trace);

    /// Takes everything that was submitted before `time`, which must not decrease.
    void advance(Ns time);

    /// What was submitted to a stream so far; to the legacy default stream including all blocking streams of its
    /// context. A graph launch includes its nodes on other streams.
    LastWork of_stream(Row stream) const;
    LastWork of_context(std::size_t context) const;
    /// The work before the record of an event: that very record (`event_sync`), or the latest so far (`event_id`). On a
    /// blocking stream it includes the work of the legacy stream (a synchronisation of the stream itself would not).
    /// Returns false if no such record is known.
    bool of_event(const Sync& sync, LastWork* work) const;
    /// Whether an operation that may be part of `work` would block a call from `start` to `end`.
    bool may_hold(const LastWork& work, Ns start, Ns end) const { return m_callless.hold(work.may, start, end); }
    /// The same for any operation of the process that has no call and began while the call lasted.
    bool callless_may_hold(std::uint32_t process, Ns start, Ns end) const;
    /// The same for any work of the process, whatever the call waits for. Cost: linear in what is pending.
    bool any_may_hold(std::uint32_t process, Ns start, Ns end) const;

    /// Number of operations of a context that were submitted so far and end after the time of advance().
    std::size_t pending(std::size_t context);
    /// Number of further ones that may be pending: operations without a call that have not started. Cost: log n a
    /// stream.
    std::size_t may_be_pending(std::size_t context) const;
    /// The one of pending() that ends last, but not after `time`; of several the first row. Cost: linear in these.
    Row last_pending_until(std::size_t context, Ns time) const;

    /// no_context if the trace has nothing of that context.
    std::size_t context_of(std::uint32_t process, std::uint32_t context) const;
    std::size_t context_of(Row stream) const { return m_context_of_stream[stream]; }
    static constexpr std::size_t no_context = ~std::size_t {0};
    std::span<const Row> streams_of_process(std::uint32_t process) const;
    std::span<const std::size_t> contexts_of_process(std::uint32_t process) const;
    /// The streams of a process that may have unfinished work at the time of advance(). Cost: linear in its streams, or
    /// in the pending operations if these are fewer.
    std::vector<Row> busy_streams_of_process(std::uint32_t process) const;

    /// Whether work that a process issued before its recorded part may be running at `time`: until each of its streams
    /// has started an operation. A stream that is never used in the part counts as idle. Cost: linear in the streams.
    bool earlier_may_run(std::uint32_t process, Ns time) const;
    /// Whether the process had issued work before its recorded part.
    bool begins_in_the_middle(std::uint32_t process) const { return m_cut_off.contains(process); }

    /// The device that a thread last issued work to; no_id: none so far.
    std::uint32_t last_device(Row thread) const { return m_device_of_thread[thread]; }

private:
    struct ContextState {
        LastWork last, last_of_blocking, last_of_legacy;
        std::vector<Row> streams, legacy;  ///< all of them; the legacy default stream
        std::vector<std::pair<Ns, Row>> pending;  ///< a heap: the earliest end on top
        std::vector<Interval> functions;  ///< host functions that may not have ended
    };
    /// A stream's operations by time of submission.
    struct Queue {
        RowSpan rest;  ///< rows; places in `order` where there is one
        std::vector<Row> order;  ///< where that is another order than the table's
        Row front() const { return order.empty() ? rest.begin : order[rest.begin]; }
    };
    /// What is neither an operation nor a record of an event, by time of submission.
    struct Other {
        enum Kind : std::uint8_t { wait, host_function, hidden };
        Ns time;
        Row row;  ///< of its table: syncs, host functions or calls
        Kind kind;
        friend auto operator<=>(const Other&, const Other&) = default;
    };
    /// What one launch of a graph ran on several streams.
    struct Graph {
        LastWork work;
        bool untimed = false;  ///< some of it has no time
    };
    struct EventWork {
        std::uint32_t context;
        bool by_id;  ///< the record has no number
        LastWork work;
    };

    void add_streams();
    void add_queues();
    void add_others();
    void add_graphs(const std::vector<CallClass>& classes);
    void add_callless_events();
    Ns submitted(Row operation) const;
    void submit(Row operation);
    void submit_function(const HostFunction& function);
    void add(Row stream, const LastWork& work);
    void add(Row stream, const Graph& graph);
    void record(const Event& event);
    void keep(const Event& event, const LastWork& work);
    void wait(const Sync& sync);
    LastWork so_far(Row stream) const;
    template <class Wanted>
    void extend_uncertain(LastWork& work, const ContextState& context, const Wanted& wanted) const;
    static void drop_ended(ContextState& context, Ns time);

    const Trace& m_trace;
    CalllessWork m_callless;
    UntimedWork m_untimed;
    std::vector<Queue> m_queues;  ///< by stream
    MergeTree m_next_of_queue;
    std::vector<Other> m_others;
    std::size_t m_next_event = 0, m_next_other = 0;
    Ns m_time = 0;
    std::vector<LastWork> m_streams;
    std::vector<bool> m_legacy, m_blocking;
    std::vector<ContextState> m_contexts;
    std::vector<std::size_t> m_context_of_stream;
    std::unordered_map<std::uint64_t, std::size_t> m_context_index;
    std::unordered_map<std::uint32_t, std::vector<Row>> m_streams_of_process;
    std::unordered_map<std::uint32_t, std::vector<std::size_t>> m_contexts_of_process;
    std::unordered_map<std::uint64_t, LastWork> m_event_syncs;  ///< by process and number of the record
    std::unordered_map<std::uint64_t, std::vector<EventWork>> m_event_ids;  ///< by process and event, one a context
    std::unordered_map<Row, Graph> m_graphs;  ///< by the call that launched one
    std::set<std::uint32_t> m_cut_off;  ///< processes whose recording begins in the middle
    std::vector<std::uint32_t> m_device_of_thread;
};

}  // namespace lanes
