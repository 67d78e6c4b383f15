// SPDX-License-Identifier: MIT
// `lanes record`: records any CUDA program, with the probe injected into it.
#pragma once

#include "engine/analysis/steps.h"
#include "probes/cupti/record_control.h"

#include <optional>
#include <string>
#include <vector>

namespace lanes {

struct RecordRequest {
    std::vector<std::string> command;
    std::string output;  ///< a pattern (output_pattern.h); "": PROGRAM.sqlite in the current folder
    bool pytorch = false;  ///< also record PyTorch's operators, modules and batches, as ranges
    bool shapes = false;  ///< with `pytorch`: also the shapes of the operators' inputs
    Ns stacks = 0;  ///< interval, ns, at which to sample where Python is; 0: not at all
    bool live = false;  ///< print figures on stderr while the program runs: see live_lines.h
    std::optional<StepNumbers> steps;  ///< iterations to keep; they are cut out once the program has ended
    ControlSettings control;  ///< which part to record; its `start` is ignored
};

/// Returns the exit status: that of the command, 128 + signal if a signal ended it, 127 or 126 if it cannot be started
/// (as in shells), 125 if recording failed. If several `lanes record` use the same name at once, each gets a file: see
/// output_pattern.h. Throws OutputArgumentError for an invalid pattern.
int record_program(const RecordRequest& request);

}  // namespace lanes
