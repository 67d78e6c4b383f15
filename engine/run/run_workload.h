// SPDX-License-Identifier: MIT
// `lanes run`: runs the requested variants of a workload one after the other and records each. On a GPU each runs in a
// child process, on the model device in this process.
#pragma once

#include "engine/run/run_progress.h"
#include "engine/workload/workload.h"

#include <functional>
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
    int repeat = 1;  ///< on a GPU: number of runs; the one of median time is recorded
    /// Holds what was run against the workload's exercise, and says how it came out: the workload, "mine.slow", the
    /// variant, its recording. Null: nothing is asked.
    std::function<bool(const Workload&, const std::string&, const std::string&, const std::string&)> check = {};
    bool json = false;  ///< print one object about all variants at the end
    RunProgress::Form progress = RunProgress::Form::bar;
};

/// Returns the exit status: 0 done, 1 failed while running, 2 wrong arguments or workload, 130 cancelled, 3 it ran, but
/// a limit of its exercise does not hold. Messages go to stderr, results to stdout.
int run_workload(const RunRequest& request);

}  // namespace lanes
