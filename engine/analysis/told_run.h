// SPDX-License-Identifier: MIT
// A recorded run of a workload as Lanescope tells it today: a recording carries the workload's text of its day, and the
// lesson may have better texts and listings since.
#pragma once

#include "engine/trace/trace.h"
#include "engine/workload/workload.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanes {

struct ToldRun {
    /// The catalogue's workload of that name if it does the same in this variant, step by step (same_steps()), else the
    /// recorded one. Texts, listings and steps are all of this one.
    std::shared_ptr<const Workload> workload;
    std::string variant;
    Settings settings;
    std::vector<StepInfo> steps;  ///< by the ids that the recording has
    bool is_newest = false;  ///< it is the catalogue's
};

/// Nothing where the recording is of no workload, or of one that can no longer be read: the language may have changed.
/// Cost: that of reading and compiling the workload twice.
std::optional<ToldRun> told_run(const Trace& trace);

}  // namespace lanes
