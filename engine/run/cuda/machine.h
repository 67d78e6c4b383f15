// SPDX-License-Identifier: MIT
// Everything of CUDA that a program needs, made before its timed part: context,
// buffers with their pages touched, streams, events, scratch memory.
//
// Invariant: handles and slots stay where they are until the Machine goes. Only
// `alloc` and `free` steps change a slot, each on the thread that runs them.
#pragma once

#include "engine/run/cuda/kernels.h"
#include "engine/workload/program.h"

#include <atomic>
#include <cuda_runtime.h>
#include <memory>
#include <vector>

namespace lanes {

/// Where a buffer lies; null while an `alloc` step has not run.
using Slot = std::atomic<void*>;

class Machine {
public:
    /// Makes the context on `gpu` and allocates. Throws WorkloadError when the program needs more memory or
    /// GPUs than there are, CudaError when CUDA fails. Cost: page by page, about 0.5 s a GiB of pinned memory.
    Machine(const Program& program, int gpu);
    ~Machine();
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    int gpu() const { return m_gpu; }
    Slot* slot(Index buffer) const { return &m_slots[buffer]; }
    cudaStream_t stream(Index stream) const { return m_streams[stream]; }
    cudaEvent_t event(Index event) const { return m_events[event]; }
    Scratch scratch() const { return m_scratch; }
    const cudaDeviceProp& properties() const { return m_properties; }
    /// Blocks of one wave of this kernel function that fills every thread slot.
    std::uint32_t full_wave(const void* function) const;

    /// GPU memory that lives as long as the Machine, holding a copy of `bytes` bytes at `data`, or zeros.
    void* keep_on_gpu(const void* data, std::size_t bytes);

    /// Allocates and frees as an `alloc` or `free` step does; `stream` is used where the buffer has one.
    cudaError_t allocate(Index buffer, const cudaStream_t* stream);
    cudaError_t release(Index buffer, const cudaStream_t* stream);

    /// Every buffer holds its initial value again and the GPU is idle. Touches every page.
    void reset_buffers();

private:
    void check_memory() const;
    void make_streams();

    const Program& m_program;
    int m_gpu;
    cudaDeviceProp m_properties {};
    std::unique_ptr<Slot[]> m_slots;
    std::vector<cudaStream_t> m_streams;
    std::vector<cudaEvent_t> m_events;
    std::vector<void*> m_kept;
    Scratch m_scratch {};
};

/// Bytes as allocated: whole 8-byte words.
inline std::uint64_t allocated_bytes(const BufferElement& buffer)
{
    return (buffer.bytes + 7) / 8 * 8;
}

}  // namespace lanes
