// SPDX-License-Identifier: MIT
// nvcc: $NCCL
#include "given.h"

KERNEL(large)
KERNEL(small)

void wait_for_request() { }
void reply(const void*) { }

int main()
{
    enum { normal, high };
    enum { kernel, copy, all_reduce };
    constexpr int priority = is(p::priority, "high") ? high : normal;
    constexpr int request = is(p::request, "copy") ? copy : is(p::request, "kernel") ? kernel : all_reduce;
    constexpr int kernels = p::kernels, requests = p::requests, gpus = p::gpus, blocks = 132;
    constexpr size_t bytes = 4096, count = (16 << 20) / sizeof(float);
    float *x[gpus], *gradients[gpus];
    cudaStream_t bulk[gpus], urgent[gpus];
    ncclComm_t nccl[gpus] = {};
    for (int gpu = 0; gpu < gpus; ++gpu) {
        cudaSetDevice(gpu);
        x[gpu] = device_memory(4096);
        gradients[gpu] = device_memory(count * sizeof(float));
        bulk[gpu] = new_stream();
    }
    cudaSetDevice(0);
    float *query = device_memory(4096), *answer = device_memory(bytes), *answer_cpu = host_memory(true, bytes);
    if (request == all_reduce) {
        const int devices[] = {0, 1};
        ncclCommInitAll(nccl, gpus, devices);
        for (int round = 0; round < 2; ++round) {  // what NCCL sets up at first use
            ncclGroupStart();
            for (int gpu = 0; gpu < gpus; ++gpu) {
                ncclAllReduce(gradients[gpu], gradients[gpu], count, ncclFloat, ncclSum, nccl[gpu], bulk[gpu]);
            }
            ncclGroupEnd();
            synchronise_all();
        }
    }
    int least, greatest;
    // LISTING
}
