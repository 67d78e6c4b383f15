// SPDX-License-Identifier: MIT
#include "given.h"

__global__ void fc1(float* x)
{
    *x = p::start;
}
__global__ void sum(float* total, const float* x)
{
    *total = *x;
}
__global__ void halve(float* x)
{
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        *x /= 2;
    }
}
KERNEL(fc2)

int main()
{
    constexpr int batches = p::batches, iterations = p::iterations;
    constexpr bool depends = p::depends;
    float *x = device_memory(4), *total = device_memory(4), *total_cpu = host_memory(true, 4);
    cudaStream_t work = new_stream();
    // LISTING
}
