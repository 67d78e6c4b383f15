// SPDX-License-Identifier: MIT
#include "engine/replay/alone.h"
#include "engine/replay/replay_run.h"
#include "engine/replay/traffic.h"

namespace lanes::replay {

namespace {

constexpr double least_part = 0.01;  // of the multiprocessors, that lets a kernel begin
constexpr Ns engine_step = 500;  // from one copy to the next of an engine, of another stream

}  // namespace

Ns ReplayRun::delay(const Operation& operation, StartCause cause, const Operation* before)
{
    const bool behind_launch = cause == StartCause::launch;
    if (m_mode.measured && operation.bound == cause) {
        ++m_result.delays.measured;
        return operation.delay;
    }
    ++m_result.delays.constant;
    if (behind_launch) {
        const bool copies = is_copy(operation.kind);
        return m_constants.issue[copies && operation.pageable ? Constants::of_staged
                : copies                                      ? Constants::of_copy
                : operation.kind == OperationKind::memset     ? Constants::of_memset
                : operation.of_graph                          ? Constants::of_graph
                                                              : Constants::of_kernel];
    }
    if (cause == StartCause::graph) {
        return m_constants.node;
    }
    const Ns step
        = m_constants.step_of(is_copy(before->kind), Constants::next_of(is_copy(operation.kind), operation.pageable));
    const Ns begins = operation.of_graph ? m_constants.graph : 0;
    return cause == StartCause::stream ? step + begins : step + m_constants.cross + begins;
}

void ReplayRun::follow(std::uint32_t index, std::uint32_t before, StartCause cause)
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

void ReplayRun::follow_early(std::uint32_t index, std::uint32_t before)
{
    const auto& operation = m_script.operations[before];
    auto& state = m_operations[index];
    auto& other = m_operations[before];
    const Ns after = scale(length_of(operation), m_script.operations[index].lead);
    ++m_result.delays.measured;
    if (other.begun) {
        state.ready = std::max(state.ready, m_result.start[before] + after);
        return;
    }
    m_edges.push_back({index, other.early, after});
    other.early = static_cast<std::uint32_t>(m_edges.size() - 1);
    ++state.waiting;
}

void ReplayRun::begins(std::uint32_t index, Ns now)
{
    m_result.start[index] = now;
    m_operations[index].begun = true;
    for (auto at = m_operations[index].early; at != none; at = m_edges[at].next) {
        const auto& edge = m_edges[at];
        auto& next = m_operations[edge.to];
        next.ready = std::max(next.ready, now + edge.delay);
        if (--next.waiting == 0) {
            push(std::max(now, next.ready), operation_ready, edge.to);
        }
    }
}

/// When it can begin at the earliest that was issued then.
Ns ReplayRun::issued(const Item& item, std::uint32_t index, Ns now)
{
    const auto& operation = m_script.operations[index];
    if (index < m_script.before) {
        return operation.was;
    }
    const bool first = index == item.first_operation;
    if (!operation.of_graph || first || operation.bound != StartCause::graph) {
        return now + std::max<Ns>(0, delay(operation, StartCause::launch, nullptr));
    }
    return now;
}

/// What its own stream has it follow. `early`: it began before the end of the one before it.
void ReplayRun::follow_stream(const Item& item, std::uint32_t index, bool early)
{
    const auto& operation = m_script.operations[index];
    for (const auto before : m_streams[operation.stream].tail) {
        const bool same = operation.of_graph && before >= item.first_operation;
        if (early) {
            follow_early(index, before);
        } else if (!same) {
            follow(index, before, StartCause::stream);
        } else if (!operation.beside && before != operation.after) {
            follow(index, before, StartCause::graph);
        }
    }
    if (operation.after != none) {
        follow(index, operation.after, StartCause::graph);
    }
    for (const auto before : m_streams[operation.stream].waits) {
        follow_event(item, index, before);
    }
}

/// Of a copy that a change put between the work of a recorded stream: what that stream was given before it.
void ReplayRun::follow_within(const Item& item, std::uint32_t index)
{
    const auto within = m_script.streams[m_script.operations[index].stream].within;
    if (within == none) {
        return;
    }
    auto& stream = m_streams[within];
    for (const auto before : stream.tail) {
        follow(index, before, StartCause::stream);
    }
    for (const auto before : stream.waits) {
        follow_event(item, index, before);
    }
    stream.tail.assign(1, index);
    stream.waits.clear();
}

/// What the legacy default stream orders.
void ReplayRun::follow_legacy(std::uint32_t index)
{
    const auto& of = m_script.streams[m_script.operations[index].stream];
    if (!m_script.legacy_order || (!of.legacy && !of.blocking)) {
        return;
    }
    const auto& context = m_script.contexts[of.context];
    for (const auto other : of.legacy ? context.blocking : context.legacy) {
        for (const auto before : m_streams[other].tail) {
            follow(index, before, StartCause::legacy);
        }
    }
}

void ReplayRun::follow_event(const Item& item, std::uint32_t index, std::uint32_t before)
{
    note(item, m_script.operations[index].stream, before);
    follow(index, before, StartCause::event);
}

/// What was issued to another stream last.
void ReplayRun::follow_tail(const Item& item, std::uint32_t index, std::uint32_t stream)
{
    for (const auto before : m_streams[stream].tail) {
        follow_event(item, index, before);
    }
}

/// Of a stream whose copies or collectives have streams of their own: kernels need the uploads and the collectives
/// before them, downloads the kernels.
void ReplayRun::follow_divided(const Item& item, std::uint32_t index)
{
    const auto& operation = m_script.operations[index];
    const auto& of = m_script.streams[operation.stream];
    const auto downloads = of.home == none ? none : m_script.streams[of.home].downloads;
    if (of.home == none && of.uploads != none && operation.needs == none) {
        follow_tail(item, index, of.uploads);
    } else if (of.home != none && downloads == operation.stream) {
        follow_tail(item, index, of.home);
    } else if (operation.behind_downloads && downloads != none) {
        follow_tail(item, index, downloads);
    }
    if (of.home == none && of.collectives != none) {
        follow_tail(item, index, of.collectives);
    }
    if (operation.needs != none) {
        follow_event(item, index, operation.needs);
    }
}

/// What its thread waited for before it issued it, in place of the waits that a change left out.
void ReplayRun::follow_orders(const Item& item, std::uint32_t index)
{
    const auto& orders = m_thread_orders[item.thread];
    if (orders.empty()) {
        return;
    }
    auto& seen = m_seen_orders[item.thread * m_streams.size() + m_script.operations[index].stream];
    for (; seen < orders.size(); ++seen) {
        follow(index, orders[seen], StartCause::event);
    }
}

void ReplayRun::submit(const Item& item, std::uint32_t index, Ns now)
{
    const auto& operation = m_script.operations[index];
    auto& state = m_operations[index];
    if (operation.dropped) {
        return;
    }
    state.submitted = true;
    auto& stream = m_streams[operation.stream];
    ++stream.pending;
    state.ready = issued(item, index, now);
    const bool early = !stream.tail.empty() && is_early(operation, stream.tail.back());
    if (early) {
        stream.tail.erase(stream.tail.begin(), stream.tail.end() - 1);
    }
    follow_stream(item, index, early);
    follow_within(item, index);
    follow_legacy(index);
    follow_divided(item, index);
    follow_orders(item, index);
    if (!operation.beside) {
        stream.tail.resize(early ? 1 : 0);
        stream.waits.clear();
    }
    stream.tail.push_back(index);
    if (state.waiting == 0) {
        push(std::max(now, state.ready), operation_ready, index);
    }
}

void ReplayRun::ready(std::uint32_t index, Ns now)
{
    const auto& operation = m_script.operations[index];
    const auto device = m_script.streams[operation.stream].device;
    if (has_engine(operation.kind)) {
        auto& engine = m_engines[device][engine_of(operation.kind, device)];
        engine.waiting.push_back(index);
        start_copy(engine, device, now);
        return;
    }
    if (operation.kind == OperationKind::kernel && operation.share > 0 && operation.gang == none) {
        auto& pool = m_pools[device];
        if (pool.waiting.empty() && pool.used + operation.share <= 1.0001) {  // as nearly always: room for all of it
            pool.used += operation.share;
            const Ns length = take_room(index);
            pool.running.push_back({index, static_cast<double>(length), 1, now, false, operation.share});
            start(index, now, length);
            if (operation.streams && ++pool.streams > 1) {
                settle(pool, now);
            }
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
    if (operation.gang != none) {
        if (const Ns when = can_begin(m_pools[device], now); when > now) {
            push(when, operation_ready, index);
            return;
        }
    }
    start(index, now);
}

void ReplayRun::start(std::uint32_t index, Ns now)
{
    const auto& operation = m_script.operations[index];
    if (operation.gang == none) {
        start(index, now, length_of(operation));
        return;
    }
    begins(index, now);
    const auto gang = operation.gang;
    auto& pool = m_pools[m_script.streams[operation.stream].device];
    collective_comes(pool, now);
    m_placed[gang] = std::max(m_placed[gang], has_room(pool, now));
    m_members[gang].push_back(index);
    if (++m_gangs[gang] == m_script.gang_sizes[gang]) {
        for (const auto member : m_members[gang]) {
            push(m_placed[gang] + scale(m_script.operations[member].length, m_mode.gpu), operation_ends, member,
                m_operations[member].version);
        }
    }
}

/// From now on, with its end.
void ReplayRun::start(std::uint32_t index, Ns now, Ns length, double rate)
{
    begins(index, now);
    ends_at(index, now + static_cast<Ns>(std::ceil(static_cast<double>(length) / rate)), now);
}

void ReplayRun::ends_at(std::uint32_t index, Ns end, Ns now)
{
    const auto version = m_operations[index].version;
    push(end, operation_ends, index, version);
    if (const Ns tail = m_script.operations[index].tail; tail > 0) {
        push(std::max(now, end - tail), tail_begins, index, version);
    }
}

void ReplayRun::start_copy(Engine& engine, std::size_t device, Ns now)
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
            static_cast<std::uint32_t>(engine_of(operation.kind, device)));
        return;
    }
    engine.waiting.erase(next);
    engine.last_stream = operation.stream;
    engine.work = {index, static_cast<double>(length_of(operation)), 1, now, false};
    start(index, now, length_of(operation));
    set_duplex(device, now);
}

/// Both directions at once are slower than each alone.
void ReplayRun::set_duplex(std::size_t device, Ns now)
{
    auto& up = m_engines[device][0].work;
    auto& down = m_engines[device][1].work;
    const bool both = up.operation != none && down.operation != none;
    for (Work* const work : {&up, &down}) {
        const double kept = work == &up ? m_constants.table.h2d_duplex : m_constants.table.d2h_duplex;
        const double rate = both ? std::min(1.0, kept * m_mode.duplex) : 1;
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
void ReplayRun::settle(Pool& pool, Ns now)
{
    double left = 1;
    double tails = 0;  // room for small ones
    double streaming = 0;  // of kernels that stream memory
    const auto take = [&](const Operation& operation) {
        const double share = operation.share;
        const double part = share < small_share && left + tails >= share ? share : std::min(share, left);
        left = std::max(0.0, left - part);
        streaming += operation.streams ? part : 0;
        return part;
    };
    for (auto& work : pool.running) {
        work.part = take(m_script.operations[work.operation]);
        tails += work.in_tail ? work.part : 0;
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
        const double part = take(operation);
        pool.used += share;
        const Ns length = take_room(index);
        m_result.waited += length;
        if (operation.streams) {
            ++pool.streams;
            ++m_result.streams_that_waited;
            m_result.streams_waited += length;
        }
        pool.running.push_back({index, static_cast<double>(length), 0, now, false, part});
    }
    for (auto& work : pool.running) {
        const auto& operation = m_script.operations[work.operation];
        const double rate
            = std::max(operation.streams ? speed_beside(work.part, operation.share, streaming, m_mode.load)
                                         : work.part / operation.share,
                1e-6);
        if (work.rate == 0) {
            work.rate = rate;
            start(work.operation, now, static_cast<Ns>(work.left), rate);
        } else if (std::abs(rate - work.rate) > 1e-9) {
            work.left -= static_cast<double>(now - work.since) * work.rate;
            work.since = now;
            work.rate = rate;
            ++m_operations[work.operation].version;
            ends_at(work.operation, now + static_cast<Ns>(std::ceil(std::max(0.0, work.left) / rate)), now);
        }
    }
}

/// Its last blocks leave room for small kernels.
void ReplayRun::begin_tail(std::uint32_t index, Ns now)
{
    auto& pool = m_pools[m_script.streams[m_script.operations[index].stream].device];
    for (auto& work : pool.running) {
        work.in_tail = work.in_tail || work.operation == index;
    }
    settle(pool, now);
}

void ReplayRun::finish(std::uint32_t index, Ns now)
{
    const auto& operation = m_script.operations[index];
    auto& state = m_operations[index];
    state.done = true;
    m_result.end[index] = now;
    m_result.total = std::max(m_result.total, now);
    const auto device = m_script.streams[operation.stream].device;
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
        auto& engine = m_engines[device][engine_of(operation.kind, device)];
        engine.work = {};
        engine.free_since = now;
        set_duplex(device, now);
        start_copy(engine, device, now);
    } else if (operation.kind == OperationKind::kernel && operation.share > 0 && operation.gang == none) {
        auto& pool = m_pools[device];
        pool.streams -= operation.streams ? 1 : 0;
        const bool was_full = pool.used > 1.0001 || !pool.waiting.empty() || (operation.streams && pool.streams > 0);
        std::erase_if(pool.running, [&](const Work& work) { return work.operation == index; });
        std::erase_if(pool.crowded, [&](const Crowded& crowded) { return crowded.operation == index; });
        pool.used = pool.running.empty() ? 0 : pool.used - operation.share;
        if (was_full) {
            settle(pool, now);
        }
    }
    if (operation.gang != none) {
        collective_goes(m_pools[device], now);
    }
    if (!stream.blocked_items.empty() && stream.pending < m_constants.table.launch_queue) {
        const auto item = stream.blocked_items.front();
        stream.blocked_items.erase(stream.blocked_items.begin());
        carry_on(item, now);
    }
}

}  // namespace lanes::replay
