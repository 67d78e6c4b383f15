// SPDX-License-Identifier: MIT
// How a command that runs workloads ends: its work, and what the work throws, as the exit
// status of lanes.
#pragma once

#include "engine/run/run_progress.h"

#include <functional>
#include <string>

namespace lanes {

/// "lanes: text" on stderr.
void say(const std::string& text);

/// What `work` returns. What it throws is said on stderr, and as an object of the progress where that is JSON: 2 where
/// the arguments or the input were wrong (workload, device, output, model device, recording), else 1. A full disk is an
/// error of the write from here on, not a signal.
int exit_status_of(RunProgress::Form progress, const std::function<int()>& work);

}  // namespace lanes
