// SPDX-License-Identifier: MIT
// nvcc: $NCCL
#include "given.h"

KERNEL(backward)
KERNEL(add)
KERNEL(optimizer)

int main()
{
    enum { after, during, gather };
    constexpr int style = is(p::style, "after") ? after : is(p::style, "during") ? during : gather;
    constexpr int buckets = p::buckets, blocks = 66;
    constexpr size_t bytes = p::bytes, count = bytes / sizeof(float);
    float *model0 = nullptr, *model1 = nullptr, *g0[buckets], *g1[buckets], *other[buckets], *g_cpu[buckets];
    cudaEvent_t ready0[buckets], ready1[buckets], sent[buckets];
    for (int k = 0; k < buckets; ++k) {
        cudaSetDevice(0);
        g0[k] = device_memory(bytes);
        other[k] = device_memory(bytes);
        ready0[k] = new_event();
        g_cpu[k] = host_memory(true, 4096);
        cudaSetDevice(1);
        g1[k] = device_memory(bytes);
        ready1[k] = new_event();
        sent[k] = new_event();
    }
    cudaSetDevice(1);
    cudaDeviceEnablePeerAccess(0, 0);
    cudaStream_t compute1 = new_stream(), comm1 = new_stream();
    cudaEvent_t summed1 = new_event();
    cudaSetDevice(0);
    cudaDeviceEnablePeerAccess(1, 0);
    cudaStream_t compute0 = new_stream(), comm0 = new_stream();
    cudaEvent_t summed0 = new_event();
    ncclComm_t nccl0, nccl1;
    two_communicators(nccl0, nccl1);
    first_all_reduces(count, {g0[0], nccl0, comm0}, {g1[0], nccl1, comm1});
    // LISTING
}
