// SPDX-License-Identifier: MIT
#include "engine/formatted.h"
#include "engine/run/run_variant.h"

#include "engine/run/child_process.h"
#include "engine/run/model/model_device_file.h"
#include "engine/run/model/run_model.h"
#include "engine/run/model_files.h"
#include "engine/run/output_files.h"
#include "engine/run/recording_join.h"
#include "probes/spool.h"

#include <cstring>
#include <unistd.h>

namespace lanes {

namespace {

ModelOutcome simulate(const VariantRun& run, const ModelDevice& device, RecordSink& sink, RunProgress& progress)
{
    ModelOptions options;
    std::stop_source stop;
    options.progress = Progress(stop.get_token(), [&](double fraction) {
        progress.at(run.label, 0.9 * fraction, "simulating");
        if (CaughtSignals::count() > 0) {
            stop.request_stop();
        }
    });
    return run_model(run.program, device, sink, options);
}

}  // namespace

VariantResult run_variant_on_model(const VariantRun& run, RunProgress& progress)
{
    VariantResult result;
    const auto device = load_model_device(model_device_path(run.device.model).string());
    check_fits(run.program, device);
    const std::string recording = run.file;
    const std::string spool = spool_of(recording);
    SpoolWriter writer;
    if (auto left = open_new_spool(writer, spool); !left.empty()) {
        result.messages.push_back(std::move(left));
    }
    for (const auto& [key, value] : meta_of_run(run.workload, run.program, run.settings)) {
        writer.write_meta(key, value);
    }
    write_model_meta(run.program, model_device_name(run.device.model), writer);
    const auto outcome = simulate(run, device, writer, progress);
    write_model_outcome(outcome, writer);
    end_spool(writer);
    progress.clear_bar();
    const int error = writer.error();
    writer.close();
    if (error != 0) {
        ::unlink(spool.c_str());
        result.status = 1;
        result.messages.push_back(formatted("cannot write {}: {}; no recording was made", spool, std::strerror(error)));
        return result;
    }
    std::string failure;
    if (outcome.cancelled) {
        failure = "cancelled";
        result.status = 130;
    } else if (outcome.error) {
        failure = outcome.error->message;
        result.status = 1;
        result.messages.push_back(failure);
    }
    judge_failure(run, failure, result);
    finish_variant(run, spool, failure, {}, result);
    return result;
}

}  // namespace lanes
