// SPDX-License-Identifier: MIT
#include "given.h"

KERNEL(left)
KERNEL(right)

int main()
{
    constexpr int kernels = p::kernels, blocks = 8;
    float *x = device_memory(4096), *y = device_memory(4096);
    cudaStream_t a = new_stream();
    cudaStream_t second = is(p::second, "b") ? new_stream() : a;
    // LISTING
}
