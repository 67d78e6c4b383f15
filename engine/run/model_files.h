// SPDX-License-Identifier: MIT
// The model devices that there are: resources/devices/NAME.yaml, and files of one's own.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lanes {

/// Names in resources/devices, sorted. Throws std::runtime_error where there are no resources. Cost: reads the folder.
std::vector<std::string> model_device_names();

/// The file of a model device as `--device model:NAME` names it: a path if it holds '/' or ends in ".yaml", else a name
/// of resources/devices. The file need not exist.
std::filesystem::path model_device_path(const std::string& name);

/// What recordings call it: the file's name without folder and ".yaml".
std::string model_device_name(const std::string& name);

}  // namespace lanes
