// SPDX-License-Identifier: MIT
#include "given.h"

#include <chrono>

KERNEL(earlier)
KERNEL(step)

template <class T> void print(T) { }

int main()
{
    enum { none, after, both, events };
    constexpr int method = is(p::method, "after") ? after
        : is(p::method, "both")                   ? both
        : is(p::method, "events")                 ? events
                                                  : none;
    float *x = device_memory(4096), ms;
    cudaEvent_t start, stop;
    cudaStream_t work = new_stream();
    // LISTING
}
