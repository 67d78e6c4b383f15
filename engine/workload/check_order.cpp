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
    for (const auto& thread : program.threads) {
        for (const auto& instruction : thread.instructions) {
            if (const auto* write = std::get_if<WriteAction>(&instruction.action)) {
                m_host_writes[write->buffer] = true;
            }
        }
    }
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

void OrderCheck::visit(Index thread, Index at)
{
    m_thread = thread;
    m_instruction = &m_program.threads[thread].instructions[at];
    ++host()[thread];
    std::visit([this](const auto& action) { take(action); }, m_instruction->action);
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
    if (const Index graph = m_capturing[m_thread]; graph != no_id) {
        m_graphs[graph].insert(m_graphs[graph].end(), accesses.begin(), accesses.end());
        return;
    }
    Clock& clock = begin(stream);
    const Index chain = chain_of(stream);
    const Epoch epoch {chain, ++clock[chain]};
    for (const auto& access : accesses) {
        note_write(access, clock, epoch);
    }
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

void OrderCheck::check_read(Index buffer)
{
    for (const auto& [begin, write] : m_writes[buffer]) {
        if (!knows(host(), write.epoch)) {
            fail_at(m_program, *m_instruction,
                "the host reads '" + m_program.buffers[buffer].name
                    + "' here, and nothing orders that after the copy at line "
                    + std::to_string(m_program.steps[write.step].line)
                    + ": expected a sync between them (or expect: stale)");
        }
    }
}

void OrderCheck::take(const KernelAction& action)
{
    std::vector<Access> accesses;
    for (const Index buffer : action.writes) {
        accesses.push_back({buffer, 0, m_program.buffers[buffer].bytes});
    }
    write(action.stream, accesses);
}

void OrderCheck::take(const CopyAction& action)
{
    write(action.stream, {{action.to, action.offset, action.bytes}});
    const BufferElement& from = m_program.buffers[action.from];
    const BufferElement& to = m_program.buffers[action.to];
    // From pageable memory the call returns only when all is staged: the source is the host's again.
    if (m_host_writes[action.from] && from.memory == MemoryKind::pinned && m_capturing[m_thread] == no_id) {
        const Index chain = chain_of(action.stream);
        m_reads[action.from].push_back({{chain, m_clocks[chain][chain]}, m_instruction->step});
    }
    const bool between_gpus = from.gpu != no_id && to.gpu != no_id;
    const bool call_waits = action.call == CopyAction::Call::memcpy && !between_gpus;
    const bool on_host = from.gpu == no_id && to.gpu == no_id;
    if (action.blocking || call_waits || on_host || to.memory == MemoryKind::pageable) {
        join(host(), m_clocks[chain_of(action.stream)]);
    }
}

void OrderCheck::take(const MemsetAction& action)
{
    write(action.stream, {{action.to, action.offset, action.bytes}});
    if (action.blocking) {
        join(host(), m_clocks[chain_of(action.stream)]);
    }
}

void OrderCheck::take(const ReadAction& action)
{
    for (std::size_t i = 0; !action.expect_stale && i < action.buffers.size(); ++i) {
        check_read(action.buffers[i]);
    }
}

void OrderCheck::take(const WriteAction& action)
{
    auto& reads = m_reads[action.buffer];
    for (const auto& read : reads) {
        if (!action.racing && !knows(host(), read.epoch)) {
            fail_at(m_program, *m_instruction,
                "the host writes '" + m_program.buffers[action.buffer].name
                    + "' here, and nothing orders that after the copy from it at line "
                    + std::to_string(m_program.steps[read.step].line)
                    + ": expected a sync between them (or racing: true)");
        }
    }
    reads.clear();
    if (!action.racing) {
        note_write({action.buffer, 0, m_program.buffers[action.buffer].bytes}, host(), {m_thread, host()[m_thread]});
    }
}

void OrderCheck::take(const BranchAction& action)
{
    for (const auto& item : action.condition.items) {
        if (item.op == ValueCode::Op::load) {
            check_read(item.buffer);
        }
    }
}

void OrderCheck::take(const RecordAction& action)
{
    // A wait that this thread does not know of yet may come after this record.
    std::erase_if(m_unsure[action.event], [this](const Unsure& wait) { return !knows(host(), wait.host); });
    m_has_record[action.event] = true;
    if (m_capturing[m_thread] != no_id) {
        return;
    }
    const Clock& clock = begin(action.stream);
    auto& records = m_records[action.event];
    const auto own = [this](const Recorded& record) { return record.host.chain == m_thread; };
    std::erase_if(records, own);
    records.push_back({{m_thread, host()[m_thread]}, clock});
}

/// The last record of the event that came before this call for certain.
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

void OrderCheck::take(const WaitAction& action)
{
    note_wait(action.event);
    const Recorded* record = recorded(action.event);
    if (m_capturing[m_thread] == no_id && record != nullptr) {
        join(begin(action.stream), record->clock);
    }
}

void OrderCheck::take(const SyncEventAction& action)
{
    note_wait(action.event);
    if (const Recorded* record = recorded(action.event)) {
        join(host(), record->clock);
    }
}

void OrderCheck::take(const SyncStreamAction& action)
{
    join(host(), m_clocks[chain_of(action.stream)]);
    if (m_program.streams[action.stream].kind == StreamSpec::Kind::legacy) {
        join_blocking_streams(host(), m_program.streams[action.stream].gpu);
    }
}

void OrderCheck::take(const SyncDeviceAction& action)
{
    join_blocking_streams(host(), action.gpu);
    for (Index stream = 0; stream < m_program.streams.size(); ++stream) {
        if (m_program.streams[stream].gpu == action.gpu) {
            join(host(), m_clocks[chain_of(stream)]);
        }
    }
}

void OrderCheck::take(const PutAction& action)
{
    // The put that comes `capacity` later than another needs the room that a get made.
    auto& puts = m_puts[action.queue];
    const std::size_t capacity = m_program.queues[action.queue].capacity;
    if (puts.size() >= capacity) {
        Clock& room = m_gets[action.queue][puts.size() - capacity];
        join(host(), room);
        Clock().swap(room);
    }
    puts.push_back(host());
}

void OrderCheck::take(const GetAction& action)
{
    auto& gets = m_gets[action.queue];
    Clock& put = m_puts[action.queue][gets.size()];
    join(host(), put);
    Clock().swap(put);
    gets.push_back(host());
}

void OrderCheck::take(const JoinAction& action)
{
    join(host(), m_clocks[action.thread]);
}

void OrderCheck::take(const CaptureBeginAction& action)
{
    m_capturing[m_thread] = action.graph;
    m_graphs[action.graph].clear();
}

void OrderCheck::take(const CaptureEndAction&)
{
    m_capturing[m_thread] = no_id;
}

void OrderCheck::take(const LaunchAction& action)
{
    // The order inside a graph is the graph's own matter; here it is one operation.
    write(action.stream, m_graphs[action.graph]);
}

void OrderCheck::take(const AllReduceAction& action)
{
    if (m_capturing[m_thread] != no_id) {
        return;
    }
    Clock together = host();
    for (const Index stream : action.streams) {
        join(together, begin(stream));
    }
    for (std::size_t i = 0; i < action.streams.size(); ++i) {
        join(m_clocks[chain_of(action.streams[i])], together);
        write(action.streams[i], {{action.buffers[i], 0, m_program.buffers[action.buffers[i]].bytes}});
    }
}

}  // namespace lanes
