// SPDX-License-Identifier: MIT
// The part of a program that was recorded, where it was not all of it (`lanes record --delay`, `--range`, ...).
#pragma once

#include "engine/trace/trace.h"

#include <limits>
#include <string>
#include <vector>

namespace lanes {

struct RecordedPart {
    std::uint32_t process = 0;
    Ns begin = 0;  ///< ns from the start; of one that began with the process 0
    Ns end = std::numeric_limits<Ns>::max();  ///< that: with the process
    std::string begun_by, ended_by;  ///< words of RecordControl::Cause

    /// The process had issued work before it.
    bool begins_in_the_middle() const { return begun_by != "program"; }
};

/// Of meta::windows; empty for a recording of all. Lines that are none are left out: the file may come from anywhere.
std::vector<RecordedPart> recorded_parts(const Trace& trace);

/// False: calls issued kernels, copies or memsets and nothing of what they issued is there, as in a trace of the CPU
/// alone or in an export whose tables of the GPU are missing. Then nothing is known of the GPU; it is not idle.
bool gpu_work_is_recorded(const Trace& trace);

}  // namespace lanes
