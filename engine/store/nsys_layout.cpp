// SPDX-License-Identifier: MIT
#include "engine/store/nsys_layout.h"

#include <algorithm>
#include <array>

namespace lanes::layout {

namespace {

constexpr auto optional = "INTEGER";
constexpr auto number = "INTEGER NOT NULL";
constexpr auto key = "INTEGER NOT NULL PRIMARY KEY";
constexpr auto maybe_text = "TEXT";
constexpr auto text = "TEXT NOT NULL";
constexpr auto real = "REAL";
constexpr auto null = "NULL";

constexpr Column string_ids_columns[] = {{"id", key}, {"value", text}};
constexpr Column runtime_columns[]
    = {{"start", number}, {"end", number}, {"eventClass", number}, {"globalTid", optional}, {"correlationId", optional},
        {"nameId", number}, {"returnValue", number}, {"callchainId", optional, null}};
constexpr Column kernel_columns[] = {{"start", number}, {"end", number}, {"deviceId", number}, {"contextId", number},
    {"greenContextId", optional, "0"}, {"streamId", number}, {"correlationId", optional}, {"globalPid", optional},
    {"demangledName", number}, {"shortName", number}, {"mangledName", optional, null}, {"launchType", optional, "1"},
    {"cacheConfig", optional, null}, {"registersPerThread", number}, {"gridX", number}, {"gridY", number},
    {"gridZ", number}, {"blockX", number}, {"blockY", number}, {"blockZ", number}, {"staticSharedMemory", number},
    {"dynamicSharedMemory", number}, {"localMemoryPerThread", number, "0"}, {"localMemoryTotal", number, "0"},
    {"gridId", number}, {"sharedMemoryExecuted", optional, null}, {"graphNodeId", optional},
    {"sharedMemoryLimitConfig", optional, null}, {"qmdBulkReleaseDone", optional, null},
    {"qmdPreexitDone", optional, null}, {"qmdLastCtaDone", optional, null}, {"graphId", optional},
    {"clusterX", optional, null}, {"clusterY", optional, null}, {"clusterZ", optional, null},
    {"clusterSchedulingPolicy", optional, null}, {"maxPotentialClusterSize", optional, null},
    {"maxActiveClusters", optional, null}, {"sharedMemoryRequestedPercentage", optional, null},
    {"tensorSizeMinusOneElements", text, "'[]'"}};
constexpr Column memcpy_columns[] = {{"start", number}, {"end", number}, {"deviceId", number}, {"contextId", number},
    {"greenContextId", optional, "0"}, {"streamId", number}, {"correlationId", optional}, {"globalPid", optional},
    {"bytes", number}, {"copyKind", number}, {"deprecatedSrcId", optional, null}, {"srcKind", optional},
    {"dstKind", optional}, {"srcDeviceId", optional}, {"srcContextId", optional, null}, {"dstDeviceId", optional},
    {"dstContextId", optional, null}, {"migrationCause", optional, null}, {"graphNodeId", optional},
    {"virtualAddress", optional, null}, {"copyCount", optional, "1"}};
constexpr Column memset_columns[] = {{"start", number}, {"end", number}, {"deviceId", number}, {"contextId", number},
    {"greenContextId", optional, "0"}, {"streamId", number}, {"correlationId", optional}, {"globalPid", optional},
    {"value", number}, {"bytes", number}, {"graphNodeId", optional}, {"memKind", optional}};
constexpr Column synchronization_columns[]
    = {{"start", number}, {"end", number}, {"deviceId", number}, {"contextId", number},
        {"greenContextId", optional, "0"}, {"streamId", number}, {"correlationId", optional}, {"globalPid", optional},
        {"deprecatedSyncType", optional, null}, {"syncType", number}, {"eventId", number}, {"eventSyncId", optional}};
constexpr Column cuda_event_columns[] = {{"timestamp", number}, {"deviceId", number}, {"contextId", number},
    {"greenContextId", optional, "0"}, {"streamId", number}, {"correlationId", optional}, {"globalPid", optional},
    {"eventId", number}, {"eventSyncId", optional}};
constexpr Column overhead_columns[] = {{"start", number}, {"end", number}, {"eventClass", number, "103"},
    {"globalTid", optional}, {"correlationId", optional}, {"nameId", optional}, {"overheadType", number}};
constexpr Column profiler_overhead_columns[]
    = {{"start", number}, {"end", number}, {"globalTid", optional}, {"nameId", number}, {"overheadType", number}};
constexpr Column memory_usage_columns[] = {{"start", number}, {"globalPid", number}, {"deviceId", number},
    {"contextId", optional}, {"address", number}, {"pc", number, "0"}, {"bytes", number}, {"memKind", number},
    {"memoryOperationType", number}, {"name", maybe_text, null}, {"correlationId", optional}, {"streamId", optional},
    {"localMemoryPoolAddress", optional, null}, {"localMemoryPoolReleaseThreshold", optional, null},
    {"localMemoryPoolSize", optional, null}, {"localMemoryPoolUtilizedSize", optional, null},
    {"importedMemoryPoolAddress", optional, null}, {"importedMemoryPoolProcessId", optional, null}};
constexpr Column graph_node_events_columns[]
    = {{"start", number}, {"end", optional, null}, {"eventClass", number, "95"}, {"globalTid", optional},
        {"nameId", number}, {"graphNodeId", number}, {"originalGraphNodeId", optional}};
constexpr Column nvtx_events_columns[] = {{"start", number}, {"end", optional}, {"eventType", number},
    {"rangeId", optional}, {"category", optional, null}, {"color", optional}, {"text", maybe_text},
    {"globalTid", optional}, {"endGlobalTid", optional, null}, {"textId", optional}, {"domainId", optional},
    {"uint64Value", optional, null}, {"int64Value", optional, null}, {"doubleValue", real, null},
    {"uint32Value", optional, null}, {"int32Value", optional, null}, {"floatValue", real, null},
    {"jsonTextId", optional, null}, {"jsonText", maybe_text, null}, {"binaryData", maybe_text, null}};
constexpr Column processes_columns[] = {{"globalPid", optional}, {"pid", optional}, {"name", maybe_text}};
constexpr Column thread_names_columns[] = {{"nameId", number}, {"priority", optional, null}, {"globalTid", optional}};
constexpr Column gpu_columns[] = {{"vmId", number}, {"id", number}, {"name", maybe_text}, {"busLocation", maybe_text},
    {"isDiscrete", optional, "1"}, {"l2CacheSize", optional, null}, {"totalMemory", optional},
    {"memoryBandwidth", optional}, {"clockRate", optional}, {"smCount", optional}, {"pwGpuId", optional, null},
    {"uuid", maybe_text}, {"luid", optional, null}, {"chipName", maybe_text, null}, {"cuDevice", optional},
    {"ctxswDevPath", maybe_text, null}, {"ctrlDevPath", maybe_text, null}, {"revision", optional, null},
    {"nodeMask", optional, null}, {"constantMemory", optional, null}, {"maxIPC", optional, null},
    {"maxRegistersPerBlock", optional, null}, {"maxShmemPerBlock", optional, null},
    {"maxShmemPerBlockOptin", optional, null}, {"maxShmemPerSm", optional, null}, {"maxRegistersPerSm", optional, null},
    {"threadsPerWarp", optional, "32"}, {"asyncEngines", optional}, {"maxWarpsPerSm", optional, null},
    {"maxBlocksPerSm", optional, null}, {"maxThreadsPerBlock", optional, null}, {"maxBlockDimX", optional, null},
    {"maxBlockDimY", optional, null}, {"maxBlockDimZ", optional, null}, {"maxGridDimX", optional, null},
    {"maxGridDimY", optional, null}, {"maxGridDimZ", optional, null}, {"computeMajor", optional},
    {"computeMinor", optional}, {"smMajor", optional}, {"smMinor", optional}};
constexpr Column cuda_device_columns[] = {
    {"gpuId", optional}, {"cudaId", number}, {"pid", number}, {"uuid", maybe_text}, {"numMultiprocessors", optional}};
constexpr Column cuda_context_columns[] = {{"nullStreamId", number}, {"hwId", number, "0"}, {"vmId", number, "1"},
    {"processId", number}, {"deviceId", number}, {"contextId", number}, {"parentContextId", optional, "0"},
    {"isGreenContext", optional, "0"}, {"numMultiprocessors", optional, null}};
constexpr Column cuda_stream_columns[] = {{"streamId", number}, {"hwId", number, "0"}, {"vmId", number, "1"},
    {"processId", number}, {"contextId", number}, {"priority", number}, {"flag", number}};
constexpr Column nvtx_cuda_stream_columns[] = {{"name", maybe_text}, {"hwId", number, "0"}, {"vmId", number, "1"},
    {"processId", number}, {"contextId", number}, {"streamId", number}};
constexpr Column session_start_columns[]
    = {{"utcEpochNs", optional}, {"utcTime", maybe_text}, {"localTime", maybe_text}, {"systemClockNs", optional, null}};
constexpr Column analysis_details_columns[]
    = {{"globalVid", number}, {"duration", number}, {"startTime", number, "0"}, {"stopTime", number}};
constexpr Column meta_data_capture_columns[] = {{"name", text}, {"value", maybe_text}};
constexpr Column meta_data_export_columns[] = {{"name", text}, {"value", maybe_text}};
constexpr Column own_meta_columns[] = {{"key", text}, {"value", text}};
constexpr Column own_process_columns[] = {{"globalPid", number}, {"process", number}, {"parent", number}};
constexpr Column own_thread_columns[]
    = {{"globalTid", number}, {"process", number}, {"thread", number}, {"place", number}};
constexpr Column own_operation_columns[]
    = {{"kind", number}, {"row", number}, {"channel", optional}, {"async", number}};
constexpr Column own_step_columns[]
    = {{"start", number}, {"globalTid", optional}, {"step", number}, {"instruction", number}};
constexpr Column own_read_columns[] = {{"start", number}, {"end", number}, {"globalTid", optional},
    {"bufferId", number}, {"bytes", number}, {"wrongBytes", number}, {"expectStale", number}};
constexpr Column own_host_span_columns[]
    = {{"start", number}, {"end", number}, {"globalTid", optional}, {"nameId", number}, {"type", number}};
constexpr Column own_host_function_columns[] = {{"start", optional}, {"end", optional}, {"globalPid", number},
    {"contextId", number}, {"streamId", number}, {"correlationId", optional}};
constexpr Column own_query_spin_columns[] = {{"start", number}, {"end", number}, {"globalTid", optional},
    {"correlationId", number}, {"queries", number}, {"succeeded", optional}};
constexpr Column own_error_columns[]
    = {{"time", number}, {"globalTid", optional}, {"step", optional}, {"code", number}, {"messageId", number}};
constexpr Column own_counter_columns[]
    = {{"id", key}, {"globalPid", number}, {"deviceId", optional}, {"nameId", number}, {"unit", number}};
constexpr Column own_sample_columns[] = {{"counterId", number}, {"time", number}, {"value", "REAL NOT NULL"}};
constexpr Column own_autograd_columns[]
    = {{"row", number}, {"number", optional}, {"forwardThread", number}, {"forwardRow", optional}};
constexpr Column own_range_value_columns[]
    = {{"row", number}, {"nameId", number}, {"value", number}, {"wordsId", number}, {"type", number}};
constexpr Column own_clock_sample_columns[] = {{"time", number}, {"monotonic", number}};
constexpr Column own_mark_columns[] = {{"time", number}, {"textId", number}};
constexpr Column own_dictionary_columns[]
    = {{"kind", number}, {"code", number}, {"row", number}, {"channel", optional}, {"async", number}};
constexpr Column own_codes_columns[] = {{"kind", number}, {"firstRow", number}, {"codes", "BLOB NOT NULL"}};

constexpr EnumValue copy_kinds[]
    = {{0, "CUDA_MEMCPY_KIND_UNKNOWN", "Unknown"}, {1, "CUDA_MEMCPY_KIND_HTOD", "Host-to-Device"},
        {2, "CUDA_MEMCPY_KIND_DTOH", "Device-to-Host"}, {3, "CUDA_MEMCPY_KIND_HTOA", "Host-to-Array"},
        {4, "CUDA_MEMCPY_KIND_ATOH", "Array-to-Host"}, {5, "CUDA_MEMCPY_KIND_ATOA", "Array-to-Array"},
        {6, "CUDA_MEMCPY_KIND_ATOD", "Array-to-Device"}, {7, "CUDA_MEMCPY_KIND_DTOA", "Device-to-Array"},
        {8, "CUDA_MEMCPY_KIND_DTOD", "Device-to-Device"}, {9, "CUDA_MEMCPY_KIND_HTOH", "Host-to-Host"},
        {10, "CUDA_MEMCPY_KIND_PTOP", "Peer-to-Peer"}, {11, "CUDA_MEMCPY_KIND_UVM_HTOD", "Unified Host-to-Device"},
        {12, "CUDA_MEMCPY_KIND_UVM_DTOH", "Unified Device-to-Host"},
        {13, "CUDA_MEMCPY_KIND_UVM_DTOD", "Unified Device-to-Device"}};
constexpr EnumValue memory_kinds[] = {{0, "CUDA_MEMOPR_MEMORY_KIND_PAGEABLE", "Pageable"},
    {1, "CUDA_MEMOPR_MEMORY_KIND_PINNED", "Pinned"}, {2, "CUDA_MEMOPR_MEMORY_KIND_DEVICE", "Device"},
    {3, "CUDA_MEMOPR_MEMORY_KIND_ARRAY", "Array"}, {4, "CUDA_MEMOPR_MEMORY_KIND_MANAGED", "Managed"},
    {5, "CUDA_MEMOPR_MEMORY_KIND_DEVICE_STATIC", "Device Static"},
    {6, "CUDA_MEMOPR_MEMORY_KIND_MANAGED_STATIC", "Managed Static"}, {7, "CUDA_MEMOPR_MEMORY_KIND_UNKNOWN", "Unknown"}};
constexpr EnumValue memory_operations[] = {
    {0, "CUDA_DEV_MEM_EVENT_OPR_ALLOCATION", "Allocation"}, {1, "CUDA_DEV_MEM_EVENT_OPR_DEALLOCATION", "Deallocation"}};
constexpr EnumValue launch_types[]
    = {{0, "CUDA_KERNEL_LAUNCH_TYPE_UNKNOWN", "Unknown"}, {1, "CUDA_KERNEL_LAUNCH_TYPE_REGULAR", "Regular"},
        {2, "CUDA_KERNEL_LAUNCH_TYPE_COOPERATIVE_SINGLE_DEVICE", "Coop Single Device"},
        {3, "CUDA_KERNEL_LAUNCH_TYPE_COOPERATIVE_MULTI_DEVICE", "Coop Multi Device"}};
constexpr EnumValue stream_types[] = {{0, "CUPTI_ACTIVITY_STREAM_CREATE_FLAG_UNKNOWN", "Unknown stream type"},
    {1, "CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT", "Default stream"},
    {2, "CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING", "Non-blocking stream"},
    {3, "CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL", "Null stream"}};
constexpr EnumValue sync_types[] = {{0, "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN", "Unknown"},
    {1, "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE", "Event sync"},
    {2, "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT", "Stream wait sync"},
    {3, "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE", "Stream sync"},
    {4, "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE", "Context sync"}};
constexpr EnumValue overhead_types[] = {
    {0, "OVERHEAD_UNDEFINED", "Undefined"}, {1, "OVERHEAD_UNKNOWN", "Unknown"},
    {2, "OVERHEAD_DRIVER_COMPILER", "Driver JIT compiler (CUDA)"},
    {3, "OVERHEAD_CUPTI_BUFFER_FLUSH", "Buffer flush (Profiler)"},
    {4, "OVERHEAD_CUPTI_INSTRUMENTATION", "Instrumentation (Profiler)"},
    {5, "OVERHEAD_CUPTI_RESOURCE", "Resource creation/destruction (Profiler)"},
    {6, "OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING", "Runtime module loading (CUDA)"},
    {7, "OVERHEAD_LAZY_FUNCTION_LOADING", "Lazy function loading (CUDA)"},
    {8, "OVERHEAD_COMMAND_BUFFER_FULL", "Command buffer full (CUDA)"},
    {9, "OVERHEAD_ACTIVITY_BUFFER_REQUEST", "Activity buffer request (Profiler)"},  // 9 and 10 are ours:
    {10, "OVERHEAD_UVM_INIT", "Unified memory initialisation (CUDA)"},  // the layout has no number for them
};
constexpr EnumValue event_classes[] = {{0, "TRACE_PROCESS_EVENT_CUDA_RUNTIME", "CUDA runtime"},
    {1, "TRACE_PROCESS_EVENT_CUDA_DRIVER", "CUDA driver"}, {103, "TRACE_PROCESS_EVENT_CUDA_OVERHEAD", "CUDA overhead"}};
constexpr EnumValue event_types[]
    = {{33, "NvtxCategory", "NvtxCategory"}, {34, "NvtxMark", "NvtxMark"}, {39, "NvtxThread", "NvtxThread"},
        {59, "NvtxPushPopRange", "NvtxPushPopRange"}, {60, "NvtxStartEndRange", "NvtxStartEndRange"},
        {75, "NvtxDomainCreate", "NvtxDomainCreate"}, {76, "NvtxDomainDestroy", "NvtxDomainDestroy"}};
constexpr EnumTable all_enum_tables[] = {{"ENUM_NSYS_EVENT_TYPE", event_types},
    {"ENUM_NSYS_EVENT_CLASS", event_classes}, {"ENUM_CUDA_MEMCPY_OPER", copy_kinds},
    {"ENUM_CUDA_MEM_KIND", memory_kinds}, {"ENUM_CUDA_DEV_MEM_EVENT_OPER", memory_operations},
    {"ENUM_CUDA_KERNEL_LAUNCH_TYPE", launch_types}, {"ENUM_CUPTI_STREAM_TYPE", stream_types},
    {"ENUM_CUPTI_SYNC_TYPE", sync_types}, {"ENUM_CUPTI_OVERHEAD_TYPE", overhead_types}};

// Position: the layout's number, from 1 on.
constexpr std::array overheads {OverheadRecord::unknown, OverheadRecord::driver_compiler, OverheadRecord::buffer_flush,
    OverheadRecord::instrumentation, OverheadRecord::resource, OverheadRecord::module_loading,
    OverheadRecord::lazy_function_loading, OverheadRecord::command_buffer_full, OverheadRecord::activity_buffer_request,
    OverheadRecord::uvm_init};

}  // namespace

const Table string_ids {"StringIds", string_ids_columns};
const Table runtime {"CUPTI_ACTIVITY_KIND_RUNTIME", runtime_columns};
const Table kernel {"CUPTI_ACTIVITY_KIND_KERNEL", kernel_columns};
const Table memcpy {"CUPTI_ACTIVITY_KIND_MEMCPY", memcpy_columns};
const Table memset {"CUPTI_ACTIVITY_KIND_MEMSET", memset_columns};
const Table synchronization {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", synchronization_columns};
const Table cuda_event {"CUPTI_ACTIVITY_KIND_CUDA_EVENT", cuda_event_columns};
const Table overhead {"CUPTI_ACTIVITY_KIND_OVERHEAD", overhead_columns};
const Table profiler_overhead {"PROFILER_OVERHEAD", profiler_overhead_columns};
const Table memory_usage {"CUDA_GPU_MEMORY_USAGE_EVENTS", memory_usage_columns};
const Table graph_node_events {"CUDA_GRAPH_NODE_EVENTS", graph_node_events_columns};
const Table nvtx_events {"NVTX_EVENTS", nvtx_events_columns};
const Table processes {"PROCESSES", processes_columns};
const Table thread_names {"ThreadNames", thread_names_columns};
const Table gpu {"TARGET_INFO_GPU", gpu_columns};
const Table cuda_device {"TARGET_INFO_CUDA_DEVICE", cuda_device_columns};
const Table cuda_context {"TARGET_INFO_CUDA_CONTEXT_INFO", cuda_context_columns};
const Table cuda_stream {"TARGET_INFO_CUDA_STREAM", cuda_stream_columns};
const Table nvtx_cuda_stream {"TARGET_INFO_NVTX_CUDA_STREAM", nvtx_cuda_stream_columns};
const Table session_start {"TARGET_INFO_SESSION_START_TIME", session_start_columns};
const Table analysis_details {"ANALYSIS_DETAILS", analysis_details_columns};
const Table meta_data_capture {"META_DATA_CAPTURE", meta_data_capture_columns};
const Table meta_data_export {"META_DATA_EXPORT", meta_data_export_columns};
const Table own_meta {"LANESCOPE_META", own_meta_columns};
const Table own_process {"LANESCOPE_PROCESS", own_process_columns};
const Table own_thread {"LANESCOPE_THREAD", own_thread_columns};
const Table own_operation {"LANESCOPE_OPERATION", own_operation_columns};
const Table own_step {"LANESCOPE_STEP", own_step_columns};
const Table own_read {"LANESCOPE_READ", own_read_columns};
const Table own_host_span {"LANESCOPE_HOST_SPAN", own_host_span_columns};
const Table own_host_function {"LANESCOPE_HOST_FUNCTION", own_host_function_columns};
const Table own_query_spin {"LANESCOPE_QUERY_SPIN", own_query_spin_columns};
const Table own_error {"LANESCOPE_ERROR", own_error_columns};
const Table own_counter {"LANESCOPE_COUNTER", own_counter_columns};
const Table own_sample {"LANESCOPE_SAMPLE", own_sample_columns};
const Table own_autograd {"LANESCOPE_AUTOGRAD", own_autograd_columns};
const Table own_range_value {"LANESCOPE_RANGE_VALUE", own_range_value_columns};
const Table own_clock_sample {"LANESCOPE_CLOCK_SAMPLE", own_clock_sample_columns};
const Table own_mark {"LANESCOPE_MARK", own_mark_columns};
const Table own_dictionary {"LANESCOPE_DICTIONARY", own_dictionary_columns};
const Table own_codes {"LANESCOPE_CODES", own_codes_columns};

std::span<const Table* const> tables()
{
    static constexpr std::array all {&string_ids, &runtime, &kernel, &memcpy, &memset, &synchronization, &cuda_event,
        &overhead, &profiler_overhead, &memory_usage, &nvtx_events, &processes, &thread_names, &gpu, &cuda_device,
        &cuda_context, &cuda_stream, &nvtx_cuda_stream, &session_start, &analysis_details, &meta_data_capture,
        &meta_data_export, &own_meta, &own_process, &own_thread, &own_operation, &own_step, &own_read, &own_host_span,
        &own_host_function, &own_query_spin, &own_error, &own_counter, &own_sample, &own_autograd, &own_mark};
    return all;
}

std::span<const EnumTable> enum_tables()
{
    return all_enum_tables;
}

std::string create_sql(const Table& table)
{
    std::string sql = "CREATE TABLE " + std::string(table.name) + " (";
    const char* separator = "";
    for (const auto& column : table.columns) {
        sql += separator + std::string("\"") + column.name + "\" " + column.type;
        separator = ", ";
    }
    return sql + ")";
}

std::string insert_sql(const Table& table)
{
    std::string sql = "INSERT INTO " + std::string(table.name) + " VALUES (";
    const char* separator = "";
    for (const auto& column : table.columns) {
        sql += separator + std::string(column.value);
        separator = ", ";
    }
    return sql + ")";
}

int from_overhead(OverheadRecord::Type type)
{
    const auto* found = std::find(overheads.begin(), overheads.end(), type);
    return found == overheads.end() ? 1 : static_cast<int>(found - overheads.begin()) + 1;
}

OverheadRecord::Type to_overhead(std::int64_t type)
{
    return type >= 1 && type <= static_cast<std::int64_t>(overheads.size())
        ? overheads[static_cast<std::size_t>(type - 1)]
        : OverheadRecord::unknown;
}

CopyKind to_copy_kind(std::int64_t kind)
{
    return kind >= 0 && kind <= 10 ? static_cast<CopyKind>(kind) : CopyKind::unknown;
}

bool is_migration(std::int64_t copy_kind)
{
    return copy_kind >= 11 && copy_kind <= 13;
}

}  // namespace lanes::layout
