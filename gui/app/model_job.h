// SPDX-License-Identifier: MIT
// A run on the model device, in this process on a worker thread.
#pragma once

#include "gui/app/job.h"
#include "gui/app/run_request.h"

namespace lanes::gui {

/// The recording carries the workload and its settings, as one that `lanes run` wrote does.
std::unique_ptr<Job> makeModelJob(const QString& title, const RunRequest& request);

}  // namespace lanes::gui
