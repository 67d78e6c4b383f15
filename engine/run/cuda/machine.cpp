// SPDX-License-Identifier: MIT
#include "engine/run/cuda/machine.h"

#include "engine/run/cuda/cuda_check.h"
#include "engine/run/cuda/memory_need.h"
#include "engine/workload/workload.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <sys/mman.h>

namespace lanes {

namespace {

constexpr std::uint64_t scratch_bytes = 256U << 20;  // several times the largest L2 (50 MiB on H100)

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

Machine::Machine(const Program& program, int gpu)
    : m_program(program)
    , m_gpu(gpu)
    , m_slots(std::make_unique<Slot[]>(program.buffers.size()))
{
    check(cudaSetDevice(gpu), "cannot use the GPU");
    check(cudaGetDeviceProperties(&m_properties, gpu), "cannot ask the GPU for its properties");
    check_memory();
    check(cudaMalloc(&m_scratch.data, scratch_bytes), "cannot allocate the kernels' scratch memory");
    m_kept.push_back(m_scratch.data);
    m_scratch.units = scratch_bytes / 16;
    check(cudaMemset(m_scratch.data, 0, scratch_bytes), "cannot clear the kernels' scratch memory");
    for (Index b = 0; b < program.buffers.size(); ++b) {
        if (!program.buffers[b].allocated_by_step) {
            check(allocate(b, nullptr), ("cannot allocate buffer " + program.buffers[b].name).c_str());
        }
    }
    make_streams();
    m_events.resize(program.events.size());
    for (auto& event : m_events) {
        check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cannot make an event");
    }
    reset_buffers();
}

// A failed run leaves the context unusable: what these calls return does not matter then.
Machine::~Machine()
{
    for (Index b = 0; b < m_program.buffers.size(); ++b) {
        release(b, nullptr);
    }
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

void Machine::check_memory() const
{
    std::size_t free_bytes = 0;
    std::size_t all_bytes = 0;
    check(cudaMemGetInfo(&free_bytes, &all_bytes), "cannot ask the GPU for its memory");
    check_memory_need(m_program, free_bytes, scratch_bytes);
}

void Machine::make_streams()
{
    int least = 0;
    int greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cannot ask for stream priorities");
    // CUDA has no priority below the default one: where a stream wants less, the others get more.
    const bool some_low = std::any_of(m_program.streams.begin(), m_program.streams.end(),
        [](const StreamSpec& stream) { return stream.priority > 0; });
    const int normal = some_low ? std::max(least - 1, greatest) : least;
    for (const auto& spec : m_program.streams) {
        cudaStream_t stream = nullptr;
        const int priority = spec.priority < 0 ? greatest : spec.priority > 0 ? least : normal;
        switch (spec.kind) {
        case StreamSpec::Kind::legacy:
            break;
        case StreamSpec::Kind::per_thread:
            stream = cudaStreamPerThread;
            break;
        case StreamSpec::Kind::blocking:
            check(cudaStreamCreateWithPriority(&stream, cudaStreamDefault, priority), "cannot make a stream");
            break;
        case StreamSpec::Kind::non_blocking:
            check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, priority), "cannot make a stream");
            break;
        }
        m_streams.push_back(stream);
    }
}

std::uint32_t Machine::full_wave(const void* function) const
{
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, kernel_threads, 0),
        "cannot ask for a kernel's occupancy");
    return static_cast<std::uint32_t>(blocks * m_properties.multiProcessorCount);
}

void* Machine::keep_on_gpu(const void* data, std::size_t bytes)
{
    void* memory = nullptr;
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
    if (!is_host(buffer)) {
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
    if (!is_host(buffer)) {
        return stream != nullptr ? cudaFreeAsync(memory, *stream) : cudaFree(memory);
    }
    if (buffer.memory == MemoryKind::pinned) {
        return cudaFreeHost(memory);
    }
    munmap(memory, allocated_bytes(buffer));
    return cudaSuccess;
}

void Machine::reset_buffers()
{
    check(cudaDeviceSynchronize(), "the GPU failed before the run");
    for (Index b = 0; b < m_program.buffers.size(); ++b) {
        const auto& buffer = m_program.buffers[b];
        auto* const memory = static_cast<std::uint64_t*>(m_slots[b].load());
        const std::uint64_t words = allocated_bytes(buffer) / 8;
        const auto value = std::bit_cast<std::uint64_t>(buffer.initial_value);
        if (memory == nullptr) {
            continue;
        }
        if (is_host(buffer)) {
            std::fill_n(memory, words, value);
        } else {
            PlainArgs args {0, m_scratch, memory, words, value};
            void* parameters[] = {&args};
            check(cudaLaunchKernel(
                      plain_kernel(KernelWork::fma), dim3(256), dim3(kernel_threads), parameters, 0, nullptr),
                "cannot fill a buffer");
        }
    }
    check(cudaDeviceSynchronize(), "the GPU failed before the run");
}

}  // namespace lanes
