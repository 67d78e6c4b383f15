// SPDX-License-Identifier: MIT
#include "given.h"

KERNEL(forward)

int main()
{
    constexpr size_t bytes = p::bytes;
    constexpr bool blocking = p::blocking;
    float *x = device_memory(bytes), *y = device_memory(bytes);
    float* y_cpu = host_memory(is(p::host_memory, "pinned"), bytes);
    // LISTING
}
