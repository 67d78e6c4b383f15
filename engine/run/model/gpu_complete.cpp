// SPDX-License-Identifier: MIT
// Ends operations: their effects on memory, their records, and what may go on.
#include "engine/run/model/contents.h"
#include "engine/run/model/gpu_side.h"

#include <algorithm>

namespace lanes::model {

void GpuSide::complete(std::uint32_t id)
{
    auto& operation = m_operations[id];
    if (operation.faults) {
        m_core.faulted = true;
        m_wake(none);
        return;
    }
    write(m_core.memory.actual, m_core.memory, operation, operation.values);
    write_record(operation);
    const auto index = operation.stream;
    auto& stream = m_streams[index];
    if (is_work(operation) && operation.kind != Operation::Kind::graph) {
        stream.last_work = {operation.correlation, operation.graph_node};
    }
    if (operation.graph_run != none) {
        const auto run = operation.graph_run;
        release_dependents(operation);
        m_free_operations.push_back(id);
        if (--m_graph_runs[run].left == 0) {
            m_free_graph_runs.push_back(run);
            complete(m_graph_runs[run].operation);
        }
        return;
    }
    if (is_work(operation)) {
        stream.work_end = m_core.now;
        stream.work_was_copy = is_copy(operation);
    } else if (operation.kind == Operation::Kind::wait && operation.ready > 0) {
        stream.wait_end = operation.ready;
        stream.wait_was_for_copy = operation.waited_for_copy;
        stream.wait_for = operation.ready_for;
    }
    stream.busy = false;
    ++stream.completed;
    release_dependents(operation);
    m_free_operations.push_back(id);
    if (!stream.space_waiters.empty()) {
        const auto thread = stream.space_waiters.front();
        stream.space_waiters.erase(stream.space_waiters.begin());
        m_wake(thread);
    }
    m_to_advance.push_back(index);
}

void GpuSide::write_record(const Operation& operation)
{
    const auto& stream = m_streams[operation.stream];
    const auto& program = m_core.program;
    auto& records = m_core.records;
    OperationRecord base {.start = operation.start,
        .end = m_core.now,
        .process = process_id,
        .device = stream.gpu,
        .context = stream.gpu + 1,
        .stream = stream.id,
        .correlation = operation.correlation,
        .name = operation.name,
        .graph_node = operation.graph_node};
    const auto end = [&] { m_core.gpu_end = std::max(m_core.gpu_end, m_core.now); };
    switch (facts_of(operation.kind).record) {
    case KindFacts::Record::kernel: {
        KernelRecord record {base, {1, 1, 1}, {m_core.device.threads_per_block, 1, 1}, 32, 0, 0};
        record.grid[0] = operation.kernel != nullptr ? blocks_of(*operation.kernel) : 1;
        if (operation.kind == Operation::Kind::collective) {
            record.grid[0] = m_core.device.all_reduce_blocks;
        }
        records.add(record);
        end();
        break;
    }
    case KindFacts::Record::copy: {
        const auto& from = program.buffers[operation.from];
        const auto& to = program.buffers[operation.to];
        const bool is_peer = operation.copy == CopyKind::p2p;
        records.add(CopyRecord {base, operation.bytes, is_peer ? from.gpu : no_id, is_peer ? to.gpu : no_id,
            operation.copy, from.memory, to.memory, static_cast<std::uint8_t>(operation.async ? 1 : 0)});
        end();
        break;
    }
    case KindFacts::Record::memset:
        records.add(MemsetRecord {base, operation.bytes, operation.byte, program.buffers[operation.to].memory,
            static_cast<std::uint8_t>(operation.async ? 1 : 0)});
        end();
        break;
    case KindFacts::Record::event:
        records.add(EventRecord {.device_time = m_core.now,
            .process = process_id,
            .device = stream.gpu,
            .context = stream.gpu + 1,
            .stream = stream.id,
            .correlation = operation.correlation,
            .event_id = operation.event + 1,
            .event_sync = operation.event_sync});
        break;
    case KindFacts::Record::none:
        break;
    }
}

void GpuSide::release_dependents(Operation& operation)
{
    const bool in_graph = operation.graph_run != none;
    const Ns gap = in_graph ? m_core.device.graph_gap : m_core.device.cross_stream_gap;
    m_core.ending = operation.kind == Operation::Kind::graph ? m_streams[operation.stream].last_work
        : is_work(operation) ? ModelTruth::Work {operation.correlation, operation.graph_node}
                             : operation.waited_for.after;
    const bool after_copy = is_work(operation) ? is_copy(operation) : m_streams[operation.stream].work_was_copy;
    for (auto at = operation.dependents; at != none;) {
        const auto dependent = m_dependents[at];
        m_dependents[at].next = m_free_dependents;
        m_free_dependents = at;
        at = dependent.next;
        if (dependent.is_thread) {
            m_wake(dependent.target);
            continue;
        }
        auto& waiting = m_operations[dependent.target];
        const bool changes = !in_graph && is_work(waiting);
        waiting.waited_for_copy = after_copy;
        if (const Ns ready = m_core.now + gap + (changes ? engine_switch(after_copy, waiting) : 0);
            ready >= waiting.ready) {
            const bool by_event = waiting.kind == Operation::Kind::wait && waiting.after.stream == operation.stream
                && waiting.after.number == operation.number;
            waiting.ready = ready;
            waiting.ready_for = {in_graph ? ModelTruth::Start::graph
                    : by_event            ? ModelTruth::Start::event
                                          : ModelTruth::Start::legacy,
                m_core.ending};
            if (in_graph) {
                waiting.waited_for = waiting.ready_for;
            }
        }
        if (--waiting.unmet == 0) {
            if (waiting.graph_run != none) {
                m_core.agenda.push(waiting.ready, Due::Kind::operation, dependent.target);
            } else {
                m_to_advance.push_back(waiting.stream);
            }
        }
    }
    operation.dependents = none;
}

void GpuSide::land(Index buffer)
{
    for (auto& gpu : m_gpus) {
        for (auto& engine : gpu.engines) {
            if (engine.running() == no_operation || m_operations[engine.running()].to != buffer) {
                continue;
            }
            const auto& operation = m_operations[engine.running()];
            const double size_time = copy_time(operation) - overhead_of(operation);
            const double left = std::clamp(engine.left(m_core.now) / size_time, 0.0, 1.0);
            const auto landed = static_cast<std::uint64_t>(static_cast<double>(operation.bytes) * (1 - left)) & ~7ULL;
            auto& memory = m_core.memory;
            memory.actual[buffer].write(memory.size(buffer), operation.offset, landed, operation.values);
        }
    }
}

}  // namespace lanes::model
