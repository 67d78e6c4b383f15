// SPDX-License-Identifier: MIT
#include "engine/run/model/gpu_side.h"

#include <algorithm>

namespace lanes::model {

GpuSide::GpuSide(Core& core, std::function<void(std::uint32_t)> wake)
    : m_core(core)
    , m_wake(std::move(wake))
    , m_stream_of_spec(core.program.streams.size(), none)
    , m_captures(core.program.graphs.size(), core.program.events.size())
    , m_staged_starts(core.program.threads.size(), 0)
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
    // Both count modulo 2^32; few are pending.
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

std::uint32_t GpuSide::new_group(const CollectiveAction& action)
{
    m_groups.push_back({&action, {}});
    return static_cast<std::uint32_t>(m_groups.size() - 1);
}

Ns GpuSide::engine_switch(bool after_copy, const Operation& next) const
{
    return after_copy == is_copy(next) ? 0 : m_core.device.engine_switch;
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
    Ns ready = operation.arrival;
    operation.waited_for = operation.arrival_for;
    const auto after = [&](Ns time, const WaitedFor& what) {
        if (time >= ready) {
            ready = time;
            operation.waited_for = what;
        }
    };
    const WaitedFor before {ModelTruth::Start::stream, stream.last_work};
    after(operation.ready, operation.ready_for);
    if (is_work(operation)) {
        if (stream.work_end >= 0) {
            after(stream.work_end + m_core.device.kernel_gap + engine_switch(stream.work_was_copy, operation), before);
        }
        if (stream.wait_end >= 0) {
            after(stream.wait_end + engine_switch(stream.wait_was_for_copy, operation), stream.wait_for);
        }
    } else {
        after(stream.work_end, before);
        if (stream.wait_end >= stream.work_end && stream.wait_end >= ready) {
            operation.waited_for = stream.wait_for;  // it had to wait there, too
        }
    }
    if (ready > m_core.now) {
        if (stream.scheduled != ready) {
            stream.scheduled = ready;
            m_core.agenda.push(ready, Due::Kind::stream, index);
        }
        return;
    }
    stream.busy = true;
    operation.dispatched = m_core.now;
    dispatch(id);
}

void GpuSide::handle(const Due& event)
{
    switch (event.kind) {
    case Due::Kind::stream:
        m_streams[event.target].scheduled = -1;
        m_to_advance.push_back(event.target);
        break;
    case Due::Kind::operation: {
        auto& operation = m_operations[event.target];
        if (operation.kind != Operation::Kind::collective) {
            operation.dispatched = m_core.now;
            dispatch(event.target);
            break;
        }
        auto& ranks = m_groups[operation.group].operations;
        for (const auto rank : ranks) {
            auto& gpu = m_gpus[m_streams[m_operations[rank].stream].gpu];
            gpu.pool.release(rank);
            gpu.pool_changed = true;
        }
        ranks.clear();  // a graph may run the group again
        break;
    }
    case Due::Kind::pool:
        if (auto& gpu = m_gpus[event.target]; gpu.pool_version == event.version) {
            gpu.pool_changed = true;
            gpu.pool_next = never;
        }
        break;
    case Due::Kind::engine:
        if (auto& gpu = m_gpus[event.target / engine_count];
            gpu.engine_version[event.target % engine_count] == event.version) {
            gpu.engines_changed = true;
            gpu.engine_next[event.target % engine_count] = never;
        }
        break;
    case Due::Kind::staged:
        m_wake(event.target);
        break;
    case Due::Kind::thread:
    case Due::Kind::fault_report:
        break;
    }
}

void GpuSide::settle()
{
    bool changed = true;
    while (changed && !m_core.faulted) {
        changed = false;
        for (std::size_t k = 0; k < m_to_advance.size() && !m_core.faulted; ++k) {  // the list grows meanwhile
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
        if (auto& operation = m_operations[id]; operation.dispatched < m_core.now) {
            operation.waited_for = {ModelTruth::Start::multiprocessors, {}};
        }
        begin(id);
    }
    for (const auto id : gpu.pool.finished()) {
        complete(id);
    }
    if (gpu.pool.next() != gpu.pool_next) {
        gpu.pool_next = gpu.pool.next();
        ++gpu.pool_version;
        if (gpu.pool_next != never) {
            m_core.agenda.push(gpu.pool_next, Due::Kind::pool, index, gpu.pool_version);
        }
    }
}

void GpuSide::settle_engines(std::uint32_t index)
{
    auto& gpu = m_gpus[index];
    gpu.engines_changed = false;
    for (std::size_t kind = 0; kind < engine_count; ++kind) {
        auto& engine = gpu.engines[kind];
        if (const auto id = engine.take_finished(m_core.now); id != no_operation) {
            gpu.engine_last[kind] = {m_operations[id].correlation, m_operations[id].graph_node};
            complete(id);
        }
        if (engine.can_start()) {
            const auto id = engine.start(m_core.now);
            if (auto& operation = m_operations[id]; operation.dispatched < m_core.now) {
                operation.waited_for = {ModelTruth::Start::engine, gpu.engine_last[kind]};
            }
            begin(id);
        }
    }
    // The two directions share the link; a staged copy does not use enough of it to slow the other.
    const auto uses_link = [&](EngineKind kind) {
        const auto id = gpu.engines[kind].running();
        return id != no_operation && !m_operations[id].staged;
    };
    const bool both = uses_link(h2d) && uses_link(d2h);
    gpu.engines[h2d].set_speed(both ? m_core.device.h2d_duplex : 1, m_core.now);
    gpu.engines[d2h].set_speed(both ? m_core.device.d2h_duplex : 1, m_core.now);
    for (std::uint32_t kind = 0; kind < engine_count; ++kind) {
        const auto next = gpu.engines[kind].next();
        if (next != gpu.engine_next[kind]) {
            gpu.engine_next[kind] = next;
            ++gpu.engine_version[kind];
            if (next != never) {
                m_core.agenda.push(next, Due::Kind::engine, index * engine_count + kind, gpu.engine_version[kind]);
            }
        }
    }
}

}  // namespace lanes::model
