// SPDX-License-Identifier: MIT
// nvcc: $NCCL
#include "given.h"

KERNEL(forward)
KERNEL(backward)
KERNEL(divide)
KERNEL(optimizer)

int main()
{
    constexpr bool no_sync = p::no_sync;
    constexpr int micro_batches = p::micro_batches, buckets = p::buckets, blocks = 66;
    constexpr size_t bytes = p::bytes, count = bytes / sizeof(float);
    float *g0[buckets], *g1[buckets], *g_cpu[buckets];
    cudaEvent_t ready0[buckets], ready1[buckets];
    for (int k = 0; k < buckets; ++k) {
        cudaSetDevice(0);
        g0[k] = device_memory(bytes);
        ready0[k] = new_event();
        g_cpu[k] = host_memory(true, 4096);
        cudaSetDevice(1);
        g1[k] = device_memory(bytes);
        ready1[k] = new_event();
    }
    cudaStream_t compute1 = new_stream(), comm1 = new_stream();
    cudaEvent_t summed1 = new_event();
    cudaSetDevice(0);
    cudaStream_t compute0 = new_stream(), comm0 = new_stream();
    cudaEvent_t summed0 = new_event();
    ncclComm_t nccl0, nccl1;
    two_communicators(nccl0, nccl1);
    first_all_reduces(count, {g0[0], nccl0, comm0}, {g1[0], nccl1, comm1});
    // LISTING
}
