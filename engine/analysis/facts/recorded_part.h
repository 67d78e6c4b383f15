// SPDX-License-Identifier: MIT
// The part of a program that was recorded, if not all of it was (`lanes record --delay`, `--range`, ...).
#pragma once

#include "engine/trace/trace.h"

#include <limits>
#include <string>
#include <vector>

namespace lanes {

struct RecordedPart {
    std::uint32_t process = 0;
    Ns begin = 0;  ///< ns from the start; of one that began with the process 0
    Ns end = std::numeric_limits<Ns>::max();  ///< that value: with the process
    std::string begun_by, ended_by;  ///< words of RecordControl::Cause

    /// The process had issued work before it.
    bool begins_in_the_middle() const { return begun_by != "program"; }
};

/// From meta::windows; empty if all was recorded. Malformed lines are left out: the file may come from anywhere.
std::vector<RecordedPart> recorded_parts(const Trace& trace);

/// False: calls issued kernels, copies or memsets and none of these is recorded, as in an export without its tables of
/// the GPU; or a trace of another tool has no operation and no call of CUDA or HIP: it is of a CPU alone, or of a
/// device that has no lane here. Then nothing is known of the GPU; it is not idle.
bool gpu_work_is_recorded(const Trace& trace);

}  // namespace lanes
