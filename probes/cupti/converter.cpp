// SPDX-License-Identifier: MIT
#include "probes/cupti/converter.h"

#include "probes/cupti/operator_range.h"
#include "probes/cupti/process_facts.h"
#include "probes/cupti/whole_graphs.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

namespace lanes {

namespace {

/// A copy of the activity as the struct that its kind says: CUPTI's structs are packed, so no references into them.
template <class Activity> Activity as(const CUpti_Activity* activity)
{
    Activity copy;
    std::memcpy(&copy, activity, sizeof copy);
    return copy;
}

Ns ns(std::uint64_t time)
{
    return static_cast<Ns>(time);
}

std::uint32_t channel_of(CUpti_ChannelType type, std::uint32_t id)
{
    return type == CUPTI_CHANNEL_TYPE_INVALID ? no_id : id;
}

std::uint64_t kilo(std::uint64_t thousands)
{
    return thousands * 1000;
}

template <class Activity> OperationRecord operation_of(const Activity& activity, std::uint32_t process)
{
    return {.start = ns(activity.start),
        .end = ns(activity.end),
        .process = process,
        .device = activity.deviceId,
        .context = activity.contextId,
        .stream = activity.streamId,
        .correlation = activity.correlationId,
        .name = 0,
        .graph_node = graph_node_of(activity.graphNodeId),
        .channel = channel_of(activity.channelType, activity.channelID),
        .graph = graph_of(activity.graphNodeId)};
}

// The sizes of the layouts that this file reads; if a toolkit's header says otherwise, check them.
static_assert(sizeof(CUpti_ActivityKernel10) == 216 && sizeof(CUpti_ActivityMemcpy6) == 96
    && sizeof(CUpti_ActivityMemcpyPtoP4) == 96 && sizeof(CUpti_ActivityMemset4) == 88 && sizeof(CUpti_ActivityAPI) == 40
    && sizeof(CUpti_ActivitySynchronization2) == 56 && sizeof(CUpti_ActivityCudaEvent2) == 56
    && sizeof(CUpti_ActivityOverhead3) == 56 && sizeof(CUpti_ActivityMarker2) == 56
    && sizeof(CUpti_ActivityMarkerData2) == 40 && sizeof(CUpti_ActivityMemory4) == 128
    && sizeof(CUpti_ActivityDevice5) == 184 && sizeof(CUpti_ActivityContext3) == 32
    && sizeof(CUpti_ActivityGraphTrace2) == 56 && sizeof(CUpti_ActivityStream) == 24
    && sizeof(CUpti_ActivityName) == 32);

/// The most names that are kept, so that a program that makes kernels without end does not fill the memory.
constexpr std::size_t max_kernel_names = 1U << 16;

}  // namespace

std::string_view without_runtime_version(std::string_view name)
{
    const auto at = name.rfind("_v");
    const bool digits = at != std::string_view::npos && at + 2 < name.size()
        && name.find_first_not_of("0123456789", at + 2) == std::string_view::npos;
    // The driver's own names end in _v2, _v3: they are part of the name. The runtime's suffix is a CUDA version.
    return digits && name.size() - at - 2 >= 4 ? name.substr(0, at) : name;
}

Converter::Converter(const CuptiApi& api, RecordSink& sink, ProcessFacts& facts, const WholeGraphs* graphs)
    : m_api(api)
    , m_sink(sink)
    , m_facts(facts)
    , m_graphs(graphs)
    , m_process(facts.process())
{
    m_api.cuptiGetVersion(&m_version);
}

void Converter::convert(std::uint8_t* buffer, std::size_t valid_bytes)
{
    CUpti_Activity* activity = nullptr;
    while (m_api.cuptiActivityGetNextRecord(buffer, valid_bytes, &activity) == CUPTI_SUCCESS) {
        take(activity);
    }
    finish();
}

void Converter::finish()
{
    // A marker's colour is a separate activity, before or after it.
    if (!m_colors.empty()) {
        for (auto& range : m_batch.of<RangeRecord>()) {
            if (const auto color = m_colors.find(static_cast<std::uint32_t>(range.id));
                color != m_colors.end() && range.edge != RangeRecord::finish) {
                range.color = color->second;
            }
        }
        m_colors.clear();
    }
    m_spins.join(m_batch);
    m_batch.move_to(m_sink);
    for (const auto thread : m_threads) {
        m_facts.see_thread(thread);
    }
    m_threads.clear();
    m_last_thread = 0;
}

void Converter::take(const CUpti_Activity* activity)
{
    switch (activity->kind) {
    case CUPTI_ACTIVITY_KIND_RUNTIME:
        return take_api(activity, ApiCallRecord::runtime);
    case CUPTI_ACTIVITY_KIND_DRIVER:
        return take_api(activity, ApiCallRecord::driver);
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    case CUPTI_ACTIVITY_KIND_KERNEL:
        return take_kernel(activity);
    case CUPTI_ACTIVITY_KIND_GRAPH_TRACE:
        return take_graph(activity);
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        return take_copy(activity);
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
        return take_peer_copy(activity);
    case CUPTI_ACTIVITY_KIND_MEMSET:
        return take_memset(activity);
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
        return take_sync(activity);
    case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
        return take_event(activity);
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
        return take_overhead(activity);
    case CUPTI_ACTIVITY_KIND_MARKER:
        return take_marker(activity);
    case CUPTI_ACTIVITY_KIND_MARKER_DATA:
        return take_marker_data(activity);
    case CUPTI_ACTIVITY_KIND_DEVICE:
        return take_device(activity);
    case CUPTI_ACTIVITY_KIND_CONTEXT:
        return take_context(activity);
    case CUPTI_ACTIVITY_KIND_STREAM:
        return take_stream(activity);
    case CUPTI_ACTIVITY_KIND_NAME:
        return take_name(activity);
    default:
        return;  // a kind that was not asked for
    }
}

void Converter::take_api(const CUpti_Activity* activity, ApiCallRecord::Api api)
{
    const auto call = as<CUpti_ActivityAPI>(activity);
    see_thread(call.threadId);
    const ApiCallRecord record {.start = ns(call.start),
        .end = ns(call.end),
        .process = call.processId,
        .thread = call.threadId,
        .correlation = call.correlationId,
        .name = api_name(api, call.cbid),
        .api = api,
        .result = static_cast<std::int32_t>(call.returnValue)};
    if (is_query(api, call.cbid)) {
        m_spins.add(record);
    } else {
        m_batch.add(record);
    }
}

void Converter::take_kernel(const CUpti_Activity* activity)
{
    const auto kernel = as<CUpti_ActivityKernel10>(activity);
    KernelRecord record {};
    static_cast<OperationRecord&>(record) = operation_of(kernel, m_process);
    record.name = kernel_name(kernel.name);
    const std::int32_t grid[3] = {kernel.gridX, kernel.gridY, kernel.gridZ};
    const std::int32_t block[3] = {kernel.blockX, kernel.blockY, kernel.blockZ};
    for (int axis = 0; axis < 3; ++axis) {
        record.grid[axis] = static_cast<std::uint32_t>(grid[axis]);
        record.block[axis] = static_cast<std::uint32_t>(block[axis]);
    }
    record.registers = kernel.registersPerThread;
    record.static_shared = static_cast<std::uint32_t>(kernel.staticSharedMemory);
    record.dynamic_shared = static_cast<std::uint32_t>(kernel.dynamicSharedMemory);
    m_batch.add(record);
}

/// A launch of a whole graph, named as Nsight's exports are read.
void Converter::take_graph(const CUpti_Activity* activity)
{
    const auto graph = as<CUpti_ActivityGraphTrace2>(activity);
    if (m_graphs != nullptr && !m_graphs->is_of_part(ns(graph.start))) {
        return;
    }
    KernelRecord record {};
    record.start = ns(graph.start);
    record.end = ns(graph.end);
    record.process = m_process;
    record.device = graph.deviceId;
    record.context = graph.contextId;
    record.stream = graph.streamId;
    record.correlation = graph.correlationId;
    record.channel = no_id;
    record.graph = graph.graphId;
    record.name = record.shown_name = text(("CUDA graph " + std::to_string(graph.graphId)).c_str());
    m_batch.add(record);
}

void Converter::take_copy(const CUpti_Activity* activity)
{
    const auto copy = as<CUpti_ActivityMemcpy6>(activity);
    CopyRecord record {};
    static_cast<OperationRecord&>(record) = operation_of(copy, m_process);
    record.bytes = copy.bytes;
    record.source_device = no_id;
    record.target_device = no_id;
    record.copy = static_cast<CopyKind>(copy.copyKind);
    record.source = static_cast<MemoryKind>(copy.srcKind);
    record.target = static_cast<MemoryKind>(copy.dstKind);
    record.async = (copy.flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC) != 0 ? 1 : 0;
    m_batch.add(record);
}

void Converter::take_peer_copy(const CUpti_Activity* activity)
{
    const auto copy = as<CUpti_ActivityMemcpyPtoP4>(activity);
    CopyRecord record {};
    static_cast<OperationRecord&>(record) = operation_of(copy, m_process);
    record.bytes = copy.bytes;
    record.source_device = copy.srcDeviceId;
    record.target_device = copy.dstDeviceId;
    record.copy = static_cast<CopyKind>(copy.copyKind);
    record.source = static_cast<MemoryKind>(copy.srcKind);
    record.target = static_cast<MemoryKind>(copy.dstKind);
    record.async = (copy.flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC) != 0 ? 1 : 0;
    m_batch.add(record);
}

void Converter::take_memset(const CUpti_Activity* activity)
{
    const auto memset = as<CUpti_ActivityMemset4>(activity);
    MemsetRecord record {};
    static_cast<OperationRecord&>(record) = operation_of(memset, m_process);
    record.bytes = memset.bytes;
    record.value = memset.value;
    record.target = static_cast<MemoryKind>(memset.memoryKind);
    record.async = (memset.flags & CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC) != 0 ? 1 : 0;
    m_batch.add(record);
}

void Converter::take_sync(const CUpti_Activity* activity)
{
    const auto sync = as<CUpti_ActivitySynchronization2>(activity);
    m_batch.add(SyncRecord {.start = ns(sync.start),
        .end = ns(sync.end),
        .process = m_process,
        .context = sync.contextId,
        .stream = sync.streamId,  // CUPTI's "not applicable" is no_id
        .correlation = sync.correlationId,
        .event_id = sync.cudaEventId,
        .event_sync = static_cast<std::uint32_t>(sync.cudaEventSyncId),
        .type = static_cast<SyncRecord::Type>(sync.type),
        .result = static_cast<std::int32_t>(sync.returnValue)});
    static_assert(CUPTI_SYNCHRONIZATION_INVALID_VALUE == no_id);
}

void Converter::take_event(const CUpti_Activity* activity)
{
    const auto event = as<CUpti_ActivityCudaEvent2>(activity);
    m_batch.add(EventRecord {.device_time = ns(event.deviceTimestamp),
        .process = m_process,
        .device = event.deviceId,
        .context = event.contextId,
        .stream = event.streamId,
        .correlation = event.correlationId,
        .event_id = event.eventId,
        .event_sync = static_cast<std::uint32_t>(event.cudaEventSyncId)});
}

void Converter::take_overhead(const CUpti_Activity* activity)
{
    const auto overhead = as<CUpti_ActivityOverhead3>(activity);
    const bool names_thread = overhead.objectKind == CUPTI_ACTIVITY_OBJECT_THREAD;
    m_batch.add(OverheadRecord {.start = ns(overhead.start),
        .end = ns(overhead.end),
        .process = m_process,
        .thread = names_thread ? overhead.objectId.pt.threadId : no_id,
        .correlation = overhead.correlationId,
        .type = static_cast<OverheadRecord::Type>(overhead.overheadKind)});
    std::free(overhead.overheadData);  // CUPTI's allocation, the client's to free
}

void Converter::take_marker(const CUpti_Activity* activity)
{
    const auto marker = as<CUpti_ActivityMarker2>(activity);
    RangeRecord::Edge edge = RangeRecord::begin;
    if ((marker.flags & CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS) != 0) {
        edge = RangeRecord::mark;
    } else if ((marker.flags & CUPTI_ACTIVITY_FLAG_MARKER_END) != 0) {
        edge = RangeRecord::finish;
    } else if ((marker.flags & CUPTI_ACTIVITY_FLAG_MARKER_START) == 0) {
        return;  // a user's lock: no range
    }
    const bool names_thread = marker.objectKind == CUPTI_ACTIVITY_OBJECT_THREAD;
    const std::uint32_t thread = names_thread ? marker.objectId.pt.threadId : no_id;
    if (names_thread) {
        see_thread(thread);
    }
    m_batch.add(RangeRecord {.time = ns(marker.timestamp),
        .id = marker.id,
        .process = m_process,
        .thread = thread,
        .name = edge == RangeRecord::finish ? 0 : range_name(marker.name),
        .domain = text(marker.domain),
        .color = 0,
        .edge = edge});
}

void Converter::take_marker_data(const CUpti_Activity* activity)
{
    const auto data = as<CUpti_ActivityMarkerData2>(activity);
    if ((data.flags & CUPTI_ACTIVITY_FLAG_MARKER_COLOR_ARGB) != 0) {
        m_colors[data.id] = data.color;
    }
}

void Converter::take_device(const CUpti_Activity* activity)
{
    // 13.2 broke with the layout of 13.0 (its release notes): the fields after that are different, so the
    // device stays undescribed.
    if (m_version >= 130200) {
        return;
    }
    const auto device = as<CUpti_ActivityDevice5>(activity);
    std::string uuid;
    for (const char byte : device.isMigEnabled != 0 ? device.migUuid.bytes : device.uuid.bytes) {
        constexpr char digits[] = "0123456789abcdef";
        uuid += digits[(static_cast<unsigned char>(byte) >> 4U) & 15U];
        uuid += digits[static_cast<unsigned char>(byte) & 15U];
    }
    m_batch.add(DeviceRecord {.memory_bytes = device.globalMemorySize,
        .memory_bandwidth = kilo(device.globalMemoryBandwidth),
        .device = device.id,
        .name = text(device.name),
        .uuid = m_sink.intern(uuid),
        .multiprocessors = device.numMultiprocessors,
        .copy_engines = device.numMemcpyEngines,
        .compute_major = device.computeCapabilityMajor,
        .compute_minor = device.computeCapabilityMinor,
        .core_clock_khz = device.coreClockRate,
        .process = m_process});
    std::free(const_cast<char*>(device.name));  // CUPTI's allocation, the client's to free
}

void Converter::take_context(const CUpti_Activity* activity)
{
    const auto context = as<CUpti_ActivityContext3>(activity);
    m_batch.add(ContextRecord {.process = m_process,
        .device = context.deviceId,
        .context = context.contextId,
        .null_stream = context.nullStreamId});
}

void Converter::take_stream(const CUpti_Activity* activity)
{
    const auto stream = as<CUpti_ActivityStream>(activity);
    m_facts.describe_stream({.process = m_process,
        .context = stream.contextId,
        .stream = stream.streamId,
        .priority = static_cast<std::int32_t>(stream.priority),
        .flag = static_cast<StreamRecord::Flag>(stream.flag),
        .name = 0});
}

void Converter::take_name(const CUpti_Activity* activity)
{
    const auto name = as<CUpti_ActivityName>(activity);
    if (name.name == nullptr) {
        return;
    }
    if (name.objectKind == CUPTI_ACTIVITY_OBJECT_THREAD) {
        m_facts.name_thread(name.objectId.pt.threadId, name.name);
    } else if (name.objectKind == CUPTI_ACTIVITY_OBJECT_STREAM) {
        m_facts.name_stream(name.objectId.dcs.contextId, name.objectId.dcs.streamId, text(name.name));
    }
}

StringId Converter::api_name(ApiCallRecord::Api api, CUpti_CallbackId id)
{
    auto& names = m_api_names[api];
    if (id < names.size() && names[id] != 0) {
        return names[id];
    }
    constexpr CUpti_CallbackId sane = 1U << 16;
    const char* full = nullptr;
    const auto domain = api == ApiCallRecord::runtime ? CUPTI_CB_DOMAIN_RUNTIME_API : CUPTI_CB_DOMAIN_DRIVER_API;
    const bool known = m_api.cuptiGetCallbackName(domain, id, &full) == CUPTI_SUCCESS && full != nullptr;
    const auto name = m_sink.intern(known ? std::string(without_runtime_version(full)) : "call " + std::to_string(id));
    if (id < sane) {
        names.resize(std::max<std::size_t>(names.size(), id + 1));
        names[id] = name;
    }
    return name;
}

StringId Converter::kernel_name(const char* mangled)
{
    if (mangled == nullptr) {
        return 0;
    }
    // By the text, not the pointer: the memory of an unloaded module can hold another's names.
    m_lookup.assign(mangled);
    if (const auto known = m_kernel_names.find(m_lookup); known != m_kernel_names.end()) {
        return known->second;
    }
    const auto name = m_sink.intern(m_lookup);
    if (m_kernel_names.size() < max_kernel_names) {
        m_kernel_names.emplace(m_lookup, name);
    }
    return name;
}

StringId Converter::text(const char* words)
{
    return words == nullptr ? 0 : m_sink.intern(words);
}

StringId Converter::range_name(const char* words)
{
    return words == nullptr ? 0 : m_sink.intern(operator_range(words).name);
}

void Converter::see_thread(std::uint32_t thread)
{
    if (thread != m_last_thread) {
        m_last_thread = thread;
        for (const auto known : m_threads) {
            if (known == thread) {
                return;
            }
        }
        m_threads.push_back(thread);
    }
}

}  // namespace lanes
