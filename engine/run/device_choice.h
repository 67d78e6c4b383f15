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

/// The words were wrong: exit status 2.
class DeviceWordsError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};
/// A GPU was asked for and none works: exit status 1.
class NoGpuError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// `survey` is asked only where the words leave it open or ask for a GPU. "auto" takes GPUs only where there are as
/// many as the run needs; "cuda" leaves it to the run to say at which line it needs more.
DeviceChoice choose_device(
    const std::string& words, const std::function<GpuSurvey()>& survey, std::uint32_t gpus_needed = 1);

/// That the model device chosen by `words` is there. Throws DeviceWordsError, which names those that are.
void check_model(const DeviceChoice& choice, const std::string& words);

}  // namespace lanes
