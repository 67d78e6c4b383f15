// SPDX-License-Identifier: MIT
// The child process of `lanes run --device cuda`: runs one variant on a GPU and reports its progress to its parent.
//
// The report is lines: "progress FRACTION WHAT", "begun" when the timed part starts (records exist from then on), "wall
// NS" for each repetition, "error TEXT". Exit status: 0 done, 1 failed while running, 2 wrong input, 130 cancelled.
#pragma once

#include "engine/workload/workload.h"

#include <string>

namespace lanes {

struct RunChildRequest {
    std::string workload_file;
    std::string variant;
    Settings settings;
    int gpu = 0;
    int repeat = 1;
    std::string spool;  ///< "": do not record
};

/// Returns the exit status.
int run_child(const RunChildRequest& request);

/// True if this binary has the CUDA runner.
bool can_run_on_cuda();

}  // namespace lanes
