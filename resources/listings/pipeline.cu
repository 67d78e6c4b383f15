// SPDX-License-Identifier: MIT
// nvcc: $NCCL
#include "given.h"

KERNEL(forward)
KERNEL(backward)

int main()
{
    constexpr int micro_batches = p::micro_batches, blocks = 66;
    constexpr bool alternate = p::alternate, early = p::early;
    constexpr size_t bytes = p::bytes / micro_batches, count = bytes / sizeof(float);
    float *a0[micro_batches], *g0[micro_batches], *a1[micro_batches], *g1[micro_batches];
    cudaEvent_t computed0[micro_batches], arrived0[micro_batches], done1[micro_batches], arrived1[micro_batches];
    cudaSetDevice(1);
    for (int m = 0; m < micro_batches; ++m) {
        a1[m] = device_memory(bytes);
        g1[m] = device_memory(bytes);
        done1[m] = new_event();
        arrived1[m] = new_event();
    }
    cudaStream_t compute1 = new_stream(), comm1 = new_stream();
    cudaSetDevice(0);
    for (int m = 0; m < micro_batches; ++m) {
        a0[m] = device_memory(bytes);
        g0[m] = device_memory(bytes);
        computed0[m] = new_event();
        arrived0[m] = new_event();
    }
    float *grad0 = device_memory(4096), *grad_cpu = host_memory(true, 4096);
    cudaStream_t compute0 = new_stream(), comm0 = new_stream();
    ncclComm_t nccl0, nccl1;
    two_communicators(nccl0, nccl1);
    first_sends(count, {a0[0], nccl0, comm0}, {a1[0], nccl1, comm1});
    // LISTING
}
