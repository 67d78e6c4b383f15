// SPDX-License-Identifier: MIT
#include "given.h"

KERNEL(layer)

int main()
{
    constexpr int rounds = p::rounds;
    constexpr bool pool = p::pool;
    constexpr size_t bytes = p::bytes;
    cudaStream_t work = new_stream();
    // LISTING
}
