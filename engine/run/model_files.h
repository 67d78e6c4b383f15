// SPDX-License-Identifier: MIT
// Finds model devices: resources/devices/NAME.yaml, or the user's own files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lanes {

/// The names in resources/devices, sorted. Throws std::runtime_error if there are no resources. Cost: reads the folder.
std::vector<std::string> model_device_names();

/// The file for `--device model:NAME`: NAME itself if it contains '/' or ends in ".yaml", else
/// resources/devices/NAME.yaml. The file need not exist.
std::filesystem::path model_device_path(const std::string& name);

/// The name in recordings: the file's name without folder and ".yaml".
std::string model_device_name(const std::string& name);

}  // namespace lanes
