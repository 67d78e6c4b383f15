// SPDX-License-Identifier: MIT
// The CUDA calls of a model's CPU thread.
#include "engine/run/model/contents.h"
#include "engine/run/model/host_records.h"
#include "engine/run/model/host_thread.h"
#include "engine/workload/collective.h"

#include <algorithm>
#include <cmath>

namespace lanes::model {

namespace {

SyncRecord sync_record(SyncRecord::Type type, std::uint32_t context, std::uint32_t stream)
{
    SyncRecord record {};
    record.process = process_id;
    record.context = context;
    record.stream = stream;
    record.type = type;
    return record;
}

}  // namespace

Operation HostThread::operation_of(Operation::Kind kind, Index stream)
{
    Operation operation;
    operation.kind = kind;
    operation.stream = stream_of(stream);
    return operation;
}

Task HostThread::plain_call(const char* name, Ns cost)
{
    const auto call = m_calls.begin(name);
    co_await until(call.start + cost);
    m_calls.end(call);
}

Task HostThread::space(const CallLog::Call& call, std::uint32_t stream)
{
    const Ns start = core().now;
    while (m_side.gpus.is_full(stream) && !core().reported) {
        m_side.gpus.wait_for_space(stream, m_index);
        m_pending = 1;
        co_await Released {*this};
    }
    m_calls.waited(ModelTruth::Wait::queue_full, start, m_released_by);
    core().records.add(OverheadRecord {.start = start,
        .end = core().now,
        .process = process_id,
        .thread = id(),
        .correlation = call.correlation,
        .type = OverheadRecord::command_buffer_full});
}

Task HostThread::submit(const char* name, Operation operation, Ns cost, Ns latency)
{
    const auto call = m_calls.begin(name);
    operation.correlation = call.correlation;
    if (m_side.gpus.captures().is_capturing(operation.stream)) {
        m_side.gpus.captures().add(std::move(operation));
        co_await until(core().now + core().device.capture_call);
        m_calls.end(call);
        co_return;
    }
    const bool copies = operation.kind == Operation::Kind::copy
        && (operation.copy == CopyKind::h2d || operation.copy == CopyKind::d2h);
    if (copies && m_side.locks_until > core().now) {
        co_await until(m_side.locks_until);
    }
    if (m_side.gpus.is_full(operation.stream)) {
        Task task = space(call, operation.stream);
        co_await task.then(m_side.next);
    }
    if (!core().reported) {
        operation.arrival = core().now + latency;
        expect(core(), m_side.gpus, operation);
        const bool waits = core().program.launch_blocking
            && (operation.kind == Operation::Kind::kernel || operation.kind == Operation::Kind::graph);
        m_issued = m_side.gpus.issue(std::move(operation));
        m_side.gpus.settle();
        if (waits) {
            Task task = wait_places({m_issued}, core().now + cost);
            co_await task.then(m_side.next);
            m_calls.waited(ModelTruth::Wait::launch, call.start, m_released_by);
            m_calls.end(call);
            co_return;
        }
    }
    co_await until(core().now + cost);
    m_calls.end(call);
}

Task HostThread::take(const KernelAction& action)
{
    auto operation = operation_of(Operation::Kind::kernel, action.stream);
    operation.kernel = &action;
    operation.name = core().records.text(action.name);
    operation.number_written = static_cast<double>(++core().last_number);
    return submit("cudaLaunchKernel", std::move(operation), core().device.launch_call, core().device.launch_latency);
}

Task HostThread::take(const FaultAction& action)
{
    auto operation = operation_of(Operation::Kind::kernel, action.stream);
    operation.faults = true;
    operation.name = core().records.text("fault");
    return submit("cudaLaunchKernel", std::move(operation), core().device.launch_call, core().device.launch_latency);
}

Task HostThread::take(const MemsetAction& action)
{
    auto operation = operation_of(Operation::Kind::memset, action.stream);
    operation.to = action.to;
    operation.offset = action.offset;
    operation.bytes = action.bytes;
    operation.byte = action.value;
    Task task = submit("cudaMemsetAsync", std::move(operation), core().device.memset_call, core().device.copy_latency);
    co_await task.then(m_side.next);
    if (action.blocking && !m_calls.failed()) {
        co_await until(core().now + core().device.step);
        Task wait = take(SyncStreamAction {action.stream});
        co_await wait.then(m_side.next);
    }
}

Task HostThread::take(const RecordAction& action)
{
    auto operation = operation_of(Operation::Kind::record, action.stream);
    if (m_side.gpus.captures().is_capturing(operation.stream)) {
        m_side.gpus.captures().record(action.event, operation.stream);
        Task task = plain_call("cudaEventRecord", core().device.capture_call);
        co_await task.then(m_side.next);
        co_return;
    }
    operation.event = action.event;
    operation.event_sync = ++core().last_event_sync;
    const auto sync = operation.event_sync;
    const auto cost = core().device.event_record_call;
    Task task = submit("cudaEventRecord", std::move(operation), cost, cost);
    co_await task.then(m_side.next);
    m_side.events[action.event] = {m_issued, sync};
}

Task HostThread::take(const WaitAction& action)
{
    auto operation = operation_of(Operation::Kind::wait, action.stream);
    const auto cost = core().device.stream_wait_call;
    if (m_side.gpus.captures().wait(action.event, operation.stream)) {
        Task task = plain_call("cudaStreamWaitEvent", core().device.capture_call);
        co_await task.then(m_side.next);
        co_return;
    }
    const auto& event = m_side.events[action.event];
    const auto& stream = m_side.gpus.stream(operation.stream);
    auto record = sync_record(SyncRecord::stream_wait_event, stream.gpu + 1, stream.id);
    record.start = core().now;
    record.correlation = core().last_correlation + 1;
    record.event_id = action.event + 1;
    record.event_sync = event.sync;
    operation.event = action.event;
    operation.after = event.place;
    Task task = submit("cudaStreamWaitEvent", std::move(operation), cost, cost);
    co_await task.then(m_side.next);
    record.end = core().now;
    core().records.add(record);
}

Task HostThread::sync(const char* name, std::vector<Place> places, SyncRecord record)
{
    const auto call = m_calls.begin(name);
    const bool waits
        = std::any_of(places.begin(), places.end(), [&](Place place) { return !m_side.gpus.is_done(place); });
    Task task = wait_places(std::move(places), core().now + core().device.sync_call);
    co_await task.then(m_side.next);
    if (waits) {
        m_calls.waited(record.type == SyncRecord::event  ? ModelTruth::Wait::event_sync
                : record.type == SyncRecord::stream_sync ? ModelTruth::Wait::stream_sync
                                                         : ModelTruth::Wait::device_sync,
            call.start, m_released_by);
    }
    m_calls.end(call);
    record.start = call.start;
    record.end = core().now;
    record.correlation = call.correlation;
    if (!m_calls.failed()) {  // CUPTI has no record of a synchronisation that failed
        core().records.add(record);
    }
}

Task HostThread::refused_in_capture(const char* name)
{
    const auto call = m_calls.begin(name);
    co_await until(core().now + core().device.refused_call);
    m_calls.end(call, refused_code);
    fail(refused_code, refused_text);
}

Task HostThread::take(const SyncDeviceAction& action)
{
    if (m_captures) {
        return refused_in_capture("cudaDeviceSynchronize");
    }
    return sync("cudaDeviceSynchronize", m_side.gpus.last_of_gpu(action.gpu),
        sync_record(SyncRecord::context_sync, action.gpu + 1, no_id));
}

Task HostThread::take(const SyncStreamAction& action)
{
    const auto index = stream_of(action.stream);
    if (m_side.gpus.captures().is_capturing(index)) {
        return refused_in_capture("cudaStreamSynchronize");
    }
    const auto& stream = m_side.gpus.stream(index);
    std::vector<Place> places;
    if (stream.pending() > 0) {
        places.push_back(m_side.gpus.last_of(index));
    }
    return sync(
        "cudaStreamSynchronize", std::move(places), sync_record(SyncRecord::stream_sync, stream.gpu + 1, stream.id));
}

Task HostThread::take(const SyncEventAction& action)
{
    const auto& recorded = m_side.events[action.event];
    const auto context = recorded.place.stream == none ? 1 : m_side.gpus.stream(recorded.place.stream).gpu + 1;
    auto record = sync_record(SyncRecord::event, context, no_id);
    record.event_id = action.event + 1;
    record.event_sync = recorded.sync;
    return sync("cudaEventSynchronize", {recorded.place}, record);
}

Task HostThread::take(const AllocAction& action)
{
    const auto& buffer = core().program.buffers[action.buffer];
    core().memory.actual[action.buffer] = Values(buffer.initial_value);
    core().memory.expected[action.buffer] = Values(buffer.initial_value);
    m_side.allocated[action.buffer] = true;
    if (buffer.memory == MemoryKind::pageable) {
        return {};  // malloc: no CUDA call, and pages come with their first use
    }
    if (buffer.cached) {
        return take_from_cache(action);
    }
    return allocate(memory_of_step(action.buffer, action.stream));
}

Task HostThread::take(const FreeAction& action)
{
    const auto& buffer = core().program.buffers[action.buffer];
    m_side.allocated[action.buffer] = false;
    if (const auto block = m_side.blocks.find(action.buffer); block != m_side.blocks.end()) {
        m_side.caches[buffer.gpu].give_back(block->second);
        m_side.blocks.erase(block);
        return {};
    }
    if (buffer.memory == MemoryKind::pageable) {
        return {};
    }
    return release(memory_of_step(action.buffer, action.stream));
}

MemoryOfCall HostThread::memory_of_step(Index buffer, Index stream)
{
    const bool pooled = stream != no_id && core().program.buffers[buffer].memory != MemoryKind::pinned;
    return memory_of(core().program, buffer, pooled ? m_side.gpus.stream(stream_of(stream)).id : no_id);
}

Task HostThread::take_from_cache(const AllocAction& action)
{
    const auto& buffer = core().program.buffers[action.buffer];
    auto& cache = m_side.caches[buffer.gpu];
    const auto answer = cache.take(action.stream, buffer.bytes);
    for (const auto& [segment, bytes] : answer.released) {
        Task task = release(memory_of_segment(core().program, buffer.gpu, segment, bytes));
        co_await task.then(m_side.next);
        if (m_calls.failed()) {
            co_return;
        }
    }
    if (!answer.place) {
        fail(out_of_memory_code, out_of_memory_text);
        co_return;
    }
    m_side.blocks[action.buffer] = *answer.place;
    if (answer.made) {
        Task task = allocate(memory_of_segment(core().program, buffer.gpu, answer.place->segment, *answer.made));
        co_await task.then(m_side.next);
    }
}

Task HostThread::allocate(MemoryOfCall memory)
{
    const auto& device = core().device;
    const auto bytes = static_cast<double>(memory.bytes);
    const bool pinned = memory.memory == MemoryKind::pinned;
    const bool pooled = memory.stream != no_id;
    if (m_captures && !pooled) {
        Task task = refused_in_capture(pinned ? "cudaMallocHost" : "cudaMalloc");
        co_await task.then(m_side.next);
        co_return;
    }
    const auto call = m_calls.begin(pinned ? "cudaMallocHost" : pooled ? "cudaMallocAsync" : "cudaMalloc");
    Ns cost = device.pool_alloc_call;
    if (!pooled) {
        cost = device.alloc_call + std::llround(time_of(bytes, pinned ? device.pin_bandwidth : device.alloc_bandwidth));
    }
    if (pinned) {
        m_side.locks_until = std::max(m_side.locks_until, call.start + cost);
    }
    co_await until(call.start + cost);
    m_calls.end(call);
    record_memory(core(), call.correlation, memory, MemoryRecord::allocate);
}

Task HostThread::release(MemoryOfCall memory)
{
    const auto& device = core().device;
    const auto bytes = static_cast<double>(memory.bytes);
    const bool pinned = memory.memory == MemoryKind::pinned;
    const bool pooled = memory.stream != no_id;
    if (m_captures && !pooled) {
        Task task = refused_in_capture(pinned ? "cudaFreeHost" : "cudaFree");
        co_await task.then(m_side.next);
        co_return;
    }
    const auto call = m_calls.begin(pinned ? "cudaFreeHost" : pooled ? "cudaFreeAsync" : "cudaFree");
    if (pooled) {
        co_await until(call.start + device.pool_free_call);
    } else {
        Task task = wait_places(m_side.gpus.last_of_gpu(memory.gpu), core().now);
        co_await task.then(m_side.next);
        m_calls.waited(ModelTruth::Wait::memory, call.start, m_released_by);
        co_await until(core().now + device.free_call
            + std::llround(time_of(bytes, pinned ? device.unpin_bandwidth : device.free_bandwidth)));
    }
    m_calls.end(call);
    record_memory(core(), call.correlation, memory, MemoryRecord::release);
}

Task HostThread::take(const CaptureBeginAction& action)
{
    m_side.gpus.captures().begin(action.graph, stream_of(action.stream));
    m_captures = true;
    return plain_call("cudaStreamBeginCapture", core().device.capture_call);
}

Task HostThread::take(const CaptureEndAction& action)
{
    m_captures = false;
    m_side.gpus.captures().end(action.graph);
    Task task = plain_call("cudaStreamEndCapture", core().device.capture_call);
    co_await task.then(m_side.next);
    if (m_calls.failed()) {
        co_return;
    }
    const auto& captures = m_side.gpus.captures();
    const auto nodes = static_cast<Ns>(captures.graph(captures.latest(action.graph)).nodes.size());
    const auto& device = core().device;
    Task make = plain_call("cudaGraphInstantiate", device.instantiate_call + nodes * device.instantiate_node);
    co_await make.then(m_side.next);
}

Task HostThread::take(const LaunchAction& action)
{
    const auto& device = core().device;
    auto operation = operation_of(Operation::Kind::graph, action.stream);
    auto& captures = m_side.gpus.captures();
    operation.graph = captures.latest(action.graph);
    captures.launch(operation.graph);
    const auto nodes = static_cast<Ns>(captures.graph(operation.graph).nodes.size());
    // The first node begins as long after the call as a kernel after its launch.
    const Ns cost = device.graph_call + nodes * device.graph_node;
    const Ns after = std::max<Ns>(0, device.launch_latency - device.launch_call - device.graph_start);
    return submit("cudaGraphLaunch", std::move(operation), cost, cost + after);
}

Task HostThread::take(const CollectiveAction& action)
{
    const auto group = m_side.gpus.new_group(action);
    const auto name = core().records.text(std::string(names_of(action.kind).nccl_kernel));
    for (std::size_t rank = 0; rank < action.buffers.size() && !m_calls.failed(); ++rank) {
        auto operation = operation_of(Operation::Kind::collective, action.streams[rank]);
        operation.group = group;
        operation.to = action.buffers[rank];
        const Part part = written_by(action, rank, core().memory);
        operation.offset = part.offset;
        operation.bytes = part.bytes;
        operation.name = name;
        Task task = submit(
            "cudaLaunchKernelExC", std::move(operation), core().device.all_reduce_call, core().device.launch_latency);
        co_await task.then(m_side.next);
    }
}

}  // namespace lanes::model
