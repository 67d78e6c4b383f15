// SPDX-License-Identifier: MIT
#include "engine/run/model_files.h"

#include "engine/workload/resources.h"

#include <algorithm>

namespace lanes {

std::vector<std::string> model_device_names()
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(resource("devices"))) {
        if (entry.path().extension() == ".yaml") {
            names.push_back(entry.path().stem().string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::filesystem::path model_device_path(const std::string& name)
{
    const bool is_path = name.find('/') != std::string::npos || name.ends_with(".yaml");
    return is_path ? std::filesystem::path(name) : resource("devices/" + name + ".yaml");
}

std::string model_device_name(const std::string& name)
{
    return model_device_path(name).stem().string();
}

}  // namespace lanes
