// SPDX-License-Identifier: MIT
// One replay under way: what runs, what waits for what, and the agenda of events. Private to engine/replay; replay.cpp
// has the agenda, replay_items.cpp what threads do, replay_operations.cpp what the GPUs do.
#pragma once

#include "engine/replay/replay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace lanes::replay {

class ReplayRun {
public:
    ReplayRun(const Script& script, const Mode& mode)
        : m_script(script)
        , m_mode(mode)
        , m_constants(mode.constants == 1 ? script.constants : scaled(script.constants, mode.constants))
    {
    }
    Replayed run();

private:
    static constexpr std::uint32_t is_item = 0x80000000U;  ///< in Edge::to

    /// What runs at a rate that changes.
    struct Work {
        std::uint32_t operation = none;
        double left = 0;  ///< ns at full rate
        double rate = 1;  ///< 0: it has not begun
        Ns since = 0;
        bool in_tail = false;  ///< of a kernel: its last blocks leave room for small ones
        double part = 0;  ///< a kernel's part of the multiprocessors
    };

    /// A kernel that collectives take multiprocessors from.
    struct Crowded {
        std::uint32_t operation;
        Turns turns;
        double length;  ///< its present length, ns at full rate
    };

    struct Pool {  // the multiprocessors of a device
        std::vector<Crowded> crowded;  ///< of those that run
        std::uint32_t collectives = 0;  ///< that run
        std::vector<Work> running;  ///< in the order in which they began
        std::deque<std::uint32_t> waiting;
        double used = 0;  ///< sum of the parts that running kernels would have alone
        std::uint32_t streams = 0;  ///< how many running kernels stream memory
    };

    struct Engine {  // for copies of a device: of one direction, or of both if it has a single one
        Work work;
        std::deque<std::uint32_t> waiting;
        Ns free_since = std::numeric_limits<Ns>::min() / 4;
        std::uint32_t last_stream = none;
    };

    struct StreamState {
        std::vector<std::uint32_t> tail;  ///< the stream's next operation follows these
        std::vector<std::uint32_t> waits;  ///< and these, through events
        std::vector<std::uint32_t> blocked_items;  ///< launches that wait for room
        std::uint32_t pending = 0;
    };

    enum Type : std::uint8_t { item_begins, operation_ready, operation_ends, tail_begins, engine_free, put_done };
    struct Moment {
        Ns time;
        std::uint64_t order;
        std::uint32_t id;
        std::uint32_t version;
        Type type;
        bool operator<(const Moment& other) const
        {
            return time != other.time ? time > other.time : order > other.order;
        }
    };
    struct OperationState {
        Ns ready = 0;
        std::uint32_t waiting = 0;
        std::uint32_t dependents = none;  ///< into m_edges
        std::uint32_t early = none;  ///< likewise: those that wait for its start alone
        std::uint32_t version = 0;
        bool done = false, submitted = false, lay_done = false, begun = false;
    };
    struct ItemState {
        Ns from = 0;  ///< its start, or when a launch had room
        Ns release = std::numeric_limits<Ns>::min() / 4;  ///< end of the last one that it waited for
        std::uint32_t waiting = 0;
        std::uint32_t dependents = none;  ///< items that wait for it
        bool done = false;
    };
    struct Edge {
        std::uint32_t to;  ///< an operation, or an item
        std::uint32_t next;
        Ns delay;
    };
    struct QueueState {
        std::int64_t level = 0;
        std::deque<std::uint32_t> gets, puts;  ///< that wait
        std::deque<Ns> times;  ///< when its present contents were put
    };

    void push(Ns time, Type type, std::uint32_t id, std::uint32_t version = 0)
    {
        m_moments.push({time, m_order++, id, version, type});
    }
    /// The length of an operation that has the GPU, and its link, to itself.
    Ns length_of(const Operation& operation) const
    {
        const bool of_link = operation.kind == OperationKind::h2d || operation.kind == OperationKind::d2h;
        return !m_mode.is_of(operation.was) ? operation.length
                                            : scale(operation.length,
                                                m_script.is_copied_elsewhere(operation)  ? m_mode.service
                                                    : of_link && operation.pageable      ? m_mode.gpu * m_mode.staged
                                                    : of_link && operation.is_pinned_now ? m_mode.links * m_mode.pinned
                                                    : of_link                            ? m_mode.links
                                                                                         : m_mode.gpu);
    }
    Ns scale(Ns time, double factor) const
    {
        return factor == 1 ? time : static_cast<Ns>(std::llround(static_cast<double>(time) * factor));
    }

    /// Scales what began at `begun` in the recording, up to the end of the part that the mode applies to: a thread may
    /// sleep there for longer than the part is.
    Ns scale_within(Ns begun, Ns time, double factor) const
    {
        const Ns inside = m_mode.is_of(begun) ? std::min(time, m_mode.until - begun) : 0;
        return time - inside + scale(inside, factor);
    }

    void prepare();
    void submit_unrecorded();
    void begin_threads();
    void take_next();
    std::uint64_t count_stuck() const;
    /// Whether that of an operation is still to come: its times have not changed since.
    bool is_current(const Moment& moment) const
    {
        return m_operations[moment.id].version == moment.version && !m_operations[moment.id].done;
    }

    void next_item(std::uint32_t index, Ns before);
    void begin(std::uint32_t index, Ns now);
    void carry_on(std::uint32_t index, Ns start);
    void wait_for_work(std::uint32_t index);
    void add_stream(std::uint32_t index, std::uint32_t stream, bool all);
    void add_wait(std::uint32_t index, std::uint32_t operation);
    void end_item(std::uint32_t index, Ns end);
    void return_from(std::uint32_t index);
    Ns post_of(const Item& item);
    void act(const Item& item);
    std::vector<std::uint32_t> tails(std::uint32_t stream, bool host, bool all = false) const;
    void order(std::uint32_t thread, const Item& item);

    void submit(const Item& item, std::uint32_t index, Ns now);
    Ns issued(const Item& item, std::uint32_t index, Ns now);
    void follow_stream(const Item& item, std::uint32_t index, bool early);
    void follow_within(const Item& item, std::uint32_t index);
    void follow_legacy(std::uint32_t index);
    void follow_event(const Item& item, std::uint32_t index, std::uint32_t before);
    void follow_tail(const Item& item, std::uint32_t index, std::uint32_t stream);
    void follow_divided(const Item& item, std::uint32_t index);
    void follow_orders(const Item& item, std::uint32_t index);
    Ns delay(const Operation& operation, StartCause cause, const Operation* before);
    void follow(std::uint32_t index, std::uint32_t before, StartCause cause);
    /// Lets `index` begin before `before` has ended, as far into it as recorded.
    void follow_early(std::uint32_t index, std::uint32_t before);
    void begins(std::uint32_t index, Ns now);
    /// Notes that before `item` the stream waits for the operation `before`.
    void note(const Item& item, std::uint32_t stream, std::uint32_t before)
    {
        const auto of = m_script.operations[before].stream;
        if (m_mode.orders && of != stream && !m_operations[before].done
            && (m_script.streams[of].home != none || m_script.streams[stream].home != none)) {
            m_result.orders.push_back({static_cast<std::uint32_t>(&item - m_script.items.data()), stream, before});
        }
    }
    /// Whether it began before its predecessor on the stream had ended, and `before` is that one.
    bool is_early(const Operation& operation, std::uint32_t before) const
    {
        return operation.lead < 1 && m_script.operations[before].row + 1 == operation.row;
    }
    void ready(std::uint32_t index, Ns now);
    void start(std::uint32_t index, Ns now);
    void start(std::uint32_t index, Ns now, Ns length, double rate = 1);
    void begin_tail(std::uint32_t index, Ns now);
    void finish(std::uint32_t index, Ns now);
    void ends_at(std::uint32_t index, Ns end, Ns now);
    void start_copy(Engine& engine, std::size_t device, Ns now);
    void set_duplex(std::size_t device, Ns now);
    void settle(Pool& pool, Ns now);
    Ns take_room(std::uint32_t index);
    static const Work& work_of(const Pool& pool, const Crowded& crowded);
    static double own_time(const Pool& pool, const Crowded& crowded, Ns now);
    static double lets_in(const Pool& pool, const Crowded& crowded, Ns now);
    /// Converts a time of such a kernel's own clock to a time of the run.
    Ns when(const Pool& pool, const Crowded& crowded, double time, Ns now) const;
    Ns can_begin(const Pool& pool, Ns now) const;
    Ns has_room(const Pool& pool, Ns now) const;
    void collective_comes(Pool& pool, Ns now);
    void collective_goes(Pool& pool, Ns now);
    /// Makes `change` to the turns of such a kernel at its own time, and computes its end anew.
    void retime(Pool& pool, Crowded& crowded, Ns now, void (Turns::*change)(double));
    /// Of those that wait, the one of the highest priority, then the one that began first in the recording.
    std::deque<std::uint32_t>::iterator first_of(std::deque<std::uint32_t>& waiting) const
    {
        return std::min_element(
            waiting.begin(), waiting.end(), [&](std::uint32_t a, std::uint32_t b) { return rank_of(a) < rank_of(b); });
    }
    std::pair<std::int32_t, Ns> rank_of(std::uint32_t operation) const
    {
        const auto& of = m_script.operations[operation];
        return {of.kind == OperationKind::kernel ? m_script.streams[of.stream].priority : 0, of.was};
    }
    std::size_t engine_of(OperationKind kind, std::size_t device) const
    {
        const auto engine = lanes::engine_of(kind, m_script.copy_engines[device]);
        return engine == OperationKind::h2d ? 0 : engine == OperationKind::d2h ? 1 : 2;
    }
    static bool has_engine(OperationKind kind)
    {
        return kind == OperationKind::h2d || kind == OperationKind::d2h || kind == OperationKind::p2p;
    }
    Ns taking_of(const Item& item) const
    {
        return m_mode.is_of(item.start) ? scale(item.taking, m_mode.taking) : item.taking;
    }
    Ns gap_of(const Item& item) const
    {
        return scale_within(item.start - item.gap, item.gap, m_mode.calls) + (item.workers == 0 ? taking_of(item) : 0);
    }
    Ns own_of(const Item& item) const;
    void reach_queue(std::uint32_t index, Ns now);
    void put(std::uint32_t index);
    void get(std::uint32_t index);
    Ns handed_on(const Item& item, Ns put);
    Ns loaded(const Item& item, Ns asked);

    const Script& m_script;
    const Mode m_mode;
    const Constants m_constants;
    std::priority_queue<Moment> m_moments;
    std::uint64_t m_order = 0;
    std::vector<OperationState> m_operations;
    std::vector<ItemState> m_items;
    std::vector<Edge> m_edges;
    std::vector<StreamState> m_streams;
    std::vector<std::array<Engine, 3>> m_engines;  ///< by device
    std::vector<Pool> m_pools;  ///< by device
    std::vector<std::vector<std::uint32_t>> m_events;  ///< by record: the operations that it follows
    std::vector<std::uint32_t> m_gangs;  ///< by gang: members that began
    std::vector<Ns> m_placed;  ///< by gang: when those that began had their multiprocessors
    std::vector<std::vector<std::uint32_t>> m_members;
    std::vector<QueueState> m_queues;
    /// By thread: the operations that everything it issues later follows.
    std::vector<std::vector<std::uint32_t>> m_thread_orders;
    std::vector<Ns> m_served;  ///< by thread, when another finished the last thing that it worked on for it
    struct Loader {
        Ns begun = 0;
        std::vector<Ns> ready, taken;  ///< by batch
    };
    std::vector<Loader> m_loaders;  ///< by thread, what workers load for it
    std::vector<std::uint32_t> m_seen_orders;  ///< by thread and stream, how many of m_thread_orders it took
    Replayed m_result;
};

}  // namespace lanes::replay
