// SPDX-License-Identifier: MIT
#include "given.h"

#include <iterator>
#include <list>

KERNEL(forward)
KERNEL(backward)

int main()
{
    constexpr int steps = p::steps, multiple = p::multiple;
    constexpr size_t bytes = p::bytes, limit = p::limit;
    float* out_cpu = host_memory(true, 4096);
    cudaStream_t work = new_stream();
    // LISTING
}
