// SPDX-License-Identifier: MIT
// The table layout of Nsight Systems' SQLite export, schema 3.25, as far as a
// recording uses it, our own tables beside it, and the numbers that differ between
// the layout and CUPTI.
//
// Source: the export's documentation and the tables of real exports of schemas 3.0
// to 3.25. A column whose value we do not know is NULL, or 0 where it may not be.
#pragma once

#include "probes/record.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lanes::layout {

inline constexpr int format_major = 1;
inline constexpr int format_minor = 5;  ///< 1.1: LANESCOPE_HOST_FUNCTION and LANESCOPE_QUERY_SPIN; 1.2:
                                        ///< LANESCOPE_COUNTER and LANESCOPE_SAMPLE; 1.3: LANESCOPE_AUTOGRAD; 1.4:
                                        ///< CUDA_GRAPH_NODE_EVENTS, graphNodeId with the graph; 1.5:
                                        ///< LANESCOPE_RANGE_VALUE and LANESCOPE_CLOCK_SAMPLE
inline constexpr auto product_name = "Lanescope";
inline constexpr auto schema_version = "3.25.0";

/// The last part of a path of Linux or Windows: the name of a process in the tables.
constexpr std::string_view without_folder(std::string_view path)
{
    return path.substr(path.find_last_of("/\\") + 1);
}

/// A column with its value in a new row: "?" is bound, in the order of the columns; anything else is SQL.
struct Column {
    const char* name;
    const char* type;
    const char* value = "?";
    bool may_be_null() const { return std::string_view(type).find("NOT NULL") == std::string_view::npos; }
};
struct Table {
    const char* name;
    std::span<const Column> columns;
};

extern const Table string_ids, runtime, kernel, memcpy, memset, synchronization, cuda_event, overhead,
    profiler_overhead, memory_usage, nvtx_events, processes, thread_names, gpu, cuda_device, cuda_context, cuda_stream,
    nvtx_cuda_stream, session_start, analysis_details, meta_data_capture, meta_data_export;
extern const Table own_meta, own_process, own_thread, own_operation, own_step, own_read, own_host_span,
    own_host_function, own_query_spin, own_error, own_counter, own_sample, own_autograd, own_range_value,
    own_clock_sample, own_mark;
/// Only in recordings with graphs.
extern const Table graph_node_events;
/// Only in large recordings: row_codes.h says what they are for.
extern const Table own_dictionary, own_codes;

/// Every table that each recording has, in the order in which they are made.
std::span<const Table* const> tables();

struct EnumValue {
    int id;
    const char* name;
    const char* label;
};
struct EnumTable {
    const char* name;
    std::span<const EnumValue> values;
};
std::span<const EnumTable> enum_tables();

std::string create_sql(const Table& table);
std::string insert_sql(const Table& table);

/// Memory kinds: the layout counts from pageable = 0 and ends with unknown = 7, CUPTI begins with unknown = 0.
constexpr int from_memory_kind(MemoryKind kind)
{
    return kind == MemoryKind::unknown ? 7 : static_cast<int>(kind) - 1;
}
constexpr MemoryKind to_memory_kind(std::int64_t kind)
{
    return kind >= 0 && kind < 7 ? static_cast<MemoryKind>(kind + 1) : MemoryKind::unknown;
}

/// A table in which exports list GPUs, and its columns. `clock_unit`: 1 if the clock is in kHz, 1000 if in Hz.
struct GpuTable {
    const char *table, *id, *name, *memory, *bandwidth, *clock, *multiprocessors, *engines, *major, *minor;
    std::uint64_t clock_unit;
};
/// The newest first; if two tables have the same GPU, the first counts. Before 2021.3 the columns had CUPTI's names.
inline constexpr GpuTable gpu_tables[] = {
    {"TARGET_INFO_GPU", "id", "name", "totalMemory", "memoryBandwidth", "clockRate", "smCount", "asyncEngines",
        "computeMajor", "computeMinor", 1000},
    {"TARGET_INFO_GPU", "deviceId", "name", "globalMemorySize", "globalMemoryBandwidth", "coreClockRate",
        "numMultiprocessors", "numMemcpyEngines", "computeCapabilityMajor", "computeCapabilityMinor", 1},
    {"TARGET_INFO_CUDA_GPU", "deviceId", "name", "globalMemorySize", "globalMemoryBandwidth", "coreClockRate",
        "numMultiprocessors", "numMemcpyEngines", "computeCapabilityMajor", "computeCapabilityMinor", 1},
    {"TARGET_INFO_CUDA_GPU", "id", "name", "totalMemory", "memoryBandwidth", "clockRate", "smCount", "asyncEngines",
        "computeMajor", "computeMinor", 1000},
};

/// Tables of an export with what a lane, a wait or a figure could show and does not: what threads did between calls of
/// CUDA and when they ran, host functions in streams, graphs as a whole, calls of libraries, other programs' turns on
/// the GPU.
inline constexpr const char* unread_tables[] = {"OSRT_API", "SCHED_EVENTS", "COMPOSITE_EVENTS", "CUDA_HOST_CALLBACK",
    "CUPTI_ACTIVITY_KIND_GRAPH_HOST_NODE_AND_HOST_LAUNCH", "CUDA_GRAPH_EVENTS", "CUBLAS_EVENTS", "CUDNN_EVENTS",
    "MPI_COLLECTIVES_EVENTS", "MPI_P2P_EVENTS", "MPI_OTHER_EVENTS", "MPI_START_WAIT_EVENTS", "NET_NIC_METRIC",
    "GPU_CONTEXT_SWITCH_EVENTS"};

/// Names of rows of CUDA_GRAPH_NODE_EVENTS; of a capture before the recorded part ours have GraphNode::within instead.
inline constexpr auto graph_node_made = "Graph node created";
inline constexpr auto graph_node_copied = "Graph node cloned";

/// A node of a graph. Nsight's number is CUPTI's: the graph above, the node below from 0. Ours has the node from 1, so
/// that none is 0.
struct GraphNodeId {
    std::uint32_t graph = 0, node = 0;  ///< `node` 0: none
};
constexpr std::int64_t from_graph_node(GraphNodeId id)
{
    return static_cast<std::int64_t>(std::uint64_t {id.graph} << 32U | id.node);
}
constexpr GraphNodeId to_graph_node(std::int64_t stored, bool own)
{
    const auto id = static_cast<std::uint64_t>(stored);
    return {graph_of(id), own ? static_cast<std::uint32_t>(id) : graph_node_of(id)};
}

int from_overhead(OverheadRecord::Type type);
OverheadRecord::Type to_overhead(std::int64_t type);

CopyKind to_copy_kind(std::int64_t kind);
/// Whether a copy's kind says that pages of unified memory moved by themselves: no call issued it to a stream.
bool is_migration(std::int64_t copy_kind);

/// Event types of NVTX_EVENTS.
enum Nvtx : int {
    nvtx_mark = 34,
    nvtx_push_pop = 59,
    nvtx_start_end = 60,
    nvtxt_push_pop = 70,
    nvtxt_start_end = 71,
    nvtx_domain = 75
};

/// HW:8 | VM:8 | PID:24 | TID:24; VM is 1.
inline constexpr std::uint64_t global_vm = std::uint64_t {1} << 48U;
constexpr std::int64_t global_id(std::uint32_t process, std::uint32_t thread = 0)
{
    return static_cast<std::int64_t>(global_vm | std::uint64_t {process & 0xFFFFFFU} << 24U | (thread & 0xFFFFFFU));
}
constexpr std::uint32_t process_of(std::int64_t global)
{
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(global) >> 24U) & 0xFFFFFFU;
}
constexpr std::uint32_t thread_of(std::int64_t global)
{
    return static_cast<std::uint32_t>(global) & 0xFFFFFFU;
}

}  // namespace lanes::layout
