// SPDX-License-Identifier: MIT
// skip late: it ends with the error that the lesson is about
// skip launch-blocking: it ends with the error that the lesson is about
// skip sync-each: it ends with the error that the lesson is about
#include "given.h"

KERNEL(layer)
KERNEL(embedding)

int main()
{
    constexpr int layers = p::layers;
    constexpr bool check = p::check;
    float *x = device_memory(4096), *table = device_memory(4096), *loss = device_memory(4),
          *loss_cpu = host_memory(true, 4);
    int* tokens = nullptr;
    cudaStream_t work = new_stream();
    // LISTING
}
