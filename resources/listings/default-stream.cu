// SPDX-License-Identifier: MIT
// nvcc: --default-stream=per-thread # only per-thread
#include "given.h"

KERNEL(first)
KERNEL(on_the_default_stream)
KERNEL(last)
KERNEL(make)
KERNEL(use_it)

int main()
{
    enum { three_kernels, side_stream, side_stream_waits };
    constexpr int task = is(p::task, "side_stream") ? side_stream
        : is(p::task, "side_stream_waits")          ? side_stream_waits
                                                    : three_kernels;
    constexpr int blocks = p::blocks;
    constexpr size_t bytes = 4096;
    constexpr unsigned kind = is(p::kind, "blocking") ? cudaStreamDefault : cudaStreamNonBlocking;
    float *x = device_memory(4096), *y = device_memory(4096), *z = device_memory(4096);
    float* y_cpu = host_memory(true, bytes);
    cudaStream_t side = new_stream();
    cudaEvent_t made = new_event();
    // LISTING
}
