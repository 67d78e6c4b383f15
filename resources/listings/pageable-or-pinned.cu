// SPDX-License-Identifier: MIT
#include "given.h"

KERNEL(forward)

void prepare_next_batch() { }

int main()
{
    constexpr size_t bytes = p::bytes;
    constexpr bool blocking = p::blocking;
    float* batch = device_memory(bytes);
    float* batch_cpu = host_memory(is(p::host_memory, "pinned"), bytes);
    // LISTING
}
