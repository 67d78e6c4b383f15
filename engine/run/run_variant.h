// SPDX-License-Identifier: MIT
// Runs one variant of a workload and writes its recording.
#pragma once

#include "engine/run/device_choice.h"
#include "engine/run/recording_join.h"
#include "engine/run/run_progress.h"
#include "engine/workload/workload.h"

#include <string>
#include <vector>

namespace lanes {

struct VariantRun {
    const Workload& workload;
    const Program& program;
    const Settings& settings;
    const DeviceChoice& device;
    const GpuSurvey& survey;  ///< of this machine, if device.cuda
    std::string label;  ///< for progress lines: the variant's name
    std::string file;  ///< the recording to write; "": none (no probe)
    /// Number of runs on a GPU. The run of median time becomes the recording, which also has the times of all runs, and
    /// those of as many runs without the probe.
    int repeat = 1;
};

struct VariantResult {
    int status = 0;  ///< the exit status of lanes
    std::string file;  ///< the recording that was written, "" if none
    std::vector<Ns> wall;  ///< the wall time of the recording; without a recording, of each repetition
    /// Wall times of all repetitions, with and without the probe; empty for one run.
    std::vector<Ns> totals, unrecorded;
    std::vector<std::string> messages;  ///< for the user, in order
};

VariantResult run_variant_on_cuda(const VariantRun& run, RunProgress& progress);
VariantResult run_variant_on_model(const VariantRun& run, RunProgress& progress);

/// The last step of both: makes the recording from the spool, adds messages about it to the result, and removes the
/// spool once the recording is complete.
void finish_variant(const VariantRun& run, const std::string& spool, const std::string& failure,
    const Repetitions& repetitions, VariantResult& result);

/// Adjusts the status and last message of `result` for a workload that expects an error: a run that ended with that
/// error has succeeded, any other run has failed. `failure` is what went wrong, "" if nothing.
void judge_failure(const VariantRun& run, const std::string& failure, VariantResult& result);

}  // namespace lanes
