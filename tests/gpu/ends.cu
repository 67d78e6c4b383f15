// SPDX-License-Identifier: MIT
// Launches kernels from several threads until it ends in a given way: for tests/gpu/ends.py.
//   ends WAY THREADS MILLISECONDS COUNTER-FILE
// The file holds the number of launches that returned, as a 64-bit number in shared memory, which outlives the process.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <fcntl.h>
#include <new>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

__global__ void add(float* x)
{
    x[threadIdx.x] += 1;
}

namespace {

void launch_for_ever(std::atomic<std::uint64_t>& count)
{
    float* x = nullptr;
    cudaStream_t stream = nullptr;
    cudaMalloc(&x, 1024);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (unsigned i = 0;; ++i) {
        add<<<1, 32, 0, stream>>>(x);
        ++count;
        if (i % 64 == 63) {
            cudaStreamSynchronize(stream);
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
    }
}

void end(const std::string& way)
{
    if (way == "exit")
        std::exit(0);
    if (way == "_exit")
        ::_exit(0);
    if (way == "_Exit")
        std::_Exit(0);
    if (way == "quick_exit")
        std::quick_exit(0);
    if (way == "abort")
        std::abort();
    if (way == "segv") {
        *static_cast<volatile int*>(nullptr) = 1;
    }
    if (way == "kill")
        ::kill(::getpid(), SIGKILL);
    if (way == "term")
        ::kill(::getpid(), SIGTERM);
    if (way == "hup")
        ::kill(::getpid(), SIGHUP);
    if (way == "exec")
        ::execl("/bin/true", "true", nullptr);
    if (way == "rawexit")
        ::syscall(SYS_exit_group, 0);
}

}  // namespace

int main(int, char** words)
{
    const int file = ::open(words[4], O_RDWR | O_CREAT, 0600);
    if (file < 0 || ::ftruncate(file, sizeof(std::uint64_t)) != 0)
        return 9;
    void* memory = ::mmap(nullptr, sizeof(std::uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    auto& count = *new (memory) std::atomic<std::uint64_t>(0);
    std::vector<std::thread> threads;
    for (int i = 0; i < std::atoi(words[2]); ++i) {
        threads.emplace_back([&count] { launch_for_ever(count); });
    }
    while (count == 0)
        std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(words[3])));
    end(words[1]);
    std::this_thread::sleep_for(std::chrono::seconds(5));  // a signal to this process is on its way
    return 9;
}
