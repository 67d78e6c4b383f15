// SPDX-License-Identifier: MIT
// What was submitted to the GPUs before a given moment, and when it was done: the
// question behind every synchronising call.
#pragma once

#include "engine/analysis/blocking/call_class.h"
#include "engine/analysis/blocking/callless_work.h"
#include "engine/trace/merge_tree.h"
#include "engine/trace/trace.h"

#include <cstdint>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lanes {

/// Some work that one waits for: the part of it that ends last, and what the recording does not tell of it.
struct LastWork {
    Ns began = 0, end = 0;
    Row operation = no_row;  ///< the one that ends last; no_row: it is a host function, or there is none
    bool any = false;  ///< false: there is no such work with a time
    bool untimed = false;  ///< something without a time is part of it, and nothing after it in its stream has one
    CalllessWork::Reach may;  ///< operations without a call that may be part of it
};

/// Goes through the submissions of a trace in the order of time: operations (at the start of the call that issued
/// them; at their own where no call is known, when it is certain), host functions, records of events, and streams'
/// waits for events, which make the waited work a part of what the stream has to do.
/// A call that puts work into some stream of which there is no record (a prefetch of managed memory, a host function
/// that was not recorded) makes all streams of its process `untimed` until they have later work. So does what a process
/// had issued before the part of it that was recorded.
/// Cost: n log(streams) in all; n log n and 4 bytes an operation for streams whose operations did not begin in the
/// order in which they were issued.
class Submissions {
public:
    explicit Submissions(const Trace& trace);

    /// Takes everything that was submitted before `time`. `time` may not go back.
    void advance(Ns time);

    /// What was submitted to a stream so far. The legacy default stream waits for all blocking streams of
    /// its context too. A graph that was launched there counts with its nodes on other streams.
    LastWork of_stream(Row stream) const;
    LastWork of_context(std::size_t context) const;
    /// The work before an event's record: of that very record (`event_sync`) or the latest so far (`event_id`). On a
    /// blocking stream that is the work of the legacy stream, too, though a synchronisation with that stream does not
    /// wait for it. False: no such record is known.
    bool of_event(const Sync& sync, LastWork* work) const;
    /// Whether an operation that may or may not be part of `work` would hold a call from `start` to `end`.
    bool may_hold(const LastWork& work, Ns start, Ns end) const { return m_callless.hold(work.may, start, end); }
    /// The same for any operation of the process that has no call and began while the call lasted.
    bool callless_may_hold(std::uint32_t process, Ns start, Ns end) const;
    /// The same for any work of the process, whatever the call waits for. Cost: linear in what is pending.
    bool any_may_hold(std::uint32_t process, Ns start, Ns end) const;

    /// Operations of a context that were submitted so far and end after the moment that advance() reached.
    std::size_t pending(std::size_t context);
    /// How many more of them there may be: those without a call that did not begin yet. Cost: log n a stream.
    std::size_t may_be_pending(std::size_t context) const;
    /// The one among them that ends last, but not after `time`.
    Row last_pending_until(std::size_t context, Ns time) const;

    /// no_context where nothing of that context is in the trace.
    std::size_t context_of(std::uint32_t process, std::uint32_t context) const;
    std::size_t context_of(Row stream) const { return m_context_of_stream[stream]; }
    static constexpr std::size_t no_context = ~std::size_t {0};
    std::span<const Row> streams_of_process(std::uint32_t process) const;
    std::span<const std::size_t> contexts_of_process(std::uint32_t process) const;
    /// The streams of a process without some whose work has ended by the moment that advance() reached, where they are
    /// many. Cost: the streams, or what is pending where that is less.
    std::vector<Row> busy_streams_of_process(std::uint32_t process) const;

    /// Whether work that a process issued before its recorded part may be running at `time`: until an operation of each
    /// of its streams has begun. A stream that the part never uses is taken to be idle. Cost: the streams.
    bool earlier_may_run(std::uint32_t process, Ns time) const;
    /// The recording of that process began when it had issued work.
    bool begins_in_the_middle(std::uint32_t process) const { return m_cut_off.contains(process); }

    /// The device that a thread last issued work to; no_id: none so far.
    std::uint32_t last_device(Row thread) const { return m_device_of_thread[thread]; }

private:
    struct ContextState {
        LastWork last, last_of_blocking, last_of_legacy;
        std::vector<Row> streams, legacy;  ///< all of them; the legacy default stream
        std::set<Row> untimed;  ///< streams in which a host function without a time is the last work
        std::vector<std::pair<Ns, Row>> pending;  ///< a heap: the earliest end on top
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
    struct EventWork {
        std::uint32_t context;
        bool by_id;  ///< its record has no number of its own
        LastWork work;
    };

    void add_streams();
    void add_queues();
    void add_others();
    void add_graphs(const std::vector<CallClass>& classes);
    void add_callless_events();
    Ns submitted(Row operation) const;
    void outlast(Row stream);
    void submit(Row operation);
    void submit_function(const HostFunction& function);
    void add(Row stream, const LastWork& work);
    void record(const Event& event);
    void keep(const Event& event, const LastWork& work);
    void wait(const Sync& sync);
    LastWork so_far(Row stream) const;
    static void drop_ended(ContextState& context, Ns time);

    const Trace& m_trace;
    CalllessWork m_callless;
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
    std::unordered_map<Row, LastWork> m_graphs;  ///< by the call that launched one: all of its nodes
    std::unordered_map<std::uint32_t, std::uint64_t> m_hidden;  ///< by process: calls with hidden work so far
    std::set<std::uint32_t> m_cut_off;  ///< processes whose recording begins in the middle
    std::vector<std::uint64_t> m_outlasted;  ///< by stream: of these, those before its last work
    std::vector<std::uint32_t> m_device_of_thread;
};

}  // namespace lanes
