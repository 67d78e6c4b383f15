// SPDX-License-Identifier: MIT
// The records of a run. All sources write them (the CUPTI recorder, the runner of workloads, the model device), and
// what reads them need not know the source.
//
// Records are plain data with a fixed layout, which is also their format in the spool (little-endian, no padding).
// Times are int64 ns of CLOCK_REALTIME; the model device starts at 0. Texts are StringIds, valid within one writer of a
// spool. Start and end both 0 mean that there is no time (CUPTI's way to say "not collected").
//
// Enumerators that CUPTI also has have CUPTI's values (cupti_activity.h, 13.0).
#pragma once

#include "probes/units.h"

#include <bit>
#include <cstdint>
#include <type_traits>

namespace lanes {

enum class RecordKind : std::uint16_t {
    strings = 1,  ///< text for StringIds, not a record
    meta = 2,  ///< key and value, not a record
    api_call = 10,
    kernel,
    copy,
    memset,
    sync,
    event,
    range,
    host_span,
    read,
    step,
    overhead,
    memory,
    device_of_any_process,  ///< in old spools: a device without its process; ignored
    context,
    stream,
    thread,
    process,
    clock,
    dropped,
    error,
    window,
    device,
    host_function,
    query_spin,
    counter,
    autograd,
    graph_node,
    range_value,
};

/// A call of the CUDA runtime or driver API on a CPU thread.
struct ApiCallRecord {
    static constexpr RecordKind kind = RecordKind::api_call;
    enum Api : std::uint32_t { runtime = 0, driver = 1 };
    Ns start, end;
    std::uint32_t process, thread;  ///< the OS's ids
    std::uint32_t correlation;  ///< joins GPU work to this call; unique within a process
    StringId name;  ///< without CUPTI's _vNNNN suffix
    Api api;
    std::int32_t result;  ///< cudaError_t or CUresult
};

/// OperationRecord::graph_node for CUPTI's graphNodeId. Its high half is the graph, its low half the node, from 0; if
/// all of it is 0, the operation is not from a graph.
constexpr std::uint32_t graph_node_of(std::uint64_t cupti_id)
{
    return cupti_id == 0 ? 0 : static_cast<std::uint32_t>(cupti_id) + 1;
}
/// OperationRecord::graph for it.
constexpr std::uint32_t graph_of(std::uint64_t cupti_id)
{
    return static_cast<std::uint32_t>(cupti_id >> 32U);
}

/// Fields that all GPU operations share. `correlation` 0: none.
struct OperationRecord {
    Ns start, end;
    std::uint32_t process, device, context, stream, correlation;
    StringId name;  ///< of a kernel: mangled or not (the trace demangles it); else 0
    std::uint32_t graph_node = 0;  ///< node of its graph, from 1; 0: not from a graph
    std::uint32_t channel = no_id;  ///< hardware channel; no_id: not known
    std::uint32_t graph = 0;  ///< the executable graph of `graph_node`, or which this is the launch of; 0: not known
    std::uint32_t unused = 0;
};

struct KernelRecord : OperationRecord {
    static constexpr RecordKind kind = RecordKind::kernel;
    std::uint32_t grid[3], block[3];
    std::uint32_t registers, static_shared, dynamic_shared;
    StringId shown_name = 0;  ///< name to show; 0: the trace derives it from the step or `name`
};

/// Without a stream (no_id) it is a migration of unified memory, which the trace leaves out.
struct CopyRecord : OperationRecord {
    static constexpr RecordKind kind = RecordKind::copy;
    std::uint64_t bytes;
    std::uint32_t source_device, target_device;  ///< no_id unless a peer copy
    CopyKind copy;
    MemoryKind source, target;
    std::uint8_t async;  ///< 1: issued by an Async call
    std::uint32_t reserved = 0;
};

struct MemsetRecord : OperationRecord {
    static constexpr RecordKind kind = RecordKind::memset;
    std::uint64_t bytes;
    std::uint32_t value;
    MemoryKind target;
    std::uint8_t async;
    std::uint16_t reserved = 0;
};

/// A synchronisation: what a call waited for, or a wait on the GPU.
struct SyncRecord {
    static constexpr RecordKind kind = RecordKind::sync;
    enum Type : std::uint32_t { unknown = 0, event = 1, stream_wait_event = 2, stream_sync = 3, context_sync = 4 };
    Ns start, end;
    std::uint32_t process, context;
    std::uint32_t stream;  ///< no_id: not about one stream
    std::uint32_t correlation;
    std::uint32_t event_id;  ///< handles are reused: join on event_sync
    std::uint32_t event_sync;  ///< joins a wait to its record (EventRecord::event_sync); 0: none
    Type type;
    std::int32_t result;
};

/// cudaEventRecord on a stream. Its time on the host is that of the call with the same correlation.
struct EventRecord {
    static constexpr RecordKind kind = RecordKind::event;
    Ns device_time;  ///< 0: not collected
    std::uint32_t process, device, context, stream, correlation;
    std::uint32_t event_id, event_sync;
    std::uint32_t reserved = 0;
};

/// The domain of ranges that are PyTorch operators, named as in PyTorch's profiler.
inline constexpr auto operator_domain = "cpu_op";

/// The domain of ranges that were sampled (`lanes record --stacks`): where Python was, "Net.forward (model.py:42)". A
/// range begins with the first of successive equal samples and ends with the first other one, so each end may be late
/// by up to the interval of the samples (stacks_key). They do not nest with other ranges.
inline constexpr auto sampled_domain = "python_sampled";

/// The start or end of a named range of a thread, or a mark. The trace joins start and end by `id`; a range that never
/// ended is kept.
struct RangeRecord {
    static constexpr RecordKind kind = RecordKind::range;
    enum Edge : std::uint32_t { begin = 0, finish = 1, mark = 2 };
    Ns time;
    std::uint64_t id;  ///< unique within a process
    std::uint32_t process, thread;
    StringId name;  ///< 0 on `finish`
    StringId domain;  ///< NVTX domain; 0: the default one
    std::uint32_t color;  ///< ARGB; 0: none given
    Edge edge;
};

/// A value that the program gave with a range: an entry of NVTX's extended payload (nvtx_payload.h). A range may have
/// several, in the order of `place`. Those of collectives and operators have names of ours: collective_value,
/// operator_value.
struct RangeValueRecord {
    static constexpr RecordKind kind = RecordKind::range_value;
    enum Type : std::uint16_t {
        integer = 0,  ///< the bits of an int64 below 0
        natural = 1,  ///< a uint64, any integer from 0 on
        real = 2,  ///< the bits of a double
        text = 3,  ///< `words`, also the name of an enumerator; `value` is 0
        id = 4,  ///< a uint64 that means nothing by itself: a hash, an address; shown in hexadecimal
    };
    std::uint64_t range;  ///< RangeRecord::id
    std::uint64_t value;
    std::uint32_t process;
    StringId name;
    StringId words;
    Type type;
    std::uint16_t place;
};

/// Names of the values of ranges of collectives: NCCL's (nvtx_payload.h), and PyTorch's in traces of its profiler.
namespace collective_value {
inline constexpr auto communicator = "communicator";  ///< equal on all its ranks. id: NCCL's hash; text: the name of
                                                      ///< PyTorch's process group
inline constexpr auto call = "call";  ///< natural: the n-th call of this function on this communicator, from 1
inline constexpr auto function = "collective";  ///< text, of PyTorch: "allreduce"; of NCCL it is the range's name
inline constexpr auto bytes = "bytes";  ///< natural: of the message, as NCCL counts it: what one rank gives to an
                                        ///< all-gather or gets from a reduce-scatter
inline constexpr auto operation = "op";  ///< text: of a reduction, "Sum"
inline constexpr auto type = "dtype";  ///< text
inline constexpr auto root = "root";
inline constexpr auto peer = "peer";  ///< of a send or receive
inline constexpr auto ranks = "ranks";  ///< how many the communicator has
inline constexpr auto members = "members";  ///< text, of PyTorch: the global ranks, "[0, 1]"
inline constexpr auto rank = "rank";
inline constexpr auto sequence = "sequence";  ///< PyTorch's number of the collective in its group
inline constexpr auto device = "device";
}  // namespace collective_value

/// Values of PyTorch's operators.
namespace operator_value {
/// text: shapes of the inputs, with types where they are known: "float[64, 32], float[], Scalar"; "[64, 32], [], []".
/// At most longest_inputs bytes, then an ellipsis.
inline constexpr auto inputs = "inputs";
inline constexpr std::size_t longest_inputs = 512;
}  // namespace operator_value

/// What PyTorch's autograd says about a range that is an operator. Forward operators have sequence numbers, and
/// backward operators have the number of their forward operator.
struct AutogradRecord {
    static constexpr RecordKind kind = RecordKind::autograd;
    std::uint64_t range;  ///< RangeRecord::id
    std::uint64_t forward;  ///< the range whose backward this is; 0: this is a forward operator, or it is not known
    std::uint32_t process;
    std::uint32_t number;  ///< each thread counts its own; no_id: not known
    std::uint32_t forward_thread;  ///< PyTorch's number of the forward pass's thread; 0: it is a forward operator
    std::uint32_t search;  ///< 1: if `forward` is 0, it is the operator with this number, if only one thread has one
};

/// Host work, or a host wait that is not an API call: a workload's `cpu` step, a queue, a join. Or, from the model
/// device only, a step of the staging in a pageable copy; its name says which.
struct HostSpanRecord {
    static constexpr RecordKind kind = RecordKind::host_span;
    enum Type : std::uint32_t { work = 0, queue_put = 1, queue_get = 2, join = 3, staging = 4 };
    Ns start, end;
    std::uint32_t process, thread;
    StringId name;
    Type type;
};

/// The host read a buffer and compared it with what the workload expects in it.
struct ReadRecord {
    static constexpr RecordKind kind = RecordKind::read;
    Ns start, end;
    std::uint32_t process, thread;
    StringId buffer;
    std::uint32_t expect_stale;  ///< 1: the workload expects old bytes
    std::uint64_t bytes, wrong_bytes;
};

/// A thread of a workload begins a step, which lasts until its next step.
struct StepRecord {
    static constexpr RecordKind kind = RecordKind::step;
    Ns start;
    std::uint32_t process, thread;
    std::uint32_t step;  ///< index into Program::steps
    std::uint32_t instruction;  ///< index into the thread's instructions
};

/// A thread made a node of a CUDA graph: by a call that its stream captured, or as a copy of a node of another graph
/// (an executable graph is a copy, and so is a child graph in its parent). A graph's number is unique in its process.
struct GraphNodeRecord {
    static constexpr RecordKind kind = RecordKind::graph_node;
    Ns time;
    std::uint32_t process, thread;
    std::uint32_t graph, graph_node;  ///< as in an OperationRecord
    std::uint32_t original_graph, original_node;  ///< the node that was copied; `original_node` 0: it is no copy
    StringId within = 0;  ///< ranges around it that are not in the recording: GraphNode::within
    std::uint32_t unused = 0;
};

/// A host function that ran in a stream (cudaLaunchHostFunc, cudaStreamAddCallback, a host node of a graph).
struct HostFunctionRecord {
    static constexpr RecordKind kind = RecordKind::host_function;
    Ns start, end;  ///< both 0 unless `timed`
    std::uint32_t process, context, stream;
    std::uint32_t correlation;  ///< of the call that submitted it
    std::uint32_t timed;  ///< 0: it is not known when it ran
    std::uint32_t reserved = 0;
};

/// A spin: successive queries of one event or stream by a thread, at most 20 us apart, with no other calls in between
/// except such as cudaGetLastError, which read the thread's own state. The recorder joins them into one ApiCallRecord,
/// from the start of the first to the end of the last query, and one SyncRecord for what was queried, both of the same
/// correlation.
struct QuerySpinRecord {
    static constexpr RecordKind kind = RecordKind::query_spin;
    enum Success : std::uint32_t { pending = 0, ready = 1, not_known = 2 };
    Ns start, end;
    std::uint32_t process, thread, correlation;
    std::uint32_t queries;  ///< how many
    Success succeeded;  ///< answer of the last query; the others answered "not ready"
    std::uint32_t reserved = 0;
};

/// Time that a thread spent on recording or in the driver's housekeeping.
struct OverheadRecord {
    static constexpr RecordKind kind = RecordKind::overhead;
    enum Type : std::uint32_t {
        unknown = 0,
        driver_compiler = 1,
        buffer_flush = 1U << 16,
        instrumentation = 2U << 16,
        resource = 3U << 16,
        module_loading = 4U << 16,
        lazy_function_loading = 5U << 16,
        command_buffer_full = 6U << 16,  ///< proof that a launch waited for queue space
        activity_buffer_request = 7U << 16,
        uvm_init = 8U << 16,
    };
    Ns start, end;
    std::uint32_t process, thread;  ///< thread no_id where CUPTI names none
    std::uint32_t correlation;
    Type type;
};

/// An allocation or release of memory.
struct MemoryRecord {
    static constexpr RecordKind kind = RecordKind::memory;
    enum Operation : std::uint8_t { unknown = 0, allocate = 1, release = 2 };
    Ns time;
    std::uint64_t address, bytes;
    std::uint32_t process, device, context, stream, correlation;
    Operation operation;
    MemoryKind memory;
    std::uint8_t async;  ///< 1: stream-ordered
    std::uint8_t reserved = 0;
};

/// `device` is the number of the device in one process: different devices can be 0 in two processes, and one device can
/// have two numbers. Devices are identified by `uuid`, else by `pci`, else by process and number.
struct DeviceRecord {
    static constexpr RecordKind kind = RecordKind::device;
    std::uint64_t memory_bytes;
    std::uint64_t memory_bandwidth;  ///< bytes/s
    std::uint32_t device;
    StringId name;
    StringId uuid;  ///< hexadecimal, empty for a model
    std::uint32_t multiprocessors, copy_engines;
    std::uint32_t compute_major, compute_minor;
    std::uint32_t core_clock_khz;
    std::uint32_t process = 0;  ///< 0: for every process that does not describe its device of this number
    StringId pci = 0;  ///< bus address, "0000:01:00.0"
};

struct ContextRecord {
    static constexpr RecordKind kind = RecordKind::context;
    std::uint32_t process, device, context;
    std::uint32_t null_stream;  ///< id of the legacy default stream
};

struct StreamRecord {
    static constexpr RecordKind kind = RecordKind::stream;
    enum Flag : std::uint32_t { unknown = 0, blocking = 1, non_blocking = 2, null = 3 };
    std::uint32_t process, context, stream;
    std::int32_t priority;
    Flag flag;
    StringId name;  ///< 0: none; a workload names its streams
};

struct ThreadRecord {
    static constexpr RecordKind kind = RecordKind::thread;
    std::uint32_t process, thread;
    StringId name;
    std::uint32_t order;  ///< in which to show the threads of the process; 0 is the first
};

struct ProcessRecord {
    static constexpr RecordKind kind = RecordKind::process;
    std::uint32_t process, parent;
    StringId name;  ///< without its folder
    std::uint32_t reserved = 0;
};

/// The value of a counter from `time` until its next record. Records with equal `process`, `device`, `name` and `unit`
/// are of one counter.
struct CounterRecord {
    static constexpr RecordKind kind = RecordKind::counter;
    enum Unit : std::uint32_t { none = 0, bytes = 1, percent = 2 };
    Ns time;
    std::uint64_t value;  ///< the bits of a double
    std::uint32_t process;
    std::uint32_t device;  ///< no_id: of the process, not of one of its devices
    StringId name;
    Unit unit;
    double number() const { return std::bit_cast<double>(value); }
};

/// Both clocks, read at the same time. Their difference changes if CLOCK_REALTIME is adjusted.
struct ClockRecord {
    static constexpr RecordKind kind = RecordKind::clock;
    Ns realtime, monotonic;
};

/// The number of records that CUPTI has dropped since the last such record.
struct DroppedRecord {
    static constexpr RecordKind kind = RecordKind::dropped;
    Ns time;
    std::uint64_t count;
};

/// The run failed: the error and its step.
struct ErrorRecord {
    static constexpr RecordKind kind = RecordKind::error;
    Ns time;
    std::uint32_t process, thread;
    std::uint32_t step;  ///< index into Program::steps, no_id: outside of any
    std::int32_t code;  ///< cudaError_t, 0: not a CUDA error
    StringId message;
    std::uint32_t reserved = 0;
};

/// An edge of the timed part of a workload, or of the recorded part of a program. What began outside of it is not in
/// the recording.
struct WindowRecord {
    static constexpr RecordKind kind = RecordKind::window;
    enum Edge : std::uint32_t { begin = 0, finish = 1 };
    Ns time;
    Edge edge;
    std::uint32_t process = 0;  ///< the recorded part of this process; 0: the timed part of a workload
};

/// A type whose memory can be written to a spool.
template <class R>
concept Record = std::is_trivially_copyable_v<R> && sizeof(R) % 8 == 0 && requires
{
    R::kind;
};

template <class... Rs> struct RecordList {
};

/// Every record type, for generic code.
using AllRecords = RecordList<ApiCallRecord, KernelRecord, CopyRecord, MemsetRecord, SyncRecord, EventRecord,
    RangeRecord, HostSpanRecord, ReadRecord, StepRecord, OverheadRecord, MemoryRecord, DeviceRecord, ContextRecord,
    StreamRecord, ThreadRecord, ProcessRecord, ClockRecord, DroppedRecord, ErrorRecord, WindowRecord,
    HostFunctionRecord, QuerySpinRecord, CounterRecord, AutogradRecord, GraphNodeRecord, RangeValueRecord>;

template <class... Rs> constexpr bool all_are_records(RecordList<Rs...>)
{
    return (... && (Record<Rs> && std::has_unique_object_representations_v<Rs>));
}
static_assert(all_are_records(AllRecords {}), "a record has padding or an odd size");

}  // namespace lanes
