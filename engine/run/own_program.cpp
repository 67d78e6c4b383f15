// SPDX-License-Identifier: MIT
#include "engine/run/own_program.h"

#include <filesystem>

namespace lanes {

std::string own_program()
{
    std::error_code error;
    const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
    return error ? std::string() : path.string();
}

std::string own_folder()
{
    return std::filesystem::path(own_program()).parent_path().string();
}

}  // namespace lanes
