// SPDX-License-Identifier: MIT
#include "given.h"

KERNEL(matmul)

int main()
{
    enum { device, stream, event, none };
    constexpr int order = is(p::order, "device") ? device
        : is(p::order, "stream")                 ? stream
        : is(p::order, "event")                  ? event
                                                 : none;
    constexpr int rounds = p::rounds;
    constexpr size_t bytes = p::bytes, input_bytes = p::input_bytes;
    float *a[rounds], *b[rounds], *y[rounds], *y_cpu[rounds];
    for (int i = 0; i < rounds; ++i) {
        a[i] = b[i] = nullptr;
        y[i] = device_memory(bytes);
        y_cpu[i] = host_memory(true, bytes);
    }
    float *x = device_memory(input_bytes), *x_cpu = host_memory(true, input_bytes);
    cudaStream_t compute = new_stream(), copy = new_stream(), upload = new_stream();
    // LISTING
}
