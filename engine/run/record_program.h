// SPDX-License-Identifier: MIT
// `lanes record`: any CUDA program, recorded through the injected probe.
#pragma once

#include "engine/analysis/steps.h"
#include "probes/cupti/record_control.h"

#include <optional>
#include <string>
#include <vector>

namespace lanes {

struct RecordRequest {
    std::vector<std::string> command;
    std::string output;  ///< a pattern (output_pattern.h); "": the program's name + .sqlite in the current folder
    bool pytorch = false;  ///< with PyTorch's operators, modules and batches as ranges
    bool live = false;  ///< lines on stderr while the program runs: see live_lines.h
    std::optional<StepNumbers> steps;  ///< iterations that are cut out of it once the program has ended
    ControlSettings control;  ///< the part that is recorded; `start` is filled in here
};

/// Returns the exit status: the command's, 128 + the signal that ended it, 127 or 126 when it cannot be started
/// (as shells have it), 125 if recording itself failed. What several processes or several `lanes record` of one job
/// write to one name is never lost: see output_pattern.h. Throws OutputArgumentError for a pattern that is none.
int record_program(const RecordRequest& request);

}  // namespace lanes
