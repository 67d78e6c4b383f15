// SPDX-License-Identifier: MIT
// How much of a GPU a kernel takes: from its grid and block, its registers and its shared memory.
#pragma once

#include "engine/trace/trace.h"

namespace lanes {

/// What a multiprocessor holds, from Volta's to Blackwell's data centre GPUs (CUDA C++ Programming Guide, technical
/// specifications by compute capability); others hold fewer threads and blocks, so that a kernel takes more of them.
struct Multiprocessor {
    static constexpr std::uint64_t threads = 2048, blocks = 32, registers = 65'536,
                                   shared_bytes = std::uint64_t {228} * 1024;
    /// Registers are given out to warps by this many, and each block keeps 1 KiB of shared memory for the driver.
    static constexpr std::uint64_t register_unit = 256, block_shared_bytes = 1024;
};

/// The part of the GPU's room for blocks that the whole grid takes, 1 at most: 1 where the GPU's number of
/// multiprocessors is not known (0).
double share_of_gpu(const KernelDetail& kernel, std::uint32_t multiprocessors);

/// How many times as long the kernel takes while `guest` runs beside it, 1 or more. A guest for whose blocks there is
/// room, on multiprocessors that the kernel leaves free or beside its blocks, costs nothing; another one takes a
/// multiprocessor for each of its blocks, and what is left has so many more blocks each. (Measured on two H200: a
/// matrix product of 128 blocks, one a multiprocessor, takes 172 us alone and 333 us beside NCCL's 24 blocks.) 1 where
/// the GPU's number of multiprocessors, or a grid, is not known.
double longer_beside(const KernelDetail& kernel, const KernelDetail& guest, std::uint32_t multiprocessors);

}  // namespace lanes
