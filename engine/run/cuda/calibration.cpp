// SPDX-License-Identifier: MIT
#include "engine/run/cuda/calibration.h"

#include "engine/run/cuda/cuda_check.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lanes {

namespace {

// CUPTI's duration of a kernel that does nothing, by its blocks. Measured on an H100: with
// 1200 ns for all, kernels of 4 blocks came out 0.2 us short and full grids of 1056 blocks 0.45 us long.
double empty_kernel_ns(std::uint32_t blocks)
{
    return 1000 + 0.6 * blocks;
}

// A launch takes 3 to 4 us on the host: the kernel in front spins long enough for all to queue up.
constexpr double launch_ns = 6000;
constexpr double cycles_per_ns = 2.0;

cudaError_t launch_plain(KernelWork work, std::uint32_t blocks, PlainArgs args, cudaStream_t stream)
{
    void* parameters[] = {&args};
    return cudaLaunchKernel(plain_kernel(work), dim3(blocks), dim3(kernel_threads), parameters, 0, stream);
}

}  // namespace

Calibration::Calibration(const Machine& machine)
    : m_machine(machine)
{
}

Calibration::~Calibration()
{
    for (const auto& [gpu, bench] : m_benches) {
        m_machine.use(gpu);
        cudaFree(bench.output);
        cudaEventDestroy(bench.begin);
        cudaEventDestroy(bench.end);
        cudaStreamDestroy(bench.stream);
    }
    m_machine.use(0);
}

// Leaves the GPU current.
Calibration::Bench& Calibration::bench_of(std::uint32_t gpu)
{
    check(m_machine.use(gpu), "cannot use the GPU");
    const auto [at, is_new] = m_benches.try_emplace(gpu);
    if (is_new) {
        auto& bench = at->second;
        check(cudaStreamCreateWithFlags(&bench.stream, cudaStreamNonBlocking), "cannot make a stream to calibrate on");
        check(cudaEventCreate(&bench.begin), "cannot make an event to calibrate with");
        check(cudaEventCreate(&bench.end), "cannot make an event to calibrate with");
    }
    return at->second;
}

// Mean time of one of `launches` kernels that run back to back, ns; the median of three such means.
double Calibration::measure(const KernelClass& kernel, std::uint64_t work, std::uint64_t words, int launches)
{
    const auto& bench = bench_of(kernel.gpu);
    const auto wait_cycles = static_cast<std::uint64_t>((launches * launch_ns + 40000) * cycles_per_ns);
    std::array<double, 3> means {};
    for (auto& mean : means) {
        check(launch_plain(
                  KernelWork::spin, 1, {wait_cycles, m_machine.scratch(kernel.gpu), nullptr, 0, 0}, bench.stream),
            "cannot launch a kernel to calibrate");
        check(cudaEventRecord(bench.begin, bench.stream), "cannot time a kernel");
        for (int i = 0; i < launches; ++i) {
            auto scratch = m_machine.scratch(kernel.gpu);
            scratch.start = m_machine.next_units(work);
            check(launch_plain(kernel.work, kernel.blocks,
                      {work, scratch, static_cast<std::uint64_t*>(bench.output), words, 0}, bench.stream),
                "cannot launch a kernel to calibrate");
        }
        check(cudaEventRecord(bench.end, bench.stream), "cannot time a kernel");
        check(cudaStreamSynchronize(bench.stream), "a kernel failed while it was calibrated");
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, bench.begin, bench.end), "cannot time a kernel");
        mean = static_cast<double>(milliseconds) * 1e6 / launches;
    }
    std::sort(means.begin(), means.end());
    return means[1];
}

double Calibration::kernel_ns(const KernelClass& kernel, std::uint64_t work)
{
    const int launches = static_cast<int>(std::clamp(1e6 / static_cast<double>(kernel.time), 1.0, 20.0));
    return measure(kernel, work, kernel.words, launches) - measure(kernel, 0, 0, launches)
        + empty_kernel_ns(kernel.blocks);
}

std::uint64_t Calibration::work_for(const KernelClass& kernel)
{
    if (const auto known = m_known.find(kernel); known != m_known.end()) {
        return known->second;
    }
    auto& bench = bench_of(kernel.gpu);
    if (kernel.words > bench.output_words) {
        check(cudaFree(bench.output), "cannot free memory");
        bench.output = nullptr;
        check(cudaMalloc(&bench.output, kernel.words * 8), "cannot allocate memory to calibrate kernels with");
        bench.output_words = kernel.words;
    }
    const auto target = static_cast<double>(kernel.time);
    // Far enough along the line to measure its slope: at least a third of the target.
    double low_work = 0;
    double low_ns = kernel_ns(kernel, 0);
    double work = kernel.work == KernelWork::memory ? 1e5 : kernel.work == KernelWork::spin ? target : 100;
    double ns = kernel_ns(kernel, static_cast<std::uint64_t>(work));
    for (int i = 0; i < 20 && ns < target / 3; ++i) {
        work *= std::clamp(target / std::max(ns - low_ns, 100.0), 1.5, 30.0);
        ns = kernel_ns(kernel, static_cast<std::uint64_t>(work));
    }
    for (int round = 0; round < 4 && std::abs(ns - target) > target * 0.003; ++round) {
        const double slope = (ns - low_ns) / (work - low_work);
        if (!(slope > 0) || target <= low_ns) {
            break;
        }
        const double next = std::max(0.0, std::round(work + (target - ns) / slope));
        if (next == work) {
            break;
        }
        work = next;
        ns = kernel_ns(kernel, static_cast<std::uint64_t>(work));
    }
    const auto found = low_ns >= target ? 0 : static_cast<std::uint64_t>(work);
    m_known.emplace(kernel, found);
    return found;
}

}  // namespace lanes
