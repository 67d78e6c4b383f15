// SPDX-License-Identifier: MIT
#include "given.h"

KERNEL(matmul)

int main()
{
    enum { each, run, only_copy, run_then_copy };
    constexpr int order = is(p::order, "each") ? each
        : is(p::order, "run")                  ? run
        : is(p::order, "copy")                 ? only_copy
                                               : run_then_copy;
    constexpr int matrices = p::matrices;
    constexpr size_t bytes = p::bytes;
    constexpr bool blocking = p::blocking, first_time = p::first_time;
    float *a[matrices], *b[matrices], *y[matrices], *y_cpu[matrices];
    for (int i = 0; i < matrices; ++i) {
        a[i] = b[i] = nullptr;
        y[i] = device_memory(bytes);
        y_cpu[i] = host_memory(is(p::host_memory, "pinned"), bytes);
    }
    cudaStream_t compute = new_stream(), copy = new_stream();
    // LISTING
}
