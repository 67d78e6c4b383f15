// SPDX-License-Identifier: MIT
// Runs each path of a program once before its timed part, so that nothing in that part is the first of its kind.
// Afterwards kernels are loaded, streams have their channels, and staging buffers, pools and rings between GPUs are
// made.
#pragma once

#include "engine/run/cuda/machine.h"
#include "engine/run/cuda/ops.h"

namespace lanes {

/// On each stream: every kernel function that it will run, the largest copy of each direction and memory kind, and a
/// small graph if it launches one. On each event: one record. From each pool: all that the program takes. Also each
/// collective. Buffers are written: reset them afterwards. Leaves GPU 0 current. Throws CudaError, for NCCL
/// std::runtime_error.
void warm_up(const Program& program, const Machine& machine, Communicators& communicators,
    const std::vector<ThreadCode>& threads);

/// Sets up what a thread's first call would set up; to be called on that thread. Leaves GPU 0 current.
cudaError_t warm_up_thread(const Machine& machine, const ThreadCode& code);

}  // namespace lanes
