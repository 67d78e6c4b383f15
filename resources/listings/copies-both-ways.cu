// SPDX-License-Identifier: MIT
#include "given.h"

KERNEL(transform)

int main()
{
    constexpr int chunks = p::chunks, streams_used = p::streams_used;
    constexpr size_t bytes = p::bytes;
    float *x[chunks], *y[chunks], *x_cpu[chunks], *y_cpu[chunks];
    for (int k = 0; k < chunks; ++k) {
        x[k] = device_memory(bytes / chunks);
        y[k] = device_memory(bytes / chunks);
        x_cpu[k] = host_memory(true, bytes / chunks);
        y_cpu[k] = host_memory(true, bytes / chunks);
    }
    cudaStream_t s[streams_used];
    for (cudaStream_t& each : s) {
        each = new_stream();
    }
    // LISTING
}
