// SPDX-License-Identifier: MIT
// A compiled workload: one variant, with parameters set, loops unrolled and names resolved to indices. It is the only
// input of the CUDA runner and of the model device, so that both run the same.
//
// Invariant: every index is valid in the vector that its comment names; the checks of workload/check.h have passed. A
// Program is plain data and is not changed.
#pragma once

#include "engine/trace/units.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace lanes {

using Index = std::uint32_t;  ///< into one of Program's vectors; no_id: none

/// One element of a buffer: `y.3`. All its 8-byte words are the same double, its value: at first `initial_value`, then
/// what the last kernel, copy or memset wrote.
struct BufferElement {
    std::string name;  ///< "y.3", or "y" if the workload gives no count
    std::uint32_t gpu;  ///< no_id: in host memory
    MemoryKind memory;  ///< device, pageable or pinned
    std::uint64_t bytes;
    bool allocated_by_step = false;  ///< by an `alloc` step, not before the run
    bool cached = false;  ///< `alloc` steps take it from the caching allocator's blocks for their stream
    double initial_value = 0;  ///< of each word, set before the timed part
};

struct StreamSpec {
    enum class Kind : std::uint8_t { non_blocking, blocking, legacy, per_thread };
    std::string name;
    std::uint32_t gpu = 0;
    Kind kind = Kind::non_blocking;
    int priority = 0;  ///< 0 normal, -1 high, 1 low
    bool operator==(const StreamSpec&) const = default;
};

/// A bounded queue between threads. It carries no data, only order.
struct QueueSpec {
    std::string name;
    std::uint32_t capacity;
    bool operator==(const QueueSpec&) const = default;
};

/// Arithmetic on constants and on buffers' values, in postfix order. Empty: none.
struct ValueCode {
    enum class Op : std::uint8_t {
        constant,
        load,
        add,
        subtract,
        multiply,
        divide,
        modulo,
        negate,
        less,
        less_equal,
        greater,
        greater_equal,
        equal,
        not_equal,
        logical_and,
        logical_or,
        logical_not
    };
    struct Item {
        Op op;
        Index buffer = no_id;  ///< of `load`
        double number = 0;  ///< of `constant`
        bool operator==(const Item&) const = default;
    };
    std::vector<Item> items;
    bool empty() const { return items.empty(); }
    bool operator==(const ValueCode&) const = default;
};

enum class KernelWork : std::uint8_t { spin, fma, memory };

struct KernelAction {
    Index stream;
    std::string name;
    KernelWork work = KernelWork::fma;
    Ns time = 0;  ///< of the kernel alone; 0: given by flops or bytes
    double flops = 0;  ///< floating-point operations in all, or 0
    double bytes = 0;  ///< bytes of memory traffic in all, or 0
    std::uint32_t blocks = 0;  ///< 0: one wave that fills every thread slot of the GPU
    std::vector<Index> reads, writes;  ///< buffers
    ValueCode value;  ///< of its output; empty: a number unique to each kernel
    bool operator==(const KernelAction&) const = default;
};
struct CopyAction {
    enum class Call : std::uint8_t { memcpy_async, memcpy };
    Index from, to, stream;  ///< buffers, stream (legacy for `memcpy`)
    std::uint64_t offset, bytes;
    bool blocking = false;  ///< cudaStreamSynchronize of `stream` follows
    Call call = Call::memcpy_async;
    bool operator==(const CopyAction&) const = default;
};
struct MemsetAction {
    Index to, stream;
    std::uint64_t offset, bytes;
    std::uint8_t value = 0;  ///< of each byte
    bool blocking = false;
    bool operator==(const MemsetAction&) const = default;
};
struct CpuAction {
    enum class Kind : std::uint8_t { spin, sleep, memcpy };
    Kind kind = Kind::spin;
    Ns time = 0;  ///< of spin and sleep
    std::uint64_t bytes = 0;  ///< of memcpy
    std::string name;  ///< as shown; "" takes the kind's
    /// Buffers in host memory that the work reads and writes; of memcpy at most one each. A memcpy that has both copies
    /// the first `bytes` of the one into the other. Any other work leaves the contents as they are.
    std::vector<Index> reads, writes;
    bool operator==(const CpuAction&) const = default;
};
struct ReadAction {
    std::vector<Index> buffers;  ///< the elements read
    std::string name;  ///< as the workload calls them: "y_cpu"
    bool expect_stale = false;
    bool operator==(const ReadAction&) const = default;
};
/// The host fills a whole buffer in host memory.
struct WriteAction {
    Index buffer;
    double value;  ///< of each word
    std::string name;  ///< as shown: "write x.0"
    bool racing = false;  ///< may overwrite data that a copy has not read yet
    bool operator==(const WriteAction&) const = default;
};
struct RecordAction {
    Index event, stream;
    bool operator==(const RecordAction&) const = default;
};
struct WaitAction {
    Index event, stream;
    bool operator==(const WaitAction&) const = default;
};
struct SyncDeviceAction {
    std::uint32_t gpu;
    bool operator==(const SyncDeviceAction&) const = default;
};
struct SyncStreamAction {
    Index stream;
    bool operator==(const SyncStreamAction&) const = default;
};
struct SyncEventAction {
    Index event;
    bool operator==(const SyncEventAction&) const = default;
};
struct RangeBeginAction {
    std::string name;
    bool operator==(const RangeBeginAction&) const = default;
};
struct RangeEndAction {
    bool operator==(const RangeEndAction&) const = default;
};
struct PutAction {
    Index queue;
    bool operator==(const PutAction&) const = default;
};
struct GetAction {
    Index queue;
    bool operator==(const GetAction&) const = default;
};
struct JoinAction {
    Index thread;
    bool operator==(const JoinAction&) const = default;
};
struct AllocAction {
    Index buffer, stream;
    bool operator==(const AllocAction&) const = default;
};  ///< stream no_id: cudaMalloc, else from the stream's pool; a cached buffer always has a stream
struct FreeAction {
    Index buffer, stream;
    bool operator==(const FreeAction&) const = default;
};
struct CaptureBeginAction {
    Index graph, stream;
    bool operator==(const CaptureBeginAction&) const = default;
};  ///< operations up to CaptureEnd go into the graph
struct CaptureEndAction {
    Index graph, stream;
    bool operator==(const CaptureEndAction&) const = default;
};
struct LaunchAction {
    Index graph, stream;
    bool operator==(const LaunchAction&) const = default;
};
enum class CollectiveKind : std::uint8_t { all_reduce, all_gather, reduce_scatter, broadcast, send_recv };
/// One buffer and stream of each GPU, which is rank 0, 1, … in their order. All work in place: of n ranks, rank r has
/// part r of n of its buffer before an all_gather, and after a reduce_scatter. Rank 0 sends to all others in a
/// broadcast, to the one other in a send_recv.
struct CollectiveAction {
    std::vector<Index> buffers, streams;
    CollectiveKind kind = CollectiveKind::all_reduce;
    bool operator==(const CollectiveAction&) const = default;
};
struct FaultAction {
    Index stream;
    bool operator==(const FaultAction&) const = default;
};
/// Goes on at instruction `target` of the same thread if `condition` is 0 or empty.
struct BranchAction {
    ValueCode condition;
    Index target;
    bool operator==(const BranchAction&) const = default;
};

// An action's streams are its fields `stream` or `streams`: drop_unused_streams() renumbers these.
using Action = std::variant<KernelAction, CopyAction, MemsetAction, CpuAction, ReadAction, WriteAction, RecordAction,
    WaitAction, SyncDeviceAction, SyncStreamAction, SyncEventAction, RangeBeginAction, RangeEndAction, PutAction,
    GetAction, JoinAction, AllocAction, FreeAction, CaptureBeginAction, CaptureEndAction, LaunchAction,
    CollectiveAction, FaultAction, BranchAction>;

struct Instruction {
    Action action;
    Index step;  ///< into Program::steps
};

struct ThreadProgram {
    std::string name;  ///< "main", "loader.1"
    std::vector<Instruction> instructions;
};

/// A step in the workload's file; it may yield many instructions.
struct StepInfo {
    std::string kind;  ///< "kernel", "copy", …
    std::string label;  ///< one line, for display: "copy y.0 -> y_cpu.0 on copy"
    std::uint32_t line;  ///< in the workload's file, from 1
    std::uint32_t column;  ///< from 1
    std::uint32_t pytorch_line = 0;  ///< in code.pytorch, from 1; 0: none
    std::uint32_t cuda_line = 0;  ///< in code.cuda, from 1; 0: none
};

struct Program {
    std::string workload, variant;  ///< names; variant "" if the workload has none
    std::string file;  ///< of the workload, for messages
    std::vector<BufferElement> buffers;
    std::vector<StreamSpec> streams;  ///< those that are used, including reserved ones
    std::vector<std::string> events, graphs;
    std::vector<QueueSpec> queues;
    std::vector<ThreadProgram> threads;  ///< threads[0] is the first in the file
    std::vector<StepInfo> steps;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> peers;  ///< GPUs that access one another
    std::uint32_t gpus = 1;  ///< how many it uses: the highest index + 1
    std::uint64_t cache_limit = 0;  ///< bytes that the caching allocator may take of each GPU; 0: no limit
    bool launch_blocking = false;  ///< CUDA_LAUNCH_BLOCKING=1: a launch returns when its kernel is done
    std::string expected_error;  ///< the CUDA error with which the run should end, "cudaErrorIllegalAddress"; "": none
};

}  // namespace lanes
