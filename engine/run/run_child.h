// SPDX-License-Identifier: MIT
// The child of `lanes run --device cuda`: runs one variant on a GPU and reports its
// progress to its parent.
//
// Its report is lines of "WORD REST": "progress FRACTION WHAT", "begun" when the timed
// part starts (from there on there is something to recover), "wall NS" for each
// repetition, "error TEXT". The exit status is that of `lanes`: 0, 1 failed while
// running, 2 the input was wrong, 130 cancelled.
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
    std::string spool;  ///< "": the records go nowhere
};

/// Returns the exit status.
int run_child(const RunChildRequest& request);

/// True if this binary has the CUDA runner.
bool can_run_on_cuda();

}  // namespace lanes
