// SPDX-License-Identifier: MIT
#include "given.h"

KERNEL(train)

enum { one_stream, own_stream, blocking, ahead };
constexpr int copy = is(p::copy, "one_stream") ? one_stream
    : is(p::copy, "own_stream")                ? own_stream
    : is(p::copy, "ahead")                     ? ahead
                                               : blocking;
constexpr int batches = p::batches, workers = p::workers;
constexpr bool pinned = is(p::host_memory, "pinned");
constexpr size_t bytes = p::bytes;
float *batch[batches], *batch_cpu[batches], *batch_pageable[batches], *batch_pinned[batches];
Queue<int> loaded[workers + 1], pinned_ones;
cudaEvent_t uploaded[batches];
cudaStream_t compute, upload;

template <class T> void load(T) { }

// FUNCTIONS

int main()
{
    for (int i = 0; i < batches; ++i) {
        batch[i] = device_memory(bytes);
        batch_pageable[i] = host_memory(false, bytes);
        batch_pinned[i] = host_memory(true, bytes);
        uploaded[i] = new_event();
    }
    compute = new_stream();
    upload = new_stream();
    std::vector<std::thread> others;
    for (int w = 0; w < workers; ++w) {
        others.emplace_back(worker, w);
    }
    if (workers > 0 && pinned) {
        others.emplace_back(pin_memory);
    }
    begin_listing();
    training();
    end_listing();
    for (std::thread& other : others) {
        other.join();
    }
}
