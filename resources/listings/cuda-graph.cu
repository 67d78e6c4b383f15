// SPDX-License-Identifier: MIT
#include "given.h"

KERNEL(layer)

int main()
{
    constexpr int steps = p::steps, kernels = p::kernels;
    constexpr bool graph = p::graph, new_input = p::new_input;
    constexpr size_t bytes = 4096;
    float *x = device_memory(bytes), *x_cpu = host_memory(true, bytes), *input_cpu[steps];
    for (float*& input : input_cpu) {
        input = host_memory(true, bytes);
    }
    // LISTING
}
