// SPDX-License-Identifier: MIT
// The kernels that workloads launch: real work of three kinds, then the write of
// their outputs. Everything is by value in the launch's parameters, so a launch
// reads nothing from the host later.
//
// `work` counts what the kernel does before it writes:
//   spin    clock cycles that every block waits
//   fma     rounds of fma_per_round fused multiply-adds that fma_threads of each block do
//   memory  16-byte words of the scratch buffer read and written, by all threads together
#pragma once

#include "engine/workload/value_code.h"

#include <cstdint>

namespace lanes {

inline constexpr unsigned kernel_threads = 256;  ///< of a block: 8 blocks fill an SM of 2048 thread slots
inline constexpr unsigned fma_threads = 64;  ///< threads of a block that compute; the others only hold their slots
inline constexpr unsigned fma_per_round = 8;
inline constexpr unsigned memory_bytes_per_unit = 32;  ///< 16 read, 16 written
inline constexpr unsigned most_buffers = 16;  ///< the most that one kernel writes, or loads values from

/// The memory over which the memory kernels stream; `units` is a power of two, larger than any L2.
struct Scratch {
    void* data;
    std::uint64_t units;  ///< of 16 bytes
    std::uint64_t start = 0;  ///< the unit that a launch begins with; after the last unit the first follows
};

/// For a kernel that writes a number known to the host into at most one buffer.
struct PlainArgs {
    std::uint64_t work;
    Scratch scratch;
    std::uint64_t* output;  ///< null: writes nothing
    std::uint64_t words;
    std::uint64_t value;  ///< bits of the double
};

/// Here the blocks of one kernel agree on a value that is computed from buffers it may overwrite:
/// the first block to arrive computes it, the others wait for it before they write. All 0 between launches.
struct ValueCell {
    std::uint64_t value;
    unsigned arrived, ready, left, reserved;
};

/// One item of a ValueCode in GPU memory. `slot` numbers the loaded buffers of one kernel.
struct ValueItem {
    double number;
    std::uint32_t slot;
    ValueCode::Op op;
};

struct ComputedArgs {
    std::uint64_t work;
    Scratch scratch;
    std::uint64_t* output[most_buffers];
    std::uint64_t words[most_buffers];
    const std::uint64_t* load[most_buffers];
    std::uint32_t outputs;
    std::uint32_t items;  ///< 0: `value` itself is written
    const ValueItem* code;  ///< in GPU memory
    ValueCell* cell;  ///< in GPU memory
    std::uint64_t value;
};

/// Functions for cudaLaunchKernel: arguments {PlainArgs*}, {ComputedArgs*} and {} for the one that faults.
const void* plain_kernel(KernelWork work);
const void* computed_kernel(KernelWork work);
const void* faulting_kernel();

}  // namespace lanes
