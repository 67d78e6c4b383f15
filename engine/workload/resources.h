// SPDX-License-Identifier: MIT
// Finds the files that come with Lanescope: workloads, model devices, texts, recordings.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// The resources folder: $LANES_RESOURCES if it is set, else `resources` or `share/lanescope` in the folder of the
/// running program or in one above it. Throws std::runtime_error that says where it looked. Cost: some stat() calls.
std::filesystem::path resources();

/// The file `resources()/name`, which need not exist.
std::filesystem::path resource(const std::filesystem::path& name);

/// The names of the files in `folder` with this ending (".yaml"), sorted and without it. Cost: reads the folder.
std::vector<std::string> stems_in(const std::filesystem::path& folder, std::string_view ending);

/// The resources folder in `folder` or above, without the environment variable; empty if there is none.
std::filesystem::path find_resources(const std::filesystem::path& folder);

}  // namespace lanes
