// SPDX-License-Identifier: MIT
#include "engine/replay/replay_run.h"

namespace lanes::replay {

/// How long a kernel that begins now runs on what collectives leave it.
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

const ReplayRun::Work& ReplayRun::work_of(const Pool& pool, const Crowded& crowded)
{
    return *std::find_if(pool.running.begin(), pool.running.end(),
        [&](const Work& each) { return each.operation == crowded.operation; });
}

double ReplayRun::own_time(const Pool& pool, const Crowded& crowded, Ns now)
{
    const auto& work = work_of(pool, crowded);
    return crowded.length - work.left + static_cast<double>(now - work.since) * work.rate;
}

Ns ReplayRun::when(const Pool& pool, const Crowded& crowded, double time, Ns now) const
{
    return now + static_cast<Ns>(std::ceil((time - own_time(pool, crowded, now)) / work_of(pool, crowded).rate));
}

/// When blocks of a collective can begin beside it.
double ReplayRun::lets_in(const Pool& pool, const Crowded& crowded, Ns now)
{
    return crowded.turns.yields() ? crowded.turns.next_turn(own_time(pool, crowded, now)) : crowded.turns.last_begin();
}

/// When the first blocks of a collective can begin.
Ns ReplayRun::can_begin(const Pool& pool, Ns now) const
{
    Ns begin = now;
    for (const auto& crowded : pool.crowded) {
        begin = std::max(begin, when(pool, crowded, lets_in(pool, crowded, now), now));
    }
    return begin;
}

/// When all of them can begin.
Ns ReplayRun::has_room(const Pool& pool, Ns now) const
{
    Ns room = now;
    for (const auto& crowded : pool.crowded) {
        if (!crowded.turns.yields()) {
            room = std::max(room, when(pool, crowded, crowded.turns.leaves_room(), now));
        }
    }
    return room;
}

void ReplayRun::retime(Pool& pool, Crowded& crowded, Ns now, void (Turns::*change)(double))
{
    auto& work = *std::find_if(pool.running.begin(), pool.running.end(),
        [&](const Work& each) { return each.operation == crowded.operation; });
    work.left -= static_cast<double>(now - work.since) * work.rate;
    work.since = now;
    const double time = crowded.length - work.left;
    (crowded.turns.*change)(time);
    crowded.length = crowded.turns.end();
    work.left = std::max(0.0, crowded.length - time);
    ++m_operations[work.operation].version;
    ends_at(work.operation, now + static_cast<Ns>(std::ceil(work.left / work.rate)), now);
}

void ReplayRun::collective_comes(Pool& pool, Ns now)
{
    if (++pool.collectives > 1) {
        return;
    }
    for (auto& crowded : pool.crowded) {
        if (crowded.turns.yields()) {
            retime(pool, crowded, now, &Turns::take);
        }
    }
}

void ReplayRun::collective_goes(Pool& pool, Ns now)
{
    if (--pool.collectives > 0) {
        return;
    }
    for (auto& crowded : pool.crowded) {
        retime(pool, crowded, now, &Turns::give_back);
    }
}

}  // namespace lanes::replay
