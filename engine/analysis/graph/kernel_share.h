// SPDX-License-Identifier: MIT
// How much of a GPU a kernel takes (sm_room.h), and what kernels that run beside each other take from each other.
#pragma once

#include "engine/analysis/facts/sm_room.h"
#include "engine/trace/trace.h"

namespace lanes {

/// The part of the GPU's room for blocks that the whole grid takes, 1 at most: 1 where the GPU's number of SMs, or the
/// grid, is not known.
double share_of_gpu(const KernelDetail& kernel, const GpuRoom& gpu);

/// How many times as long the kernel takes while `guest` runs beside it, 1 or more. A guest for whose blocks there is
/// room, on SMs that the kernel leaves free or beside its blocks, costs nothing; another one takes an SM for each of
/// its blocks, and the SMs that are left have more blocks each. (Measured on two H200: a matrix product of 128 blocks,
/// one an SM, takes 172 us alone and 333 us beside NCCL's 24 blocks.) 1 where the GPU's number of SMs, or a grid, is
/// not known.
double longer_beside(const KernelDetail& kernel, const KernelDetail& guest, const GpuRoom& gpu);

}  // namespace lanes
