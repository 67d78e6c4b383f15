// SPDX-License-Identifier: MIT
#include "given.h"

KERNEL(train)

template <class T> void next_batch(T) { }
template <class T> void print(T) { }

int main()
{
    enum { nothing, record_stream, event };
    constexpr int keep = is(p::keep, "event") ? event : is(p::keep, "record_stream") ? record_stream : nothing;
    constexpr int batches = p::batches;
    constexpr size_t bytes = p::bytes;
    float *memory[batches], *batch_cpu[batches], *loss[batches], *loss_cpu[batches];
    cudaEvent_t uploaded[batches], used[batches];
    for (int i = 0; i < batches; ++i) {
        memory[i] = device_memory(bytes);
        batch_cpu[i] = host_memory(true, bytes);
        loss[i] = device_memory(4);
        loss_cpu[i] = host_memory(true, 4);
        uploaded[i] = new_event();
        used[i] = new_event();
    }
    cudaStream_t compute = new_stream(), upload = new_stream();
    // LISTING
}
