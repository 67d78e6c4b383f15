// SPDX-License-Identifier: MIT
#include "given.h"

KERNEL(layer)
KERNEL(output)

int main()
{
    enum { launches, each_step, static_input };
    constexpr int how = is(p::how, "launches") ? launches : is(p::how, "each_step") ? each_step : static_input;
    constexpr int steps = p::steps, kernels = p::kernels;
    constexpr size_t bytes = p::bytes;
    float *x = device_memory(bytes), *y = device_memory(4096), *y_cpu = host_memory(true, 4096), *input[steps];
    for (float*& each : input) {
        each = device_memory(bytes);
    }
    cudaStream_t work = new_stream();
    // LISTING
}
