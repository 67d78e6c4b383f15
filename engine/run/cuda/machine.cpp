// SPDX-License-Identifier: MIT
#include "engine/run/cuda/machine.h"

#include "engine/run/cuda/cuda_check.h"
#include "engine/run/cuda/expected_write.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <sys/mman.h>

namespace lanes {

namespace {

bool is_host(const BufferElement& buffer)
{
    return buffer.gpu == no_id;
}

// Anonymous pages rather than malloc's heap: the heap may hand out pages that were pinned or touched before.
void* map_pages(std::uint64_t bytes)
{
    void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? nullptr : pages;
}

}  // namespace

Machine::Machine(const Program& program)
    : m_program(program)
    , m_slots(std::make_unique<Slot[]>(program.buffers.size()))
{
}

Machine::Machine(const Program& program, int first_gpu)
    : Machine(program)  // from here on the destructor frees the rest after a failure
{
    find_gpus(first_gpu);
    check_memory();
    m_caches.assign(gpus(), {CachingAllocator(program.cache_limit), {}});
    let_peers_in();
    keep_pools_filled();
    for (std::uint32_t gpu = 0; gpu < gpus(); ++gpu) {
        for (auto& scratch : m_gpus[gpu].scratch) {
            scratch = {keep_on_gpu(gpu, nullptr, scratch_bytes), scratch_bytes / 16};
        }
    }
    for (Index b = 0; b < program.buffers.size(); ++b) {
        if (!program.buffers[b].allocated_by_step) {
            check(use(gpu_of_buffer(b)), "cannot use the GPU");
            check(allocate(b, nullptr), ("cannot allocate buffer " + program.buffers[b].name).c_str());
        }
    }
    make_streams();
    make_events();
    for (std::size_t graph = 0; graph < program.graphs.size(); ++graph) {
        m_graphs.push_back(std::make_unique<CapturedGraph>());
    }
    reset_buffers();
}

// A failed run leaves the contexts unusable: then the results of these calls do not matter.
Machine::~Machine()
{
    destroy_graphs();
    for (Index b = 0; b < m_program.buffers.size(); ++b) {
        if (m_slots[b].load() != nullptr) {
            use(gpu_of_buffer(b));
            release(b, nullptr);
        }
    }
    empty_caches();
    for (const auto event : m_events) {
        cudaEventDestroy(event);
    }
    for (Index s = 0; s < m_streams.size(); ++s) {
        const auto kind = m_program.streams[s].kind;
        if (kind == StreamSpec::Kind::non_blocking || kind == StreamSpec::Kind::blocking) {
            cudaStreamDestroy(m_streams[s]);
        }
    }
    for (void* const memory : m_kept) {
        cudaFree(memory);
    }
}

std::uint32_t Machine::program_gpus() const
{
    return std::max(m_program.gpus, 1U);
}

std::uint32_t Machine::gpu_of_buffer(Index buffer) const
{
    return is_host(m_program.buffers[buffer]) ? 0 : m_program.buffers[buffer].gpu;
}

cudaError_t Machine::synchronize() const
{
    cudaError_t first = cudaSuccess;
    for (std::uint32_t gpu = gpus(); gpu-- > 0;) {
        cudaError_t error = use(gpu);
        error = error == cudaSuccess ? cudaDeviceSynchronize() : error;
        first = first == cudaSuccess ? error : first;
    }
    return first;
}

cudaError_t Machine::failed() const
{
    for (Index s = 0; s < m_streams.size(); ++s) {
        cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
        cudaError_t error = use(m_program.streams[s].gpu);
        if (error == cudaSuccess) {
            error = cudaStreamIsCapturing(m_streams[s], &capture);
        }
        if (error == cudaSuccess && capture == cudaStreamCaptureStatusNone) {  // asking would end the capture
            error = cudaStreamQuery(m_streams[s]);
        }
        if (error != cudaSuccess && error != cudaErrorNotReady && error != cudaErrorStreamCaptureImplicit) {
            return error;
        }
    }
    return cudaSuccess;
}

std::uint32_t Machine::full_wave(const void* function, std::uint32_t gpu) const
{
    int blocks = 0;
    check(use(gpu), "cannot use the GPU");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, kernel_threads, 0),
        "cannot query a kernel's occupancy");
    return static_cast<std::uint32_t>(blocks * m_gpus[gpu].properties.multiProcessorCount);
}

void* Machine::keep_on_gpu(std::uint32_t gpu, const void* data, std::size_t bytes)
{
    void* memory = nullptr;
    check(use(gpu), "cannot use the GPU");
    check(cudaMalloc(&memory, bytes), "cannot allocate GPU memory");
    m_kept.push_back(memory);
    check(data != nullptr ? cudaMemcpy(memory, data, bytes, cudaMemcpyHostToDevice) : cudaMemset(memory, 0, bytes),
        "cannot fill GPU memory");
    return memory;
}

cudaError_t Machine::allocate(Index index, const cudaStream_t* stream)
{
    const auto& buffer = m_program.buffers[index];
    const auto bytes = allocated_bytes(buffer);
    void* memory = nullptr;
    cudaError_t error = cudaSuccess;
    if (buffer.cached && stream != nullptr) {
        error = take_from_cache(index, *stream, memory);
    } else if (!is_host(buffer)) {
        error = stream != nullptr ? cudaMallocAsync(&memory, bytes, *stream) : cudaMalloc(&memory, bytes);
    } else if (buffer.memory == MemoryKind::pinned) {
        error = cudaMallocHost(&memory, bytes);
    } else {
        memory = map_pages(bytes);
        error = memory == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
    }
    if (error == cudaSuccess) {
        m_slots[index].store(memory, std::memory_order_release);
    }
    return error;
}

cudaError_t Machine::release(Index index, const cudaStream_t* stream)
{
    const auto& buffer = m_program.buffers[index];
    void* const memory = m_slots[index].exchange(nullptr);
    if (memory == nullptr) {
        return cudaSuccess;
    }
    if (buffer.cached) {
        const std::lock_guard lock(m_caching);
        if (const auto block = m_blocks.find(index); block != m_blocks.end()) {
            m_caches[buffer.gpu].allocator.give_back(block->second);
            m_blocks.erase(block);
            return cudaSuccess;
        }
    }
    if (!is_host(buffer)) {
        return stream != nullptr ? cudaFreeAsync(memory, *stream) : cudaFree(memory);
    }
    if (buffer.memory == MemoryKind::pinned) {
        return cudaFreeHost(memory);
    }
    munmap(memory, allocated_bytes(buffer));
    return cudaSuccess;
}

cudaError_t Machine::take_from_cache(Index index, cudaStream_t stream, void*& memory)
{
    const std::lock_guard lock(m_caching);
    const auto& buffer = m_program.buffers[index];
    auto& [allocator, segments] = m_caches[buffer.gpu];
    const auto answer = allocator.take(reinterpret_cast<std::uintptr_t>(stream), allocated_bytes(buffer));
    cudaError_t error = answer.place ? cudaSuccess : cudaErrorMemoryAllocation;
    for (const auto& [segment, bytes] : answer.released) {
        const cudaError_t freed = cudaFree(segments.at(segment));
        error = error == cudaSuccess ? freed : error;
        segments.erase(segment);
    }
    if (error == cudaSuccess && answer.made) {
        void* made = nullptr;
        error = cudaMalloc(&made, *answer.made);
        segments[answer.place->segment] = static_cast<std::byte*>(made);
    }
    if (error == cudaSuccess) {
        m_blocks[index] = *answer.place;
        memory = segments.at(answer.place->segment) + answer.place->offset;
    }
    return error;
}

// A run begins with an empty cache, as a program does.
void Machine::empty_caches()
{
    for (std::uint32_t gpu = 0; gpu < m_caches.size(); ++gpu) {
        use(gpu);
        for (const auto& [segment, memory] : m_caches[gpu].segments) {
            cudaFree(memory);
        }
        m_caches[gpu] = {CachingAllocator(m_program.cache_limit), {}};
    }
    for (const auto& [buffer, place] : m_blocks) {
        m_slots[buffer].store(nullptr);
    }
    m_blocks.clear();
}

void Machine::retire(CapturedGraph& graph)
{
    const std::lock_guard lock(m_retiring);
    m_retired.emplace_back(graph.graph, graph.exec);
    graph = {};
}

void Machine::destroy_graphs()
{
    for (const auto& graph : m_graphs) {
        retire(*graph);
    }
    for (const auto& [graph, exec] : m_retired) {
        if (exec != nullptr) {
            cudaGraphExecDestroy(exec);
        }
        if (graph != nullptr) {
            cudaGraphDestroy(graph);
        }
    }
    m_retired.clear();
}

void Machine::reset_buffers()
{
    check(synchronize(), "the GPU failed before the run");
    destroy_graphs();
    empty_caches();
    for (Index b = 0; b < m_program.buffers.size(); ++b) {
        const auto& buffer = m_program.buffers[b];
        check(use(gpu_of_buffer(b)), "cannot use the GPU");
        if (buffer.allocated_by_step) {
            check(release(b, nullptr), "cannot free a buffer");  // one left from an earlier run of the steps
            continue;
        }
        if (m_slots[b].load() == nullptr) {  // an earlier run has a `free` step
            check(allocate(b, nullptr), ("cannot allocate buffer " + buffer.name).c_str());
        }
        auto* const memory = static_cast<std::uint64_t*>(m_slots[b].load());
        const std::uint64_t words = allocated_bytes(buffer) / 8;
        const auto value = std::bit_cast<std::uint64_t>(buffer.initial_value);
        if (is_host(buffer)) {
            std::fill_n(memory, words, value);
        } else {
            PlainArgs args {0, scratch(buffer.gpu), memory, words, value};
            void* parameters[] = {&args};
            check(cudaLaunchKernel(
                      plain_kernel(KernelWork::fma), dim3(256), dim3(kernel_threads), parameters, 0, nullptr),
                "cannot fill a buffer");
        }
    }
    check(synchronize(), "the GPU failed before the run");
}

}  // namespace lanes
