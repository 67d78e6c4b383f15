// SPDX-License-Identifier: MIT
#include "engine/run/model_files.h"

#include "engine/workload/resources.h"

namespace lanes {

std::vector<std::string> model_device_names()
{
    return stems_in(resource("devices"), ".yaml");
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
