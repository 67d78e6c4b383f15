// SPDX-License-Identifier: MIT
#include "given.h"

KERNEL(forward)
KERNEL(next_layer)

int main()
{
    enum { nothing, event, stream };
    constexpr int wait_for = is(p::wait_for, "event") ? event : is(p::wait_for, "stream") ? stream : nothing;
    constexpr size_t bytes = p::bytes;
    float *x = device_memory(bytes), *y = device_memory(bytes);
    float* y_cpu = host_memory(true, bytes);
    cudaStream_t work = new_stream();
    // LISTING
}
