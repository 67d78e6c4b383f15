// SPDX-License-Identifier: MIT
// What was submitted to the GPUs before a given moment, and when it was done: the
// question behind every synchronising call.
#pragma once

#include "engine/trace/merge_tree.h"
#include "engine/trace/trace.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lanes {

/// The last end of some work, and the operation that ended then.
struct LastWork {
    Ns end = 0;
    Row operation = no_row;  ///< no_row: there is no such work
};

/// Goes through the submissions of a trace in the order of time: operations (at the start of the call that
/// issued them; at their own where no call is known), records of events, and streams' waits for events, which
/// make the waited work a part of what the stream has to do.
/// Cost: n log(streams) in all; n log n and 4 bytes an operation for streams whose operations did not begin in the
/// order in which they were issued.
class Submissions {
public:
    explicit Submissions(const Trace& trace);

    /// Takes everything that was submitted before `time`. `time` may not go back.
    void advance(Ns time);

    /// What was submitted to a stream so far. The legacy default stream waits for all blocking streams of
    /// its context too.
    LastWork of_stream(Row stream) const;
    LastWork of_context(std::size_t context) const { return m_contexts[context].last; }
    /// The work before an event's record: of that very record (`event_sync`) or the latest so far (`event_id`).
    /// False: no such record is known.
    bool of_event(const Sync& sync, LastWork* work) const;

    /// Operations of a context that were submitted so far and end after the moment that advance() reached.
    std::size_t pending(std::size_t context);
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

    /// The device that a thread last issued work to; no_id: none so far.
    std::uint32_t last_device(Row thread) const { return m_device_of_thread[thread]; }

private:
    struct ContextState {
        LastWork last, last_of_blocking;
        std::vector<std::pair<Ns, Row>> pending;  ///< a heap: the earliest end on top
    };

    void submit(Row operation);
    void add(Row stream, const LastWork& work);
    void record(const Event& event);
    void wait(const Sync& sync);
    static void drop_ended(ContextState& context, Ns time);

    const Trace& m_trace;
    /// A stream's operations by time of submission.
    struct Queue {
        RowSpan rest;  ///< rows; places in `order` where there is one
        std::vector<Row> order;  ///< where that is another order than the table's
        Row front() const { return order.empty() ? rest.begin : order[rest.begin]; }
    };
    Ns submitted(Row operation) const;

    std::vector<Queue> m_queues;  ///< by stream
    MergeTree m_next_of_queue;
    std::vector<std::pair<Ns, Row>> m_waits;  ///< by time of submission
    std::size_t m_next_event = 0, m_next_wait = 0;
    Ns m_time = 0;
    std::vector<LastWork> m_streams;
    std::vector<bool> m_legacy, m_blocking;
    std::vector<ContextState> m_contexts;
    std::vector<std::size_t> m_context_of_stream;
    std::unordered_map<std::uint64_t, std::size_t> m_context_index;
    std::unordered_map<std::uint32_t, std::vector<Row>> m_streams_of_process;
    std::unordered_map<std::uint32_t, std::vector<std::size_t>> m_contexts_of_process;
    std::unordered_map<std::uint64_t, LastWork> m_event_syncs, m_event_ids;  ///< by process and number
    std::vector<std::uint32_t> m_device_of_thread;
};

}  // namespace lanes
