// SPDX-License-Identifier: MIT
// A double of the CUDA runtime and of the runner's kernels, in host memory: what a
// stream is given is done when something waits for it, in the order of the calls. It
// proves what the runner asks for and what it does with the answers, never CUDA.
#pragma once

#include <cuda_runtime.h>
#include <mutex>
#include <string>
#include <vector>

namespace cuda_double {

struct State {
    std::recursive_mutex mutex;
    std::vector<std::string> calls;  ///< names, in order; only while `log` is set
    bool log = false;
    std::vector<double> kernel_ns;  ///< of each kernel that ran, in order
    bool faulted = false;  ///< a faulting kernel ran: every call fails from then on
    std::size_t free_memory = 64ULL << 30U;
    std::string fail_call;  ///< this call fails …
    int fail_after = 0;  ///< … after so many that do not
};

State& state();

/// As at the program's start.
void reset();

}  // namespace cuda_double
