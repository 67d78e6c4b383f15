// SPDX-License-Identifier: MIT
#include "given.h"

KERNEL(decode)
KERNEL(prefill)

void schedule(float*) { }

int main()
{
    enum { prefilled, swap_in, swap_in_own_stream };
    constexpr int request = is(p::request, "prefill") ? prefilled
        : is(p::request, "swap_in")                   ? swap_in
                                                      : swap_in_own_stream;
    constexpr int steps = p::steps, chunks = p::chunks;
    constexpr size_t bytes = p::bytes;
    float *token = device_memory(8), *token_cpu[] = {host_memory(true, 8), host_memory(true, 8)};
    float *others = device_memory(4096), *kv = device_memory(bytes), *kv_cpu = host_memory(true, bytes), *text[chunks];
    for (float*& chunk : text) {
        chunk = device_memory(4096);
    }
    cudaEvent_t copied[] = {new_event(), new_event()}, swapped = new_event();
    cudaStream_t compute = new_stream(), swap = new_stream();
    const auto joined
        = [](int i) { return (request == swap_in && i >= 3) || (request == swap_in_own_stream && i >= 9); };
    // LISTING
}
