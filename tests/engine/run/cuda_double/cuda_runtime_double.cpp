// SPDX-License-Identifier: MIT
#include "tests/engine/run/cuda_double/cuda_runtime_double.h"

#include "engine/run/cuda/kernels.h"

#include <bit>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <set>

namespace {

using namespace lanes;

using Work = std::function<void()>;
std::vector<Work> pending;
double clock_ns = 0;  // the GPU's own time
std::map<cudaEvent_t, double> event_times;
std::uintptr_t next_handle = 0x1000;
thread_local int current_device = 0;
std::map<cudaStream_t, int> device_of_stream;
std::map<cudaEvent_t, int> device_of_event;

/// A capture under way: the streams in it and what they were given.
struct Capture {
    std::set<cudaStream_t> streams;
    std::set<cudaEvent_t> events;
    std::vector<Work> work;
};
std::map<cudaStream_t, std::shared_ptr<Capture>> captures;  // by the stream that it began on
std::map<void*, std::vector<Work>> graphs;  // by cudaGraph_t or cudaGraphExec_t

Capture* capture_of(cudaStream_t stream)
{
    for (const auto& [origin, capture] : captures) {
        if (capture->streams.contains(stream)) {
            return capture.get();
        }
    }
    return nullptr;
}

/// Explicit streams belong to the device that was current when they were made, default streams to the current one.
int device_of(cudaStream_t stream)
{
    const auto found = device_of_stream.find(stream);
    return found != device_of_stream.end() ? found->second : current_device;
}

// Markers in place of the kernels' addresses.
const char plain_marks[3] = {}, computed_marks[3] = {}, fault_mark = 0;

void drain()
{
    for (std::size_t i = 0; i < pending.size(); ++i) {
        pending[i]();
    }
    pending.clear();
}

/// Notes the call; returns the error with which it must end.
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

template <class Do> cudaError_t later(const char* call, cudaStream_t stream, const Do& what)
{
    const std::lock_guard lock(cuda_double::state().mutex);
    const auto error = enter(call);
    if (error == cudaSuccess) {
        auto* const capture = capture_of(stream);
        (capture != nullptr ? capture->work : pending).emplace_back(what);
    }
    return error;
}

// A call that makes the host wait, or may: an error on a thread that captures.
template <class Do> cudaError_t at_once(const char* call, const Do& what)
{
    const std::lock_guard lock(cuda_double::state().mutex);
    const auto error = captures.empty() ? enter(call) : cudaErrorStreamCaptureUnsupported;
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

// Straight lines with different slopes, for calibration to find.
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
        value = std::bit_cast<std::uint64_t>(evaluate(args.code, args.items,
            [&](const ValueItem& item) { return std::bit_cast<double>(*args.load[item.slot]); }));
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
    it.devices = 1;
    it.peers_possible = true;
    it.peers.clear();
    it.peer_copies = 0;
    it.release_threshold = 0;
    it.aborted_comms = 0;
    pending.clear();
    captures.clear();
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

// For the double of NCCL, which is a library of its own.
void lanes_double_later(const char* call, cudaStream_t stream, void (*work)(void*), void* data)
{
    later(call, stream, [=] { work(data); });
}
void lanes_double_aborted(void)
{
    ++cuda_double::state().aborted_comms;
}
int lanes_double_waits_for_ever(int ranks)
{
    return cuda_double::state().faulted && cuda_double::state().aborted_comms < ranks ? 1 : 0;
}
int lanes_double_device_of(cudaStream_t stream)
{
    return device_of(stream);
}

cudaError_t cudaSetDevice(int device)
{
    if (device < 0 || device >= cuda_double::state().devices) {
        return cudaErrorInvalidDevice;
    }
    current_device = device;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device)
{
    *device = current_device;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count)
{
    *count = cuda_double::state().devices;
    return cudaSuccess;
}
cudaError_t cudaGetLastError(void)
{
    return cuda_double::state().faulted ? cudaErrorIllegalAddress : cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int)
{
    *can = cuda_double::state().peers_possible ? 1 : 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned)
{
    return cuda_double::state().peers.emplace(current_device, peer).second ? cudaSuccess
                                                                           : cudaErrorPeerAccessAlreadyEnabled;
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device)
{
    *pool = reinterpret_cast<cudaMemPool_t>(0x100 + device);
    return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void* value)
{
    cuda_double::state().release_threshold = *static_cast<std::uint64_t*>(value);
    return cudaSuccess;
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc*, std::size_t)
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
cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream)
{
    return later("cudaFreeAsync", stream, [memory] { std::free(memory); });
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind)
{
    return at_once("cudaMemcpy", [&] {
        drain();
        std::memcpy(to, from, bytes);
    });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t stream)
{
    return later("cudaMemcpyAsync", stream, [=] { std::memcpy(to, from, bytes); });
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes, cudaStream_t stream)
{
    ++cuda_double::state().peer_copies;
    return later("cudaMemcpyPeerAsync", stream, [=] { std::memcpy(to, from, bytes); });
}
cudaError_t cudaMemset(void* to, int value, std::size_t bytes)
{
    constexpr std::size_t scratch = 256U << 20U;  // which the double's kernels never touch
    return at_once("cudaMemset", [&] { std::memset(to, value, bytes < scratch ? bytes : 0); });
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream)
{
    return later("cudaMemsetAsync", stream, [=] { std::memset(to, value, bytes); });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned)
{
    return at_once("cudaStreamCreateWithFlags", [&] {
        make_handle(reinterpret_cast<void**>(stream));
        device_of_stream[*stream] = current_device;
    });
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int)
{
    return at_once("cudaStreamCreateWithPriority", [&] {
        make_handle(reinterpret_cast<void**>(stream));
        device_of_stream[*stream] = current_device;
    });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status)
{
    *status = capture_of(stream) != nullptr ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}
// Takes no lock, so that it does not wait for another thread's wait.
cudaError_t cudaStreamQuery(cudaStream_t)
{
    return cuda_double::state().faulted ? cudaErrorIllegalAddress : cudaErrorNotReady;
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
    return cudaEventCreateWithFlags(event, 0);
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned)
{
    return at_once("cudaEventCreateWithFlags", [&] {
        make_handle(reinterpret_cast<void**>(event));
        device_of_event[*event] = current_device;
    });
}
cudaError_t cudaEventDestroy(cudaEvent_t)
{
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    const std::lock_guard lock(cuda_double::state().mutex);
    if (device_of_event[event] != device_of(stream)) {
        return cudaErrorInvalidResourceHandle;
    }
    if (auto* const capture = capture_of(stream)) {
        capture->events.insert(event);
    }
    return later("cudaEventRecord", stream, [event] { event_times[event] = clock_ns; });
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
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned)
{
    const std::lock_guard lock(cuda_double::state().mutex);
    for (const auto& [origin, capture] : captures) {
        if (capture->events.contains(event)) {
            capture->streams.insert(stream);
        }
    }
    return later("cudaStreamWaitEvent", stream, [] {});
}
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode)
{
    const std::lock_guard lock(cuda_double::state().mutex);
    const auto error = enter("cudaStreamBeginCapture");
    if (error == cudaSuccess) {
        captures[stream] = std::make_shared<Capture>();
        captures[stream]->streams.insert(stream);
    }
    return error;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph)
{
    const std::lock_guard lock(cuda_double::state().mutex);
    const auto error = enter("cudaStreamEndCapture");
    make_handle(reinterpret_cast<void**>(graph));
    graphs[*graph] = captures.at(stream)->work;
    captures.erase(stream);
    return error;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long)
{
    return at_once("cudaGraphInstantiate", [&] {
        make_handle(reinterpret_cast<void**>(exec));
        graphs[*exec] = graphs.at(graph);
    });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    if (device_of(stream) != current_device) {
        return cudaErrorInvalidResourceHandle;
    }
    return later("cudaGraphLaunch", stream, [work = graphs.at(exec)] {
        for (const auto& part : work) {
            part();
        }
    });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    graphs.erase(exec);
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    graphs.erase(graph);
    return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3, void** parameters, std::size_t, cudaStream_t stream)
{
    if (device_of(stream) != current_device) {
        return cudaErrorInvalidResourceHandle;
    }
    if (function == &fault_mark) {
        return later("cudaLaunchKernel", stream, [] { cuda_double::state().faulted = true; });
    }
    for (std::size_t kind = 0; kind < 3; ++kind) {
        if (function == &plain_marks[kind]) {
            const auto args = *static_cast<const PlainArgs*>(parameters[0]);
            return later("cudaLaunchKernel", stream, [=] {
                take_time(kind, args.work, args.words, grid.x);
                if (args.output != nullptr) {
                    fill(args.output, args.words, args.value);
                }
            });
        }
        if (function == &computed_marks[kind]) {
            const auto args = *static_cast<const ComputedArgs*>(parameters[0]);
            return later("cudaLaunchKernel", stream, [=] {
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
