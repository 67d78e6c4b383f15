// SPDX-License-Identifier: MIT
// Ends a run with collectives when one of its GPUs fails.
//
// A collective waits on its GPUs for one another. If one of them fails, the kernels on the others spin for ever, and
// everything that waits for their streams or GPUs waits with them. CUDA reports the failure only to calls about the GPU
// that failed. So another thread asks. It ends the groups, which makes their kernels return, when a step has failed, or
// when no step has begun for a second and a GPU returns an error.
//
// Invariant: no GPU is asked in a run without groups, or while steps begin at least once a second. Used by one
// thread. Cost of a look: a comparison; a query for each stream once no step begins.
#pragma once

#include "engine/run/cuda/communicators.h"
#include "engine/run/cuda/machine.h"

#include <chrono>
#include <optional>
#include <thread>

namespace lanes {

class FailureWatch {
public:
    FailureWatch(const Machine& machine, Communicators& communicators);
    /// Waits for the end of the groups, if they are being ended.
    ~FailureWatch();
    FailureWatch(const FailureWatch&) = delete;
    FailureWatch& operator=(const FailureWatch&) = delete;

    /// Call it now and then with the number of steps begun so far, and whether one of them has `failed`.
    void look(std::size_t steps, bool failed);

    /// The error of a GPU that failed; cudaErrorUnknown: NCCL's, see text(); cudaSuccess: none failed.
    cudaError_t error() const { return m_error; }
    const std::string& text() const { return m_text; }
    /// True if the groups were ended long ago: what still runs will never end.
    bool is_hopeless() const;

private:
    using Clock = std::chrono::steady_clock;

    const Machine& m_machine;
    Communicators& m_communicators;
    std::size_t m_steps = 0;
    Clock::time_point m_since = Clock::now();  // m_steps has not changed since then
    cudaError_t m_error = cudaSuccess;
    std::string m_text;
    std::optional<Clock::time_point> m_ended;
    std::thread m_ending;  // NCCL may take long, or not return if the driver does not
};

}  // namespace lanes
