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
    for (int round = 1; round <= rounds; ++round) {
        for (const auto& name : names) {
            const auto workload = load_workload((source / (name + ".yaml")).string());
            if (device.cuda && workload.gpus > survey.gpus.size()) {
                continue;
            }
            // A workload that fails on purpose has a variant for each way to fail.
            for (const auto& variant : variants_of(workload)) {
                const auto program = compile(workload, variant);
                const auto label = run_name(name, variant);
                const auto file = std::filesystem::path(folder) / formatted("{}.{}.sqlite", label, round);
                const Settings settings;
                const VariantRun run {workload, program, settings, device, survey, label, file.string(), 1};
                const auto result
                    = device.cuda ? run_variant_on_cuda(run, progress) : run_variant_on_model(run, progress);
                const bool is_to_fail = !program.expected_error.empty();
                if (!is_to_fail || result.status != 0) {
                    for (const auto& message : result.messages) {
                        set.messages.push_back(formatted("{}: {}", label, message));
                    }
                }
                if (result.status == 0) {
                    set.files.push_back(result.file);
                    progress.done(label, result.file);
                } else if (result.status == 130 || (workload.gpus < 2 && !is_to_fail)) {
                    set.status = result.status;
                    progress.error(label, result.status == 130 ? "cancelled" : set.messages.back());
                    return set;
                }
            }
        }
    }
    return set;
}

}  // namespace lanes
