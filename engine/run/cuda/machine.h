// SPDX-License-Identifier: MIT
// All CUDA objects that a program needs, made before its timed part: contexts,
// buffers with their pages touched, streams, events, access between peers, pools,
// scratch memory.
//
// Invariant: handles and slots stay where they are until the Machine goes. Only
// `alloc` and `free` steps change a slot, each on the thread that runs them, and
// only the end of a capture changes a graph.
//
// GPU g of the program is device (first + g) modulo the machine's. CUDA keeps a
// current device for each thread: callers set it with use().
#pragma once

#include "engine/run/cuda/kernels.h"
#include "engine/run/cuda/slot.h"
#include "engine/workload/caching_allocator.h"
#include "engine/workload/program.h"

#include <array>
#include <atomic>
#include <cuda_runtime.h>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace lanes {

/// What a captured operation does to the buffers each time that its graph is launched.
struct ExpectedWrite;

/// A graph as last captured.
struct CapturedGraph {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    std::vector<ExpectedWrite> writes;
};

class Machine {
public:
    /// Makes the contexts and allocates; GPU 0 is current afterwards. Throws WorkloadError if the program needs more
    /// memory or GPUs than there are, or impossible peers, and CudaError if CUDA fails. Cost:
    /// page by page, about 0.5 s a GiB of pinned memory.
    Machine(const Program& program, int first_gpu);
    ~Machine();
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    std::uint32_t gpus() const { return static_cast<std::uint32_t>(m_gpus.size()); }
    int device(std::uint32_t gpu) const { return m_gpus[gpu].device; }
    /// Makes a GPU of the program the calling thread's current device.
    cudaError_t use(std::uint32_t gpu) const { return cudaSetDevice(m_gpus[gpu].device); }
    /// Waits for all GPUs; GPU 0 is current then. Returns the first error.
    cudaError_t synchronize() const;
    /// Asks all streams but those that capture, and waits for none. Returns the first error; cudaSuccess also while
    /// work runs. Leaves some GPU current.
    cudaError_t failed() const;
    Slot* slot(Index buffer) const { return &m_slots[buffer]; }
    const std::string& name_of(Index buffer) const { return m_program.buffers[buffer].name; }
    cudaStream_t stream(Index stream) const { return m_streams[stream]; }
    cudaEvent_t event(Index event) const { return m_events[event]; }
    CapturedGraph& graph(Index graph) const { return *m_graphs[graph]; }
    /// The memory that kernels of a stream work on. Neighbouring streams have separate memory, as concurrent work of
    /// real programs has. On the same lines they would delay one another, or find them in the L2.
    Scratch scratch(std::uint32_t gpu, Index stream = 0) const { return m_gpus[gpu].scratch[stream % scratches]; }
    /// The unit of its scratch memory at which a kernel of `units` units begins: after those of the kernel before it,
    /// so that it reads from memory. At the same place each time, all but the largest would find their words in the L2.
    std::uint64_t next_units(std::uint64_t units) const
    {
        return m_next_unit.fetch_add(units, std::memory_order_relaxed);
    }
    /// Blocks of one wave of this kernel function that fills every thread slot of the GPU.
    std::uint32_t full_wave(const void* function, std::uint32_t gpu) const;

    /// GPU memory that lives as long as the Machine, holding a copy of `bytes` bytes at `data`, or zeros.
    void* keep_on_gpu(std::uint32_t gpu, const void* data, std::size_t bytes);

    /// Allocates and frees as an `alloc` or `free` step does; `stream` is used if the buffer has one. The
    /// buffer's GPU must be current. Several threads may call these at once.
    cudaError_t allocate(Index buffer, const cudaStream_t* stream);
    cudaError_t release(Index buffer, const cudaStream_t* stream);

    /// Takes a captured graph that is no longer needed, and destroys it with the next reset.
    void retire(CapturedGraph& graph);

    /// Afterwards every buffer holds its initial value, no `alloc` step has run, no graph is captured, the GPUs are
    /// idle and GPU 0 is current. Touches every page.
    void reset_buffers();

private:
    static constexpr std::size_t scratches = 2;
    /// A GPU's caching allocator, and where the segments are that it made.
    struct Cache {
        CachingAllocator allocator;
        std::map<CachingAllocator::Segment, std::byte*> segments;
    };
    struct Gpu {
        int device;
        cudaDeviceProp properties {};
        std::array<Scratch, scratches> scratch {};
    };
    explicit Machine(const Program& program);
    cudaError_t take_from_cache(Index buffer, cudaStream_t stream, void*& memory);
    void empty_caches();

    static constexpr std::uint64_t scratch_bytes = 256U << 20;  // several times the largest L2 (50 MiB on H100)

    std::uint32_t program_gpus() const;
    /// The GPU that must be current when the buffer is allocated or freed.
    std::uint32_t gpu_of_buffer(Index buffer) const;
    void find_gpus(int first);
    void check_memory() const;
    void let_peers_in();
    void keep_pools_filled();
    void make_streams();
    void make_events();
    void destroy_graphs();

    const Program& m_program;
    std::vector<Gpu> m_gpus;
    mutable std::atomic<std::uint64_t> m_next_unit {0};
    std::unique_ptr<Slot[]> m_slots;
    std::vector<cudaStream_t> m_streams;
    std::vector<cudaEvent_t> m_events;
    std::vector<std::unique_ptr<CapturedGraph>> m_graphs;
    std::mutex m_caching;
    std::vector<Cache> m_caches;  ///< by GPU of the program
    std::map<Index, CachingAllocator::Place> m_blocks;  ///< by buffer: those in use
    std::mutex m_retiring;
    std::vector<std::pair<cudaGraph_t, cudaGraphExec_t>> m_retired;
    std::vector<void*> m_kept;
};

/// The allocated bytes: whole 8-byte words.
inline std::uint64_t allocated_bytes(const BufferElement& buffer)
{
    return (buffer.bytes + 7) / 8 * 8;
}

}  // namespace lanes
