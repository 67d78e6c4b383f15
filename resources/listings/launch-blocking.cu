// SPDX-License-Identifier: MIT
// environment: CUDA_LAUNCH_BLOCKING=1 # only launch-blocking
#include "given.h"

KERNEL(left)
KERNEL(right)

template <class T> void next_batch(T, T) { }

int main()
{
    constexpr int batches = p::batches;
    float *x = device_memory(4096), *y = device_memory(4096);
    cudaStream_t a = new_stream(), b = new_stream();
    // LISTING
}
