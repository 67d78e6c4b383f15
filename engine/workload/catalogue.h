// SPDX-License-Identifier: MIT
// The workloads that come with Lanescope: `resources/workloads/NAME.yaml`.
#pragma once

#include "engine/workload/workload.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace lanes {

/// Names in the order in which they are best learnt: as `order.txt` in the folder lists them, then what it leaves out,
/// by name. Throws std::runtime_error where there are no resources. Cost: reads the folder.
std::vector<std::string> catalogue_names();
std::vector<std::string> catalogue_names(const std::filesystem::path& folder);

/// The file of a workload as the command line names it: a path if it holds '/' or ends in ".yaml", else a name of the
/// catalogue. Throws WorkloadError for an unknown name, with the nearest one.
std::filesystem::path workload_path(const std::string& argument);

/// load_workload(workload_path(argument)); throws WorkloadError, with the path, also where the file cannot be read.
Workload find_workload(const std::string& argument);

/// The workload of the catalogue that a recording's own, `recorded`, has become since: its texts are newer. `recorded`
/// where the catalogue has none of its name, or that one lacks a variant of it. Cost: reads the workload.
std::shared_ptr<const Workload> newest_of(const std::shared_ptr<const Workload>& recorded);

}  // namespace lanes
