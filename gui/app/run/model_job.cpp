// SPDX-License-Identifier: MIT
#include "gui/app/run/model_job.h"

#include "engine/run/model/model_device_file.h"
#include "engine/run/model/run_model.h"
#include "engine/run/recording_join.h"
#include "engine/run/stream_names.h"
#include "engine/trace/trace_builder.h"
#include "engine/workload/resources.h"

#include <filesystem>
#include <map>
#include <mutex>

namespace lanes::gui {

namespace {

constexpr double model_share = 0.8;  // the rest of the bar is sorting and analysing

/// Read again only when its file changes: reading takes longer than a small run.
ModelDevice deviceOf(const std::string& name)
{
    struct Known {
        std::filesystem::file_time_type written;
        ModelDevice device;
    };
    static std::mutex access;
    static std::map<std::filesystem::path, Known> known;
    const std::filesystem::path path = resource("devices/" + name + ".yaml");
    const auto written = std::filesystem::last_write_time(path);
    const std::lock_guard lock(access);
    auto found = known.find(path);
    if (found == known.end() || found->second.written != written) {
        found = known.insert_or_assign(path, Known {written, load_model_device(path)}).first;
    }
    return found->second.device;
}

}  // namespace

OpenRecordingPtr runOnModel(const RunRequest& request, const Progress& progress)
{
    Program program = compile(*request.workload, request.run.variant, request.run.settings);
    const std::string device = request.device.argument.toStdString();
    TraceBuilder builder;
    for (const auto& [key, value] : meta_of_run(*request.workload, program, request.run.settings)) {
        builder.write_meta(key, value);
    }
    ModelOptions options;
    options.progress = progress.part(0, model_share);
    const ModelOutcome outcome = run_model(program, deviceOf(device), builder, options);
    if (outcome.cancelled) {
        throw Cancelled();
    }
    write_model_meta(program, device, builder);
    write_model_outcome(outcome, builder);
    Trace trace = builder.finish(Source::model);
    name_streams(trace, program);
    return analysed(
        std::move(trace), request.workload, request.run, std::move(program.steps), progress.part(model_share, 1));
}

std::unique_ptr<Job> makeModelJob(const QString& title, const RunRequest& request)
{
    return std::make_unique<WorkerJob>(
        title, [request](const Progress& progress) { return runOnModel(request, progress); });
}

}  // namespace lanes::gui
