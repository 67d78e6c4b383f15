// SPDX-License-Identifier: MIT
// One variant: run it, join its recording.
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
    const GpuSurvey& survey;  ///< of this machine, where device.cuda
    std::string label;  ///< of progress lines: the variant's name
    std::string file;  ///< of the recording; "": none is made (no probe)
    /// On a GPU: so many runs. The recording has that of median time, and the times of all of them and of as many
    /// without the probe.
    int repeat = 1;
};

struct VariantResult {
    int status = 0;  ///< as lanes exits
    std::string file;  ///< of the recording that was written, "" if none
    std::vector<Ns> wall;  ///< ns: of the recording; without one, of each repetition
    std::vector<Ns> totals, unrecorded;  ///< ns: of all runs, where a recording is the median of several
    std::vector<std::string> messages;  ///< for people, in order
};

VariantResult run_variant_on_cuda(const VariantRun& run, RunProgress& progress);
VariantResult run_variant_on_model(const VariantRun& run, RunProgress& progress);

/// The end of both: joins the recording, adds the messages about it to the result, and removes the spool once the
/// recording is whole.
void finish_variant(const VariantRun& run, const std::string& spool, const std::string& failure,
    const Repetitions& repetitions, VariantResult& result);

/// Where the workload expects an error: the run that ended with it is done, any other has failed. The status and the
/// last message of `result` say so. `failure` is what went wrong, "" if nothing.
void judge_failure(const VariantRun& run, const std::string& failure, VariantResult& result);

}  // namespace lanes
