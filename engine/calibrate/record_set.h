// SPDX-License-Identifier: MIT
// Makes the recordings for a calibration: runs every workload of resources/calibration, as `lanes run` does.
#pragma once

#include "engine/run/device_choice.h"
#include "engine/run/run_progress.h"

#include <string>
#include <vector>

namespace lanes {

struct RecordedSet {
    int status = 0;  ///< the exit status of lanes
    std::vector<std::string> files;  ///< the recordings, in the order in which they were made
    std::vector<std::string> messages;  ///< for the user, in order
};

/// Runs all workloads `rounds` times. Each run writes `folder`/WORKLOAD.ROUND.sqlite, or WORKLOAD.VARIANT.ROUND.sqlite
/// for each variant. Skips workloads that need more GPUs than this machine has. If a workload with two GPUs fails, a
/// message says so; any other failure ends it. A caught signal cancels it (CaughtSignals). Throws WorkloadError,
/// std::system_error.
RecordedSet record_set(
    const DeviceChoice& device, const GpuSurvey& survey, const std::string& folder, int rounds, RunProgress& progress);

}  // namespace lanes
