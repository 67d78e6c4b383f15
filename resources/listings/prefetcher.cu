// SPDX-License-Identifier: MIT
#include "given.h"

KERNEL(train)

template <class T> void next_batch(T) { }
template <class T> void print(T) { }

int main()
{
    constexpr int batches = p::batches;
    constexpr bool blocking = p::blocking, item = p::item;
    enum { one_stream, own_stream, ahead };
    constexpr int copies = is(p::copies, "own_stream") ? own_stream : is(p::copies, "ahead") ? ahead : one_stream;
    constexpr size_t bytes = p::bytes;
    float *batch[batches], *batch_cpu[batches], *loss[batches], *loss_cpu[batches];
    cudaEvent_t uploaded[batches];
    for (int i = 0; i < batches; ++i) {
        batch[i] = device_memory(bytes);
        batch_cpu[i] = host_memory(true, bytes);
        loss[i] = device_memory(4);
        loss_cpu[i] = host_memory(true, 4);
        uploaded[i] = new_event();
    }
    cudaStream_t compute, upload;
    // LISTING
}
