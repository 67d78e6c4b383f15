// SPDX-License-Identifier: MIT
#include "tests/probes/inject/gpu_program.h"

#include <cstdio>
#include <nvtx3/nvToolsExt.h>
#include <unistd.h>

namespace lanes::gpu_program {

namespace {

__global__ void add_one(float* values)
{
    values[threadIdx.x] += 1;
}

__global__ void write_nowhere(int* nowhere)
{
    *nowhere = 1;
}

bool all_of_it()
{
    float* on_gpu = nullptr;
    void* on_host = nullptr;
    cudaStream_t one = nullptr;
    cudaStream_t two = nullptr;
    cudaEvent_t event = nullptr;
    bool sound = cudaMalloc(&on_gpu, copy_bytes) == cudaSuccess && cudaMallocHost(&on_host, copy_bytes) == cudaSuccess
        && cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking) == cudaSuccess
        && cudaStreamCreate(&two) == cudaSuccess
        && cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess;
    nvtxNameOsThreadA(static_cast<std::uint32_t>(gettid()), "the only one");
    for (int i = 0; sound && i < ranges; ++i) {
        nvtxRangePushA("batch");
        nvtxRangePop();
    }
    for (int i = 0; sound && i < kernels; ++i) {
        add_one<<<2, 64, 0, i % 2 == 0 ? one : two>>>(on_gpu);
        sound = cudaGetLastError() == cudaSuccess;
    }
    for (int i = 0; sound && i < copies; ++i) {
        sound = cudaMemcpyAsync(on_gpu, on_host, copy_bytes, cudaMemcpyHostToDevice, one) == cudaSuccess;
    }
    for (int i = 0; sound && i < memsets; ++i) {
        sound = cudaMemsetAsync(on_gpu, 0, copy_bytes, two) == cudaSuccess;
    }
    for (int i = 0; sound && i < waits; ++i) {
        sound = cudaEventRecord(event, one) == cudaSuccess && cudaStreamWaitEvent(two, event, 0) == cudaSuccess;
    }
    return sound && cudaStreamSynchronize(one) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
}

}  // namespace

bool is_there_a_gpu()
{
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

int run(const std::string& word)
{
    if (!all_of_it()) {
        return 1;
    }
    if (word == "reset") {
        const bool sound = cudaDeviceReset() == cudaSuccess;
        _exit(sound ? 0 : 1);
    }
    if (word == "kill") {
        std::puts("ready");
        std::fflush(stdout);
        sleep(60);
    }
    if (word == "fault") {
        write_nowhere<<<1, 1>>>(nullptr);
        return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
    }
    return 0;
}

}  // namespace lanes::gpu_program
