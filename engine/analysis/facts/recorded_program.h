// SPDX-License-Identifier: MIT
// The workload that a recording carries, as it says it, compiled with the settings of the recorded run.
#pragma once

#include "engine/trace/trace.h"
#include "engine/workload/program.h"
#include "engine/workload/workload.h"

#include <memory>
#include <optional>
#include <string>

namespace lanes {

struct RecordedProgram {
    std::shared_ptr<const Workload> workload;  ///< never null
    std::string variant;
    Settings settings;  ///< `--set` of the run
    Program program;
};

/// Nothing where the recording is of no workload, or of one that can no longer be read: the language may have changed,
/// and the text is untrusted. Cost: that of reading and compiling the workload.
std::optional<RecordedProgram> recorded_program(const Trace& trace);

}  // namespace lanes
