// SPDX-License-Identifier: MIT
#include "tests/benchmarks/run/by_hand.h"

#include "engine/run/cuda/calibration.h"
#include "engine/run/cuda/cuda_check.h"
#include "engine/workload/workload.h"

#include <chrono>

namespace lanes::by_hand {

namespace {

constexpr int launches = 20000;
constexpr int copies = 500;
constexpr std::size_t copy_bytes = 64 << 10;
constexpr Ns kernel_time = 2000;

std::int64_t now()
{
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

cudaError_t launch(
    cudaStream_t stream, std::uint64_t work, const Scratch& scratch, void* output, std::size_t bytes, double value)
{
    PlainArgs args {work, scratch, static_cast<std::uint64_t*>(output), bytes / 8, 0};
    __builtin_memcpy(&args.value, &value, sizeof value);
    void* parameters[] = {&args};
    return cudaLaunchKernel(plain_kernel(KernelWork::fma), dim3(1), dim3(kernel_threads), parameters, 0, stream);
}

std::int64_t launch_heavy(cudaStream_t stream, std::uint64_t work, const Scratch& scratch, void* output)
{
    const auto start = now();
    for (int i = 0; i < launches; ++i) {
        check(launch(stream, work, scratch, output, 8, i), "launch");
    }
    check(cudaDeviceSynchronize(), "synchronise");
    return now() - start;
}

std::int64_t copy_heavy(
    cudaStream_t stream, std::uint64_t work, const Scratch& scratch, void* gpu, void* from, void* to)
{
    const auto start = now();
    for (int i = 0; i < copies; ++i) {
        check(cudaMemcpyAsync(gpu, from, copy_bytes, cudaMemcpyHostToDevice, stream), "copy");
        check(launch(stream, work, scratch, gpu, copy_bytes, i), "launch");
        check(cudaMemcpyAsync(to, gpu, copy_bytes, cudaMemcpyDeviceToHost, stream), "copy");
        check(cudaStreamSynchronize(stream), "synchronise");
    }
    check(cudaDeviceSynchronize(), "synchronise");
    return now() - start;
}

}  // namespace

const std::vector<Case>& cases()
{
    static const std::vector<Case> all {
        {"launches", R"(title: {en: Many launches}
buffers:
  x: {on: gpu 0, bytes: 8 B}
streams:
  s: {gpu: 0}
threads:
  main:
    - repeat: 20000
      as: i
      do:
        - kernel: {name: small, stream: s, time: 2 us, blocks: 1, writes: x}
    - sync: device
)"},
        {"copies", R"(title: {en: Many copies}
buffers:
  x: {on: gpu 0, bytes: 64 KiB}
  from: {on: host, memory: pinned, bytes: 64 KiB}
  to: {on: host, memory: pinned, bytes: 64 KiB}
streams:
  s: {gpu: 0}
threads:
  main:
    - repeat: 500
      as: i
      do:
        - copy: {from: from, to: x, stream: s}
        - kernel: {name: small, stream: s, time: 2 us, blocks: 1, writes: x}
        - copy: {from: x, to: to, stream: s, blocking: true}
    - sync: device
)"},
    };
    return all;
}

std::vector<std::int64_t> run(const std::string& name, int repeat)
{
    const Program empty;
    const Machine machine(empty, 0);
    Calibration calibration(machine);
    const bool copying = name == "copies";
    const std::size_t bytes = copying ? copy_bytes : 8;
    const auto work = calibration.work_for({0, KernelWork::fma, 1, kernel_time, bytes / 8});
    cudaStream_t stream = nullptr;
    void* gpu = nullptr;
    void* from = nullptr;
    void* to = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "make a stream");
    check(cudaMalloc(&gpu, bytes), "allocate");
    check(cudaMallocHost(&from, bytes), "allocate");
    check(cudaMallocHost(&to, bytes), "allocate");
    std::vector<std::int64_t> times;
    for (int i = 0; i < repeat + 1; ++i) {
        const auto time = copying ? copy_heavy(stream, work, machine.scratch(0), gpu, from, to)
                                  : launch_heavy(stream, work, machine.scratch(0), gpu);
        if (i > 0) {
            times.push_back(time);  // the first is the warm-up
        }
    }
    return times;
}

}  // namespace lanes::by_hand
