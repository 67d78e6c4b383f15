// SPDX-License-Identifier: MIT
#include "given.h"

KERNEL(train)

template <class T> void read_batch_into(T, int) { }
template <class T> void print(T) { }

int main()
{
    enum { nothing, event, two_buffers };
    constexpr int guard = is(p::guard, "event") ? event : is(p::guard, "two_buffers") ? two_buffers : nothing;
    constexpr int batches = p::batches;
    constexpr size_t bytes = p::bytes;
    constexpr bool pinned = is(p::host_memory, "pinned");
    float *buffer[] = {host_memory(pinned, bytes), host_memory(pinned, bytes)}, *batch = device_memory(bytes);
    float *loss[batches], *loss_cpu[batches];
    cudaEvent_t copied[batches];
    for (int i = 0; i < batches; ++i) {
        loss[i] = device_memory(4);
        loss_cpu[i] = host_memory(true, 4);
        copied[i] = new_event();
    }
    cudaStream_t compute = new_stream();
    // LISTING
}
