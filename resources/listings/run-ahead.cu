// SPDX-License-Identifier: MIT
#include "given.h"

KERNEL(layer)

int main()
{
    constexpr int kernels = p::kernels;
    float* x = device_memory(4096);
    cudaStream_t work = new_stream();
    // LISTING
}
