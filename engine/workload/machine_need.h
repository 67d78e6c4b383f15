// SPDX-License-Identifier: MIT
// What a Program needs of the machine that is to run it, and whether the machine has it.
#pragma once

#include "engine/workload/program.h"

#include <cstdint>
#include <vector>

namespace lanes {

/// Bytes. What `alloc` steps allocate counts as if it were there all the time.
struct MemoryNeeded {
    std::vector<std::uint64_t> gpu;  ///< by index, Program::gpus of them
    std::uint64_t pageable = 0, pinned = 0;
};
MemoryNeeded memory_needed(const Program& program);

/// The GPU whose work an action is, no_id if of none.
std::uint32_t gpu_of(const Program& program, const Action& action);

/// Throws WorkloadError, at the first step of a GPU that is not there, where the program uses more GPUs than `have`.
/// `machine` is for the message: "this machine".
void check_gpus(const Program& program, std::uint32_t have, const std::string& machine);

/// Bytes that a machine has.
struct MemoryFree {
    std::vector<std::uint64_t> gpu;  ///< by GPU
    std::uint64_t overhead = 0;  ///< of each GPU that the runner takes for itself
    std::uint64_t host = 0;  ///< 0: unknown
};
/// Throws WorkloadError, at the step that first uses the largest buffer, where the program's buffers need more.
void check_memory(const Program& program, const MemoryFree& free);

}  // namespace lanes
