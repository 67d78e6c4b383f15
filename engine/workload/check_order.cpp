// SPDX-License-Identifier: MIT
#include "engine/workload/check_order.h"

#include "engine/workload/check.h"

#include <algorithm>

namespace lanes {

OrderCheck::OrderCheck(const Program& program)
    : m_program(program)
    , m_writes(program.buffers.size())
    , m_host_writes(program.buffers.size())
    , m_reads(program.buffers.size())
    , m_records(program.events.size())
    , m_unsure(program.events.size())
    , m_has_record(program.events.size())
    , m_puts(program.queues.size())
    , m_gets(program.queues.size())
    , m_graphs(program.graphs.size())
    , m_capturing(program.threads.size(), no_id)
{
    m_clocks.assign(width(program), Clock(width(program)));
    each_effects(program, [this](const Effects& effects, const Instruction&, Index) {
        for (const Access& access : effects.accesses) {
            if (access.kind == Access::Kind::write && access.stream == no_id) {
                m_host_writes[access.buffer] = true;
            }
        }
    });
}

std::size_t OrderCheck::width(const Program& program)
{
    std::size_t chains = program.threads.size() + program.streams.size();
    for (const auto& stream : program.streams) {
        chains += stream.kind == StreamSpec::Kind::per_thread ? program.threads.size() : 0;
    }
    return chains;
}

Index OrderCheck::chain_of(Index stream) const
{
    const auto threads = static_cast<Index>(m_program.threads.size());
    if (m_program.streams[stream].kind != StreamSpec::Kind::per_thread) {
        return threads + stream;
    }
    Index before = 0;
    for (Index i = 0; i < stream; ++i) {
        before += m_program.streams[i].kind == StreamSpec::Kind::per_thread ? 1 : 0;
    }
    return threads + static_cast<Index>(m_program.streams.size()) + before * threads + m_thread;
}

void OrderCheck::join(Clock& into, const Clock& other)
{
    for (std::size_t i = 0; i < into.size(); ++i) {
        into[i] = std::max(into[i], other[i]);
    }
}

void OrderCheck::visit(Index thread, Index at, const Effects& effects)
{
    m_thread = thread;
    m_instruction = &m_program.threads[thread].instructions[at];
    ++host()[thread];
    access_from_host(effects);
    if (effects.begins != no_id) {
        m_capturing[m_thread] = effects.begins;
        m_graphs[effects.begins].clear();
    }
    if (effects.is_work) {
        work(effects);
    }
    if (effects.records != no_id) {
        record(effects.records, effects.stream);
    }
    if (effects.stream_awaits != no_id) {
        let_wait(effects.stream, effects.stream_awaits);
    }
    wait(effects);
    if (effects.ends != no_id) {
        m_capturing[m_thread] = no_id;
    }
}

void OrderCheck::join_blocking_streams(Clock& into, std::uint32_t gpu)
{
    const Index self = m_thread;
    for (Index stream = 0; stream < m_program.streams.size(); ++stream) {
        const StreamSpec& spec = m_program.streams[stream];
        if (spec.gpu != gpu || spec.kind == StreamSpec::Kind::non_blocking || spec.kind == StreamSpec::Kind::legacy) {
            continue;
        }
        if (spec.kind == StreamSpec::Kind::blocking) {
            join(into, m_clocks[chain_of(stream)]);
            continue;
        }
        for (m_thread = 0; m_thread < m_program.threads.size(); ++m_thread) {
            join(into, m_clocks[chain_of(stream)]);
        }
        m_thread = self;
    }
}

OrderCheck::Clock& OrderCheck::begin(Index stream)
{
    const StreamSpec& spec = m_program.streams[stream];
    Clock& clock = m_clocks[chain_of(stream)];
    join(clock, host());
    if (spec.kind == StreamSpec::Kind::legacy) {
        join_blocking_streams(clock, spec.gpu);
    } else if (spec.kind != StreamSpec::Kind::non_blocking) {
        for (Index other = 0; other < m_program.streams.size(); ++other) {
            if (m_program.streams[other].kind == StreamSpec::Kind::legacy && m_program.streams[other].gpu == spec.gpu) {
                join(clock, m_clocks[chain_of(other)]);
            }
        }
    }
    return clock;
}

void OrderCheck::write(Index stream, const std::vector<Access>& accesses)
{
    const auto each_write = [&](const auto& visit) {
        for (const Access& access : accesses) {
            if (access.kind == Access::Kind::write) {
                visit(access);
            }
        }
    };
    if (const Index graph = m_capturing[m_thread]; graph != no_id) {
        each_write([&](const Access& access) { m_graphs[graph].push_back(access); });
        return;
    }
    Clock& clock = begin(stream);
    const Index chain = chain_of(stream);
    const Epoch epoch {chain, ++clock[chain]};
    each_write([&](const Access& access) { note_write(access, clock, epoch); });
}

void OrderCheck::note_write(const Access& access, const Clock& clock, Epoch epoch)
{
    Writes& writes = m_writes[access.buffer];
    const std::uint64_t begin = access.offset;
    const std::uint64_t end = access.offset + access.bytes;
    auto at = writes.upper_bound(begin);
    if (at != writes.begin() && std::prev(at)->second.end > begin) {
        --at;
    }
    while (at != writes.end() && at->first < end) {
        const std::uint64_t old_begin = at->first;
        const Write old = at->second;
        if (!knows(clock, old.epoch)) {
            const std::string name = "'" + m_program.buffers[access.buffer].name + "'";
            fail_at(m_program, *m_instruction,
                name + " is written here and at line " + std::to_string(m_program.steps[old.step].line)
                    + ", and nothing orders the two: expected an event and a wait between them");
        }
        at = writes.erase(at);
        if (old_begin < begin) {
            writes.emplace(old_begin, Write {begin, old.epoch, old.step});
        }
        if (old.end > end) {
            writes.emplace(end, old);
            break;
        }
    }
    writes[begin] = {end, epoch, m_instruction->step};
}

/// "copy at line 12"; what the host wrote is not a copy.
std::string OrderCheck::place_of(Index step) const
{
    const StepInfo& info = m_program.steps[step];
    const char* what = info.kind == "cpu" || info.kind == "write" ? "host's write" : "copy";
    return what + (" at line " + std::to_string(info.line));
}

/// `words` where the instruction is of a kind that has the key which they name.
std::string OrderCheck::excuse(std::string_view kind, const char* words) const
{
    return m_program.steps[m_instruction->step].kind == kind ? words : "";
}

void OrderCheck::check_read(Index buffer)
{
    for (const auto& [begin, write] : m_writes[buffer]) {
        if (!knows(host(), write.epoch)) {
            fail_at(m_program, *m_instruction,
                "the host reads '" + m_program.buffers[buffer].name + "' here, and nothing orders that after the "
                    + place_of(write.step) + ": expected a sync between them" + excuse("read", " (or expect: stale)"));
        }
    }
}

void OrderCheck::access_from_host(const Effects& effects)
{
    for (const Access& access : effects.accesses) {
        if (access.stream != no_id) {
            continue;
        }
        if (access.kind == Access::Kind::write) {
            check_host_write(access, effects.may_race);
        } else if (!effects.may_race) {
            check_read(access.buffer);
        }
    }
}

void OrderCheck::check_host_write(const Access& access, bool may_race)
{
    auto& reads = m_reads[access.buffer];
    for (const auto& read : reads) {
        if (!may_race && !knows(host(), read.epoch)) {
            fail_at(m_program, *m_instruction,
                "the host writes '" + m_program.buffers[access.buffer].name
                    + "' here, and nothing orders that after the copy from it at line "
                    + std::to_string(m_program.steps[read.step].line) + ": expected a sync between them"
                    + excuse("write", " (or racing: true)"));
        }
    }
    reads.clear();
    if (!may_race) {
        note_write(access, host(), {m_thread, host()[m_thread]});
    }
}

void OrderCheck::work(const Effects& effects)
{
    if (effects.joins_streams) {
        work_together(effects);
        return;
    }
    // The order inside a graph is not checked here; a graph is one operation.
    write(effects.stream, effects.launches != no_id ? m_graphs[effects.launches] : effects.accesses);
    for (const Access& access : effects.accesses) {
        // From pageable memory the call returns only when all is staged: then the host may write the source again.
        const Index from = access.copied_from;
        if (from != no_id && m_host_writes[from] && m_program.buffers[from].memory == MemoryKind::pinned
            && m_capturing[m_thread] == no_id) {
            const Index chain = chain_of(access.stream);
            m_reads[from].push_back({{chain, m_clocks[chain][chain]}, m_instruction->step});
        }
    }
}

void OrderCheck::work_together(const Effects& effects)
{
    if (m_capturing[m_thread] != no_id) {
        return;
    }
    Clock together = host();
    for (const Access& access : effects.accesses) {
        join(together, begin(access.stream));
    }
    for (const Access& access : effects.accesses) {
        if (access.kind == Access::Kind::write) {
            join(m_clocks[chain_of(access.stream)], together);
            write(access.stream, {access});
        }
    }
}

void OrderCheck::record(Index event, Index stream)
{
    // A wait that this thread does not know yet may come after this record.
    std::erase_if(m_unsure[event], [this](const Unsure& wait) { return !knows(host(), wait.host); });
    m_has_record[event] = true;
    if (m_capturing[m_thread] != no_id) {
        return;
    }
    const Clock& clock = begin(stream);
    auto& records = m_records[event];
    const auto own = [this](const Recorded& record) { return record.host.chain == m_thread; };
    std::erase_if(records, own);
    records.push_back({{m_thread, host()[m_thread]}, clock});
}

/// The last record of the event that certainly came before this call.
const OrderCheck::Recorded* OrderCheck::recorded(Index event)
{
    const auto& records = m_records[event];
    const auto found = std::find_if(
        records.rbegin(), records.rend(), [&](const Recorded& record) { return knows(host(), record.host); });
    return found == records.rend() ? nullptr : &*found;
}

void OrderCheck::note_wait(Index event)
{
    if (!m_has_record[event]) {
        m_unsure[event].push_back({{m_thread, host()[m_thread]}, m_instruction});
    }
}

void OrderCheck::finish() const
{
    for (Index event = 0; event < m_unsure.size(); ++event) {
        if (!m_unsure[event].empty()) {
            fail_at(m_program, *m_unsure[event].front().instruction,
                "event '" + m_program.events[event]
                    + "' is recorded only after this step, expected a 'record' before it");
        }
    }
}

void OrderCheck::let_wait(Index stream, Index event)
{
    note_wait(event);
    const Recorded* found = recorded(event);
    if (m_capturing[m_thread] == no_id && found != nullptr) {
        join(begin(stream), found->clock);
    }
}

void OrderCheck::wait(const Effects& effects)
{
    switch (effects.wait) {
    case Effects::Wait::nothing:
        break;
    case Effects::Wait::stream:
        join(host(), m_clocks[chain_of(effects.awaited)]);
        if (m_program.streams[effects.awaited].kind == StreamSpec::Kind::legacy) {
            join_blocking_streams(host(), m_program.streams[effects.awaited].gpu);
        }
        break;
    case Effects::Wait::device:
        wait_for_device(effects.awaited);
        break;
    case Effects::Wait::event:
        note_wait(effects.awaited);
        if (const Recorded* found = recorded(effects.awaited)) {
            join(host(), found->clock);
        }
        break;
    case Effects::Wait::room:
        put(effects.awaited);
        break;
    case Effects::Wait::item:
        get(effects.awaited);
        break;
    case Effects::Wait::thread:
        join(host(), m_clocks[effects.awaited]);
        break;
    }
}

void OrderCheck::wait_for_device(std::uint32_t gpu)
{
    join_blocking_streams(host(), gpu);
    for (Index stream = 0; stream < m_program.streams.size(); ++stream) {
        if (m_program.streams[stream].gpu == gpu) {
            join(host(), m_clocks[chain_of(stream)]);
        }
    }
}

void OrderCheck::put(Index queue)
{
    // The put that is `capacity` after another needs the room that a get made.
    auto& puts = m_puts[queue];
    const std::size_t capacity = m_program.queues[queue].capacity;
    if (puts.size() >= capacity) {
        Clock& room = m_gets[queue][puts.size() - capacity];
        join(host(), room);
        Clock().swap(room);
    }
    puts.push_back(host());
}

void OrderCheck::get(Index queue)
{
    auto& gets = m_gets[queue];
    Clock& item = m_puts[queue][gets.size()];
    join(host(), item);
    Clock().swap(item);
    gets.push_back(host());
}

}  // namespace lanes
