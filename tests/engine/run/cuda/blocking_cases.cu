// SPDX-License-Identifier: MIT
#include "tests/engine/run/cuda/blocking_cases.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <map>
#include <nvtx3/nvToolsExt.h>
#include <stdexcept>
#include <thread>

namespace lanes::blocking_cases {

namespace {

constexpr long long ms = 1'000'000;
constexpr long long kernel_ns = 9 * ms;
constexpr std::size_t mib = 1U << 20;
constexpr std::size_t large = 64 * mib;

void check(int result, const char* call)
{
    if (result != 0) {
        throw std::runtime_error(std::string(call) + ": " + std::to_string(result));
    }
}
#define CHECK(call) check(static_cast<int>(call), #call)

/// Runs for that many ns of the GPU's own clock.
__global__ void spin(long long ns)
{
    long long start = 0;
    long long now = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - start < ns);
}

void launch(cudaStream_t stream, long long ns = kernel_ns)
{
    spin<<<1, 1, 0, stream>>>(ns);
    CHECK(cudaGetLastError());
}

/// The duration of `calls`, ns.
template <class Calls> long long timed(Calls&& calls)
{
    const auto start = std::chrono::steady_clock::now();
    calls();
    return std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
}

/// An NVTX range around what is measured.
struct Range {
    Range() { nvtxRangePushA("case"); }
    ~Range() { nvtxRangePop(); }
    Range(const Range&) = delete;
    Range& operator=(const Range&) = delete;
};

cudaStream_t new_stream(unsigned flags)
{
    cudaStream_t stream = nullptr;
    CHECK(cudaStreamCreateWithFlags(&stream, flags));
    return stream;
}

cudaEvent_t new_event()
{
    cudaEvent_t event = nullptr;
    CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    return event;
}

constexpr cudaStream_t legacy = nullptr;

// After a kernel on the legacy stream nothing is queued on the other one: which calls then wait for the kernel.

template <unsigned flags> long long sync_after_legacy()
{
    const auto stream = new_stream(flags);
    const Range range;
    launch(legacy);
    return timed([&] { CHECK(cudaStreamSynchronize(stream)); });
}

long long query_after_legacy()
{
    const auto stream = new_stream(cudaStreamDefault);
    const Range range;
    launch(legacy);
    return timed([&] { CHECK(cudaStreamQuery(stream)); });  // ready at once
}

template <unsigned flags> long long event_after_legacy()
{
    const auto stream = new_stream(flags);
    const auto event = new_event();
    const Range range;
    launch(legacy);
    CHECK(cudaEventRecord(event, stream));
    return timed([&] { CHECK(cudaEventSynchronize(event)); });
}

/// The longer branch runs on a stream of the graph.
long long graph_of_two_branches()
{
    const auto stream = new_stream(cudaStreamNonBlocking);
    const auto branch = new_stream(cudaStreamNonBlocking);
    const auto fork = new_event();
    const auto join = new_event();
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    CHECK(cudaEventRecord(fork, stream));
    CHECK(cudaStreamWaitEvent(branch, fork, 0));
    launch(stream, kernel_ns / 2);
    launch(branch);
    CHECK(cudaEventRecord(join, branch));
    CHECK(cudaStreamWaitEvent(stream, join, 0));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphUpload(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    const Range range;
    CHECK(cudaGraphLaunch(exec, stream));
    return timed([&] { CHECK(cudaStreamSynchronize(stream)); });
}

long long memset_pinned()
{
    void* memory = nullptr;
    CHECK(cudaMallocHost(&memory, large));
    CHECK(cudaMemset(memory, 0, large));
    CHECK(cudaDeviceSynchronize());
    const Range range;
    return timed([&] { CHECK(cudaMemset(memory, 1, large)); });
}

long long memset_device()
{
    void* memory = nullptr;
    CHECK(cudaMalloc(&memory, large));
    CHECK(cudaMemset(memory, 0, large));
    CHECK(cudaDeviceSynchronize());
    const Range range;
    return timed([&] { CHECK(cudaMemset(memory, 1, large)); });
}

long long host_function()
{
    const auto stream = new_stream(cudaStreamNonBlocking);
    const Range range;
    CHECK(cudaLaunchHostFunc(
        stream, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(10)); }, nullptr));
    return timed([&] { CHECK(cudaStreamSynchronize(stream)); });
}

/// For a process with CUDA_LAUNCH_BLOCKING=1.
long long blocking_launch()
{
    const auto stream = new_stream(cudaStreamNonBlocking);
    const Range range;
    return timed([&] { launch(stream); });
}

/// It is staged and returns.
long long small_pageable_copy()
{
    const auto stream = new_stream(cudaStreamNonBlocking);
    void* target = nullptr;
    CHECK(cudaMalloc(&target, 4096));
    static char source[4096];
    CHECK(cudaMemcpyAsync(target, source, sizeof source, cudaMemcpyHostToDevice, stream));
    CHECK(cudaStreamSynchronize(stream));
    const Range range;
    launch(stream);
    return timed([&] { CHECK(cudaMemcpyAsync(target, source, sizeof source, cudaMemcpyHostToDevice, stream)); });
}

/// The migration is in no record.
long long managed_prefetch()
{
    const auto stream = new_stream(cudaStreamNonBlocking);
    void* memory = nullptr;
    CHECK(cudaMallocManaged(&memory, 32 * mib));
    for (std::size_t at = 0; at < 32 * mib; at += 4096) {
        static_cast<volatile char*>(memory)[at] = 1;
    }
    const cudaMemLocation gpu {cudaMemLocationTypeDevice, 0};
    const Range range;
    return timed([&] {
        CHECK(cudaMemPrefetchAsync(memory, 32 * mib, gpu, 0, stream));
        CHECK(cudaStreamSynchronize(stream));
    });
}

template <class Query> long long spin_of(Query&& query)
{
    long long queries = 0;
    const auto time = timed([&] {
        cudaError_t result = cudaErrorNotReady;
        while (result == cudaErrorNotReady) {
            result = query();
            ++queries;
        }
        CHECK(result);
    });
    std::printf("queries %lld\n", queries);
    return time;
}

long long spin_of_event_queries()
{
    const auto stream = new_stream(cudaStreamNonBlocking);
    const auto event = new_event();
    const Range range;
    launch(stream);
    CHECK(cudaEventRecord(event, stream));
    return spin_of([&] { return cudaEventQuery(event); });
}

long long spin_of_stream_queries()
{
    const auto stream = new_stream(cudaStreamNonBlocking);
    const Range range;
    launch(stream);
    return spin_of([&] { return cudaStreamQuery(stream); });
}

long long free_beside_a_kernel()
{
    const auto stream = new_stream(cudaStreamNonBlocking);
    void* memory = nullptr;
    CHECK(cudaMalloc(&memory, large));
    const Range range;
    launch(stream);
    return timed([&] { CHECK(cudaFree(memory)); });
}

long long pin()
{
    void* memory = nullptr;
    const Range range;
    return timed([&] { CHECK(cudaMallocHost(&memory, large)); });
}

template <class Function> Function driver(const char* name)
{
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found {};
    CHECK(cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found));
    if (function == nullptr) {
        throw std::runtime_error(name);
    }
    return reinterpret_cast<Function>(function);
}

/// For memory that the kernel does not use.
long long unmap_beside_a_kernel()
{
    const auto stream = new_stream(cudaStreamNonBlocking);
    CUmemAllocationProp properties {};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    CUmemGenericAllocationHandle handle = 0;
    CUdeviceptr address = 0;
    const CUmemAccessDesc access {properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CHECK(driver<decltype(&cuMemCreate)>("cuMemCreate")(&handle, large, &properties, 0));
    CHECK(driver<decltype(&cuMemAddressReserve)>("cuMemAddressReserve")(&address, large, 0, 0, 0));
    CHECK(driver<decltype(&cuMemMap)>("cuMemMap")(address, large, 0, handle, 0));
    CHECK(driver<decltype(&cuMemSetAccess)>("cuMemSetAccess")(address, large, &access, 1));
    const auto unmap = driver<decltype(&cuMemUnmap)>("cuMemUnmap");
    const Range range;
    launch(stream);
    return timed([&] { CHECK(unmap(address, large)); });
}

const std::map<std::string, long long (*)()>& cases()
{
    static const std::map<std::string, long long (*)()> all {
        {"sync-blocking-after-legacy", sync_after_legacy<cudaStreamDefault>},
        {"sync-non-blocking-after-legacy", sync_after_legacy<cudaStreamNonBlocking>},
        {"query-after-legacy", query_after_legacy},
        {"event-blocking-after-legacy", event_after_legacy<cudaStreamDefault>},
        {"event-non-blocking-after-legacy", event_after_legacy<cudaStreamNonBlocking>},
        {"graph-of-two-branches", graph_of_two_branches},
        {"memset-pinned", memset_pinned},
        {"memset-device", memset_device},
        {"host-function", host_function},
        {"blocking-launch", blocking_launch},
        {"small-pageable-copy", small_pageable_copy},
        {"managed-prefetch", managed_prefetch},
        {"spin-of-event-queries", spin_of_event_queries},
        {"spin-of-stream-queries", spin_of_stream_queries},
        {"free-beside-a-kernel", free_beside_a_kernel},
        {"pin", pin},
        {"unmap-beside-a-kernel", unmap_beside_a_kernel},
    };
    return all;
}

}  // namespace

bool is_there_a_gpu()
{
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

int run(const std::string& name)
{
    try {
        launch(legacy, 1000);  // the first launch loads the module
        CHECK(cudaDeviceSynchronize());
        const auto time = cases().at(name)();
        CHECK(cudaDeviceSynchronize());
        std::printf("call %lld\n", time);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
        return 1;
    }
}

}  // namespace lanes::blocking_cases
