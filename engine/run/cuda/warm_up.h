// SPDX-License-Identifier: MIT
// Runs each path of a program once before its timed part, so that nothing in it is
// the first of its kind: kernels loaded, streams given their channels, staging
// buffers, pools and rings between GPUs made.
#pragma once

#include "engine/run/cuda/machine.h"
#include "engine/run/cuda/ops.h"

namespace lanes {

/// On each stream: every kernel function that it will run, the largest copy of each direction and memory kind, a
/// small graph where it launches one. On each event one record, of each pool all that the program takes from it,
/// each all-reduce. Buffers are written: reset them afterwards. Leaves GPU 0 current. Throws CudaError, for NCCL
/// std::runtime_error.
void warm_up(const Program& program, const Machine& machine, Communicators& communicators,
    const std::vector<ThreadCode>& threads);

/// What a thread's first call would set up for it: to be called on the thread. Leaves GPU 0 current.
cudaError_t warm_up_thread(const Machine& machine, const ThreadCode& code);

}  // namespace lanes
