// SPDX-License-Identifier: MIT
// Sends operations to their engines: how long they take there, and the contents that they find when they start.
#include "engine/run/model/contents.h"
#include "engine/run/model/gpu_side.h"
#include "engine/run/model/staging.h"
#include "engine/workload/collective.h"

#include <algorithm>
#include <cmath>

namespace lanes::model {

namespace {

/// As in the runner's kernels: a number for one buffer that is known at the launch costs nothing.
bool computes_value(const KernelAction& action)
{
    return !action.value.empty()
        && (action.writes.size() > 1
            || std::any_of(action.value.items.begin(), action.value.items.end(),
                [](const auto& item) { return item.op == ValueCode::Op::load; }));
}

}  // namespace

void GpuSide::dispatch(std::uint32_t id)
{
    auto& operation = m_operations[id];
    switch (facts_of(operation.kind).on) {
    case KindFacts::On::multiprocessors:
        dispatch_kernel(id);
        break;
    case KindFacts::On::copy_engine:
        dispatch_copy(id);
        break;
    case KindFacts::On::nothing:
        operation.start = m_core.now;
        complete(id);
        break;
    case KindFacts::On::graph:
        operation.start = m_core.now;
        dispatch_graph(id);
        break;
    }
}

std::uint32_t GpuSide::blocks_of(const KernelAction& action) const
{
    return action.blocks == 0 ? m_gpus.front().pool.slot_count() : action.blocks;
}

double GpuSide::kernel_time(const Operation& operation) const
{
    const auto& device = m_core.device;
    if (operation.kernel == nullptr) {
        return static_cast<double>(device.shortest_kernel);
    }
    const auto& action = *operation.kernel;
    const double blocks = blocks_of(action);
    double filled = 0;
    for (const auto buffer : action.writes) {
        filled += static_cast<double>(m_core.memory.size(buffer));
    }
    const double fill
        = filled > 0 ? time_of(filled, std::min(device.fill_bandwidth, blocks * device.fill_bandwidth_per_block)) : 0;
    const auto least = static_cast<double>(device.shortest_kernel) + fill;
    const double value = computes_value(action)
        ? static_cast<double>(device.value_time) + blocks * static_cast<double>(device.value_block_time)
        : 0;
    if (action.time > 0) {
        const Ns excess = operation.graph_run == none ? device.kernel_excess : 0;
        return std::max(static_cast<double>(action.time + excess), least) + value;
    }
    const double multiprocessors = std::min(1.0, blocks / device.multiprocessors);
    const double memory = std::min(1.0, blocks / device.blocks_to_saturate_memory);
    return least + value + time_of(action.flops, device.flops * multiprocessors)
        + time_of(action.bytes, device.kernel_bandwidth * memory);
}

void GpuSide::dispatch_kernel(std::uint32_t id)
{
    const auto& operation = m_operations[id];
    const auto& stream = m_streams[operation.stream];
    auto& gpu = m_gpus[stream.gpu];
    SmPool::Request request {.operation = id,
        .blocks = 1,
        .time = kernel_time(operation),
        .work = KernelWork::spin,
        .priority = stream.priority};
    if (operation.kind == Operation::Kind::collective) {
        request.blocks = std::min(m_core.device.all_reduce_blocks, gpu.pool.slot_count());
        request.held = true;
    } else if (operation.kernel != nullptr) {
        request.blocks = blocks_of(*operation.kernel);
        request.work = operation.kernel->work;
    }
    gpu.pool.add(request);
    gpu.pool_changed = true;
}

double GpuSide::overhead_of(const Operation& operation) const
{
    const auto& device = m_core.device;
    const bool copies = operation.kind == Operation::Kind::copy;
    return static_cast<double>(copies && operation.copy == CopyKind::h2d ? device.h2d_overhead
            : copies && operation.copy == CopyKind::d2h                  ? device.d2h_overhead
                                                                         : device.copy_overhead);
}

double GpuSide::copy_time(const Operation& operation) const
{
    const auto& device = m_core.device;
    const auto& program = m_core.program;
    const auto bytes = static_cast<double>(operation.bytes);
    double bandwidth = device.memset_bandwidth;
    if (operation.kind == Operation::Kind::copy) {
        switch (operation.copy) {
        case CopyKind::h2d:
            if (operation.staged) {
                return Staging(device, bytes).up();
            }
            bandwidth = device.h2d_bandwidth;
            break;
        case CopyKind::d2h:
            if (operation.staged) {
                return Staging(device, bytes).down();
            }
            bandwidth = device.d2h_bandwidth;
            break;
        case CopyKind::d2d:
            bandwidth = device.d2d_bandwidth;
            break;
        case CopyKind::p2p: {
            const auto a = program.buffers[operation.from].gpu;
            const auto b = program.buffers[operation.to].gpu;
            const bool access = std::any_of(program.peers.begin(), program.peers.end(), [&](const auto& pair) {
                return (pair.first == a && pair.second == b) || (pair.first == b && pair.second == a);
            });
            bandwidth = access ? device.p2p_bandwidth : device.p2p_bandwidth_without_access;
            break;
        }
        default:
            bandwidth = device.host_memcpy_bandwidth;
            break;
        }
    }
    return overhead_of(operation) + time_of(bytes, bandwidth);
}

void GpuSide::dispatch_copy(std::uint32_t id)
{
    const auto& operation = m_operations[id];
    auto& gpu = m_gpus[m_streams[operation.stream].gpu];
    EngineKind engine = sets;
    if (operation.kind == Operation::Kind::copy) {
        switch (operation.copy) {
        case CopyKind::d2h:
            engine = d2h;
            break;
        case CopyKind::d2d:
        case CopyKind::h2h:
            engine = within;
            break;
        case CopyKind::p2p:
            engine = peer;
            break;
        default:
            engine = h2d;
            break;
        }
    }
    const bool takes_turns = m_core.device.copy_engines == 1 && (engine == d2h || engine == peer);
    gpu.engines[takes_turns ? h2d : engine].add(id, copy_time(operation));
    gpu.engines_changed = true;
}

void GpuSide::dispatch_graph(std::uint32_t id)
{
    const auto& launch = m_operations[id];
    const auto captured = launch.graph;
    const auto& graph = m_captures.graph(captured);
    if (graph.nodes.empty()) {
        m_captures.launched(captured);
        complete(id);
        return;
    }
    std::uint32_t run = 0;
    const GraphRun state {id, static_cast<std::uint32_t>(graph.nodes.size())};
    if (m_free_graph_runs.empty()) {
        m_graph_runs.push_back(state);
        run = static_cast<std::uint32_t>(m_graph_runs.size() - 1);
    } else {
        run = m_free_graph_runs.back();
        m_free_graph_runs.pop_back();
        m_graph_runs[run] = state;
    }
    std::vector<std::uint32_t> ids;
    for (const auto& node : graph.nodes) {
        auto operation = node;
        operation.stream = launch.stream;
        operation.correlation = launch.correlation;
        operation.graph_run = run;
        operation.graph_node = static_cast<std::uint32_t>(ids.size()) + 1;
        operation.waited_for = launch.waited_for;
        ids.push_back(allocate(std::move(operation)));
    }
    for (std::size_t node = 0; node < ids.size(); ++node) {
        for (const auto earlier : graph.after[node]) {
            add_dependent(ids[earlier], ids[node], false);
        }
        m_operations[ids[node]].unmet = static_cast<std::uint32_t>(graph.after[node].size());
        if (graph.after[node].empty()) {
            m_core.agenda.push(m_core.now + m_core.device.graph_start, Due::Kind::operation, ids[node]);
        }
    }
    m_captures.launched(captured);
}

void GpuSide::begin(std::uint32_t id)
{
    auto& operation = m_operations[id];
    operation.start = m_core.now;
    if (m_core.truth != nullptr) {
        m_core.truth->starts.push_back(
            {{operation.correlation, operation.graph_node}, operation.waited_for.cause, operation.waited_for.after});
    }
    if (operation.kind == Operation::Kind::collective) {
        begin_collective(id);
        return;
    }
    if (!operation.captured_source) {
        operation.values = values_written(operation, m_core.memory.actual);
    }
    if (operation.kind == Operation::Kind::copy && !operation.captured_source) {
        if (operation.stager != none) {
            m_staged_starts[operation.stager] = m_core.now;
        }
        if (operation.returns_staged) {
            const Staging staging(m_core.device, static_cast<double>(operation.bytes));
            m_core.agenda.push(
                m_core.now + std::llround(staging.up() - staging.last_up()), Due::Kind::staged, operation.stager);
        }
    }
}

void GpuSide::begin_collective(std::uint32_t id)
{
    auto& group = m_groups[m_operations[id].group];
    group.operations.push_back(id);
    const auto ranks = group.action->buffers.size();
    if (group.operations.size() < ranks) {
        return;  // its kernel waits on the GPU for those of the other ranks
    }
    const auto& buffers = group.action->buffers;
    const auto values = values_of_ranks(*group.action, m_core.memory, m_core.memory.actual);
    for (const auto operation : group.operations) {
        const auto rank = std::find(buffers.begin(), buffers.end(), m_operations[operation].to) - buffers.begin();
        m_operations[operation].values = values[static_cast<std::size_t>(rank)];
    }
    const auto bytes = static_cast<double>(m_core.memory.size(group.action->buffers.front()));
    const double time = static_cast<double>(m_core.device.all_reduce_latency)
        + time_of(traffic_of(group.action->kind, ranks) * bytes, m_core.device.all_reduce_bandwidth);
    m_core.agenda.push(m_core.now + std::llround(time), Due::Kind::operation, id);
}

}  // namespace lanes::model
