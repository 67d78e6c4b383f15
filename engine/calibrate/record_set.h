// SPDX-License-Identifier: MIT
// The recordings that a calibration is made of: every workload of resources/calibration, run and recorded as
// `lanes run` does.
#pragma once

#include "engine/run/device_choice.h"
#include "engine/run/run_progress.h"

#include <string>
#include <vector>

namespace lanes {

struct RecordedSet {
    int status = 0;  ///< as lanes exits
    std::vector<std::string> files;  ///< of the recordings, in the order in which they were made
    std::vector<std::string> messages;  ///< for people, in order
};

/// Runs the set `rounds` times; each run leaves `folder`/WORKLOAD.ROUND.sqlite, or WORKLOAD.VARIANT.ROUND.sqlite for
/// each variant. Workloads that need more GPUs than this
/// machine has are left out. If a workload of two GPUs fails, a message says so; any other failure ends the set. Throws
/// WorkloadError, std::system_error. Caught signals cancel it: see CaughtSignals.
RecordedSet record_set(
    const DeviceChoice& device, const GpuSurvey& survey, const std::string& folder, int rounds, RunProgress& progress);

}  // namespace lanes
