// SPDX-License-Identifier: MIT
#include "engine/whatif/replay.h"

#include "engine/whatif/alone.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <queue>

namespace lanes::whatif {

namespace {

constexpr double least_part = 0.01;  // of the multiprocessors, that lets a kernel begin
constexpr Ns engine_step = 500;  // from one copy to the next of an engine, of another stream
constexpr std::uint32_t is_item = 0x80000000U;
constexpr std::size_t many_waits = 16;

/// What runs at a rate that changes.
struct Work {
    std::uint32_t operation = none;
    double left = 0;  ///< ns at full rate
    double rate = 1;
    Ns since = 0;
    bool in_tail = false;  ///< of a kernel: its last blocks leave room for small ones
};

struct Pool {  // the multiprocessors of a device
    std::vector<Work> running;  ///< in the order in which they began
    std::deque<std::uint32_t> waiting;
    double used = 0;  ///< of what runs, each as large as it would be alone
};

struct Engine {  // for copies of one direction of a device
    Work work;
    std::deque<std::uint32_t> waiting;
    Ns free_since = std::numeric_limits<Ns>::min() / 4;
    std::uint32_t last_stream = none;
};

struct StreamState {
    std::vector<std::uint32_t> tail;  ///< what comes next follows these
    std::vector<std::uint32_t> waits;  ///< and these, through events
    std::vector<std::uint32_t> blocked_items;  ///< launches that wait for room
    std::uint32_t pending = 0;
};

class Run {
public:
    Run(const Script& script, const Mode& mode)
        : m_script(script)
        , m_mode(mode)
        , m_constants(mode.constants == 1 ? script.constants : scaled(script.constants, mode.constants))
    {
    }
    Replayed run();

private:
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
        std::uint32_t version = 0;
        bool done = false, submitted = false, lay_done = false;
    };
    struct ItemState {
        Ns from = 0;  ///< its start, or when a launch had room
        Ns release = std::numeric_limits<Ns>::min() / 4;  ///< end of the last that it waited for
        std::uint32_t waiting = 0;
        std::uint32_t dependents = none;  ///< items behind it
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
    };

    void push(Ns time, Type type, std::uint32_t id, std::uint32_t version = 0)
    {
        m_moments.push({time, m_order++, id, version, type});
    }
    Ns scale(Ns time, double factor) const
    {
        return factor == 1 ? time : static_cast<Ns>(std::llround(static_cast<double>(time) * factor));
    }

    void next_item(std::uint32_t index, Ns before);
    void begin(std::uint32_t index);
    void carry_on(std::uint32_t index, Ns start);
    void wait_for_work(std::uint32_t index);
    void add_stream(std::uint32_t index, std::uint32_t stream, bool host);
    void add_wait(std::uint32_t index, std::uint32_t operation);
    void end_item(std::uint32_t index, Ns end);
    void return_from(std::uint32_t index);
    Ns post_of(const Item& item);
    void act(const Item& item);
    std::vector<std::uint32_t> tails(std::uint32_t stream, bool host) const;
    void order(std::uint32_t thread, const Item& item);

    void submit(const Item& item, std::uint32_t index, Ns now);
    Ns delay(const Operation& operation, StartCause cause, const Operation* before);
    void follow(std::uint32_t index, std::uint32_t before, StartCause cause);
    void ready(std::uint32_t index, Ns now);
    void start(std::uint32_t index, Ns now, double rate = 1);
    void finish(std::uint32_t index, Ns now);
    void ends_at(std::uint32_t index, Ns end, Ns now);
    void start_copy(Engine& engine, std::size_t device, Ns now);
    void set_duplex(std::size_t device, Ns now);
    void settle(Pool& pool, Ns now);
    /// Of those that wait, the one that began first in the recording.
    std::deque<std::uint32_t>::iterator first_of(std::deque<std::uint32_t>& waiting) const
    {
        return std::min_element(waiting.begin(), waiting.end(),
            [&](std::uint32_t a, std::uint32_t b) { return m_script.operations[a].was < m_script.operations[b].was; });
    }
    static std::size_t engine_of(OperationKind kind)
    {
        return kind == OperationKind::h2d ? 0 : kind == OperationKind::d2h ? 1 : 2;
    }
    static bool has_engine(OperationKind kind)
    {
        return kind == OperationKind::h2d || kind == OperationKind::d2h || kind == OperationKind::p2p;
    }
    void put(std::uint32_t index);
    void get(std::uint32_t index);

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
    std::vector<std::vector<std::uint32_t>> m_events;  ///< by record: what it stands behind
    std::vector<std::uint32_t> m_gangs;  ///< by gang: members that began
    std::vector<std::vector<std::uint32_t>> m_members;
    std::vector<QueueState> m_queues;
    std::vector<std::vector<std::uint32_t>>
        m_thread_orders;  ///< by thread: what all that it issues later stands behind
    std::vector<std::uint32_t> m_seen_orders;  ///< by thread and stream, how many it took
    Replayed m_result;
};

/// The item at `index` or the next behind it that is not dropped begins `gap` behind `before`.
void Run::next_item(std::uint32_t index, Ns before)
{
    const auto end = m_script.first_item[m_script.items[index].thread + 1];
    for (; index < end; ++index) {
        const auto& item = m_script.items[index];
        if (!item.dropped) {
            break;
        }
        m_result.item_start[index] = m_result.item_end[index] = before;
        m_items[index].done = true;
        for (auto at = m_items[index].dependents; at != none; at = m_edges[at].next) {
            push(before + m_edges[at].delay, item_begins, m_edges[at].to);
        }
    }
    if (index == end) {
        return;
    }
    const auto& item = m_script.items[index];
    const Ns gap = scale(item.gap, m_mode.calls);
    if (item.behind == none) {
        push(before + gap, item_begins, index);
        return;
    }
    m_result.item_start[index] = before;  // at the earliest
    ++m_result.delays.assumed;
    auto& other = m_items[item.behind];
    if (other.done) {
        push(std::max(before, m_result.item_end[item.behind] + gap), item_begins, index);
    } else {
        m_edges.push_back({index, other.dependents, gap});
        other.dependents = static_cast<std::uint32_t>(m_edges.size() - 1);
    }
}

void Run::begin(std::uint32_t index)
{
    const auto& item = m_script.items[index];
    Ns now = m_moments.top().time;
    m_moments.pop();
    if (item.behind != none && now < m_result.item_start[index]) {
        push(m_result.item_start[index], item_begins, index);
        return;
    }
    m_result.item_start[index] = now;
    if (item.operations > 0) {
        auto& stream = m_streams[m_script.operations[item.first_operation].stream];
        if (stream.pending >= m_constants.table.launch_queue) {
            stream.blocked_items.push_back(index);
            return;
        }
    }
    carry_on(index, now);
}

void Run::carry_on(std::uint32_t index, Ns start)
{
    const auto& item = m_script.items[index];
    auto& state = m_items[index];
    for (std::uint32_t i = 0; i < item.operations; ++i) {
        submit(item, item.first_operation + i, start);
    }
    act(item);
    const bool is_call = item.kind == Item::call || item.loose;
    const Ns own = is_call ? scale(item.own, m_mode.calls) : item.own;
    state.from = start;
    state.release = std::numeric_limits<Ns>::min() / 4;
    if (item.kind == Item::get || item.kind == Item::put) {
        push(start + own, put_done, index);
        return;
    }
    if (item.wait == Item::order) {
        order(item.thread, item);
    } else if (item.wait == Item::item) {
        auto& other = m_items[item.target];
        if (other.done) {
            state.release = m_result.item_end[item.target];
        } else {
            m_edges.push_back({index | is_item, other.dependents, 0});
            other.dependents = static_cast<std::uint32_t>(m_edges.size() - 1);
            state.waiting = 1;
        }
    } else if (item.wait != Item::nothing) {
        wait_for_work(index);
    }
    if (state.waiting == 0) {
        return_from(index);
    }
}

/// Its start, its own time and, where it waited, what it waited for give its end.
void Run::return_from(std::uint32_t index)
{
    const auto& item = m_script.items[index];
    const auto& state = m_items[index];
    const bool is_call = item.kind == Item::call || item.loose;
    const Ns own = is_call ? scale(item.own, m_mode.calls) : item.own;
    Ns end = state.from + own;
    if (state.release > state.from && item.wait != Item::nothing && item.wait != Item::order) {
        end = std::max(end, state.release + post_of(item));
    }
    end_item(index, end);
}

Ns Run::post_of(const Item& item)
{
    if (m_mode.measured && item.held) {
        ++m_result.delays.measured;
        return item.post;
    }
    ++m_result.delays.constant;
    if (item.type == CallClass::memory) {
        return m_constants.release;
    }
    return item.kind == Item::get || item.kind == Item::put || item.kind == Item::join ? m_constants.get
        : item.wait == Item::own_work                                                  ? m_constants.copy_return
                                                                                       : m_constants.wake;
}

void Run::end_item(std::uint32_t index, Ns end)
{
    const auto& item = m_script.items[index];
    auto& state = m_items[index];
    m_result.item_end[index] = end;
    state.done = true;
    if (item.kind == Item::call) {
        m_result.total = std::max(m_result.total, end);
    }
    for (auto at = state.dependents; at != none; at = m_edges[at].next) {
        const auto edge = m_edges[at];
        if ((edge.to & is_item) == 0) {
            push(end + edge.delay, item_begins, edge.to);
        } else {
            const auto waiter = edge.to & ~is_item;
            m_items[waiter].release = end;
            m_items[waiter].waiting = 0;
            return_from(waiter);
        }
    }
    if (index + 1 < m_script.first_item[item.thread + 1]) {
        next_item(index + 1, end);
    }
}

void Run::add_wait(std::uint32_t index, std::uint32_t operation)
{
    auto& state = m_operations[operation];
    auto& item = m_items[index];
    if (state.done) {
        item.release = std::max(item.release, m_result.end[operation]);
        return;
    }
    m_edges.push_back({index | is_item, state.dependents, 0});
    state.dependents = static_cast<std::uint32_t>(m_edges.size() - 1);
    ++item.waiting;
}

/// What was submitted to a stream and its companions, or (an event's record) what the legacy stream orders too.
std::vector<std::uint32_t> Run::tails(std::uint32_t stream, bool host) const
{
    std::vector<std::uint32_t> found;
    const auto add = [&](std::uint32_t of) {
        if (of != none) {
            found.insert(found.end(), m_streams[of].tail.begin(), m_streams[of].tail.end());
            found.insert(found.end(), m_streams[of].waits.begin(), m_streams[of].waits.end());
        }
    };
    const auto& of = m_script.streams[stream];
    const auto home = of.home == none ? stream : of.home;
    add(home);
    add(m_script.streams[home].uploads);
    add(m_script.streams[home].downloads);
    if (m_script.legacy_order) {
        const auto& context = m_script.contexts[of.context];
        if (of.legacy) {
            std::for_each(context.blocking.begin(), context.blocking.end(), add);
        } else if (of.blocking && !host) {
            std::for_each(context.legacy.begin(), context.legacy.end(), add);
        }
    }
    return found;
}

void Run::add_stream(std::uint32_t index, std::uint32_t stream, bool host)
{
    for (const auto operation : tails(stream, host)) {
        add_wait(index, operation);
    }
}

void Run::wait_for_work(std::uint32_t index)
{
    const auto& item = m_script.items[index];
    switch (item.wait) {
    case Item::own_work:
        for (std::uint32_t i = 0; i < item.operations; ++i) {
            if (!m_script.operations[item.first_operation + i].dropped) {
                add_wait(index, item.first_operation + i);
            }
        }
        break;
    case Item::operation:
        if (m_operations[item.target].submitted) {
            add_wait(index, item.target);
        }
        break;
    case Item::stream:
        add_stream(index, item.target, true);
        break;
    case Item::context:
        for (const auto stream : m_script.contexts[item.target].streams) {
            add_stream(index, stream, true);
        }
        break;
    case Item::event:
        for (const auto operation : m_events[item.target]) {
            add_wait(index, operation);
        }
        break;
    default:
        break;
    }
}

/// From now on what the thread issues stands behind what was issued last of what the wait was for; downloads apart,
/// whose results are the host's.
void Run::order(std::uint32_t thread, const Item& item)
{
    std::uint32_t last = none;
    const auto add = [&](const std::vector<std::uint32_t>& found) {
        for (const auto operation : found) {
            if (m_script.operations[operation].kind != OperationKind::d2h && (last == none || operation > last)) {
                last = operation;
            }
        }
    };
    if (item.ordered == Item::stream) {
        add(tails(item.target, true));
    } else if (item.ordered == Item::context) {
        for (const auto stream : m_script.contexts[item.target].streams) {
            add(tails(stream, true));
        }
    } else if (item.ordered == Item::event) {
        add(m_events[item.target]);
    }
    if (last != none && !m_operations[last].done) {
        m_thread_orders[thread].push_back(last);
    }
}

void Run::act(const Item& item)
{
    for (std::uint32_t i = 0; i < item.actions; ++i) {
        const auto& action = m_script.actions[item.first_action + i];
        if (action.kind == Action::record) {
            m_events[action.event] = tails(action.stream, false);
            continue;
        }
        const auto& of = m_script.streams[action.stream];
        for (const auto stream : {action.stream, of.uploads, of.downloads}) {
            if (stream == none) {
                continue;
            }
            auto& waits = m_streams[stream].waits;
            if (waits.size() > many_waits) {
                std::erase_if(waits, [&](std::uint32_t operation) { return m_operations[operation].done; });
            }
            waits.insert(waits.end(), m_events[action.event].begin(), m_events[action.event].end());
        }
    }
}

Ns Run::delay(const Operation& operation, StartCause cause, const Operation* before)
{
    const bool behind_launch = cause == StartCause::launch;
    if (m_mode.measured && operation.bound == cause) {
        ++m_result.delays.measured;
        return operation.delay;
    }
    ++m_result.delays.constant;
    if (behind_launch) {
        const bool copies = is_copy(operation.kind);
        return m_constants.issue[copies                   ? Constants::of_copy
                : operation.kind == OperationKind::memset ? Constants::of_memset
                : operation.of_graph                      ? Constants::of_graph
                                                          : Constants::of_kernel];
    }
    if (cause == StartCause::graph) {
        return m_constants.node;
    }
    const Ns step = m_constants.step_of(is_copy(before->kind), is_copy(operation.kind));
    const Ns begins = operation.of_graph ? m_constants.graph : 0;
    return cause == StartCause::stream ? step + begins : step + m_constants.cross + begins;
}

void Run::follow(std::uint32_t index, std::uint32_t before, StartCause cause)
{
    if (before == index) {
        return;
    }
    auto& state = m_operations[index];
    auto& other = m_operations[before];
    const Ns after = delay(m_script.operations[index], cause, &m_script.operations[before]);
    if (other.done) {
        state.ready = std::max(state.ready, m_result.end[before] + after);
        return;
    }
    m_edges.push_back({index, other.dependents, after});
    other.dependents = static_cast<std::uint32_t>(m_edges.size() - 1);
    ++state.waiting;
}

void Run::submit(const Item& item, std::uint32_t index, Ns now)
{
    const auto& operation = m_script.operations[index];
    auto& state = m_operations[index];
    if (operation.dropped) {
        return;
    }
    state.submitted = true;
    auto& stream = m_streams[operation.stream];
    const auto& of = m_script.streams[operation.stream];
    const bool first = index == item.first_operation;
    ++stream.pending;
    state.ready = now;
    if (!operation.of_graph || first || operation.bound != StartCause::graph) {
        state.ready = now + std::max<Ns>(0, delay(operation, StartCause::launch, nullptr));
    }
    for (const auto before : stream.tail) {
        const bool same = operation.of_graph && before >= item.first_operation;
        if (!same) {
            follow(index, before, StartCause::stream);
        } else if (!operation.beside && before != operation.after) {
            follow(index, before, StartCause::graph);
        }
    }
    if (operation.after != none) {
        follow(index, operation.after, StartCause::graph);
    }
    for (const auto before : stream.waits) {
        follow(index, before, StartCause::event);
    }
    if (m_script.legacy_order && (of.legacy || of.blocking)) {
        const auto& context = m_script.contexts[of.context];
        for (const auto other : of.legacy ? context.blocking : context.legacy) {
            for (const auto before : m_streams[other].tail) {
                follow(index, before, StartCause::legacy);
            }
        }
    }
    // A stream whose copies have streams of their own: kernels need the uploads before them, downloads the kernels.
    if (of.home == none && of.uploads != none) {
        for (const auto before : m_streams[of.uploads].tail) {
            follow(index, before, StartCause::event);
        }
    } else if (of.home != none && m_script.streams[of.home].downloads == operation.stream) {
        for (const auto before : m_streams[of.home].tail) {
            follow(index, before, StartCause::event);
        }
    }
    if (auto& orders = m_thread_orders[item.thread]; !orders.empty()) {
        auto& seen = m_seen_orders[item.thread * m_streams.size() + operation.stream];
        for (; seen < orders.size(); ++seen) {
            follow(index, orders[seen], StartCause::event);
        }
    }
    if (!operation.beside) {
        stream.tail.clear();
        stream.waits.clear();
    }
    stream.tail.push_back(index);
    if (state.waiting == 0) {
        push(std::max(now, state.ready), operation_ready, index);
    }
}

void Run::ready(std::uint32_t index, Ns now)
{
    const auto& operation = m_script.operations[index];
    const auto device = m_script.streams[operation.stream].device;
    if (has_engine(operation.kind)) {
        auto& engine = m_engines[device][engine_of(operation.kind)];
        engine.waiting.push_back(index);
        start_copy(engine, device, now);
        return;
    }
    if (operation.kind == OperationKind::kernel && operation.share > 0 && operation.gang == none) {
        auto& pool = m_pools[device];
        if (pool.waiting.empty() && pool.used + operation.share <= 1.0001) {  // as nearly always: room for all of it
            pool.used += operation.share;
            pool.running.push_back({index, static_cast<double>(scale(operation.length, m_mode.gpu)), 1, now, false});
            start(index, now);
            return;
        }
        pool.waiting.push_back(index);
        settle(pool, now);
        return;
    }
    if (operation.lay > 0 && !m_operations[index].lay_done) {
        m_operations[index].lay_done = true;
        push(now + operation.lay, operation_ready, index);
        return;
    }
    start(index, now);
}

/// From now on, with its end where that is known.
void Run::start(std::uint32_t index, Ns now, double rate)
{
    const auto& operation = m_script.operations[index];
    m_result.start[index] = now;
    const Ns length = scale(operation.length, m_mode.gpu);
    if (operation.gang != none) {
        m_members[operation.gang].push_back(index);
        if (++m_gangs[operation.gang] == m_script.gang_sizes[operation.gang]) {
            for (const auto member : m_members[operation.gang]) {
                push(now + scale(m_script.operations[member].length, m_mode.gpu), operation_ends, member,
                    m_operations[member].version);
            }
        }
        return;
    }
    ends_at(index, now + static_cast<Ns>(std::ceil(static_cast<double>(length) / rate)), now);
}

void Run::ends_at(std::uint32_t index, Ns end, Ns now)
{
    const auto version = m_operations[index].version;
    push(end, operation_ends, index, version);
    if (const Ns tail = m_script.operations[index].tail; tail > 0) {
        push(std::max(now, end - tail), tail_begins, index, version);
    }
}

void Run::start_copy(Engine& engine, std::size_t device, Ns now)
{
    if (engine.work.operation != none || engine.waiting.empty()) {
        return;
    }
    const auto next = first_of(engine.waiting);
    const auto index = *next;
    const auto& operation = m_script.operations[index];
    const Ns step = engine.last_stream == operation.stream         ? 0
        : m_mode.measured && operation.bound == StartCause::engine ? std::max<Ns>(0, operation.delay)
                                                                   : scale(engine_step, m_mode.constants);
    if (const Ns free = engine.free_since + step; free > now) {
        push(free, engine_free, static_cast<std::uint32_t>(device),
            static_cast<std::uint32_t>(engine_of(operation.kind)));
        return;
    }
    engine.waiting.erase(next);
    engine.last_stream = operation.stream;
    engine.work = {index, static_cast<double>(scale(operation.length, m_mode.gpu)), 1, now, false};
    start(index, now);
    set_duplex(device, now);
}

/// Both directions at once are slower than each alone.
void Run::set_duplex(std::size_t device, Ns now)
{
    auto& up = m_engines[device][0].work;
    auto& down = m_engines[device][1].work;
    const bool both = up.operation != none && down.operation != none;
    for (Work* const work : {&up, &down}) {
        const double kept = work == &up ? m_constants.table.h2d_duplex : m_constants.table.d2h_duplex;
        const double rate = both ? kept : 1;
        if (work->operation == none || work->rate == rate) {
            continue;
        }
        work->left -= static_cast<double>(now - work->since) * work->rate;
        work->since = now;
        work->rate = rate;
        push(now + static_cast<Ns>(std::ceil(std::max(0.0, work->left) / rate)), operation_ends, work->operation,
            ++m_operations[work->operation].version);
    }
}

/// Who runs how fast, after one began to wait or ended.
void Run::settle(Pool& pool, Ns now)
{
    double left = 1;
    double tails = 0;  // room for small ones
    const auto take = [&](double share) {
        const double part = share < small_share && left + tails >= share ? share : std::min(share, left);
        left = std::max(0.0, left - part);
        return part;
    };
    for (auto& work : pool.running) {
        const double share = m_script.operations[work.operation].share;
        const double part = take(share);
        tails += work.in_tail ? part : 0;
        const double rate = std::max(part / share, 1e-6);
        if (std::abs(rate - work.rate) > 1e-9) {
            work.left -= static_cast<double>(now - work.since) * work.rate;
            work.since = now;
            work.rate = rate;
            ++m_operations[work.operation].version;
            ends_at(work.operation, now + static_cast<Ns>(std::ceil(std::max(0.0, work.left) / rate)), now);
        }
    }
    while (!pool.waiting.empty()) {
        const auto next = first_of(pool.waiting);
        const auto index = *next;
        const auto& operation = m_script.operations[index];
        const double share = operation.share;
        const double room = share < small_share ? left + tails : left;
        if (room < std::min(share, least_part)) {
            break;
        }
        pool.waiting.erase(next);
        const double part = take(share);
        pool.used += share;
        pool.running.push_back(
            {index, static_cast<double>(scale(operation.length, m_mode.gpu)), part / share, now, false});
        start(index, now, part / share);
    }
}

void Run::finish(std::uint32_t index, Ns now)
{
    const auto& operation = m_script.operations[index];
    auto& state = m_operations[index];
    state.done = true;
    m_result.end[index] = now;
    m_result.total = std::max(m_result.total, now);
    const auto device = m_script.streams[operation.stream].device;
    if (operation.pageable) {
        m_result.gpu_pageable += now - m_result.start[index];
    }
    auto& stream = m_streams[operation.stream];
    --stream.pending;
    for (auto at = state.dependents; at != none; at = m_edges[at].next) {
        const auto edge = m_edges[at];
        if ((edge.to & is_item) != 0) {
            const auto waiter = edge.to & ~is_item;
            auto& item = m_items[waiter];
            item.release = std::max(item.release, now);
            if (--item.waiting == 0) {
                return_from(waiter);
            }
            continue;
        }
        auto& next = m_operations[edge.to];
        next.ready = std::max(next.ready, now + edge.delay);
        if (--next.waiting == 0) {
            push(std::max(now, next.ready), operation_ready, edge.to);
        }
    }
    if (has_engine(operation.kind)) {
        auto& engine = m_engines[device][engine_of(operation.kind)];
        engine.work = {};
        engine.free_since = now;
        set_duplex(device, now);
        start_copy(engine, device, now);
    } else if (operation.kind == OperationKind::kernel && operation.share > 0 && operation.gang == none) {
        auto& pool = m_pools[device];
        const bool was_full = pool.used > 1.0001 || !pool.waiting.empty();
        std::erase_if(pool.running, [&](const Work& work) { return work.operation == index; });
        pool.used = pool.running.empty() ? 0 : pool.used - operation.share;
        if (was_full) {
            settle(pool, now);
        }
    }
    if (!stream.blocked_items.empty() && stream.pending < m_constants.table.launch_queue) {
        const auto item = stream.blocked_items.front();
        stream.blocked_items.erase(stream.blocked_items.begin());
        carry_on(item, now);
    }
}

void Run::put(std::uint32_t index)
{
    const auto queue = m_script.queue_of[index];
    auto& state = m_queues[queue];
    ++state.level;
    if (!state.gets.empty()) {
        const auto waiting = state.gets.front();
        state.gets.pop_front();
        --state.level;
        const Ns end = m_result.item_end[index];
        m_result.item_end[waiting] = std::max(m_result.item_start[waiting], end + post_of(m_script.items[waiting]));
        end_item(waiting, m_result.item_end[waiting]);
    }
}

void Run::get(std::uint32_t index)
{
    const auto queue = m_script.queue_of[index];
    auto& state = m_queues[queue];
    if (!state.puts.empty()) {
        const auto waiting = state.puts.front();
        state.puts.pop_front();
        const Ns end = m_result.item_end[index];
        m_result.item_end[waiting] = std::max(m_result.item_start[waiting], end + post_of(m_script.items[waiting]));
        put(waiting);
        end_item(waiting, m_result.item_end[waiting]);
    }
}

Replayed Run::run()
{
    const auto& s = m_script;
    m_operations.resize(s.operations.size());
    m_items.resize(s.items.size());
    m_edges.reserve(s.operations.size() * 2);
    m_streams.resize(s.streams.size());
    m_engines.resize(s.devices);
    m_pools.resize(s.devices);
    m_events.resize(s.events);
    m_gangs.resize(s.gang_sizes.size());
    m_members.resize(s.gang_sizes.size());
    m_queues.resize(s.queues.size());
    const auto threads = s.first_item.size() - 1;
    m_thread_orders.resize(threads);
    const bool any_order = std::any_of(
        s.items.begin(), s.items.end(), [](const Item& item) { return item.wait == Item::order && !item.dropped; });
    m_seen_orders.resize(any_order ? threads * s.streams.size() : 0);
    m_result.item_start.resize(s.items.size());
    m_result.item_end.resize(s.items.size());
    m_result.start.resize(s.operations.size(), -1);
    m_result.end.resize(s.operations.size(), -1);
    for (std::size_t thread = 0; thread < threads; ++thread) {
        if (s.first_item[thread] < s.first_item[thread + 1]) {
            next_item(s.first_item[thread], 0);
        }
    }
    while (!m_moments.empty()) {
        const auto moment = m_moments.top();
        switch (moment.type) {
        case item_begins:
            begin(moment.id);  // which takes it from the queue
            continue;
        case operation_ready:
            m_moments.pop();
            ready(moment.id, moment.time);
            break;
        case operation_ends:
            m_moments.pop();
            if (m_operations[moment.id].version == moment.version && !m_operations[moment.id].done) {
                finish(moment.id, moment.time);
            }
            break;
        case tail_begins:
            m_moments.pop();
            if (m_operations[moment.id].version == moment.version && !m_operations[moment.id].done) {
                auto& pool = m_pools[s.streams[s.operations[moment.id].stream].device];
                for (auto& work : pool.running) {
                    work.in_tail = work.in_tail || work.operation == moment.id;
                }
                settle(pool, moment.time);
            }
            break;
        case engine_free:
            m_moments.pop();
            start_copy(m_engines[moment.id][moment.version], moment.id, moment.time);
            break;
        case put_done: {
            m_moments.pop();
            const auto& item = s.items[moment.id];
            auto& queue = m_queues[s.queue_of[moment.id]];
            m_result.item_end[moment.id] = moment.time;
            if (item.kind == Item::put) {
                const auto capacity = s.queues[s.queue_of[moment.id]].capacity;
                if (capacity > 0 && queue.level >= static_cast<std::int64_t>(capacity)) {
                    queue.puts.push_back(moment.id);
                    break;
                }
                put(moment.id);
            } else {
                if (queue.level == 0) {
                    queue.gets.push_back(moment.id);
                    break;
                }
                --queue.level;
                get(moment.id);
            }
            end_item(moment.id, moment.time);
            break;
        }
        }
    }
    for (std::size_t i = 0; i < s.items.size(); ++i) {
        m_result.stuck += m_items[i].done ? 0 : 1;
    }
    for (std::size_t i = 0; i < s.operations.size(); ++i) {
        m_result.stuck += m_operations[i].submitted && !m_operations[i].done ? 1 : 0;
    }
    return std::move(m_result);
}

}  // namespace

Replayed replay(const Script& script, const Mode& mode)
{
    return Run(script, mode).run();
}

}  // namespace lanes::whatif
