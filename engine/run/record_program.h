// SPDX-License-Identifier: MIT
// `lanes record`: any CUDA program, recorded through the injected probe.
#pragma once

#include <string>
#include <vector>

namespace lanes {

struct RecordRequest {
    std::vector<std::string> command;
    std::string output;  ///< file; "": the program's name + .sqlite in the current folder
    bool pytorch = false;  ///< with PyTorch's operators, modules and batches as ranges
};

/// Returns the exit status: the command's, 128 + the signal that ended it, 127 or 126 when it cannot be started
/// (as shells have it), 125 if recording itself failed.
int record_program(const RecordRequest& request);

}  // namespace lanes
