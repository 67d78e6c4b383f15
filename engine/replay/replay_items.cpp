// SPDX-License-Identifier: MIT
#include "engine/replay/replay_run.h"

namespace lanes::replay {

namespace {

constexpr std::size_t many_waits = 16;

}  // namespace

/// Starts the item at `index`, or the next one that takes time, its `gap` after `before`.
void ReplayRun::next_item(std::uint32_t index, Ns before)
{
    const auto end = m_script.first_item[m_script.items[index].thread + 1];
    for (; index < end; ++index) {
        const auto& item = m_script.items[index];
        if (!item.dropped || item.stays) {
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
    const Ns gap = gap_of(item);
    if (item.behind == none) {
        push(std::max(loaded(item, before + gap), item.not_before), item_begins, index);
        return;
    }
    m_result.item_start[index] = std::max(loaded(item, before), item.not_before);  // at the earliest
    ++m_result.delays.assumed;
    auto& other = m_items[item.behind];
    if (other.done) {
        push(std::max(before, m_result.item_end[item.behind] + gap), item_begins, index);
    } else {
        m_edges.push_back({index, other.dependents, gap});
        other.dependents = static_cast<std::uint32_t>(m_edges.size() - 1);
    }
}

void ReplayRun::begin(std::uint32_t index, Ns now)
{
    const auto& item = m_script.items[index];
    if (item.behind != none && now < m_result.item_start[index]) {
        push(m_result.item_start[index], item_begins, index);
        return;
    }
    m_result.item_start[index] = now;
    if (item.dropped) {
        end_item(index, now);
        return;
    }
    if (item.operations > 0 && !item.at_once) {
        auto& stream = m_streams[m_script.operations[item.first_operation].stream];
        if (stream.pending >= m_constants.table.launch_queue) {
            stream.blocked_items.push_back(index);
            return;
        }
    }
    carry_on(index, now);
}

/// The CPU time that it takes.
Ns ReplayRun::own_of(const Item& item) const
{
    const bool is_call = item.kind == Item::call || item.loose;
    return is_call    ? scale_within(item.start, item.own, m_mode.calls)
        : item.varies ? scale_within(item.start, item.own, m_mode.host)
                      : item.own;
}

void ReplayRun::carry_on(std::uint32_t index, Ns start)
{
    const auto& item = m_script.items[index];
    auto& state = m_items[index];
    for (std::uint32_t i = 0; i < item.operations; ++i) {
        submit(item, item.first_operation + i, start);
    }
    act(item);
    const Ns own = own_of(item);
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

/// Computes its end from its start, its own time and, if it waited, from what it waited for.
void ReplayRun::return_from(std::uint32_t index)
{
    const auto& item = m_script.items[index];
    const auto& state = m_items[index];
    const Ns own = own_of(item);
    Ns end = state.from + own;
    if (state.release > state.from && item.wait != Item::nothing && item.wait != Item::order) {
        end = std::max(end, state.release + post_of(item));
    }
    end_item(index, end);
}

Ns ReplayRun::post_of(const Item& item)
{
    if (m_mode.measured && item.held) {
        ++m_result.delays.measured;
        return item.post;
    }
    ++m_result.delays.constant;
    if (item.type == CallClass::memory) {
        return m_constants.release;
    }
    if (item.wait == Item::own_work && item.operations == 1 && m_constants.staged_return > 0) {
        const auto& copy = m_script.operations[item.first_operation];
        if (copy.pageable && copy.kind == OperationKind::d2h) {
            return scale(copy.length, m_constants.staged_return);
        }
    }
    return item.kind == Item::get || item.kind == Item::put || item.kind == Item::join ? m_constants.get
        : item.wait == Item::own_work                                                  ? m_constants.copy_return
                                                                                       : m_constants.wake;
}

void ReplayRun::end_item(std::uint32_t index, Ns end)
{
    const auto& item = m_script.items[index];
    auto& state = m_items[index];
    m_result.item_end[index] = end;
    state.done = true;
    if (item.counts && item.kind == Item::call && !item.dropped) {
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

void ReplayRun::add_wait(std::uint32_t index, std::uint32_t operation)
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

/// The last operations of a stream and of the streams that changes made of it; unless `host` (for an event's record),
/// also those that the legacy stream orders; with `all`, as for a wait for the device, also what the program loads
/// ahead.
std::vector<std::uint32_t> ReplayRun::tails(std::uint32_t stream, bool host, bool all) const
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
    if (all || !m_script.streams[home].loads_ahead) {
        add(m_script.streams[home].uploads);
    }
    add(m_script.streams[home].downloads);
    add(m_script.streams[home].collectives);
    std::for_each(m_script.streams[home].dealt.begin(), m_script.streams[home].dealt.end(), add);
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

void ReplayRun::add_stream(std::uint32_t index, std::uint32_t stream, bool all)
{
    for (const auto operation : tails(stream, true, all)) {
        note(m_script.items[index], stream, operation);
        add_wait(index, operation);
    }
}

void ReplayRun::wait_for_work(std::uint32_t index)
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
        add_stream(index, item.target, false);
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

/// From now on, what the thread issues follows the last operations that the wait was for, except downloads: their
/// results are for the host.
void ReplayRun::order(std::uint32_t thread, const Item& item)
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
            add(tails(stream, true, true));
        }
    } else if (item.ordered == Item::event) {
        add(m_events[item.target]);
    } else if (item.ordered == Item::operation && m_operations[item.target].submitted) {
        add({item.target});
    }
    if (last != none && !m_operations[last].done) {
        m_thread_orders[thread].push_back(last);
    }
}

void ReplayRun::act(const Item& item)
{
    for (std::uint32_t i = 0; i < item.actions; ++i) {
        const auto& action = m_script.actions[item.first_action + i];
        if (action.kind == Action::record) {
            m_events[action.event] = tails(action.stream, false);
            for (const auto before : m_events[action.event]) {
                note(item, action.stream, before);
            }
            continue;
        }
        const auto& of = m_script.streams[action.stream];
        std::vector<std::uint32_t> streams {action.stream, of.uploads, of.downloads};
        streams.insert(streams.end(), of.dealt.begin(), of.dealt.end());
        for (const auto stream : streams) {
            if (stream == none) {
                continue;
            }
            auto& waits = m_streams[stream].waits;
            if (waits.size() > many_waits) {
                std::erase_if(waits, [&](std::uint32_t operation) { return m_operations[operation].done; });
            }
            // Each once: streams that only pass on what they wait for would double the list each time.
            waits.insert(waits.end(), m_events[action.event].begin(), m_events[action.event].end());
            std::sort(waits.begin(), waits.end());
            waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
        }
    }
}

/// When a thing put at that time can be got: at once, or when another thread has worked on it.
Ns ReplayRun::handed_on(const Item& item, Ns put)
{
    if (item.service == 0) {
        return put;
    }
    auto& served = m_served[item.thread];
    served = std::max(served, put) + scale(item.service, m_mode.service);
    return served;
}

/// When the thread has the batch that the item needs, for which it asks at `asked`. Workers load in turn, each two
/// batches ahead, the default of PyTorch's DataLoader (prefetch_factor). They begin when the thread first asks; if the
/// program ran before the recording, all that they may load ahead is loaded.
Ns ReplayRun::loaded(const Item& item, Ns asked)
{
    if (item.workers == 0) {
        return asked;
    }
    constexpr std::size_t ahead = 2;
    auto& of = m_loaders[item.thread];
    const auto number = of.ready.size();
    const auto behind = [&](const std::vector<Ns>& times, std::size_t batches) {
        return number < batches ? of.begun : times[number - batches];
    };
    of.begun = number == 0 ? asked : of.begun;
    const bool is_there = m_script.before > 0 && number < ahead * item.workers;
    const double factor = !m_mode.is_of(item.start) ? 1 : item.taking > 0 ? m_mode.fetch : m_mode.service;
    const Ns length = scale(item.loading, factor);
    of.ready.push_back(
        is_there ? 0 : std::max(behind(of.ready, item.workers), behind(of.taken, ahead * item.workers)) + length);
    of.taken.push_back(std::max(asked, of.ready.back() + m_constants.get));
    return of.taken.back() + taking_of(item);
}

/// A put or a get has done its own work: it ends, or waits for room or for something to take.
void ReplayRun::reach_queue(std::uint32_t index, Ns now)
{
    const auto& item = m_script.items[index];
    auto& queue = m_queues[m_script.queue_of[index]];
    m_result.item_end[index] = now;
    if (item.kind == Item::put) {
        const auto capacity = m_script.queues[m_script.queue_of[index]].capacity;
        if (capacity > 0 && queue.level >= static_cast<std::int64_t>(capacity)) {
            queue.puts.push_back(index);
            return;
        }
        put(index);
        end_item(index, now);
        return;
    }
    if (queue.level == 0) {
        queue.gets.push_back(index);
        return;
    }
    --queue.level;
    const Ns since = handed_on(item, queue.times.front());
    queue.times.pop_front();
    get(index);
    if (since > now) {
        m_result.item_end[index] = since + post_of(item);
    }
    end_item(index, m_result.item_end[index]);
}

void ReplayRun::put(std::uint32_t index)
{
    const auto queue = m_script.queue_of[index];
    auto& state = m_queues[queue];
    const Ns end = m_result.item_end[index];
    if (state.gets.empty()) {
        ++state.level;
        state.times.push_back(end);
        return;
    }
    const auto waiting = state.gets.front();
    state.gets.pop_front();
    const auto& item = m_script.items[waiting];
    m_result.item_end[waiting] = std::max(m_result.item_start[waiting], handed_on(item, end) + post_of(item));
    end_item(waiting, m_result.item_end[waiting]);
}

void ReplayRun::get(std::uint32_t index)
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

}  // namespace lanes::replay
