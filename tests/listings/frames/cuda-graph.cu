// SPDX-License-Identifier: MIT
#include "given.h"

KERNEL(layer)

int main()
{
    constexpr int steps = p::steps, kernels = p::kernels;
    constexpr bool graph = p::graph;
    constexpr size_t bytes = 4096;
    float *x = device_memory(bytes), *x_cpu = host_memory(true, bytes);
    // LISTING
}
