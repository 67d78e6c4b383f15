// SPDX-License-Identifier: MIT
// Runs the operations of one thread. Between two CUDA calls there are one time
// stamp (about 25 ns), a switch, and the stores that follow what buffers hold.
#pragma once

#include "engine/run/cuda/coordination.h"
#include "engine/run/cuda/ops.h"
#include "engine/run/cuda/step_log.h"

#include <memory>

namespace lanes {

/// Why a thread stopped before its end.
struct ThreadFailure {
    cudaError_t code = cudaSuccess;
    Index step = no_id;
    Ns time = 0;
};

/// Now on the CLOCK_REALTIME axis, ns.
Ns realtime_now();

class ThreadRun {
public:
    ThreadRun(const ThreadCode& code, Index thread, Machine& machine, ExpectedContents& expected,
        std::atomic<std::uint64_t>& numbers, Coordination& coordination);

    /// Runs to the end, to the first error or to the stop. Leaves the calling thread's records in the logs.
    void run();

    const ThreadFailure& failure() const { return m_failure; }
    StepLog& steps() { return m_steps; }
    /// Drained once the thread has ended.
    std::vector<HostSpanRecord> spans;
    std::vector<ReadRecord> reads;

private:
    cudaError_t run_op(const Op& op);
    cudaError_t launch(const PlainKernelOp& kernel, cudaStream_t stream);
    cudaError_t launch(const ComputedKernel& kernel, cudaStream_t stream);
    cudaError_t copy(const Op& op);
    cudaError_t memset(const Op& op);
    void host_work(const Op& op);
    void host_wait(const Op& op);
    void read(const ReadOp& read);
    bool holds(const BranchOp& branch) const;

    const ThreadCode& m_code;
    Index m_thread;
    Machine& m_machine;
    ExpectedContents& m_expected;
    std::atomic<std::uint64_t>& m_numbers;  ///< the last number that a kernel of any thread got
    Coordination& m_coordination;
    StepLog m_steps;
    std::vector<std::byte> m_memcpy_from, m_memcpy_to;
    std::uint32_t m_process, m_os_thread = 0;
    std::size_t m_next = 0;
    ThreadFailure m_failure;
};

}  // namespace lanes
