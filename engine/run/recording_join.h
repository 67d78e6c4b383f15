// SPDX-License-Identifier: MIT
// Spool -> recording: what the parent of a run does at its end, also when the child
// faulted or was killed.
#pragma once

#include "engine/analysis/steps.h"
#include "engine/trace/trace.h"
#include "engine/workload/workload.h"
#include "probes/spool.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lanes {

/// What is known of a run before it starts, as meta data of its recording.
std::map<std::string, std::string> meta_of_run(
    const Workload& workload, const Program& program, const Settings& settings);

/// UTC now, ISO 8601.
std::string utc_now();

/// The repetitions in a spool: that of median wall time among [first, first + count) becomes the recording.
struct Repetitions {
    std::size_t first = 0, count = 1;
    std::vector<Ns> unrecorded;  ///< ns, wall times of as many without the probe; empty: not measured
};

/// What of a program becomes the recording.
struct ProgramPart {
    const std::set<std::uint32_t>* processes = nullptr;  ///< of several only these; null: all
    std::optional<StepNumbers> steps = {};  ///< iterations alone, where they can be told
};

struct JoinedRecording {
    Ns wall = 0;  ///< from the recording's start to the last end of a call or operation
    std::vector<Ns> totals;  ///< ns, the same of each repetition, in order; empty where there was one
    std::size_t calls = 0, operations = 0;
    std::uint64_t dropped = 0;
    std::uint64_t stale_reads = 0;  ///< reads that found wrong bytes though the workload expects fresh ones
    std::string note;  ///< what the spool lacks, "" if it was sound
    std::string probe_problem;  ///< why the probe recorded nothing, "" if it did
    std::string not_begun;  ///< why the part that was to be recorded was not, in some process; "" if it was
    std::string no_steps;  ///< why the steps that were asked for are not cut out, "" if they are
    bool reached_size = false;  ///< recording stopped at --max-size
};

/// Reads the spool, names streams after `program` (may be null), notes `failure` ("" for none) and where the GPU
/// part of a failed run ends, notes the times of all repetitions, and writes the recording. The spool stays. Reads the
/// spool once for each repetition. `part`: what of a program's spool. Where
/// there is neither `program` nor any call or operation, nothing is written. Throws StoreError, std::system_error.
JoinedRecording join_recording(const std::string& spool, const std::string& recording, const Program* program,
    const std::string& failure, const Repetitions& repetitions = {}, const ProgramPart& part = {});

}  // namespace lanes
