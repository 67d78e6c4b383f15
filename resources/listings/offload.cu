// SPDX-License-Identifier: MIT
#include "given.h"

KERNEL(forward)
KERNEL(backward)

int main()
{
    constexpr int layers = p::layers;
    constexpr bool own_stream = p::own_stream, pool = p::pool;
    constexpr size_t bytes = p::bytes;
    float *act[layers], *act_cpu[layers], *back[layers], *grad[layers], *grad_cpu[layers];
    cudaEvent_t computed[layers], fetched[layers];
    for (int i = 0; i < layers; ++i) {
        act[i] = device_memory(bytes);
        act_cpu[i] = pool ? host_memory(true, bytes) : nullptr;
        back[i] = device_memory(bytes);
        grad[i] = device_memory(4);
        grad_cpu[i] = host_memory(true, 4);
        computed[i] = new_event();
        fetched[i] = new_event();
    }
    cudaStream_t compute = new_stream(), offload = new_stream();
    // LISTING
}
