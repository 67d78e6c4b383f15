// SPDX-License-Identifier: MIT
#include "given.h"

KERNEL(layer)

void next_batch() { }

int main()
{
    constexpr int batches = p::batches, every = p::every, kernels = p::kernels;
    float *loss = device_memory(4), *loss_cpu = host_memory(true, 4);
    cudaStream_t work = new_stream();
    // LISTING
}
