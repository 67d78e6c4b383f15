// SPDX-License-Identifier: MIT
// `lanes run`: every asked-for variant of a workload, one after the other, each in a
// process of its own on a GPU, or in this one on the model device; each leaves a
// recording.
#pragma once

#include "engine/run/run_progress.h"
#include "engine/workload/workload.h"

#include <string>
#include <vector>

namespace lanes {

struct RunRequest {
    std::string workload;  ///< a name of the catalogue, or a path
    std::vector<std::string> variants;  ///< empty: all
    Settings settings;
    std::string device = "auto";
    std::string output;
    bool probe = true;
    int repeat = 1;  ///< on a GPU: the recording is the median of so many runs
    bool json = false;  ///< prints one object about all variants at the end
    RunProgress::Form progress = RunProgress::Form::bar;
};

/// Returns the exit status: 0 done, 1 failed while running, 2 wrong arguments or workload, 130 cancelled.
/// Messages go to stderr, results to stdout.
int run_workload(const RunRequest& request);

}  // namespace lanes
