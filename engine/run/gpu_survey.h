// SPDX-License-Identifier: MIT
// Which GPUs this machine has, as the CUDA runtime sees them. Works, and says why
// there are none, without a driver and in a build without CUDA.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanes {

struct Gpu {
    std::string name;
    std::string uuid;  ///< "GPU-xxxxxxxx-…" as nvidia-smi prints it
    std::uint64_t memory_bytes, free_bytes;  ///< free_bytes 0 where it was not asked for
    int multiprocessors, compute_major, compute_minor, copy_engines;
};

struct GpuSurvey {
    bool built_with_cuda = false;
    int toolkit_version = 0;  ///< of the CUDA runtime in this binary, as 13000; 0: none
    int driver_version = 0;  ///< newest CUDA that the driver supports; 0: no driver
    std::vector<Gpu> gpus;
    std::string problem;  ///< "" or why no GPU can be used, one line
};

/// Asks the driver. Cost: initialises the driver, some 100 ms the first time; makes no context.
GpuSurvey survey_gpus();

/// "13.0" of 13000
std::string cuda_version_text(int version);

}  // namespace lanes
