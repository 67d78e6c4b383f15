// SPDX-License-Identifier: MIT
// Makes a recording from a spool, at the end of a run, also if the child faulted or was killed.
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

/// Meta data that is known before the run starts.
std::map<std::string, std::string> meta_of_run(
    const Workload& workload, const Program& program, const Settings& settings);

/// The current time, UTC, in ISO 8601.
std::string utc_now();

/// Which repetitions in a spool count: the one of median wall time in [first, first + count) becomes the recording.
struct Repetitions {
    std::size_t first = 0, count = 1;
    std::vector<Ns> unrecorded;  ///< wall times of as many runs without the probe; empty: not measured
};

/// Which part of a program's records becomes the recording.
struct ProgramPart {
    const std::set<std::uint32_t>* processes = nullptr;  ///< only these; null: all
    std::optional<Interval> recorded = {};  ///< SpoolPart::recorded
    bool is_whole = false;  ///< SpoolPart::is_whole
    std::optional<StepNumbers> steps = {};  ///< only these iterations, if iterations can be found
};

struct JoinedRecording {
    Ns wall = 0;  ///< from the recording's start to the last end of a call or operation
    std::vector<Ns> totals;  ///< the same for each repetition, in order; empty if there is one
    std::size_t calls = 0, operations = 0;
    std::uint64_t dropped = 0;
    std::uint64_t stale_reads = 0;  ///< reads that found wrong bytes although the workload expects fresh ones
    std::string note;  ///< what the spool lacks, "" if it was complete
    std::string probe_problem;  ///< why the probe recorded nothing, "" if it did
    std::string not_begun;  ///< why the requested part was not recorded in some process, "" if it was
    std::string no_steps;  ///< why the requested steps were not cut out, "" if they were
    std::vector<std::string> remarks;  ///< English sentences: a process ended without its last flush, ...
    bool reached_size = false;  ///< recording stopped at --max-size
    bool started_cuda = false;  ///< the probe saw so; else the program handed it ranges, at most
};

/// Reads the spool and writes the recording. Names streams after `program` (may be null). Adds meta data: `failure` (""
/// for none), the end of GPU work in a failed run, and the times of all repetitions. Does not remove the spool. Writes
/// nothing if `program` is null and there is no call or operation. Throws StoreError, std::system_error. Cost: reads
/// the spool once for each repetition.
JoinedRecording join_recording(const std::string& spool, const std::string& recording, const Program* program,
    const std::string& failure, const Repetitions& repetitions = {}, const ProgramPart& part = {});

}  // namespace lanes
