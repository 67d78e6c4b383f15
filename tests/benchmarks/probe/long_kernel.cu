// SPDX-License-Identifier: MIT
#include "tests/benchmarks/probe/long_kernel.h"

#include <chrono>
#include <thread>

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

__global__ void wait_on_gpu(unsigned long long nanoseconds)
{
    unsigned long long begin = 0;
    unsigned long long now = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < nanoseconds);
}

std::int64_t realtime()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

cudaError_t one_short_kernel(Progress& progress, cudaStream_t stream)
{
    wait_on_gpu<<<1, 1, 0, stream>>>(10000);
    const cudaError_t result = cudaStreamSynchronize(stream);
    progress.kernels_done += result == cudaSuccess ? 1 : 0;
    std::this_thread::sleep_for(milliseconds(1));
    return result;
}

}  // namespace

const char* run_short_beside_long(Progress& progress, int long_ms, bool other_thread)
{
    cudaStream_t shorts = nullptr;
    cudaStream_t longs = nullptr;
    cudaError_t result = cudaStreamCreateWithFlags(&shorts, cudaStreamNonBlocking);
    if (result == cudaSuccess) {
        result = cudaStreamCreateWithFlags(&longs, cudaStreamNonBlocking);
    }
    const auto alone = [&] {
        for (const auto until = Clock::now() + milliseconds(500); result == cudaSuccess && Clock::now() < until;) {
            result = one_short_kernel(progress, shorts);
        }
    };
    alone();
    const auto launch = [&] {
        progress.long_started_ns = realtime();
        wait_on_gpu<<<1, 1, 0, longs>>>(static_cast<unsigned long long>(long_ms) * 1000000);
    };
    if (result == cudaSuccess && other_thread) {
        std::thread(launch).join();
    } else if (result == cudaSuccess) {
        launch();
    }
    while (result == cudaSuccess && cudaStreamQuery(longs) == cudaErrorNotReady) {
        result = one_short_kernel(progress, shorts);
    }
    progress.long_ended_ns = realtime();
    alone();
    return result == cudaSuccess ? "" : cudaGetErrorString(result);
}
