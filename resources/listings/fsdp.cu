// SPDX-License-Identifier: MIT
// nvcc: $NCCL
#include "given.h"

KERNEL(forward)
KERNEL(backward)

int main()
{
    constexpr int layers = p::layers, room = p::room, blocks = 66;
    constexpr size_t bytes = p::bytes, half = bytes / 2 / sizeof(float);
    float *w0[room], *w1[room], *g0[room], *g1[room], *g_cpu = host_memory(true, 4096);
    cudaEvent_t gathered0[2 * layers], gathered1[2 * layers], used0[2 * layers], used1[2 * layers];
    cudaEvent_t sent0[layers], sent1[layers];
    cudaSetDevice(1);
    for (int slot = 0; slot < room; ++slot) {
        w1[slot] = device_memory(bytes);
        g1[slot] = device_memory(bytes);
    }
    for (int u = 0; u < 2 * layers; ++u) {
        gathered1[u] = new_event();
        used1[u] = new_event();
        sent1[u % layers] = new_event();
    }
    cudaStream_t compute1 = new_stream(), comm1 = new_stream();
    cudaSetDevice(0);
    for (int slot = 0; slot < room; ++slot) {
        w0[slot] = device_memory(bytes);
        g0[slot] = device_memory(bytes);
    }
    for (int u = 0; u < 2 * layers; ++u) {
        gathered0[u] = new_event();
        used0[u] = new_event();
        sent0[u % layers] = new_event();
    }
    cudaStream_t compute0 = new_stream(), comm0 = new_stream();
    ncclComm_t nccl0, nccl1;
    two_communicators(nccl0, nccl1);
    // LISTING
}
