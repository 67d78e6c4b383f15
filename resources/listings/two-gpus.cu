// SPDX-License-Identifier: MIT
#include "given.h"

KERNEL(matmul)
KERNEL(next_layer)

int main()
{
    enum { first, second, both, peer, host };
    constexpr int task = is(p::task, "first") ? first
        : is(p::task, "second")               ? second
        : is(p::task, "both")                 ? both
        : is(p::task, "peer")                 ? peer
                                              : host;
    constexpr int kernels = p::kernels;
    constexpr bool sync_between = p::sync_between;
    constexpr size_t bytes = p::bytes;
    float *a0 = nullptr, *b0 = nullptr, *a1 = nullptr, *b1 = nullptr;
    float* x = device_memory(bytes);
    cudaStream_t s0 = new_stream();
    cudaSetDevice(1);
    float* y = device_memory(bytes);
    cudaStream_t s1 = new_stream();
    float *between = host_memory(true, bytes), *y_cpu = host_memory(true, 4096);
    // LISTING
}
