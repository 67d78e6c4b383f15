// SPDX-License-Identifier: MIT
// The GPUs of this machine, as the CUDA runtime reports them. Without a driver, or in a build without CUDA, there are
// none and `problem` says why.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanes {

struct Gpu {
    std::string name;
    std::string uuid;  ///< "GPU-xxxxxxxx-…" as nvidia-smi prints it
    std::uint64_t memory_bytes, free_bytes;  ///< free_bytes 0: not asked for
    int multiprocessors, compute_major, compute_minor, copy_engines;
};

struct GpuSurvey {
    bool built_with_cuda = false;
    int toolkit_version = 0;  ///< version of the CUDA runtime in this binary, as 13000; 0: none
    int driver_version = 0;  ///< newest CUDA that the driver supports; 0: no driver
    std::vector<Gpu> gpus;
    std::string problem;  ///< why no GPU can be used, one line; "" if one can
};

/// Cost: initialises the driver, some 100 ms the first time; creates no context.
GpuSurvey survey_gpus();

/// "13.0" for 13000
std::string cuda_version_text(int version);

}  // namespace lanes
