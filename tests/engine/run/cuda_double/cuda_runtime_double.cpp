// SPDX-License-Identifier: MIT
#include "tests/engine/run/cuda_double/cuda_runtime_double.h"

#include "engine/run/cuda/kernels.h"

#include <bit>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>

namespace {

using namespace lanes;

std::vector<std::function<void()>> pending;
double clock_ns = 0;  // the GPU's own time
std::map<cudaEvent_t, double> event_times;
std::uintptr_t next_handle = 0x1000;

// Marks that stand for the kernels' addresses.
const char plain_marks[3] = {}, computed_marks[3] = {}, fault_mark = 0;

void drain()
{
    for (std::size_t i = 0; i < pending.size(); ++i) {
        pending[i]();
    }
    pending.clear();
}

/// Notes the call; the error it must end with.
cudaError_t enter(const char* call)
{
    auto& state = cuda_double::state();
    if (state.log) {
        state.calls.emplace_back(call);
    }
    if (state.fail_call == call && state.fail_after-- == 0) {
        return cudaErrorMemoryAllocation;
    }
    return state.faulted ? cudaErrorIllegalAddress : cudaSuccess;
}

template <class Do> cudaError_t later(const char* call, const Do& what)
{
    const std::lock_guard lock(cuda_double::state().mutex);
    const auto error = enter(call);
    if (error == cudaSuccess) {
        pending.emplace_back(what);
    }
    return error;
}

template <class Do> cudaError_t at_once(const char* call, const Do& what)
{
    const std::lock_guard lock(cuda_double::state().mutex);
    const auto error = enter(call);
    if (error == cudaSuccess) {
        what();
    }
    return cuda_double::state().faulted ? cudaErrorIllegalAddress : error;
}

void make_handle(void** handle)
{
    *handle = reinterpret_cast<void*>(next_handle += 16);
}

void fill(std::uint64_t* output, std::uint64_t words, std::uint64_t value)
{
    for (std::uint64_t i = 0; i < words; ++i) {
        output[i] = value;
    }
}

// Straight lines with different slopes, so that calibration has something to find.
void take_time(std::size_t kind, std::uint64_t work, std::uint64_t words, unsigned blocks)
{
    const double per_unit[] = {0.5, 130.0 * blocks / 1056, 0.011};
    const double empty = 1000 + 0.6 * blocks;  // as measured on an H100
    const double ns = empty + static_cast<double>(work) * per_unit[kind] + static_cast<double>(words) * 0.004;
    cuda_double::state().kernel_ns.push_back(ns);
    clock_ns += ns;
}

void run_computed(const ComputedArgs& args)
{
    std::uint64_t value = args.value;
    if (args.items > 0) {
        value = std::bit_cast<std::uint64_t>(evaluate(
            args.code, args.items, [&](std::uint32_t slot) { return std::bit_cast<double>(*args.load[slot]); }));
    }
    for (std::uint32_t k = 0; k < args.outputs; ++k) {
        fill(args.output[k], args.words[k], value);
    }
}

}  // namespace

namespace cuda_double {

State& state()
{
    static State the_state;
    return the_state;
}

void reset()
{
    auto& it = state();
    it.calls.clear();
    it.kernel_ns.clear();
    it.log = false;
    it.faulted = false;
    it.free_memory = 64ULL << 30U;
    it.fail_call.clear();
    it.fail_after = 0;
    pending.clear();
}

}  // namespace cuda_double

namespace lanes {

const void* plain_kernel(KernelWork work)
{
    return &plain_marks[static_cast<std::size_t>(work)];
}
const void* computed_kernel(KernelWork work)
{
    return &computed_marks[static_cast<std::size_t>(work)];
}
const void* faulting_kernel()
{
    return &fault_mark;
}

}  // namespace lanes

extern "C" {

cudaError_t cudaSetDevice(int)
{
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int)
{
    *properties = {};
    std::strcpy(properties->name, "double");
    properties->multiProcessorCount = 132;
    return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* all_bytes)
{
    *free_bytes = *all_bytes = cuda_double::state().free_memory;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest)
{
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int, std::size_t)
{
    *blocks = 8;
    return cudaSuccess;
}
const char* cudaGetErrorName(cudaError_t error)
{
    return error == cudaErrorIllegalAddress ? "cudaErrorIllegalAddress" : "cudaErrorOther";
}
const char* cudaGetErrorString(cudaError_t error)
{
    return error == cudaErrorIllegalAddress ? "an illegal memory access was encountered" : "another error";
}
cudaError_t cudaMalloc(void** memory, std::size_t bytes)
{
    return at_once("cudaMalloc", [&] { *memory = std::malloc(bytes); });
}
cudaError_t cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t)
{
    return at_once("cudaMallocAsync", [&] { *memory = std::malloc(bytes); });
}
cudaError_t cudaMallocHost(void** memory, std::size_t bytes)
{
    return at_once("cudaMallocHost", [&] { *memory = std::malloc(bytes); });
}
cudaError_t cudaFree(void* memory)
{
    const std::lock_guard lock(cuda_double::state().mutex);
    drain();
    std::free(memory);
    return enter("cudaFree");
}
cudaError_t cudaFreeHost(void* memory)
{
    const std::lock_guard lock(cuda_double::state().mutex);
    drain();
    std::free(memory);
    return enter("cudaFreeHost");
}
cudaError_t cudaFreeAsync(void* memory, cudaStream_t)
{
    return later("cudaFreeAsync", [memory] { std::free(memory); });
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind)
{
    return at_once("cudaMemcpy", [&] {
        drain();
        std::memcpy(to, from, bytes);
    });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t)
{
    return later("cudaMemcpyAsync", [=] { std::memcpy(to, from, bytes); });
}
cudaError_t cudaMemset(void* to, int value, std::size_t bytes)
{
    return at_once("cudaMemset", [&] { std::memset(to, value, bytes); });
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t)
{
    return later("cudaMemsetAsync", [=] { std::memset(to, value, bytes); });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned)
{
    return at_once("cudaStreamCreateWithFlags", [&] { make_handle(reinterpret_cast<void**>(stream)); });
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int)
{
    return at_once("cudaStreamCreateWithPriority", [&] { make_handle(reinterpret_cast<void**>(stream)); });
}
cudaError_t cudaStreamDestroy(cudaStream_t)
{
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t)
{
    return at_once("cudaStreamSynchronize", drain);
}
cudaError_t cudaDeviceSynchronize(void)
{
    return at_once("cudaDeviceSynchronize", drain);
}
cudaError_t cudaEventCreate(cudaEvent_t* event)
{
    return at_once("cudaEventCreate", [&] { make_handle(reinterpret_cast<void**>(event)); });
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned)
{
    return at_once("cudaEventCreateWithFlags", [&] { make_handle(reinterpret_cast<void**>(event)); });
}
cudaError_t cudaEventDestroy(cudaEvent_t)
{
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t)
{
    return later("cudaEventRecord", [event] { event_times[event] = clock_ns; });
}
cudaError_t cudaEventSynchronize(cudaEvent_t)
{
    return at_once("cudaEventSynchronize", drain);
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end)
{
    *milliseconds = static_cast<float>((event_times[end] - event_times[begin]) * 1e-6);
    return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned)
{
    return later("cudaStreamWaitEvent", [] {});
}
cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3, void** parameters, std::size_t, cudaStream_t)
{
    if (function == &fault_mark) {
        return later("cudaLaunchKernel", [] { cuda_double::state().faulted = true; });
    }
    for (std::size_t kind = 0; kind < 3; ++kind) {
        if (function == &plain_marks[kind]) {
            const auto args = *static_cast<const PlainArgs*>(parameters[0]);
            return later("cudaLaunchKernel", [=] {
                take_time(kind, args.work, args.words, grid.x);
                if (args.output != nullptr) {
                    fill(args.output, args.words, args.value);
                }
            });
        }
        if (function == &computed_marks[kind]) {
            const auto args = *static_cast<const ComputedArgs*>(parameters[0]);
            return later("cudaLaunchKernel", [=] {
                std::uint64_t words = 0;
                for (std::uint32_t k = 0; k < args.outputs; ++k) {
                    words += args.words[k];
                }
                take_time(kind, args.work, words, grid.x);
                run_computed(args);
            });
        }
    }
    return cudaErrorInvalidDeviceFunction;
}

}  // extern "C"
