// SPDX-License-Identifier: MIT
// How much of a GPU a kernel takes: from its grid and block, its registers and its shared memory.
#pragma once

#include "engine/trace/trace.h"

namespace lanes {

/// What a multiprocessor holds, from Volta's to Blackwell's data centre GPUs (CUDA C++ Programming Guide, technical
/// specifications by compute capability); others hold fewer threads and blocks, so that a kernel takes more of them.
struct Multiprocessor {
    static constexpr std::uint64_t threads = 2048, blocks = 32, registers = 65'536, shared_bytes = 228 * 1024;
    /// Registers are given out to warps by this many, and each block keeps 1 KiB of shared memory for the driver.
    static constexpr std::uint64_t register_unit = 256, block_shared_bytes = 1024;
};

/// The part of the GPU's room for blocks that the whole grid takes, 1 at most: 1 where the GPU's number of
/// multiprocessors is not known (0).
double share_of_gpu(const KernelDetail& kernel, std::uint32_t multiprocessors);

}  // namespace lanes
