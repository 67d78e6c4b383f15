// SPDX-License-Identifier: MIT
// The Trace: the data of one recording, in columns. The store reads and writes it, the analysis measures it, the window
// draws it.
//
// Invariants:
//   - Times are ns from the recording's start; `origin` is that start on the clock of the source.
//   - Each table is sorted by start, then end. Operations are sorted by stream first.
//   - All columns of a table have the same length.
//   - Every Row and StringId in it is valid, or no_row / 0. Rows do not change while the Trace lives.
//   - A Trace is not changed once TraceBuilder::finish() has made it: threads may read it concurrently.
//
// Memory: an operation takes 37 bytes, a copy or memset also its detail; an API call 44, a counter sample 16, an
// operator that autograd numbers 16 besides its range.
#pragma once

#include "engine/trace/event_ref.h"
#include "engine/trace/string_table.h"
#include "probes/record.h"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace lanes {

/// Ids from here on were made up by a reader for ids that do not fit: a text, or a handle of 64 bits. The name says
/// what it was; the number means nothing and is not shown.
inline constexpr std::uint32_t first_made_up_id = 0xF0000000U;
constexpr bool is_made_up(std::uint32_t id)
{
    return id >= first_made_up_id && id != no_id;
}

/// Rows [begin, end) of a table.
struct RowSpan {
    Row begin = 0, end = 0;
    std::size_t size() const { return end - begin; }
    bool empty() const { return begin == end; }
};

/// Kernels, copies and memsets of all GPUs, by stream, then start, then end: see Trace::operations_of.
struct OperationTable {
    std::vector<Ns> start, end;
    std::vector<Row> stream;  ///< into Trace::streams, never no_row; ascending
    std::vector<StringId> name;  ///< as shown: a workload's own name, a kernel's short name, "Memcpy HtoD"
    std::vector<std::uint32_t> correlation;  ///< 0: none
    std::vector<Row> call;  ///< the API call that issued it, into Trace::calls
    std::vector<Row> detail;  ///< into kernels, copies or memsets, by `kind`
    std::vector<OperationKind> kind;
    std::size_t size() const { return start.size(); }
};

/// The details of a kernel. Equal kernels usually share a row: see SharedRows.
struct KernelDetail {
    StringId full_name;  ///< demangled
    std::array<std::uint32_t, 3> grid, block;
    std::uint32_t registers, static_shared, dynamic_shared;
    std::uint32_t graph_node, channel;  ///< 0 and no_id: none
    std::uint32_t graph = 0;  ///< the executable graph of the node, or that this is the launch of; 0: not known
};
/// The launch of a whole CUDA graph, of whose kernels nothing is known: its grid, block, registers and shared memory
/// are none, not 0.
inline bool is_whole_graph(const KernelDetail& kernel)
{
    return kernel.graph != 0 && kernel.graph_node == 0;
}
struct CopyDetail {
    std::uint64_t bytes;
    MemoryKind source, target;
    CopyKind copy;
    bool async;  ///< issued by an ...Async call, says the record or the call's name
    std::uint32_t source_device, target_device;  ///< no_id unless a peer copy
    std::uint32_t graph_node, channel;
    std::uint32_t graph = 0;
};
struct MemsetDetail {
    std::uint64_t bytes;
    std::uint32_t value;
    MemoryKind target;
    bool async;
    std::uint32_t graph_node, channel;
    std::uint32_t graph = 0;
};

/// CUDA runtime and driver calls of all threads.
struct CallTable {
    std::vector<Ns> start, end;
    std::vector<Row> thread;  ///< into Trace::threads
    std::vector<StringId> name;  ///< without the _vNNNN suffix
    std::vector<std::uint32_t> correlation;
    std::vector<Row> outer;  ///< the outermost call of its thread around it; no_row: it is outermost itself
    std::vector<std::uint32_t> step;  ///< of the workload, index into its Program's steps; no_id: none
    std::vector<std::int32_t> result;
    std::vector<ApiCallRecord::Api> api;
    std::size_t size() const { return start.size(); }
};

struct Sync {
    Ns start, end;
    Row call;  ///< no_row: unknown
    Row stream;  ///< into Trace::streams; no_row: all of the context
    std::uint32_t process, context;
    std::uint32_t event_id, event_sync;
    SyncRecord::Type type;
};
struct Event {
    Ns time;  ///< start of the call; without a call, the device's time stamp
    Ns device_time;  ///< -1: not collected
    Row call;
    Row stream;
    std::uint32_t event_id, event_sync;
};
/// A named range of a thread. depth 0 is the outermost.
struct Range {
    Ns start, end;  ///< if `open`, the range never ended and `end` is the recording's end
    Row thread;
    StringId name, domain;
    std::uint32_t color;
    std::uint32_t depth;
    bool open;
    bool mark;  ///< a point in time: start == end
};
/// Autograd's data about a range that is a PyTorch operator.
struct AutogradOperator {
    Row range;
    Row forward;  ///< the range whose backward this is; no_row: this is a forward operator, or it is not known
    std::uint32_t number;  ///< the same for a forward operator and its backward; no_id: not known
    std::uint32_t forward_thread;  ///< PyTorch's number of the forward pass's thread; 0: it is a forward operator
};
/// A value that the program gave with a range: see RangeValueRecord. Of NCCL's ranges: collective_value.
struct RangeValue {
    Row range;
    StringId name;
    std::uint64_t value;  ///< by `type`: int64, uint64, or the bits of a double
    StringId words;  ///< of a text; else 0
    RangeValueRecord::Type type;
};
struct HostSpan {
    Ns start, end;
    Row thread;
    StringId name;
    HostSpanRecord::Type type;
};
/// A host function that ran in a stream (cudaLaunchHostFunc).
struct HostFunction {
    Ns start, end;  ///< both the start of its call if not `timed`
    Row call;  ///< the call that put it into the stream; no_row: not known
    Row stream;
    bool timed;
};
/// A node of a CUDA graph, when and by whom it was made: see GraphNodeRecord. Of recordings of a part it may have been
/// made before, at a negative time.
struct GraphNode {
    Ns time;
    Row thread;  ///< no_row: not known
    std::uint32_t graph, graph_node;
    std::uint32_t original_graph, original_node;  ///< `original_node` 0: it is no copy
    /// Of a capture outside of the recorded part, the names of the ranges around it, from the inside out, one a line;
    /// those of PyTorch's operators begin with a tab. 0: none, or they are among Trace::ranges.
    StringId within = 0;
};
/// Many successive queries of one event or stream, which are one row of the call table.
struct QuerySpin {
    Ns start, end;
    Row call;  ///< never no_row
    std::uint32_t queries;
    QuerySpinRecord::Success succeeded;
};
struct Read {
    Ns start, end;
    Row thread;
    StringId buffer;
    std::uint64_t bytes, wrong_bytes;
    bool expect_stale;
};
struct Step {
    Ns start;
    Row thread;
    std::uint32_t step, instruction;
};
struct Overhead {
    Ns start, end;
    Row thread;  ///< no_row: not known
    Row call;
    OverheadRecord::Type type;
};
struct MemoryEvent {
    Ns time;
    std::uint64_t address, bytes;
    Row call, stream;
    std::uint32_t process, device;
    MemoryRecord::Operation operation;
    MemoryKind memory;
    bool async;
};
/// The clocks of the recording's host, read at one moment, about once a second. Recordings of several hosts can be
/// aligned by them, and a step of CLOCK_REALTIME shows as a change of `time` - `monotonic`.
struct ClockSample {
    Ns time;  ///< CLOCK_REALTIME, from the recording's start; before it: negative
    Ns monotonic;  ///< CLOCK_MONOTONIC, from the boot
};
/// A value over time, such as bytes of memory or the length of a queue. Each sample holds until the next one; before
/// the first the value is unknown.
struct Counter {
    std::uint32_t process;
    std::uint32_t device;  ///< no_id: of the process
    StringId name;
    CounterRecord::Unit unit;
    RowSpan samples;  ///< in Trace::samples, never empty, by time
};
/// The samples of all counters, one counter after the other. Values are finite.
struct SampleTable {
    std::vector<Ns> time;
    std::vector<double> value;
    std::size_t size() const { return time.size(); }
};
struct RunError {
    Ns time;
    Row thread;
    std::uint32_t step;
    std::int32_t code;
    StringId message;
};

struct Process {
    std::uint32_t id, parent;
    StringId name;
};
struct Thread {
    std::uint32_t process, id;  ///< the OS's ids
    StringId name;
    std::uint32_t order;
};
/// A physical GPU. Two ranks that each use their GPU 0 have two devices. `id` is the number by which a process calls
/// it, or a free number if another device has that one. Every `device` in the trace is such an id.
struct Device {
    std::uint32_t id;
    StringId name, uuid;
    std::uint32_t multiprocessors, copy_engines, compute_major, compute_minor, core_clock_khz;
    std::uint64_t memory_bytes, memory_bandwidth;
    StringId pci = 0;  ///< bus address; 0: not known
};
/// The engine that carries a kind of operation, as the first of the kinds that it carries. A single copy engine carries
/// copies of both directions and those between GPUs, one at a time; several have one for each direction. 0, not known,
/// counts as several.
constexpr OperationKind engine_of(OperationKind kind, std::uint32_t copy_engines)
{
    const bool leaves = kind == OperationKind::d2h || kind == OperationKind::p2p;
    return copy_engines == 1 && leaves ? OperationKind::h2d : kind;
}
struct Context {
    std::uint32_t process, device, id, null_stream;
};
struct Stream {
    std::uint32_t process, device, context, id;
    StringId name;  ///< 0: none given
    std::int32_t priority;
    StreamRecord::Flag flag;
};

/// A time that the user marked while looking at the recording; it was not recorded.
struct UserMark {
    Ns time;
    std::string text;
    friend bool operator==(const UserMark&, const UserMark&) = default;
};

/// Where the records come from. `unknown`: the recording does not say, so it must not be called measured.
enum class Source : std::uint8_t { cupti, model, predicted, kineto, nsys, chrome, unknown, last = unknown };
inline constexpr std::size_t source_count = static_cast<std::size_t>(Source::last) + 1;

/// "cupti", "model", …
std::string_view name_of(Source source);
/// The inverse; `unknown` for any other name.
Source source_of(std::string_view name);

struct Trace {
    Source source = Source::cupti;
    std::map<std::string, std::string> meta;  ///< LANESCOPE_META's keys: see engine/trace/meta_keys.h
    StringTable strings;
    Ns origin = 0;  ///< t = 0 on the source's clock; CLOCK_REALTIME for cupti
    Ns duration = 0;  ///< the last end of any event
    std::uint64_t dropped = 0;  ///< records that were lost

    std::vector<Process> processes;
    std::vector<Thread> threads;  ///< by process, then order, then id
    std::vector<Device> devices;  ///< by id
    std::vector<Context> contexts;
    std::vector<Stream> streams;  ///< by device, then process, context, id; every one that has an operation is here

    OperationTable operations;
    std::vector<KernelDetail> kernels;
    std::vector<CopyDetail> copies;
    std::vector<MemsetDetail> memsets;
    CallTable calls;
    std::vector<Sync> syncs;
    std::vector<Event> events;
    std::vector<Range> ranges;
    std::vector<AutogradOperator> autograd;  ///< by range, each at most once
    std::vector<RangeValue> range_values;  ///< by range; those of a range in the order in which it has them
    std::vector<HostSpan> host_spans;
    std::vector<HostFunction> host_functions;
    std::vector<GraphNode> graph_nodes;
    std::vector<QuerySpin> query_spins;  ///< by call
    std::vector<Read> reads;
    std::vector<Step> steps;
    std::vector<Overhead> overheads;
    std::vector<MemoryEvent> memory;
    std::vector<Counter> counters;  ///< by process, then device (those of the process first), name, unit
    SampleTable samples;
    std::vector<ClockSample>
        clocks;  ///< by `monotonic`; none in recordings of before format 1.5, of models, of other tools
    std::vector<RunError> errors;
    std::vector<UserMark> marks;  ///< in the order of the file

    std::string_view text(StringId id) const { return strings.text(id); }
    /// The operations of a stream, in the order of their starts. Cost: log n.
    RowSpan operations_of(Row stream) const;
    /// All operations by start, ties by row. Cost: n log(streams), 4 bytes an operation.
    std::vector<Row> operations_by_time() const;
    /// The queries that a call represents; null: it is an ordinary call. Cost: log n.
    const QuerySpin* queries_of(Row call) const;
    /// Autograd's data about a range; null: none. Cost: log n.
    const AutogradOperator* autograd_of(Row range) const;
    /// The values of a range. Cost: log n.
    std::span<const RangeValue> values_of(Row range) const;
    /// Bytes that a copy or memset moves, 0 for a kernel.
    std::uint64_t bytes_of(Row operation) const;
    /// Its name; "stream 7" if it has none.
    std::string label_of(const Stream& stream) const;
    /// The same, but unambiguous in the recording: "stream 7 (GPU 1)" if there are several GPUs, "stream 7 (process
    /// 4711)" if several processes have streams on its GPU. Cost: log n.
    std::string full_label_of(const Stream& stream) const;
    /// "4711", or the name of a process whose number was made up. Cost: log n.
    std::string process_label_of(std::uint32_t process) const;
};

}  // namespace lanes
