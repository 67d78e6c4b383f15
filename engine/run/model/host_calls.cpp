// SPDX-License-Identifier: MIT
// The CUDA calls of a model's CPU thread.
#include "engine/run/model/host_thread.h"

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

HostThread::Call HostThread::begin_call(const char* name)
{
    return {core().now, ++core().last_correlation, core().records.text(name)};
}

void HostThread::end_call(const Call& call)
{
    m_error = m_error || core().faulted;
    core().records.add(ApiCallRecord {.start = call.start,
        .end = core().now,
        .process = process_id,
        .thread = id(),
        .correlation = call.correlation,
        .name = call.name,
        .api = ApiCallRecord::runtime,
        .result = core().faulted ? fault_code : 0});
}

Operation HostThread::operation_of(Operation::Kind kind, Index stream)
{
    Operation operation;
    operation.kind = kind;
    operation.stream = stream_of(stream);
    return operation;
}

Task HostThread::plain_call(const char* name, Ns cost)
{
    const auto call = begin_call(name);
    co_await until(call.start + cost);
    end_call(call);
}

Task HostThread::space(const Call& call, std::uint32_t stream)
{
    const Ns start = core().now;
    while (m_side.gpus.is_full(stream) && !core().faulted) {
        m_side.gpus.wait_for_space(stream, m_index);
        m_pending = 1;
        co_await Released {*this};
    }
    core().records.add(OverheadRecord {.start = start,
        .end = core().now,
        .process = process_id,
        .thread = id(),
        .correlation = call.correlation,
        .type = OverheadRecord::command_buffer_full});
}

Task HostThread::submit(const char* name, Operation operation, Ns cost, Ns latency)
{
    const auto call = begin_call(name);
    operation.correlation = call.correlation;
    if (m_side.gpus.is_capturing(operation.stream)) {
        m_side.gpus.capture(std::move(operation));
        co_await until(core().now + core().device.capture_call);
        end_call(call);
        co_return;
    }
    if (m_side.gpus.is_full(operation.stream)) {
        Task task = space(call, operation.stream);
        co_await task.then(m_side.next);
    }
    if (!core().faulted) {
        operation.arrival = core().now + latency;
        expect(operation);
        m_issued = m_side.gpus.issue(std::move(operation));
        m_side.gpus.settle();
    }
    co_await until(core().now + cost);
    end_call(call);
}

// What the order of the calls says that the buffers will hold.
void HostThread::expect(const Operation& operation)
{
    auto& memory = core().memory;
    auto& expected = memory.expected;
    switch (operation.kind) {
    case Operation::Kind::kernel:
        if (operation.kernel != nullptr) {
            const auto& code = operation.kernel->value;
            const Values written(code.empty() ? operation.number_written : evaluate(code, expected));
            for (const auto buffer : operation.kernel->writes) {
                expected[buffer].write(memory.size(buffer), 0, memory.size(buffer), written);
            }
        }
        break;
    case Operation::Kind::copy:
        expected[operation.to].write(memory.size(operation.to), operation.offset, operation.bytes,
            expected[operation.from].slice(operation.offset, operation.bytes));
        break;
    case Operation::Kind::memset:
        expected[operation.to].write(
            memory.size(operation.to), operation.offset, operation.bytes, Values(value_of_bytes(operation.byte)));
        break;
    case Operation::Kind::graph:
        for (const auto& node : m_side.gpus.graph(operation.graph).nodes) {
            expect(node);
        }
        break;
    case Operation::Kind::all_reduce:
        if (const auto& buffers = m_side.gpus.group(operation.group).buffers; operation.to == buffers.front()) {
            double sum = 0;
            for (const auto buffer : buffers) {
                sum += expected[buffer].at(0);
            }
            for (const auto buffer : buffers) {
                expected[buffer].write(memory.size(buffer), 0, memory.size(buffer), Values(sum));
            }
        }
        break;
    case Operation::Kind::record:
    case Operation::Kind::wait:
        break;
    }
}

Task HostThread::kernel(const KernelAction& action)
{
    auto operation = operation_of(Operation::Kind::kernel, action.stream);
    operation.kernel = &action;
    operation.name = core().records.text(action.name);
    operation.number_written = static_cast<double>(++core().last_number);
    return submit("cudaLaunchKernel", std::move(operation), core().device.launch_call, core().device.launch_latency);
}

Task HostThread::fault(const FaultAction& action)
{
    auto operation = operation_of(Operation::Kind::kernel, action.stream);
    operation.faults = true;
    operation.name = core().records.text("fault");
    return submit("cudaLaunchKernel", std::move(operation), core().device.launch_call, core().device.launch_latency);
}

CopyKind HostThread::kind_of(const CopyAction& action) const
{
    const auto from = core().program.buffers[action.from].gpu;
    const auto to = core().program.buffers[action.to].gpu;
    if (from == no_id) {
        return to == no_id ? CopyKind::h2h : CopyKind::h2d;
    }
    if (to == no_id) {
        return CopyKind::d2h;
    }
    return from == to ? CopyKind::d2d : CopyKind::p2p;
}

Ns HostThread::copy_cost(CopyKind kind) const
{
    const auto& device = core().device;
    switch (kind) {
    case CopyKind::d2h:
        return device.d2h_call;
    case CopyKind::d2d:
        return device.d2d_call;
    case CopyKind::p2p:
        return device.p2p_call;
    default:
        return device.h2d_call;
    }
}

Task HostThread::copy(const CopyAction& action)
{
    const auto& device = core().device;
    const auto& buffers = core().program.buffers;
    auto operation = operation_of(Operation::Kind::copy, action.stream);
    operation.copy = kind_of(action);
    operation.from = action.from;
    operation.to = action.to;
    operation.offset = action.offset;
    operation.bytes = action.bytes;
    operation.async = action.call == CopyAction::Call::memcpy_async;
    const auto kind = operation.copy;
    const char* name = !operation.async ? "cudaMemcpy"
        : kind == CopyKind::p2p         ? "cudaMemcpyPeerAsync"
                                        : "cudaMemcpyAsync";
    const bool pageable = (kind == CopyKind::h2d && buffers[action.from].memory == MemoryKind::pageable)
        || (kind == CopyKind::d2h && buffers[action.to].memory == MemoryKind::pageable);
    const bool at_once
        = kind == CopyKind::h2d && operation.async && static_cast<double>(action.bytes) <= device.staged_at_once;
    if (kind == CopyKind::h2h || (pageable && !at_once)) {
        operation.staged = true;
        Task task = waited_copy(name, std::move(operation), kind != CopyKind::d2h);
        co_await task.then(m_side.next);
    } else if (pageable) {
        operation.captured_source = true;
        operation.values = core().memory.actual[action.from].slice(action.offset, action.bytes);
        const Ns staging = std::llround(time_of(static_cast<double>(action.bytes), device.staging_bandwidth));
        Task task = submit(name, std::move(operation), copy_cost(kind) + staging, device.copy_latency + staging);
        co_await task.then(m_side.next);
    } else if (!operation.async && kind != CopyKind::d2d && kind != CopyKind::p2p) {
        Task task = waited_copy(name, std::move(operation), false);
        co_await task.then(m_side.next);
    } else {
        Task task = submit(name, std::move(operation), copy_cost(kind), device.copy_latency);
        co_await task.then(m_side.next);
    }
    if (action.blocking && !m_error) {
        co_await until(core().now + device.step);
        Task task = sync_stream(action.stream);
        co_await task.then(m_side.next);
    }
}

// Staged from host memory, the stream's earlier work comes first, then the host's own part. The GPU's part of a
// staged copy lasts from its first piece to its last: the thread is done before it on the way up, after it on the
// way down.
Task HostThread::waited_copy(const char* name, Operation operation, bool waits_first)
{
    const auto& device = core().device;
    const auto call = begin_call(name);
    const auto index = operation.stream;
    operation.correlation = call.correlation;
    Ns latency = device.copy_latency;
    if (waits_first) {
        Task task = wait_places(m_side.gpus.before(index), core().now);
        co_await task.then(m_side.next);
        const double chunk = std::min(static_cast<double>(operation.bytes), device.staging_chunk);
        latency = std::max(latency, static_cast<Ns>(std::llround(time_of(chunk, device.staging_bandwidth))));
    }
    if (m_side.gpus.is_full(index)) {
        Task task = space(call, index);
        co_await task.then(m_side.next);
    }
    if (!core().faulted) {
        const auto cost = copy_cost(operation.copy);
        const bool only_stages = operation.staged && operation.copy == CopyKind::h2d;
        const bool takes_out = operation.staged && operation.copy == CopyKind::d2h;
        const double piece = std::min(static_cast<double>(operation.bytes), device.staging_chunk);
        operation.stager = only_stages ? m_index : none;
        operation.arrival = core().now + latency;
        expect(operation);
        m_issued = m_side.gpus.issue(std::move(operation));
        if (only_stages) {
            m_pending = 1;
        }
        m_side.gpus.settle();
        if (only_stages) {
            m_pending = core().faulted ? 0 : m_pending;
            co_await Released {*this};
            co_await until(call.start + cost);
        } else {
            Task task = wait_places({m_issued}, call.start + cost);
            co_await task.then(m_side.next);
        }
        if (takes_out && !core().faulted) {  // the last piece is still in the staging buffer
            co_await until(core().now + std::llround(time_of(piece, device.staged_d2h_bandwidth)));
        }
    }
    end_call(call);
}

Task HostThread::fill(const MemsetAction& action)
{
    auto operation = operation_of(Operation::Kind::memset, action.stream);
    operation.to = action.to;
    operation.offset = action.offset;
    operation.bytes = action.bytes;
    operation.byte = action.value;
    Task task = submit("cudaMemsetAsync", std::move(operation), core().device.memset_call, core().device.copy_latency);
    co_await task.then(m_side.next);
    if (action.blocking && !m_error) {
        co_await until(core().now + core().device.step);
        Task wait = sync_stream(action.stream);
        co_await wait.then(m_side.next);
    }
}

Task HostThread::record(const RecordAction& action)
{
    auto operation = operation_of(Operation::Kind::record, action.stream);
    if (m_side.gpus.is_capturing(operation.stream)) {
        m_side.gpus.capture_record(action.event, operation.stream);
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

Task HostThread::wait(const WaitAction& action)
{
    auto operation = operation_of(Operation::Kind::wait, action.stream);
    const auto cost = core().device.stream_wait_call;
    if (m_side.gpus.capture_wait(action.event, operation.stream)) {
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
    const auto call = begin_call(name);
    Task task = wait_places(std::move(places), core().now + core().device.sync_call);
    co_await task.then(m_side.next);
    end_call(call);
    record.start = call.start;
    record.end = core().now;
    record.correlation = call.correlation;
    if (!m_error) {  // CUPTI has no record of a synchronisation that failed
        core().records.add(record);
    }
}

Task HostThread::sync_device(std::uint32_t gpu)
{
    return sync(
        "cudaDeviceSynchronize", m_side.gpus.last_of_gpu(gpu), sync_record(SyncRecord::context_sync, gpu + 1, no_id));
}

Task HostThread::sync_stream(Index spec)
{
    const auto index = stream_of(spec);
    const auto& stream = m_side.gpus.stream(index);
    std::vector<Place> places;
    if (stream.pending() > 0) {
        places.push_back(m_side.gpus.last_of(index));
    }
    return sync(
        "cudaStreamSynchronize", std::move(places), sync_record(SyncRecord::stream_sync, stream.gpu + 1, stream.id));
}

Task HostThread::sync_event(Index event)
{
    const auto& recorded = m_side.events[event];
    const auto context = recorded.place.stream == none ? 1 : m_side.gpus.stream(recorded.place.stream).gpu + 1;
    auto record = sync_record(SyncRecord::event, context, no_id);
    record.event_id = event + 1;
    record.event_sync = recorded.sync;
    return sync("cudaEventSynchronize", {recorded.place}, record);
}

void HostThread::memory_record(const Call& call, Index index, MemoryRecord::Operation what, std::uint32_t stream)
{
    const auto& buffer = core().program.buffers[index];
    const auto gpu = buffer.gpu == no_id ? 0 : buffer.gpu;
    core().records.add(MemoryRecord {.time = core().now,
        .address = m_side.addresses[index],
        .bytes = buffer.bytes,
        .process = process_id,
        .device = gpu,
        .context = gpu + 1,
        .stream = stream == none ? no_id : m_side.gpus.stream(stream).id,
        .correlation = call.correlation,
        .operation = what,
        .memory = buffer.memory,
        .async = static_cast<std::uint8_t>(stream == none ? 0 : 1)});
}

Task HostThread::allocate(const AllocAction& action)
{
    const auto& device = core().device;
    const auto& buffer = core().program.buffers[action.buffer];
    const auto bytes = static_cast<double>(buffer.bytes);
    core().memory.actual[action.buffer] = Values(buffer.initial_value);
    core().memory.expected[action.buffer] = Values(buffer.initial_value);
    // Each buffer has its own stretch of a made-up address space.
    m_side.addresses[action.buffer] = (std::uint64_t {action.buffer} + 1) << 40;
    if (buffer.memory == MemoryKind::pageable) {
        co_return;  // malloc: no call of CUDA's, and pages come with their first use
    }
    const bool pinned = buffer.memory == MemoryKind::pinned;
    const bool pooled = action.stream != no_id && !pinned;
    const auto call = begin_call(pinned ? "cudaMallocHost" : pooled ? "cudaMallocAsync" : "cudaMalloc");
    Ns cost = device.pool_alloc_call;
    if (!pooled) {
        cost = device.alloc_call + std::llround(time_of(bytes, pinned ? device.pin_bandwidth : device.alloc_bandwidth));
    }
    co_await until(call.start + cost);
    end_call(call);
    memory_record(call, action.buffer, MemoryRecord::allocate, pooled ? stream_of(action.stream) : none);
}

Task HostThread::release(const FreeAction& action)
{
    const auto& device = core().device;
    const auto& buffer = core().program.buffers[action.buffer];
    const auto bytes = static_cast<double>(buffer.bytes);
    if (buffer.memory == MemoryKind::pageable) {
        co_return;
    }
    const bool pinned = buffer.memory == MemoryKind::pinned;
    const bool pooled = action.stream != no_id && !pinned;
    const auto call = begin_call(pinned ? "cudaFreeHost" : pooled ? "cudaFreeAsync" : "cudaFree");
    if (pooled) {
        co_await until(call.start + device.pool_free_call);
    } else {
        Task task = wait_places(m_side.gpus.last_of_gpu(pinned ? 0 : buffer.gpu), core().now);
        co_await task.then(m_side.next);
        co_await until(core().now + device.free_call
            + std::llround(time_of(bytes, pinned ? device.unpin_bandwidth : device.free_bandwidth)));
    }
    end_call(call);
    memory_record(call, action.buffer, MemoryRecord::release, pooled ? stream_of(action.stream) : none);
}

Task HostThread::end_capture(const CaptureEndAction& action)
{
    m_side.gpus.end_capture(action.graph);
    Task task = plain_call("cudaStreamEndCapture", core().device.capture_call);
    co_await task.then(m_side.next);
    if (m_error) {
        co_return;
    }
    const auto nodes = static_cast<Ns>(m_side.gpus.graph(action.graph).nodes.size());
    const auto& device = core().device;
    Task make = plain_call("cudaGraphInstantiate", device.instantiate_call + nodes * device.instantiate_node);
    co_await make.then(m_side.next);
}

Task HostThread::launch(const LaunchAction& action)
{
    const auto& device = core().device;
    auto operation = operation_of(Operation::Kind::graph, action.stream);
    operation.graph = action.graph;
    const auto nodes = static_cast<Ns>(m_side.gpus.graph(action.graph).nodes.size());
    return submit(
        "cudaGraphLaunch", std::move(operation), device.graph_call + nodes * device.graph_node, device.launch_latency);
}

Task HostThread::all_reduce(const AllReduceAction& action)
{
    const auto group = m_side.gpus.new_group(action);
    for (std::size_t rank = 0; rank < action.buffers.size() && !m_error; ++rank) {
        auto operation = operation_of(Operation::Kind::all_reduce, action.streams[rank]);
        operation.group = group;
        operation.to = action.buffers[rank];
        operation.name = core().records.text("ncclDevKernel_AllReduce_Sum_f64_RING_LL");
        Task task = submit(
            "cudaLaunchKernelExC", std::move(operation), core().device.all_reduce_call, core().device.launch_latency);
        co_await task.then(m_side.next);
    }
}

}  // namespace lanes::model
