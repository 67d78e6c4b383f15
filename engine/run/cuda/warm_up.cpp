// SPDX-License-Identifier: MIT
#include "engine/run/cuda/warm_up.h"

#include "engine/run/cuda/cuda_check.h"

#include <map>
#include <nvtx3/nvToolsExt.h>
#include <set>
#include <tuple>

namespace lanes {

namespace {

struct PathOfCopy {
    cudaStream_t stream;
    std::uint8_t gpu;  ///< of the stream: it alone distinguishes default streams
    cudaMemcpyKind kind;
    MemoryKind from, to;
    bool synchronous;
    std::int8_t from_device, to_device;
    auto operator<=>(const PathOfCopy&) const = default;
};

cudaError_t launch_once(const void* function, Scratch scratch, cudaStream_t stream, bool computed)
{
    PlainArgs plain {0, scratch, nullptr, 0, 0};
    ComputedArgs general {};
    general.scratch = scratch;
    void* parameters[] = {computed ? static_cast<void*>(&general) : static_cast<void*>(&plain)};
    return cudaLaunchKernel(function, dim3(1), dim3(kernel_threads), parameters, 0, stream);
}

/// Warms up everything that does not belong to a thread.
class WarmUp {
public:
    WarmUp(const Program& program, const Machine& machine, Communicators& communicators)
        : m_program(program)
        , m_machine(machine)
        , m_communicators(communicators)
    {
    }

    void run(const std::vector<ThreadCode>& threads)
    {
        for (std::size_t t = 0; t < threads.size(); ++t) {
            for (std::size_t i = 0; i < threads[t].ops.size(); ++i) {
                const Op& op = threads[t].ops[i];
                if (op.gpu != any_gpu) {
                    check(m_machine.use(op.gpu), "cannot use the GPU");
                }
                take(op, threads[t], m_program.threads[t].instructions[i].action);
            }
        }
        for (const auto& [path, op] : m_copies) {
            check(m_machine.use(op->gpu), "cannot use the GPU");
            copy_once(op->copy, path.stream);
        }
        fill_pools();
        nvtxRangePushA("warm-up");
        nvtxRangePop();
        check(m_machine.synchronize(), "the GPU failed before the run");
    }

private:
    void take(const Op& op, const ThreadCode& code, const Action& action)
    {
        switch (facts_of(op.code).warm_up) {
        case WarmUpOf::nothing:
            return;
        case WarmUpOf::plain_kernel:
            return launch_once_on(op, op.kernel.function, false);
        case WarmUpOf::computed_kernel:
            return launch_once_on(op, code.kernels[op.extra].function, true);
        case WarmUpOf::copy: {
            const auto& copy = std::get<CopyAction>(action);
            const auto*& largest = m_copies[{op.stream, op.gpu, op.copy.kind, m_program.buffers[copy.from].memory,
                m_program.buffers[copy.to].memory, op.copy.synchronous_call, op.copy.from_device, op.copy.to_device}];
            if (largest == nullptr || largest->copy.bytes < op.copy.bytes) {
                largest = &op;
            }
            return;
        }
        case WarmUpOf::memset:
            if (auto* const to = static_cast<std::byte*>(op.memset.to->load())) {
                check(cudaMemsetAsync(to + op.memset.offset, 0, op.memset.bytes, op.stream), "cannot set memory");
            }
            return;
        case WarmUpOf::event:
            check(cudaEventRecord(op.event, op.stream), "cannot record an event");
            check(cudaStreamWaitEvent(op.stream, op.event, 0), "cannot wait for an event");
            return;
        case WarmUpOf::pool:
            if (op.memory.pooled && !m_program.buffers[op.memory.buffer].cached) {
                m_pooled.try_emplace(op.memory.buffer, &op);
            }
            return;
        case WarmUpOf::graph:
            if (m_graphs.emplace(op.stream, op.gpu).second) {
                launch_small_graph(op);
            }
            return;
        case WarmUpOf::collective:
            communicate_once(code.collectives[op.extra]);
            return;
        }
    }

    void launch_once_on(const Op& op, const void* function, bool computed)
    {
        if (m_kernels.emplace(op.stream, op.gpu, function).second) {
            check(launch_once(function, m_machine.scratch(op.gpu), op.stream, computed), "cannot launch a kernel");
        }
    }

    static void copy_once(const CopyOp& copy, cudaStream_t stream)
    {
        auto* const to = static_cast<std::byte*>(copy.to->load());
        const auto* const from = static_cast<const std::byte*>(copy.from->load());
        if (to == nullptr || from == nullptr) {
            return;  // an `alloc` step makes it
        }
        cudaError_t error = cudaSuccess;
        if (copy.synchronous_call) {
            error = cudaMemcpy(to + copy.offset, from + copy.offset, copy.bytes, copy.kind);
        } else if (copy.to_device >= 0) {
            error = cudaMemcpyPeerAsync(
                to + copy.offset, copy.to_device, from + copy.offset, copy.from_device, copy.bytes, stream);
        } else {
            error = cudaMemcpyAsync(to + copy.offset, from + copy.offset, copy.bytes, copy.kind, stream);
        }
        check(error, "a copy failed before the run");
    }

    // All at once, so that the pool never has to ask the driver for more.
    void fill_pools()
    {
        std::vector<std::pair<void*, const Op*>> taken;
        for (const auto& [buffer, op] : m_pooled) {
            void* memory = nullptr;
            check(m_machine.use(op->gpu), "cannot use the GPU");
            check(cudaMallocAsync(&memory, allocated_bytes(m_program.buffers[buffer]), op->stream),
                "cannot allocate from the pool");
            taken.emplace_back(memory, op);
        }
        for (const auto& [memory, op] : taken) {
            check(m_machine.use(op->gpu), "cannot use the GPU");
            check(cudaFreeAsync(memory, op->stream), "cannot free to the pool");
        }
    }

    void launch_small_graph(const Op& op)
    {
        cudaStream_t own = nullptr;
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t exec = nullptr;
        check(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking), "cannot make a stream");
        check(cudaStreamBeginCapture(own, cudaStreamCaptureModeThreadLocal), "cannot capture a graph");
        const auto launched = launch_once(plain_kernel(KernelWork::fma), m_machine.scratch(op.gpu), own, false);
        check(cudaStreamEndCapture(own, &graph), "cannot capture a graph");
        check(launched, "cannot capture a kernel");
        check(cudaGraphInstantiate(&exec, graph, 0), "cannot instantiate a graph");
        check(cudaGraphLaunch(exec, op.stream), "cannot launch a graph");
        check(cudaStreamSynchronize(op.stream), "a graph failed before the run");
        cudaGraphExecDestroy(exec);
        cudaGraphDestroy(graph);
        cudaStreamDestroy(own);
    }

    // NCCL sets up its rings with the first call of a size that needs them.
    void communicate_once(const CollectiveOp& collective)
    {
        if (!m_communicated.emplace(collective.kind, collective.group, collective.streams, collective.words).second) {
            return;
        }
        std::vector<void*> data;
        for (const Slot* const slot : collective.data) {
            data.push_back(slot->load());
            if (data.back() == nullptr) {
                return;  // an `alloc` step makes it
            }
        }
        if (const auto error = m_communicators.communicate(
                collective.kind, collective.group, data, collective.words, collective.streams);
            !error.empty()) {
            throw std::runtime_error("a collective failed before the run: " + error);
        }
    }

    const Program& m_program;
    const Machine& m_machine;
    Communicators& m_communicators;
    std::set<std::tuple<cudaStream_t, std::uint8_t, const void*>> m_kernels;
    std::set<std::pair<cudaStream_t, std::uint8_t>> m_graphs;
    std::set<std::tuple<CollectiveKind, Communicators::Group, std::vector<cudaStream_t>, std::uint64_t>> m_communicated;
    std::map<PathOfCopy, const Op*> m_copies;
    std::map<Index, const Op*> m_pooled;
};

}  // namespace

void warm_up(const Program& program, const Machine& machine, Communicators& communicators,
    const std::vector<ThreadCode>& threads)
{
    WarmUp(program, machine, communicators).run(threads);
}

cudaError_t warm_up_thread(const Machine& machine, const ThreadCode& code)
{
    cudaError_t error = machine.use(0);
    std::set<std::pair<cudaStream_t, std::uint8_t>> streams;
    for (const Op& op : code.ops) {
        if (error == cudaSuccess && (op.code == OpCode::plain_kernel || op.code == OpCode::copy)
            && streams.emplace(op.stream, op.gpu).second) {
            error = machine.use(op.gpu);
            if (error == cudaSuccess) {
                error = launch_once(plain_kernel(KernelWork::fma), machine.scratch(op.gpu), op.stream, false);
            }
        }
    }
    return error == cudaSuccess ? machine.synchronize() : error;
}

}  // namespace lanes
