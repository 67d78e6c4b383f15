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
    cudaMemcpyKind kind;
    MemoryKind from, to;
    bool synchronous;
    auto operator<=>(const PathOfCopy&) const = default;
};

cudaError_t launch_once(const void* function, const Machine& machine, cudaStream_t stream, bool computed)
{
    PlainArgs plain {0, machine.scratch(), nullptr, 0, 0};
    ComputedArgs general {};
    general.scratch = machine.scratch();
    void* parameters[] = {computed ? static_cast<void*>(&general) : static_cast<void*>(&plain)};
    return cudaLaunchKernel(function, dim3(1), dim3(kernel_threads), parameters, 0, stream);
}

void copy_once(const CopyOp& copy, cudaStream_t stream)
{
    auto* const to = static_cast<std::byte*>(copy.to->load());
    const auto* const from = static_cast<const std::byte*>(copy.from->load());
    if (to == nullptr || from == nullptr) {
        return;  // an `alloc` step makes it
    }
    check(copy.synchronous_call ? cudaMemcpy(to + copy.offset, from + copy.offset, copy.bytes, copy.kind)
                                : cudaMemcpyAsync(to + copy.offset, from + copy.offset, copy.bytes, copy.kind, stream),
        "a copy failed before the run");
}

}  // namespace

void warm_up(const Program& program, const Machine& machine, const std::vector<ThreadCode>& threads)
{
    std::set<std::pair<cudaStream_t, const void*>> kernels;
    std::map<PathOfCopy, const Op*> copies;
    bool pool = false;
    for (std::size_t t = 0; t < threads.size(); ++t) {
        const auto& code = threads[t];
        for (std::size_t i = 0; i < code.ops.size(); ++i) {
            const Op& op = code.ops[i];
            if (op.code == OpCode::plain_kernel && kernels.emplace(op.stream, op.kernel.function).second) {
                check(launch_once(op.kernel.function, machine, op.stream, false), "cannot launch a kernel");
            } else if (op.code == OpCode::computed_kernel
                && kernels.emplace(op.stream, code.kernels[op.extra].function).second) {
                check(launch_once(code.kernels[op.extra].function, machine, op.stream, true), "cannot launch a kernel");
            } else if (op.code == OpCode::copy) {
                const auto& action = std::get<CopyAction>(program.threads[t].instructions[i].action);
                const auto*& largest = copies[{op.stream, op.copy.kind, program.buffers[action.from].memory,
                    program.buffers[action.to].memory, op.copy.synchronous_call}];
                if (largest == nullptr || largest->copy.bytes < op.copy.bytes) {
                    largest = &op;
                }
            } else if (op.code == OpCode::memset) {
                if (auto* const to = static_cast<std::byte*>(op.memset.to->load())) {
                    check(cudaMemsetAsync(to + op.memset.offset, 0, op.memset.bytes, op.stream), "cannot set memory");
                }
            } else if (op.code == OpCode::record) {
                check(cudaEventRecord(op.event, op.stream), "cannot record an event");
                check(cudaStreamWaitEvent(op.stream, op.event, 0), "cannot wait for an event");
            } else if (op.code == OpCode::alloc) {
                pool |= op.memory.pooled;
            }
        }
    }
    for (const auto& [path, op] : copies) {
        copy_once(op->copy, path.stream);
    }
    if (pool) {
        void* memory = nullptr;
        check(cudaMallocAsync(&memory, 1U << 20, nullptr), "cannot allocate from the pool");
        check(cudaFreeAsync(memory, nullptr), "cannot free to the pool");
    }
    nvtxRangePushA("warm-up");
    nvtxRangePop();
    check(cudaDeviceSynchronize(), "the GPU failed before the run");
}

cudaError_t warm_up_thread(const Machine& machine, const ThreadCode& code)
{
    cudaError_t error = cudaSetDevice(machine.gpu());
    std::set<cudaStream_t> streams;
    for (const Op& op : code.ops) {
        if (error == cudaSuccess && (op.code == OpCode::plain_kernel || op.code == OpCode::copy)
            && streams.insert(op.stream).second) {
            error = launch_once(plain_kernel(KernelWork::fma), machine, op.stream, false);
        }
    }
    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

}  // namespace lanes
