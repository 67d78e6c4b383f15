// SPDX-License-Identifier: MIT
// A thread of a program as it runs: a flat array of small plain operations with every handle, pointer and text
// resolved, so that only a switch and a few stores are between two CUDA calls.
#pragma once

#include "engine/run/cuda/communicators.h"
#include "engine/run/cuda/expected_contents.h"
#include "engine/run/cuda/kernels.h"
#include "engine/run/cuda/slot.h"
#include "engine/workload/check_memory.h"

#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

namespace lanes {

enum class OpCode : std::uint8_t {
    plain_kernel,
    computed_kernel,
    copy,
    memset,
    cpu_spin,
    cpu_sleep,
    cpu_memcpy,
    read,
    write,
    record,
    wait,
    sync_device,
    sync_stream,
    sync_event,
    range_begin,
    range_end,
    put,
    get,
    join,
    alloc,
    free,
    capture_begin,
    capture_end,
    launch_graph,
    collective,
    fault,
    branch,
};

/// Kinds of operations whose first one sets something up. That is done once before the timed part (warm_up.h).
enum class WarmUpOf : std::uint8_t {
    nothing,
    plain_kernel,
    computed_kernel,
    copy,
    memset,
    event,
    pool,
    graph,
    collective
};

/// What the code of an operation alone says.
struct OpFacts {
    WarmUpOf warm_up = WarmUpOf::nothing;
    bool calls_cuda = true;
    bool waits = false;  ///< its thread always waits for a GPU; for a copy or memset, the operation says it
};

constexpr OpFacts facts_of(OpCode code)
{
    switch (code) {
    case OpCode::plain_kernel:
        return {.warm_up = WarmUpOf::plain_kernel};
    case OpCode::computed_kernel:
        return {.warm_up = WarmUpOf::computed_kernel};
    case OpCode::copy:
        return {.warm_up = WarmUpOf::copy};
    case OpCode::memset:
        return {.warm_up = WarmUpOf::memset};
    case OpCode::record:
        return {.warm_up = WarmUpOf::event};
    case OpCode::alloc:
        return {.warm_up = WarmUpOf::pool};
    case OpCode::launch_graph:
        return {.warm_up = WarmUpOf::graph};
    case OpCode::collective:
        return {.warm_up = WarmUpOf::collective};
    case OpCode::wait:
    case OpCode::free:
    case OpCode::capture_begin:
    case OpCode::capture_end:
    case OpCode::fault:
        return {};
    case OpCode::sync_device:
    case OpCode::sync_stream:
    case OpCode::sync_event:
        return {.waits = true};
    case OpCode::cpu_spin:
    case OpCode::cpu_sleep:
    case OpCode::cpu_memcpy:
    case OpCode::read:
    case OpCode::write:
    case OpCode::range_begin:
    case OpCode::range_end:
    case OpCode::put:
    case OpCode::get:
    case OpCode::join:
    case OpCode::branch:
        return {.calls_cuda = false};
    }
    return {};
}

struct PlainKernelOp {
    const void* function;
    const Slot* output;  ///< null: writes nothing
    PlainArgs args;
    SegmentSpan expected;
    std::uint32_t blocks;
    bool numbered;  ///< writes a unique number; else args.value
};
struct CopyOp {
    const Slot *from, *to;
    std::uint64_t offset, bytes;
    std::uint32_t expected_from;
    SegmentSpan expected_to;
    cudaMemcpyKind kind;
    bool synchronous_call;  ///< cudaMemcpy
    std::int8_t from_device, to_device;  ///< for a copy between GPUs, by cudaMemcpyPeerAsync; else -1
};
struct MemsetOp {
    const Slot* to;
    std::uint64_t offset, bytes;
    SegmentSpan expected;
    int value;
};
struct CpuOp {
    Ns time;
    std::uint64_t bytes;
    StringId name;
    const Slot *from, *to;  ///< of a memcpy between buffers, else null
    std::uint32_t expected_from;
    SegmentSpan expected_to;
};
struct WriteOp {
    const Slot* to;
    std::uint64_t words, word;
    SegmentSpan expected;
    StringId name;
};
struct QueueOp {
    Index target;  ///< queue, or thread of a join
    StringId name;
};

struct MemoryOp {
    Index buffer;
    bool pooled;  ///< from the stream's pool
};

inline constexpr std::uint8_t any_gpu = 255;

struct Op {
    OpCode code;
    bool blocking;  ///< cudaStreamSynchronize follows
    bool captured;  ///< goes into the graph that its thread captures
    std::uint8_t gpu;  ///< must be the thread's current device; any_gpu: no matter which
    Index step;  ///< into Program::steps
    cudaStream_t stream;
    union {
        PlainKernelOp kernel;
        Index extra;  ///< computed_kernel, read, branch, collective: into ThreadCode's vectors
        CopyOp copy;
        MemsetOp memset;
        CpuOp cpu;
        WriteOp write;
        cudaEvent_t event;
        Index graph;
        const char* text;  ///< range_begin
        QueueOp queue;
        MemoryOp memory;
    };
};

struct ComputedKernel {
    const void* function;
    std::uint32_t blocks;
    ComputedArgs args;
    std::vector<const Slot*> outputs, loads;
    std::vector<SegmentSpan> expected;
    std::vector<ValueItem> items;  ///< the host's copy, to compute what to expect
    std::vector<Index> load_buffers;
};
struct CollectiveOp {
    /// What of the buffers holds the sum of what afterwards: CollectivePart in segments.
    struct Sum {
        std::vector<SegmentSpan> from, to;
    };
    CollectiveKind kind;
    Communicators::Group group;
    std::vector<const Slot*> data;  ///< of each rank
    std::vector<cudaStream_t> streams;
    std::uint64_t words;  ///< of each buffer
    std::vector<Sum> sums;
};
struct ReadOp {
    std::vector<Index> buffers;
    StringId name;
    std::uint32_t expect_stale;
    std::uint64_t bytes;
};
struct BranchOp {
    std::vector<ValueItem> items;  ///< empty: always goes to `target`
    std::vector<const Slot*> loads;
    Index target;
};

struct ThreadCode {
    std::vector<Op> ops;
    std::vector<ComputedKernel> kernels;
    std::vector<ReadOp> reads;
    std::vector<BranchOp> branches;
    std::vector<CollectiveOp> collectives;
    std::vector<BuffersNeeded> needs;  ///< one for each op; empty: compile() has checked them
    std::uint64_t memcpy_bytes = 0;  ///< most that a `cpu: {memcpy}` step of the thread moves that has no buffers
    bool jumps_back = false;  ///< the number of operations it will run is unknown
};

}  // namespace lanes
