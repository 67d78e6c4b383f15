// SPDX-License-Identifier: MIT
// Runs the operations of one thread. Between two CUDA calls there are one time stamp (about 25 ns), a switch, and the
// stores that track what buffers hold.
#pragma once

#include "engine/run/cuda/coordination.h"
#include "engine/run/cuda/expected_write.h"
#include "engine/run/cuda/machine.h"
#include "engine/run/cuda/step_log.h"

#include <atomic>
#include <memory>

namespace lanes {

/// Why a thread stopped before its end.
struct ThreadFailure {
    cudaError_t code = cudaSuccess;
    Index step = no_id;
    Ns time = 0;
    std::string text;  ///< NCCL's message, or which buffer is not allocated; "": CUDA's text for the code
};

/// The present time on CLOCK_REALTIME, ns.
Ns realtime_now();

class ThreadRun {
public:
    ThreadRun(const ThreadCode& code, Index thread, Machine& machine, ExpectedContents& expected,
        std::atomic<std::uint64_t>& numbers, Coordination& coordination, Communicators& communicators);

    /// Runs to the end, to the first error or to the stop; GPU 0 must be current. Leaves the calling thread's
    /// records in the logs.
    void run();

    /// Null: none. Any thread may call it while this one runs.
    const ThreadFailure* failure() const { return m_failed.load(std::memory_order_acquire) ? &m_failure : nullptr; }
    StepLog& steps() { return m_steps; }
    /// Once the thread has ended: the end of its last call if that waited, else the end of the thread. On
    /// CLOCK_REALTIME.
    Ns last_call() const;
    /// Drained once the thread has ended.
    std::vector<HostSpanRecord> spans;
    std::vector<ReadRecord> reads;

private:
    /// Whether the buffers are allocated as an operation needs. If not, sets m_failure.
    bool has_its_memory(const BuffersNeeded& needs);
    cudaError_t run_op(const Op& op);
    /// Notes what an operation does to the buffers: now, or with each launch of the graph that it goes into.
    void note(bool captured, const ExpectedWrite& write);
    cudaError_t launch(const PlainKernelOp& kernel, const Op& op);
    cudaError_t launch(const ComputedKernel& kernel, const Op& op);
    cudaError_t begin_capture(const Op& op);
    cudaError_t end_capture(cudaStream_t stream);
    cudaError_t launch_graph(const Op& op);
    cudaError_t communicate(const CollectiveOp& collective, bool captured);
    cudaError_t copy(const Op& op);
    cudaError_t memset(const Op& op);
    void host_work(const Op& op);
    void host_wait(const Op& op);
    void read(const ReadOp& read);
    void write(const WriteOp& write);
    void host_copy(const CpuOp& copy);
    bool holds(const BranchOp& branch) const;

    const ThreadCode& m_code;
    Index m_thread;
    Machine& m_machine;
    ExpectedContents& m_expected;
    std::atomic<std::uint64_t>& m_numbers;  ///< the last number that a kernel of any thread got
    Coordination& m_coordination;
    Communicators& m_communicators;
    StepLog m_steps;
    std::vector<std::byte> m_memcpy_from, m_memcpy_to;
    std::uint32_t m_process, m_os_thread = 0;
    std::size_t m_next = 0;
    Ns m_end = 0;
    std::uint8_t m_gpu = 0;  ///< current
    CapturedGraph* m_capture = nullptr;  ///< the graph into which the thread now captures
    cudaStream_t m_capture_stream = nullptr;
    std::vector<void*> m_rank_data;
    ThreadFailure m_failure;
    std::atomic<bool> m_failed = false;  ///< m_failure does not change any more
};

}  // namespace lanes
