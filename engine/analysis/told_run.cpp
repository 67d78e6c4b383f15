// SPDX-License-Identifier: MIT
#include "engine/analysis/told_run.h"

#include "engine/analysis/facts/recorded_program.h"
#include "engine/workload/catalogue.h"

#include <exception>
#include <utility>

namespace lanes {

namespace {

/// Tells the run by the catalogue's workload if that does the same.
void retell(ToldRun& run, const Program& recorded)
{
    const auto newest = newest_of(run.workload);
    if (newest == run.workload) {
        return;
    }
    try {
        const Program program = compile(*newest, run.variant, run.settings);
        const auto places = same_steps(recorded, program);
        if (!places) {
            return;
        }
        for (std::size_t step = 0; step < places->size(); ++step) {
            if ((*places)[step] != no_id) {
                run.steps[step] = program.steps[(*places)[step]];
            }
        }
        run.workload = newest;
        run.is_newest = true;
    } catch (const WorkloadError&) {
        // It has other parameters now.
    }
}

}  // namespace

std::optional<ToldRun> told_run(const Trace& trace)
{
    auto recorded = recorded_program(trace);
    if (!recorded) {
        return {};
    }
    try {
        ToldRun run {std::move(recorded->workload), std::move(recorded->variant), std::move(recorded->settings),
            recorded->program.steps, false};
        retell(run, recorded->program);
        return run;
    } catch (const std::exception&) {
        return {};  // the catalogue cannot be read
    }
}

}  // namespace lanes
