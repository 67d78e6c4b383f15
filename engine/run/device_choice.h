// SPDX-License-Identifier: MIT
// `--device auto|model[:NAME]|cuda[:N]`: what it means on this machine.
#pragma once

#include "engine/run/gpu_survey.h"

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

namespace lanes {

struct DeviceChoice {
    bool cuda = false;
    int gpu = 0;  ///< of cuda
    std::string model;  ///< of the model device: a name of resources/devices, or a path
    std::string notice;  ///< "" or what people should know about the choice, one line
};

/// Wrong arguments: exit status 2.
class DeviceArgumentError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};
/// A GPU was requested and none works: exit status 1.
class NoGpuError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// `survey` is called only for "auto" or if a GPU is requested. "auto" takes GPUs only if there are as
/// many as the run needs; "cuda" leaves it to the run to say at which line it needs more.
DeviceChoice choose_device(
    const std::string& words, const std::function<GpuSurvey()>& survey, std::uint32_t gpus_needed = 1);

/// Throws DeviceArgumentError, which names the model devices there are, if the one chosen by `words` does not exist.
void check_model(const DeviceChoice& choice, const std::string& words);

}  // namespace lanes
