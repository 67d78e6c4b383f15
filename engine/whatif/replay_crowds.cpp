// SPDX-License-Identifier: MIT
#include "engine/whatif/replay_run.h"

namespace lanes::whatif {

/// How long a kernel that begins runs with what collectives leave it.
Ns ReplayRun::take_room(std::uint32_t index)
{
    const auto& operation = m_script.operations[index];
    const Ns length = length_of(operation);
    if (operation.crowd.blocks == 0) {
        return length;
    }
    auto& pool = m_pools[m_script.streams[operation.stream].device];
    const Turns turns(operation.crowd, static_cast<double>(length), pool.collectives > 0);
    const Ns now_long = pool.collectives > 0 ? std::llround(turns.end()) : length;
    pool.crowded.push_back({index, turns, static_cast<double>(now_long)});
    return now_long;
}

Ns ReplayRun::when(const Pool& pool, const Crowded& crowded, double time, Ns now) const
{
    const auto work = std::find_if(pool.running.begin(), pool.running.end(),
        [&](const Work& each) { return each.operation == crowded.operation; });
    const double is = crowded.length - work->left + static_cast<double>(now - work->since) * work->rate;
    return now + static_cast<Ns>(std::ceil((time - is) / work->rate));
}

/// When blocks of a collective can begin.
Ns ReplayRun::can_begin(const Pool& pool, Ns now) const
{
    Ns begin = now;
    for (const auto& crowded : pool.crowded) {
        begin = std::max(begin, when(pool, crowded, crowded.turns.last_begin(), now));
    }
    return begin;
}

/// When all of them can.
Ns ReplayRun::has_room(const Pool& pool, Ns now) const
{
    Ns room = now;
    for (const auto& crowded : pool.crowded) {
        room = std::max(room, when(pool, crowded, crowded.turns.leaves_room(), now));
    }
    return room;
}

void ReplayRun::collective_goes(Pool& pool, Ns now)
{
    if (--pool.collectives > 0) {
        return;
    }
    for (auto& crowded : pool.crowded) {
        auto& work = *std::find_if(pool.running.begin(), pool.running.end(),
            [&](const Work& each) { return each.operation == crowded.operation; });
        work.left -= static_cast<double>(now - work.since) * work.rate;
        work.since = now;
        const double time = crowded.length - work.left;
        crowded.turns.give_back(time);
        crowded.length = crowded.turns.end();
        work.left = std::max(0.0, crowded.length - time);
        ++m_operations[work.operation].version;
        ends_at(work.operation, now + static_cast<Ns>(std::ceil(work.left / work.rate)), now);
    }
}

}  // namespace lanes::whatif
