// SPDX-License-Identifier: MIT
// GPUs and memory that a Program needs, and whether a machine has them.
#pragma once

#include "engine/workload/program.h"

#include <cstdint>
#include <vector>

namespace lanes {

/// Bytes. Buffers of `alloc` steps count as if they were allocated all the time.
struct MemoryNeeded {
    std::vector<std::uint64_t> gpu;  ///< by index, Program::gpus of them
    std::uint64_t pageable = 0, pinned = 0;
};
MemoryNeeded memory_needed(const Program& program);

/// Throws WorkloadError if the program uses more than `have` GPUs, at the first step on one that does not exist.
/// `machine` is for the message: "this machine".
void check_gpus(const Program& program, std::uint32_t have, const std::string& machine);

/// Bytes that a machine has.
struct MemoryFree {
    std::vector<std::uint64_t> gpu;  ///< by GPU
    std::uint64_t overhead = 0;  ///< of each GPU, which the runner itself needs
    std::uint64_t host = 0;  ///< 0: unknown
};
/// Throws WorkloadError if the program's buffers need more, at the first use of the largest buffer.
void check_memory(const Program& program, const MemoryFree& free);

}  // namespace lanes
