// SPDX-License-Identifier: MIT
// Runs each path of a program once before its timed part, so that nothing in it is
// the first of its kind: kernels loaded, streams given their channels, staging
// buffers and pools made.
#pragma once

#include "engine/run/cuda/ops.h"

namespace lanes {

/// On each stream: every kernel function that it will run and the largest copy of each direction and memory
/// kind. On each event one record, on the pool one allocation. Buffers are written: reset them afterwards.
/// Throws CudaError.
void warm_up(const Program& program, const Machine& machine, const std::vector<ThreadCode>& threads);

/// What a thread's first call would set up for it: to be called on the thread.
cudaError_t warm_up_thread(const Machine& machine, const ThreadCode& code);

}  // namespace lanes
