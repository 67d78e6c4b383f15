// SPDX-License-Identifier: MIT
// A run on the model device, in this process on a worker thread.
#pragma once

#include "gui/app/frame/job.h"
#include "gui/app/run/run_request.h"

namespace lanes::gui {

/// Compiles, runs and analyses. The recording carries the workload and its settings, as one that `lanes run` wrote
/// does. Throws WorkloadError and what reading the device's file throws; Cancelled.
/// Cost: about 5 µs an operation, two thirds of it the analysis. From any thread.
OpenRecordingPtr runOnModel(const RunRequest& request, const Progress& progress = {});

std::unique_ptr<Job> makeModelJob(const QString& title, const RunRequest& request);

}  // namespace lanes::gui
