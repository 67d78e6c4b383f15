// SPDX-License-Identifier: MIT
// `lanes calibrate`: measures the GPU of this machine and writes a model device for it.
#pragma once

#include "engine/run/run_progress.h"

#include <string>
#include <vector>

namespace lanes {

struct CalibrateRequest {
    std::string device = "cuda";
    std::vector<std::string> from;  ///< folders with existing recordings; empty: make them now
    std::string output;  ///< the device file to write
    std::string recordings;  ///< the folder in which to keep the recordings; "": delete them
    std::string defaults = "h100";  ///< model device that has the constants that cannot be measured here
    std::string name;  ///< name of the GPU to show in recordings; "": made from the GPU's own
    int rounds = 10;  ///< with 5, 90 to 94 % of an H100's recordings were within 10 %; with 10, 93 to 94 %
    bool json = false;
    RunProgress::Form progress = RunProgress::Form::bar;
};

/// Returns the exit status: 0 done, 1 failed while running, 2 wrong arguments or file, 130 cancelled. Prints messages
/// to stderr, results to stdout. Writes `output` completely or not at all.
int calibrate(const CalibrateRequest& request);

}  // namespace lanes
