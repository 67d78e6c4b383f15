// SPDX-License-Identifier: MIT
// Measurements without PyTorch:
//   native loop LAUNCHES             prints the seconds of a launch-bound loop, a synchronisation after every hundred
//   native stress THREADS OPERATIONS SECONDS
//                                    each thread on a stream of its own: of ten operations eight kernels, a copy, a
//                                    memset; prints what was launched as JSON: kernels, copies, memsets, seconds, peak
//                                    resident bytes. Stops early after SECONDS.
//   native progress FILE LAUNCHES
//                                    writes FILE as it goes: its pid, how many kernels are known to have ended, and for
//                                    each when (CLOCK_MONOTONIC, ns); all of 64 bits. Sleeps between now and then, to
//                                    last about a second.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr int batch = 100;
constexpr std::size_t copy_bytes = 256;

__global__ void tiny() { }

void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        std::fprintf(stderr, "native: %s\n", cudaGetErrorString(error));
        std::exit(1);
    }
}

double seconds_since(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

void loop(long launches)
{
    cudaStream_t stream;
    check(cudaStreamCreate(&stream));
    for (int i = 0; i < 10 * batch; ++i) {
        tiny<<<1, 32, 0, stream>>>();
    }
    check(cudaStreamSynchronize(stream));
    const auto begin = Clock::now();
    for (long i = 0; i < launches; ++i) {
        tiny<<<1, 32, 0, stream>>>();
        if (i % batch == batch - 1) {
            check(cudaStreamSynchronize(stream));
        }
    }
    check(cudaDeviceSynchronize());
    std::printf("%.6f\n", seconds_since(begin));
}

struct Launched {
    long kernels = 0;
    long copies = 0;
    long memsets = 0;
};

Launched launch(long operations, Clock::time_point end)
{
    Launched launched;
    cudaStream_t stream;
    void* on_gpu;
    void* on_host;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    check(cudaMalloc(&on_gpu, copy_bytes));
    check(cudaMallocHost(&on_host, copy_bytes));
    for (long i = 0; i < operations; ++i) {
        if (i % 10 == 8) {
            check(cudaMemcpyAsync(on_gpu, on_host, copy_bytes, cudaMemcpyHostToDevice, stream));
            ++launched.copies;
        } else if (i % 10 == 9) {
            check(cudaMemsetAsync(on_gpu, 0, copy_bytes, stream));
            ++launched.memsets;
        } else {
            tiny<<<1, 32, 0, stream>>>();
            ++launched.kernels;
        }
        if (i % batch == batch - 1) {
            check(cudaStreamSynchronize(stream));
            if (Clock::now() > end) {
                break;
            }
        }
    }
    check(cudaStreamSynchronize(stream));
    check(cudaGetLastError());
    return launched;
}

long peak_bytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.rfind("VmHWM:", 0) == 0) {
            return std::atol(line.c_str() + 6) * 1024;
        }
    }
    return 0;
}

void stress(int threads, long operations, double seconds)
{
    check(cudaFree(nullptr));
    const auto begin = Clock::now();
    const auto end = begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    std::vector<Launched> launched(threads);
    std::vector<std::thread> running;
    for (int i = 0; i < threads; ++i) {
        running.emplace_back([&, i] { launched[i] = launch(operations / threads, end); });
    }
    for (std::thread& thread : running) {
        thread.join();
    }
    check(cudaDeviceSynchronize());
    Launched all;
    for (const Launched& one : launched) {
        all.kernels += one.kernels;
        all.copies += one.copies;
        all.memsets += one.memsets;
    }
    std::printf("{\"kernels\": %ld, \"copies\": %ld, \"memsets\": %ld, \"seconds\": %.3f, \"peak\": %ld}\n",
        all.kernels, all.copies, all.memsets, seconds_since(begin), peak_bytes());
}

std::uint64_t monotonic_ns()
{
    timespec now {};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

void progress(const char* path, long launches)
{
    const std::size_t bytes = (2 + static_cast<std::size_t>(launches)) * sizeof(std::uint64_t);
    const int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0) {
        std::perror(path);
        std::exit(1);
    }
    auto* words
        = static_cast<volatile std::uint64_t*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    words[0] = static_cast<std::uint64_t>(getpid());
    cudaStream_t stream;
    check(cudaStreamCreate(&stream));
    for (long i = 0; i < launches; ++i) {
        tiny<<<1, 32, 0, stream>>>();
        check(cudaStreamSynchronize(stream));
        words[2 + i] = monotonic_ns();
        words[1] = static_cast<std::uint64_t>(i) + 1;
        if (i % batch == batch - 1) {
            usleep(5000);
        }
    }
}

}  // namespace

int main(int count, char** words)
{
    const std::string what = count > 1 ? words[1] : "";
    if (what == "loop" && count == 3) {
        loop(std::atol(words[2]));
    } else if (what == "stress" && count == 5) {
        stress(std::atoi(words[2]), std::atol(words[3]), std::atof(words[4]));
    } else if (what == "progress" && count == 4) {
        progress(words[2], std::atol(words[3]));
    } else {
        std::fprintf(stderr, "native loop LAUNCHES | stress THREADS OPERATIONS SECONDS | progress FILE LAUNCHES\n");
        return 2;
    }
    return 0;
}
