// SPDX-License-Identifier: MIT
// Where the files are that come with Lanescope: workloads, device models, texts, recordings.
#pragma once

#include <filesystem>

namespace lanes {

/// The resources folder: $LANES_RESOURCES if it is set; else `resources` in the executable's folder or one above it, or
/// `share/lanescope` there. Throws std::runtime_error that names the places looked at. Cost: some stat() calls.
std::filesystem::path resources();

/// The file `resources()/name`, which need not exist.
std::filesystem::path resource(const std::filesystem::path& name);

/// The same, looked for from `folder` upward, without the environment; empty if there is none.
std::filesystem::path find_resources(const std::filesystem::path& folder);

}  // namespace lanes
