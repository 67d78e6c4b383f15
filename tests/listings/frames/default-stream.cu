// SPDX-License-Identifier: MIT
// nvcc: --default-stream=per-thread # only per-thread
#include "given.h"

KERNEL(first)
KERNEL(on_the_default_stream)
KERNEL(last)

int main()
{
    constexpr int blocks = p::blocks;
    constexpr unsigned kind = is(p::kind, "blocking") ? cudaStreamDefault : cudaStreamNonBlocking;
    float *x = device_memory(4096), *y = device_memory(4096), *z = device_memory(4096);
    // LISTING
}
