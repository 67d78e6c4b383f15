// SPDX-License-Identifier: MIT
// What the frames of CUDA listings share.
#pragma once

#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

// NCCL, for the listings that are linked with it
#if __has_include(<nccl.h>)
#include <nccl.h>
#else  // the few of its interface that are needed
extern "C" {
using ncclComm_t = struct ncclComm*;
enum ncclDataType_t { ncclFloat = 7 };
enum ncclRedOp_t { ncclSum = 0 };
int ncclCommInitAll(ncclComm_t* communicators, int count, const int* devices);
int ncclGroupStart();
int ncclGroupEnd();
int ncclAllReduce(const void*, void*, size_t, ncclDataType_t, ncclRedOp_t, ncclComm_t, cudaStream_t);
int ncclAllGather(const void*, void*, size_t, ncclDataType_t, ncclComm_t, cudaStream_t);
int ncclReduceScatter(const void*, void*, size_t, ncclDataType_t, ncclRedOp_t, ncclComm_t, cudaStream_t);
int ncclSend(const void*, size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t);
int ncclRecv(void*, size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t);
}
#endif

/// A kernel of that name that takes anything and does nothing.
#define KERNEL(name)                                                                                                   \
    template <class... T> __global__ void name(T...) { }

constexpr int grid = 8, block = 64, threads = 64;

constexpr bool is(const char* word, const char* wanted)
{
    return std::string_view(word) == wanted;
}

inline void succeed(const char* when)
{
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        std::printf("%s: %s\n", when, cudaGetErrorString(error));
        std::exit(1);
    }
}

inline void synchronise_all()
{
    int gpus = 0, before = 0;
    cudaGetDeviceCount(&gpus);
    cudaGetDevice(&before);
    for (int gpu = 0; gpu < gpus; ++gpu) {
        cudaSetDevice(gpu);
        cudaDeviceSynchronize();
    }
    cudaSetDevice(before);
}

inline void begin_listing()
{
    synchronise_all();
    succeed("set-up");
    nvtxRangePushA("listing");
}

inline void end_listing()
{
    nvtxRangePop();
    succeed("the listing");
    synchronise_all();
    succeed("the listing");
}

template <class... T> void other_work(T...) { }
template <class... T> void use(T...) { }
template <class... T> void check(T...) { }

inline float* device_memory(size_t bytes)
{
    void* memory = nullptr;
    cudaMalloc(&memory, bytes);
    return static_cast<float*>(memory);
}

inline float* host_memory(bool pinned, size_t bytes)
{
    void* memory = nullptr;
    if (pinned) {
        cudaMallocHost(&memory, bytes);
    } else {
        memory = std::malloc(bytes);
    }
    std::memset(memory, 1, bytes);
    return static_cast<float*>(memory);
}

inline cudaStream_t new_stream()
{
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    return stream;
}

inline cudaEvent_t new_event()
{
    cudaEvent_t event;
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    return event;
}

/// Bounded, between threads.
template <class T> class Queue {
public:
    explicit Queue(size_t capacity = 2)
        : m_capacity(capacity)
    {
    }
    void put(T value)
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_values.size() < m_capacity; });
        m_values.push_back(value);
        m_changed.notify_all();
    }
    T get()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return !m_values.empty(); });
        T value = m_values.front();
        m_values.pop_front();
        m_changed.notify_all();
        return value;
    }

private:
    size_t m_capacity;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<T> m_values;
};

// For two GPUs with NCCL.

inline void two_communicators(ncclComm_t& nccl0, ncclComm_t& nccl1)
{
    ncclComm_t both[2];
    const int devices[] = {0, 1};
    ncclCommInitAll(both, 2, devices);
    nccl0 = both[0];
    nccl1 = both[1];
}

/// What one GPU contributes.
struct Part {
    float* data;
    ncclComm_t nccl;
    cudaStream_t stream;
};

/// Makes NCCL set up now what it sets up at first use.
inline void first_all_reduces(size_t count, Part a, Part b)
{
    for (int round = 0; round < 2; ++round) {
        ncclGroupStart();
        ncclAllReduce(a.data, a.data, count, ncclFloat, ncclSum, a.nccl, a.stream);
        ncclAllReduce(b.data, b.data, count, ncclFloat, ncclSum, b.nccl, b.stream);
        ncclGroupEnd();
        synchronise_all();
    }
}

/// The same of sends from `a`, on the GPU of rank 0, to `b`, and back.
inline void first_sends(size_t count, Part a, Part b)
{
    for (int rank = 0; rank < 2; ++rank) {
        ncclGroupStart();
        ncclSend(a.data, count, ncclFloat, 1 - rank, a.nccl, a.stream);
        ncclRecv(b.data, count, ncclFloat, rank, b.nccl, b.stream);
        ncclGroupEnd();
        synchronise_all();
        std::swap(a, b);
    }
}
