// SPDX-License-Identifier: MIT
#include "given.h"

KERNEL(layer)
KERNEL(sample)

void schedule(float**, int) { }

int main()
{
    enum { each_step, every_few, one_late };
    constexpr int read = is(p::read, "each_step") ? each_step : is(p::read, "every_few") ? every_few : one_late;
    constexpr int tokens = p::tokens, layers = p::layers, every = p::every;
    float *x = device_memory(4096), *token = device_memory(8), *token_cpu[every + 1];
    for (float*& each : token_cpu) {
        each = host_memory(true, 8);
    }
    cudaStream_t work = new_stream();
    // LISTING
}
