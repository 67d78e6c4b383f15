// SPDX-License-Identifier: MIT
#include "engine/replay/replay.h"

#include "engine/replay/replay_run.h"

namespace lanes::replay {

Replayed ReplayRun::run()
{
    prepare();
    submit_unrecorded();
    begin_threads();
    m_script.bound.check();
    for (std::uint64_t moments = 1; !m_moments.empty(); ++moments) {
        constexpr std::uint64_t check_every = 256;
        if (moments % check_every == 0) {
            m_script.bound.check();
        }
        take_next();
    }
    m_result.stuck = count_stuck();
    return std::move(m_result);
}

/// Room for the state of all that the script has.
void ReplayRun::prepare()
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
}

/// Operations that were issued before the recording began.
void ReplayRun::submit_unrecorded()
{
    const Item unrecorded;  // which issued it
    for (std::uint32_t operation = 0; operation < m_script.before; ++operation) {
        submit(unrecorded, operation, 0);
    }
}

void ReplayRun::begin_threads()
{
    const auto& first = m_script.first_item;
    for (std::size_t thread = 0; thread + 1 < first.size(); ++thread) {
        if (first[thread] < first[thread + 1]) {
            next_item(first[thread], 0);
        }
    }
}

/// The next moment of the agenda, which is not empty.
void ReplayRun::take_next()
{
    const auto moment = m_moments.top();
    m_moments.pop();
    switch (moment.type) {
    case item_begins:
        begin(moment.id, moment.time);
        break;
    case operation_ready:
        ready(moment.id, moment.time);
        break;
    case operation_ends:
        if (is_current(moment)) {
            finish(moment.id, moment.time);
        }
        break;
    case tail_begins:
        if (is_current(moment)) {
            begin_tail(moment.id, moment.time);
        }
        break;
    case engine_free:
        start_copy(m_engines[moment.id][moment.version], moment.id, moment.time);
        break;
    case put_done:
        reach_queue(moment.id, moment.time);
        break;
    }
}

/// How many items and operations wait for something that never comes.
std::uint64_t ReplayRun::count_stuck() const
{
    const auto items = std::count_if(m_items.begin(), m_items.end(), [](const ItemState& item) { return !item.done; });
    const auto operations = std::count_if(m_operations.begin(), m_operations.end(),
        [](const OperationState& operation) { return operation.submitted && !operation.done; });
    return static_cast<std::uint64_t>(items + operations);
}

Replayed replay(const Script& script, const Mode& mode)
{
    return ReplayRun(script, mode).run();
}

}  // namespace lanes::replay
