// SPDX-License-Identifier: MIT
#include "engine/workload/resources.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace lanes {

namespace fs = std::filesystem;

fs::path find_resources(const fs::path& folder)
{
    std::error_code none;
    for (fs::path at = folder;; at = at.parent_path()) {
        for (const char* name : {"resources", "share/lanescope"}) {
            // A folder with workloads in it is ours, not another program's.
            if (fs::is_directory(at / name / "workloads", none)) {
                return at / name;
            }
        }
        if (!at.has_relative_path()) {
            return {};
        }
    }
}

fs::path resources()
{
    if (const char* set = std::getenv("LANES_RESOURCES"); set != nullptr && *set != '\0') {
        std::error_code none;
        if (!fs::is_directory(set, none)) {
            throw std::runtime_error(std::string("LANES_RESOURCES is '") + set + "', which is no folder");
        }
        return set;
    }
    const fs::path program = fs::read_symlink("/proc/self/exe").parent_path();
    fs::path found = find_resources(program);
    if (found.empty()) {
        throw std::runtime_error("no folder 'resources' or 'share/lanescope' in or above " + program.string()
            + "; LANES_RESOURCES can give its path");
    }
    return found;
}

fs::path resource(const fs::path& name)
{
    return resources() / name;
}

std::vector<std::string> stems_in(const fs::path& folder, std::string_view ending)
{
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ending) {
            names.push_back(entry.path().stem().string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace lanes
