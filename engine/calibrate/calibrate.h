// SPDX-License-Identifier: MIT
// `lanes calibrate`: measures a machine and makes a model device of it.
#pragma once

#include "engine/run/run_progress.h"

#include <string>
#include <vector>

namespace lanes {

struct CalibrateRequest {
    std::string device = "cuda";
    std::vector<std::string> from;  ///< folders with recordings made before; empty: they are made now
    std::string output;  ///< the device file
    std::string recordings;  ///< where the recordings are kept; "": nowhere
    std::string defaults = "h100";  ///< model device whose constants stand in for what is not measured
    std::string name;  ///< of the GPU as recordings will show it; "": made from the GPU's own
    int rounds = 10;  ///< with 5, 90 to 94 % of an H100's recordings were within 10 %; with 10, 93 to 94 %
    bool json = false;
    RunProgress::Form progress = RunProgress::Form::bar;
};

/// Returns the exit status: 0 done, 1 failed while running, 2 wrong arguments or file, 130 cancelled. Messages
/// go to stderr, results to stdout. `output` is written whole or not at all.
int calibrate(const CalibrateRequest& request);

}  // namespace lanes
