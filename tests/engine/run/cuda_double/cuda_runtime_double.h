// SPDX-License-Identifier: MIT
// A double of the CUDA runtime and of the runner's kernels, in host memory. The work
// of a stream is done when something waits for it, in the order of the calls. It
// tests what the runner asks for and what it does with the answers, never CUDA. Two
// calls fail: a launch on a stream of a device that is not current, and a call that
// makes the host wait while a stream captures.
#pragma once

#include <atomic>
#include <cstdint>
#include <cuda_runtime.h>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace cuda_double {

struct State {
    std::recursive_mutex mutex;
    std::vector<std::string> calls;  ///< names, in order; only while `log` is set
    bool log = false;
    std::vector<double> kernel_ns;  ///< of each kernel that ran, in order
    std::atomic<bool> faulted = false;  ///< a faulting kernel ran: every call fails from then on
    std::size_t free_memory = 64ULL << 30U;
    std::string fail_call;  ///< this call fails …
    int fail_after = 0;  ///< … after this many that succeed
    int devices = 1;
    bool peers_possible = true;
    std::set<std::pair<int, int>> peers;  ///< access that was switched on: which device reaches which memory
    int peer_copies = 0;  ///< calls of cudaMemcpyPeerAsync
    std::atomic<int> aborted_comms = 0;  ///< communicators of NCCL's double that were aborted, not destroyed
    std::uint64_t release_threshold = 0;  ///< of the pools
};

State& state();

/// As at the program's start.
void reset();

}  // namespace cuda_double
