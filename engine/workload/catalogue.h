// SPDX-License-Identifier: MIT
// The workloads that come with Lanescope: `resources/workloads/NAME.yaml`.
#pragma once

#include "engine/workload/workload.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace lanes {

/// The names in the order of teaching: as in the course (course.h). Throws
/// std::runtime_error if there are no resources. Cost: reads the folder.
std::vector<std::string> catalogue_names();
std::vector<std::string> catalogue_names(const std::filesystem::path& folder);

/// The file for a command-line argument: the argument itself if it contains '/' or ends in ".yaml", else the workload
/// of that name in the catalogue. Throws WorkloadError for an unknown name, with the nearest one.
std::filesystem::path workload_path(const std::string& argument);

/// load_workload(workload_path(argument)), but throws WorkloadError, with the path, also if the file cannot be read.
Workload find_workload(const std::string& argument);

/// The current version of a workload that is stored in a recording, from the catalogue; its texts may be newer. Returns
/// `recorded` if the catalogue has no workload of this name with all its variants. Cost: reads the workload.
std::shared_ptr<const Workload> newest_of(const std::shared_ptr<const Workload>& recorded);

}  // namespace lanes
