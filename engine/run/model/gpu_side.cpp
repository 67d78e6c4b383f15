// SPDX-License-Identifier: MIT
#include "engine/run/model/gpu_side.h"

#include <algorithm>
#include <cmath>

namespace lanes::model {

GpuSide::GpuSide(Core& core, std::function<void(std::uint32_t)> wake)
    : m_core(core)
    , m_wake(std::move(wake))
    , m_stream_of_spec(core.program.streams.size(), none)
    , m_graphs(core.program.graphs.size())
    , m_captured_events(core.program.events.size())
{
    for (std::uint32_t gpu = 0; gpu < std::max(core.program.gpus, 1U); ++gpu) {
        m_gpus.emplace_back(core.device);
        m_gpus.back().engine_next.fill(never);
    }
    for (Index spec = 0; spec < core.program.streams.size(); ++spec) {
        if (core.program.streams[spec].kind != StreamSpec::Kind::per_thread) {
            m_stream_of_spec[spec] = add_stream(spec, none);
        }
    }
}

std::uint32_t GpuSide::add_stream(Index spec, std::uint32_t thread)
{
    const auto& text = m_core.program.streams[spec];
    auto& gpu = m_gpus[text.gpu];
    const auto index = static_cast<std::uint32_t>(m_streams.size());
    const bool is_legacy = text.kind == StreamSpec::Kind::legacy;
    Stream stream {};
    stream.spec = spec;
    stream.gpu = text.gpu;
    stream.kind = text.kind;
    stream.priority = text.priority;
    stream.id = is_legacy ? null_stream_id : gpu.next_stream_id++;
    stream.ring.resize(16);
    stream.scheduled = -1;
    stream.work_end = -1;
    stream.capture = none;
    m_streams.push_back(std::move(stream));
    if (is_legacy) {
        gpu.legacy = index;
    } else if (text.kind != StreamSpec::Kind::non_blocking) {
        gpu.blocking.push_back(index);
    }
    const auto name = thread == none || m_core.program.threads.size() == 1
        ? text.name
        : text.name + " of " + m_core.program.threads[thread].name;
    const auto flag = is_legacy                       ? StreamRecord::null
        : text.kind == StreamSpec::Kind::non_blocking ? StreamRecord::non_blocking
                                                      : StreamRecord::blocking;
    m_core.records.add(StreamRecord {.process = process_id,
        .context = text.gpu + 1,
        .stream = m_streams.back().id,
        .priority = text.priority,
        .flag = flag,
        .name = m_core.records.text(name)});
    return index;
}

std::uint32_t GpuSide::stream_of(Index spec, std::uint32_t thread)
{
    if (m_stream_of_spec[spec] != none) {
        return m_stream_of_spec[spec];
    }
    const auto [place, is_new] = m_thread_streams.try_emplace({spec, thread}, 0);
    if (is_new) {
        place->second = add_stream(spec, thread);
    }
    return place->second;
}

std::uint32_t GpuSide::allocate(Operation&& operation)
{
    if (!m_free_operations.empty()) {
        const auto id = m_free_operations.back();
        m_free_operations.pop_back();
        m_operations[id] = std::move(operation);
        return id;
    }
    m_operations.push_back(std::move(operation));
    return static_cast<std::uint32_t>(m_operations.size() - 1);
}

std::uint32_t GpuSide::operation_at(Place place) const
{
    const auto& stream = m_streams[place.stream];
    return stream.ring[place.number & (stream.ring.size() - 1)];
}

bool GpuSide::is_done(Place place) const
{
    // Both count modulo 2^32; what is pending is few.
    return place.stream == none || static_cast<std::int32_t>(place.number - m_streams[place.stream].completed) < 0;
}

void GpuSide::add_dependent(std::uint32_t operation, std::uint32_t target, bool is_thread)
{
    auto& head = m_operations[operation].dependents;
    const Dependent dependent {target, is_thread, head};
    if (m_free_dependents != none) {
        head = m_free_dependents;
        m_free_dependents = m_dependents[head].next;
        m_dependents[head] = dependent;
    } else {
        m_dependents.push_back(dependent);
        head = static_cast<std::uint32_t>(m_dependents.size() - 1);
    }
}

void GpuSide::depend_on(std::uint32_t operation, Place place)
{
    if (!is_done(place)) {
        add_dependent(operation_at(place), operation, false);
        ++m_operations[operation].unmet;
    }
}

void GpuSide::wait_for(Place place, std::uint32_t thread)
{
    add_dependent(operation_at(place), thread, true);
}

std::vector<Place> GpuSide::before(std::uint32_t index) const
{
    std::vector<Place> places;
    const auto add = [&](std::uint32_t stream) {
        if (stream != none && m_streams[stream].pending() > 0) {
            places.push_back(last_of(stream));
        }
    };
    add(index);
    const auto& stream = m_streams[index];
    const auto& gpu = m_gpus[stream.gpu];
    if (stream.kind == StreamSpec::Kind::legacy) {
        std::for_each(gpu.blocking.begin(), gpu.blocking.end(), add);
    } else if (stream.kind != StreamSpec::Kind::non_blocking) {
        add(gpu.legacy);
    }
    return places;
}

std::vector<Place> GpuSide::last_of_gpu(std::uint32_t gpu) const
{
    std::vector<Place> places;
    for (std::uint32_t index = 0; index < m_streams.size(); ++index) {
        if (m_streams[index].gpu == gpu && m_streams[index].pending() > 0) {
            places.push_back(last_of(index));
        }
    }
    return places;
}

Place GpuSide::issue(Operation operation)
{
    const auto index = operation.stream;
    auto& stream = m_streams[index];
    operation.number = stream.issued;
    const auto after = operation.after;
    const auto id = allocate(std::move(operation));
    depend_on(id, after);
    const auto& gpu = m_gpus[stream.gpu];
    if (stream.kind == StreamSpec::Kind::legacy) {
        for (const auto other : gpu.blocking) {
            if (m_streams[other].pending() > 0) {
                depend_on(id, last_of(other));
            }
        }
    } else if (stream.kind != StreamSpec::Kind::non_blocking && gpu.legacy != none
        && m_streams[gpu.legacy].pending() > 0) {
        depend_on(id, last_of(gpu.legacy));
    }
    if (stream.pending() == stream.ring.size()) {
        std::vector<std::uint32_t> larger(stream.ring.size() * 2);
        for (auto number = stream.completed; number != stream.issued; ++number) {
            larger[number & (larger.size() - 1)] = stream.slot(number);
        }
        stream.ring = std::move(larger);
    }
    stream.slot(stream.issued) = id;
    ++stream.issued;
    m_to_advance.push_back(index);
    return {index, stream.issued - 1};
}

std::uint32_t GpuSide::new_group(const AllReduceAction& action)
{
    m_groups.push_back({&action, {}});
    return static_cast<std::uint32_t>(m_groups.size() - 1);
}

void GpuSide::advance(std::uint32_t index)
{
    auto& stream = m_streams[index];
    if (stream.busy || stream.pending() == 0) {
        return;
    }
    const auto id = stream.slot(stream.completed);
    auto& operation = m_operations[id];
    if (operation.unmet > 0) {
        return;
    }
    Ns ready = std::max(operation.arrival, operation.ready);
    const bool is_work = operation.kind != Operation::Kind::record && operation.kind != Operation::Kind::wait;
    if (stream.work_end >= 0) {
        ready = std::max(ready, stream.work_end + (is_work ? m_core.device.kernel_gap : 0));
    }
    if (ready > m_core.now) {
        if (stream.scheduled != ready) {
            stream.scheduled = ready;
            m_core.events.push(ready, Event::Kind::stream, index);
        }
        return;
    }
    stream.busy = true;
    dispatch(id);
}

void GpuSide::dispatch(std::uint32_t id)
{
    auto& operation = m_operations[id];
    switch (operation.kind) {
    case Operation::Kind::kernel:
    case Operation::Kind::all_reduce:
        dispatch_kernel(id);
        break;
    case Operation::Kind::copy:
    case Operation::Kind::memset:
        dispatch_copy(id);
        break;
    case Operation::Kind::record:
    case Operation::Kind::wait:
        operation.start = m_core.now;
        complete(id);
        break;
    case Operation::Kind::graph:
        operation.start = m_core.now;
        dispatch_graph(id);
        break;
    }
}

std::uint32_t GpuSide::blocks_of(const KernelAction& action) const
{
    return action.blocks == 0 ? m_gpus.front().pool.slots() : action.blocks;
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
    if (action.time > 0) {
        return std::max(static_cast<double>(action.time), least);
    }
    const double multiprocessors = std::min(1.0, blocks / device.multiprocessors);
    const double memory = std::min(1.0, blocks / device.blocks_to_saturate_memory);
    return least + time_of(action.flops, device.flops * multiprocessors)
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
    if (operation.kind == Operation::Kind::all_reduce) {
        request.blocks = std::min(m_core.device.all_reduce_blocks, gpu.pool.slots());
        request.held = true;
    } else if (operation.kernel != nullptr) {
        request.blocks = blocks_of(*operation.kernel);
        request.work = operation.kernel->work;
    }
    gpu.pool.add(request);
    gpu.pool_changed = true;
}

double GpuSide::copy_time(const Operation& operation) const
{
    const auto& device = m_core.device;
    const auto& program = m_core.program;
    double bandwidth = device.memset_bandwidth;
    if (operation.kind == Operation::Kind::copy) {
        switch (operation.copy) {
        case CopyKind::h2d:
            bandwidth = operation.staged ? device.staged_h2d_bandwidth : device.h2d_bandwidth;
            break;
        case CopyKind::d2h:
            bandwidth = operation.staged ? device.staged_d2h_bandwidth : device.d2h_bandwidth;
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
    return static_cast<double>(device.copy_overhead) + time_of(static_cast<double>(operation.bytes), bandwidth);
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
    gpu.engines[engine].add(id, copy_time(operation));
    gpu.engines_changed = true;
}

void GpuSide::dispatch_graph(std::uint32_t id)
{
    const auto& launch = m_operations[id];
    const auto& graph = m_graphs[launch.graph];
    if (graph.nodes.empty()) {
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
        ids.push_back(allocate(std::move(operation)));
    }
    for (std::size_t node = 0; node < ids.size(); ++node) {
        for (const auto earlier : graph.after[node]) {
            add_dependent(ids[earlier], ids[node], false);
        }
        m_operations[ids[node]].unmet = static_cast<std::uint32_t>(graph.after[node].size());
        if (graph.after[node].empty()) {
            m_core.events.push(m_core.now + m_core.device.graph_start, Event::Kind::operation, ids[node]);
        }
    }
}

void GpuSide::begin(std::uint32_t id)
{
    auto& operation = m_operations[id];
    operation.start = m_core.now;
    const auto& actual = m_core.memory.actual;
    if (operation.kind == Operation::Kind::kernel && operation.kernel != nullptr) {
        operation.values = Values(
            operation.kernel->value.empty() ? operation.number_written : evaluate(operation.kernel->value, actual));
    } else if (operation.kind == Operation::Kind::copy && !operation.captured_source) {
        operation.values = actual[operation.from].slice(operation.offset, operation.bytes);
    } else if (operation.kind == Operation::Kind::memset) {
        operation.values = Values(value_of_bytes(operation.byte));
    } else if (operation.kind == Operation::Kind::all_reduce) {
        begin_all_reduce(id);
    }
}

void GpuSide::begin_all_reduce(std::uint32_t id)
{
    auto& group = m_groups[m_operations[id].group];
    group.operations.push_back(id);
    const auto ranks = group.action->buffers.size();
    if (group.operations.size() < ranks) {
        return;  // its kernel waits on the GPU for the other ranks'
    }
    double sum = 0;
    for (const auto buffer : group.action->buffers) {
        sum += m_core.memory.actual[buffer].at(0);
    }
    for (const auto rank : group.operations) {
        m_operations[rank].values = Values(sum);
    }
    const auto n = static_cast<double>(ranks);
    const auto bytes = static_cast<double>(m_core.memory.size(group.action->buffers.front()));
    const double time = static_cast<double>(m_core.device.all_reduce_latency)
        + time_of(2 * (n - 1) / n * bytes, m_core.device.all_reduce_bandwidth);
    m_core.events.push(m_core.now + std::llround(time), Event::Kind::operation, id);
}

void GpuSide::complete(std::uint32_t id)
{
    auto& operation = m_operations[id];
    if (operation.faults) {
        m_core.faulted = true;
        m_wake(none);
        return;
    }
    write_values(operation);
    write_record(operation);
    const auto index = operation.stream;
    auto& stream = m_streams[index];
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
    if (operation.kind != Operation::Kind::record && operation.kind != Operation::Kind::wait) {
        stream.work_end = m_core.now;
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

void GpuSide::write_values(const Operation& operation)
{
    auto& memory = m_core.memory;
    switch (operation.kind) {
    case Operation::Kind::kernel:
        if (operation.kernel != nullptr) {
            for (const auto buffer : operation.kernel->writes) {
                memory.actual[buffer].write(memory.size(buffer), 0, memory.size(buffer), operation.values);
            }
        }
        break;
    case Operation::Kind::all_reduce:
        memory.actual[operation.to].write(memory.size(operation.to), 0, memory.size(operation.to), operation.values);
        break;
    case Operation::Kind::copy:
    case Operation::Kind::memset:
        memory.actual[operation.to].write(
            memory.size(operation.to), operation.offset, operation.bytes, operation.values);
        break;
    default:
        break;
    }
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
    switch (operation.kind) {
    case Operation::Kind::kernel:
    case Operation::Kind::all_reduce: {
        KernelRecord record {base, {1, 1, 1}, {m_core.device.threads_per_block, 1, 1}, 32, 0, 0};
        record.grid[0] = operation.kernel != nullptr ? blocks_of(*operation.kernel) : 1;
        if (operation.kind == Operation::Kind::all_reduce) {
            record.grid[0] = m_core.device.all_reduce_blocks;
        }
        records.add(record);
        end();
        break;
    }
    case Operation::Kind::copy: {
        const auto& from = program.buffers[operation.from];
        const auto& to = program.buffers[operation.to];
        const bool is_peer = operation.copy == CopyKind::p2p;
        records.add(CopyRecord {base, operation.bytes, is_peer ? from.gpu : no_id, is_peer ? to.gpu : no_id,
            operation.copy, from.memory, to.memory, static_cast<std::uint8_t>(operation.async ? 1 : 0)});
        end();
        break;
    }
    case Operation::Kind::memset:
        records.add(MemsetRecord {base, operation.bytes, operation.byte, program.buffers[operation.to].memory,
            static_cast<std::uint8_t>(operation.async ? 1 : 0)});
        end();
        break;
    case Operation::Kind::record:
        records.add(EventRecord {.device_time = m_core.now,
            .process = process_id,
            .device = stream.gpu,
            .context = stream.gpu + 1,
            .stream = stream.id,
            .correlation = operation.correlation,
            .event_id = operation.event + 1,
            .event_sync = operation.event_sync});
        break;
    case Operation::Kind::wait:
    case Operation::Kind::graph:
        break;
    }
}

void GpuSide::release_dependents(Operation& operation)
{
    const bool in_graph = operation.graph_run != none;
    const Ns gap = in_graph ? m_core.device.graph_gap : m_core.device.cross_stream_gap;
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
        waiting.ready = std::max(waiting.ready, m_core.now + gap);
        if (--waiting.unmet == 0) {
            if (waiting.graph_run != none) {
                m_core.events.push(waiting.ready, Event::Kind::operation, dependent.target);
            } else {
                m_to_advance.push_back(waiting.stream);
            }
        }
    }
    operation.dependents = none;
}

void GpuSide::handle(const Event& event)
{
    switch (event.kind) {
    case Event::Kind::stream:
        m_streams[event.target].scheduled = -1;
        m_to_advance.push_back(event.target);
        break;
    case Event::Kind::operation: {
        auto& operation = m_operations[event.target];
        if (operation.kind != Operation::Kind::all_reduce) {
            dispatch(event.target);
            break;
        }
        auto& ranks = m_groups[operation.group].operations;
        for (const auto rank : ranks) {
            auto& gpu = m_gpus[m_streams[m_operations[rank].stream].gpu];
            gpu.pool.release(rank);
            gpu.pool_changed = true;
        }
        ranks.clear();  // a graph may run it again
        break;
    }
    case Event::Kind::pool:
        if (auto& gpu = m_gpus[event.target]; gpu.pool_version == event.version) {
            gpu.pool_changed = true;
            gpu.pool_next = never;
        }
        break;
    case Event::Kind::engine:
        if (auto& gpu = m_gpus[event.target / engine_count];
            gpu.engine_version[event.target % engine_count] == event.version) {
            gpu.engines_changed = true;
            gpu.engine_next[event.target % engine_count] = never;
        }
        break;
    case Event::Kind::thread:
        break;
    }
}

void GpuSide::settle()
{
    bool changed = true;
    while (changed && !m_core.faulted) {
        changed = false;
        for (std::size_t k = 0; k < m_to_advance.size() && !m_core.faulted; ++k) {  // it grows as it goes
            advance(m_to_advance[k]);
            changed = true;
        }
        m_to_advance.clear();
        for (std::uint32_t gpu = 0; gpu < m_gpus.size() && !m_core.faulted; ++gpu) {
            if (m_gpus[gpu].pool_changed) {
                settle_pool(gpu);
                changed = true;
            }
            if (m_gpus[gpu].engines_changed) {
                settle_engines(gpu);
                changed = true;
            }
        }
    }
}

void GpuSide::settle_pool(std::uint32_t index)
{
    auto& gpu = m_gpus[index];
    gpu.pool_changed = false;
    gpu.pool.settle(m_core.now);
    for (const auto id : gpu.pool.started()) {
        begin(id);
    }
    for (const auto id : gpu.pool.finished()) {
        complete(id);
    }
    if (gpu.pool.next() != gpu.pool_next) {
        gpu.pool_next = gpu.pool.next();
        ++gpu.pool_version;
        if (gpu.pool_next != never) {
            m_core.events.push(gpu.pool_next, Event::Kind::pool, index, gpu.pool_version);
        }
    }
}

void GpuSide::settle_engines(std::uint32_t index)
{
    auto& gpu = m_gpus[index];
    gpu.engines_changed = false;
    for (auto& engine : gpu.engines) {
        if (const auto id = engine.take_finished(m_core.now); id != no_operation) {
            complete(id);
        }
        if (engine.can_start()) {
            begin(engine.start(m_core.now));
        }
    }
    // The two directions share the link; a staged copy does not use enough of it to slow the other.
    const auto uses_link = [&](EngineKind kind) {
        const auto id = gpu.engines[kind].running();
        return id != no_operation && !m_operations[id].staged;
    };
    const bool both = uses_link(h2d) && uses_link(d2h);
    gpu.engines[h2d].set_speed(both ? m_core.device.duplex : 1, m_core.now);
    gpu.engines[d2h].set_speed(both ? m_core.device.duplex : 1, m_core.now);
    for (std::uint32_t kind = 0; kind < engine_count; ++kind) {
        const auto next = gpu.engines[kind].next();
        if (next != gpu.engine_next[kind]) {
            gpu.engine_next[kind] = next;
            ++gpu.engine_version[kind];
            if (next != never) {
                m_core.events.push(next, Event::Kind::engine, index * engine_count + kind, gpu.engine_version[kind]);
            }
        }
    }
}

void GpuSide::land(Index buffer)
{
    for (auto& gpu : m_gpus) {
        for (auto& engine : gpu.engines) {
            if (engine.running() == no_operation || m_operations[engine.running()].to != buffer) {
                continue;
            }
            const auto& operation = m_operations[engine.running()];
            const double size_time = copy_time(operation) - static_cast<double>(m_core.device.copy_overhead);
            const double left = std::clamp(engine.left(m_core.now) / size_time, 0.0, 1.0);
            const auto landed = static_cast<std::uint64_t>(static_cast<double>(operation.bytes) * (1 - left)) & ~7ULL;
            auto& memory = m_core.memory;
            memory.actual[buffer].write(memory.size(buffer), operation.offset, landed, operation.values);
        }
    }
}

void GpuSide::begin_capture(Index graph, std::uint32_t stream)
{
    m_graphs[graph] = {};
    m_streams[stream].capture = graph;
    m_streams[stream].capture_tail.clear();
}

void GpuSide::end_capture(Index graph)
{
    for (auto& stream : m_streams) {
        if (stream.capture == graph) {
            stream.capture = none;
            stream.capture_tail.clear();
        }
    }
    for (auto& event : m_captured_events) {
        if (event.graph == graph) {
            event = {};
        }
    }
}

void GpuSide::capture(Operation operation)
{
    auto& stream = m_streams[operation.stream];
    auto& graph = m_graphs[stream.capture];
    graph.after.push_back(stream.capture_tail);
    stream.capture_tail = {static_cast<std::uint32_t>(graph.nodes.size())};
    graph.nodes.push_back(std::move(operation));
}

void GpuSide::capture_record(Index event, std::uint32_t stream)
{
    m_captured_events[event] = {m_streams[stream].capture, m_streams[stream].capture_tail};
}

bool GpuSide::capture_wait(Index event, std::uint32_t index)
{
    const auto& captured = m_captured_events[event];
    auto& stream = m_streams[index];
    if (captured.graph == none || (stream.capture != none && stream.capture != captured.graph)) {
        return false;
    }
    stream.capture = captured.graph;
    for (const auto node : captured.nodes) {
        if (std::find(stream.capture_tail.begin(), stream.capture_tail.end(), node) == stream.capture_tail.end()) {
            stream.capture_tail.push_back(node);
        }
    }
    return true;
}

}  // namespace lanes::model
