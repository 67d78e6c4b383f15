// SPDX-License-Identifier: MIT
// Finds how much work a kernel must do to take the time that the workload gives it,
// by measuring on its GPU before the timed part.
//
// Method: a spinning kernel keeps the stream busy while n kernels queue up after it,
// so that they run back to back. Two events around them give their time; the time of
// n empty kernels of the same grid is subtracted. Time is linear in work, plus a
// constant, so the secant through two measurements, repeated, arrives in 2 to 3 rounds.
#pragma once

#include "engine/run/cuda/lowering.h"
#include "engine/run/cuda/machine.h"

#include <map>

namespace lanes {

class Calibration {
public:
    explicit Calibration(const Machine& machine);
    ~Calibration();
    Calibration(const Calibration&) = delete;
    Calibration& operator=(const Calibration&) = delete;

    /// Work for a kernel of this class; measured once, then remembered. Throws CudaError.
    /// 0 when the kernel's writes alone take longer than its time.
    std::uint64_t work_for(const KernelClass& kernel);

private:
    /// What one GPU is measured with.
    struct Bench {
        cudaStream_t stream = nullptr;
        cudaEvent_t begin = nullptr, end = nullptr;
        void* output = nullptr;  ///< the largest output so far
        std::uint64_t output_words = 0;
    };
    Bench& bench_of(std::uint32_t gpu);
    double measure(const KernelClass& kernel, std::uint64_t work, std::uint64_t words, int launches);
    double kernel_ns(const KernelClass& kernel, std::uint64_t work);

    const Machine& m_machine;
    std::map<std::uint32_t, Bench> m_benches;  ///< by GPU
    std::map<KernelClass, std::uint64_t> m_known;
};

}  // namespace lanes
