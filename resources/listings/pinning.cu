// SPDX-License-Identifier: MIT
#include "given.h"

KERNEL(train)

enum { none, fresh, cached };
constexpr int pin = is(p::pin, "fresh") ? fresh : is(p::pin, "cached") ? cached : none;
constexpr int batches = p::batches, pin_threads = p::pin_threads;
constexpr size_t bytes = p::bytes;
float *batch[batches], *batch_cpu[batches], *pinned[batches], *begin_cpu[batches];
cudaEvent_t copied[batches];
cudaStream_t compute;
Queue<float*> ready(1);

void rest_of_step() { }

// FUNCTIONS

int main()
{
    for (int i = 0; i < batches; ++i) {
        batch[i] = device_memory(bytes);
        batch_cpu[i] = host_memory(false, bytes);
        begin_cpu[i] = host_memory(true, 4096);
        copied[i] = new_event();
    }
    compute = new_stream();
    std::thread other;
    if (pin_threads) {
        other = std::thread(pin_thread);
    }
    // LISTING
    if (other.joinable()) {
        other.join();
    }
}
