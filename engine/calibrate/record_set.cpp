// SPDX-License-Identifier: MIT
#include "engine/calibrate/record_set.h"

#include "engine/formatted.h"
#include "engine/run/run_variant.h"
#include "engine/workload/catalogue.h"
#include "engine/workload/resources.h"
#include "engine/workload/workload.h"

#include <filesystem>

namespace lanes {

RecordedSet record_set(
    const DeviceChoice& device, const GpuSurvey& survey, const std::string& folder, int rounds, RunProgress& progress)
{
    RecordedSet set;
    const auto source = resource("calibration");
    const auto names = catalogue_names(source);
    std::vector<std::string> left_out;
    for (int round = 1; round <= rounds; ++round) {
        for (const auto& name : names) {
            const auto workload = load_workload((source / (name + ".yaml")).string());
            if (device.cuda && workload.gpus > survey.gpus.size()) {
                continue;
            }
            const auto program = compile(workload, "");
            const auto file = std::filesystem::path(folder) / formatted("{}.{}.sqlite", name, round);
            const Settings settings;
            const VariantRun run {workload, program, settings, device, survey, name, file.string(), 1};
            const auto result = device.cuda ? run_variant_on_cuda(run, progress) : run_variant_on_model(run, progress);
            for (const auto& message : result.messages) {
                set.messages.push_back(formatted("{}: {}", name, message));
            }
            if (result.status == 0) {
                set.files.push_back(result.file);
                progress.done(name, result.file);
            } else if (result.status == 130 || workload.gpus < 2) {
                set.status = result.status;
                progress.error(name, result.status == 130 ? "cancelled" : set.messages.back());
                return set;
            }
        }
    }
    return set;
}

}  // namespace lanes
