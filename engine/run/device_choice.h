// SPDX-License-Identifier: MIT
// `--device auto|model[:NAME]|cuda[:N]`: which device a run uses.
#pragma once

#include "engine/input_error.h"
#include "engine/run/gpu_survey.h"

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

namespace lanes {

struct DeviceChoice {
    bool cuda = false;
    int gpu = 0;  ///< if cuda
    std::string model;  ///< else the model device: a name in resources/devices, or a path
    std::string notice;  ///< one line about the choice for the user, or ""
};

/// A wrong value of an option that names a device, or an option that does not go with it.
class DeviceArgumentError : public InputError {
public:
    using InputError::InputError;
};
/// A GPU was requested, but none works.
class NoGpuError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// `device` is the value of the option. `survey` is called for "auto" and "cuda". "auto" chooses GPUs only if there are
/// `gpus_needed`; with "cuda" the run itself fails at the line that needs more. Throws DeviceArgumentError, NoGpuError.
DeviceChoice choose_device(
    const std::string& device, const std::function<GpuSurvey()>& survey, std::uint32_t gpus_needed = 1);

/// Throws DeviceArgumentError, which lists the model devices, if the chosen one does not exist. `device`: as above.
void check_model(const DeviceChoice& choice, const std::string& device);
/// The same for a model device, by name or file, that was given with the option `said`.
void check_model_device(const std::string& model, const std::string& said);

}  // namespace lanes
