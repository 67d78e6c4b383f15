// SPDX-License-Identifier: MIT
// The memory that a Program's buffers take, for a runner to hold against what there is.
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

}  // namespace lanes
