// SPDX-License-Identifier: MIT
// Sees to it that a run with all-reduce ends when one of its GPUs fails.
//
// An all-reduce waits on every GPU for all others: where one of them fails, the kernel on the others spins for
// ever, and with it whoever waits for its stream, its GPU or a thread that does. CUDA tells nobody but who asks
// about the GPU that failed. So another thread looks: once a step has failed, or nothing has gone on for a second
// and a GPU says so when it is asked, the groups are ended, which makes their kernels return.
//
// Invariant: a run without groups, or one whose steps take less than a second, is never asked about. Used by one
// thread. Cost of a look: a comparison; a query for each stream once nothing goes on.
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

    /// To be called every now and then: so many steps were begun, one of them has `failed`.
    void look(std::size_t steps, bool failed);

    /// Of a GPU that had failed when it was asked; cudaErrorUnknown: of NCCL, see text(); cudaSuccess: nothing has.
    cudaError_t error() const { return m_error; }
    const std::string& text() const { return m_text; }
    /// The groups were ended so long ago that what goes on still will not end any more.
    bool is_hopeless() const;

private:
    using Clock = std::chrono::steady_clock;

    const Machine& m_machine;
    Communicators& m_communicators;
    std::size_t m_steps = 0;
    Clock::time_point m_since = Clock::now();  // m_steps has not changed
    cudaError_t m_error = cudaSuccess;
    std::string m_text;
    std::optional<Clock::time_point> m_ended;
    std::thread m_ending;  // NCCL may take its time, or not come back where the driver does not
};

}  // namespace lanes
