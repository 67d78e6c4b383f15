// SPDX-License-Identifier: MIT
// gpu_program SECONDS FILE: kernels of 2 ms on one stream, each followed by a copy of 16 MiB to pinned memory on
// another, for which the thread waits. At its end it writes into FILE how many of each it issued.
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr std::size_t bytes = 16 << 20;
constexpr long long kernel_ns = 2'000'000;

__global__ void work()
{
    unsigned long long begin = 0, now = 0;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - begin < kernel_ns);
}

void check(cudaError_t status)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
        std::exit(3);
    }
}

}  // namespace

int main(int count, char** words)
{
    if (count != 3) {
        return 2;
    }
    void *on_gpu = nullptr, *on_host = nullptr;
    cudaStream_t compute = nullptr, copy = nullptr;
    cudaEvent_t done = nullptr;
    check(cudaMalloc(&on_gpu, bytes));
    check(cudaMallocHost(&on_host, bytes));
    check(cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking));
    check(cudaStreamCreateWithFlags(&copy, cudaStreamNonBlocking));
    check(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(std::atof(words[1]));
    long rounds = 0;
    for (; std::chrono::steady_clock::now() < end; ++rounds) {
        work<<<1, 32, 0, compute>>>();
        check(cudaGetLastError());
        check(cudaEventRecord(done, compute));
        check(cudaStreamWaitEvent(copy, done));
        check(cudaMemcpyAsync(on_host, on_gpu, bytes, cudaMemcpyDeviceToHost, copy));
        check(cudaStreamSynchronize(copy));
    }
    std::FILE* file = std::fopen(words[2], "w");
    if (file == nullptr) {
        return 2;
    }
    std::fprintf(file, "%ld\n", rounds);
    return std::fclose(file) == 0 ? 0 : 2;
}
