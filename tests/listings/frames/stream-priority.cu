// SPDX-License-Identifier: MIT
#include "given.h"

KERNEL(large)
KERNEL(small)

void wait_for_request() { }
void reply(const void*) { }

int main()
{
    enum { normal, high };
    enum { kernel, copy };
    constexpr int priority = is(p::priority, "high") ? high : normal, request = is(p::request, "copy") ? copy : kernel;
    constexpr int kernels = p::kernels, requests = p::requests, blocks = 132;
    constexpr size_t bytes = 4096;
    float *x = device_memory(4096), *query = device_memory(4096);
    float *answer = device_memory(bytes), *answer_cpu = host_memory(true, bytes);
    int least, greatest;
    cudaStream_t bulk = new_stream(), urgent;
    // LISTING
}
