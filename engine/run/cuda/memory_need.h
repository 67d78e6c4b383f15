// SPDX-License-Identifier: MIT
// Does the machine have the memory that a program needs? Asked before anything is allocated.
#pragma once

#include "engine/workload/program.h"

namespace lanes {

/// Throws WorkloadError, at the step that first uses the largest buffer, when the program's buffers need more
/// than a GPU has left (`gpu_free` bytes, by GPU; `overhead` bytes are the runner's own) or more host memory
/// than the machine has.
void check_memory_need(const Program& program, const std::vector<std::uint64_t>& gpu_free, std::uint64_t overhead);

/// Bytes of host memory that could be had now, from /proc/meminfo; 0: unknown.
std::uint64_t free_host_memory();

}  // namespace lanes
