// SPDX-License-Identifier: MIT
#include "engine/replay/replay.h"

#include "engine/replay/replay_run.h"

namespace lanes::replay {

Replayed ReplayRun::run()
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
    m_placed.resize(s.gang_sizes.size());
    m_members.resize(s.gang_sizes.size());
    m_queues.resize(s.queues.size());
    const auto threads = s.first_item.size() - 1;
    m_thread_orders.resize(threads);
    m_served.resize(threads);
    m_loaders.resize(threads);
    const bool any_order = std::any_of(
        s.items.begin(), s.items.end(), [](const Item& item) { return item.wait == Item::order && !item.dropped; });
    m_seen_orders.resize(any_order ? threads * s.streams.size() : 0);
    m_result.item_start.resize(s.items.size());
    m_result.item_end.resize(s.items.size());
    m_result.start.resize(s.operations.size(), -1);
    m_result.end.resize(s.operations.size(), -1);
    const Item unrecorded;  // which issued it
    for (std::uint32_t operation = 0; operation < s.before; ++operation) {
        submit(unrecorded, operation, 0);
    }
    for (std::size_t thread = 0; thread < threads; ++thread) {
        if (s.first_item[thread] < s.first_item[thread + 1]) {
            next_item(s.first_item[thread], 0);
        }
    }
    s.bound.check();
    for (std::uint64_t moments = 1; !m_moments.empty(); ++moments) {
        constexpr std::uint64_t check_every = 256;
        if (moments % check_every == 0) {
            s.bound.check();
        }
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
                const Ns since = handed_on(item, queue.times.front());
                queue.times.pop_front();
                get(moment.id);
                if (since > moment.time) {
                    m_result.item_end[moment.id] = since + post_of(item);
                }
                end_item(moment.id, m_result.item_end[moment.id]);
                break;
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

Replayed replay(const Script& script, const Mode& mode)
{
    return ReplayRun(script, mode).run();
}

}  // namespace lanes::replay
