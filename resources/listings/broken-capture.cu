// SPDX-License-Identifier: MIT
// skip item: it ends with the error that the lesson is about
// skip malloc: it ends with the error that the lesson is about
#include "given.h"

KERNEL(layer)
KERNEL(sum)

template <class T> void print(T) { }

int main()
{
    enum { nothing, item, malloc };
    constexpr int inside = is(p::inside, "item") ? item : is(p::inside, "malloc") ? malloc : nothing;
    constexpr int kernels = p::kernels, replays = p::replays;
    constexpr size_t bytes = 4096;
    float *x = device_memory(bytes), *loss = device_memory(4), *loss_cpu = host_memory(true, 4);
    void* scratch = nullptr;
    cudaGraph_t captured;
    cudaGraphExec_t step;
    cudaStream_t work = new_stream();
    // LISTING
}
