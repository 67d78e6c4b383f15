// SPDX-License-Identifier: MIT
#include "engine/run/run_workload.h"

#include "engine/analysis/words/json_writer.h"
#include "engine/formatted.h"
#include "engine/run/child_process.h"
#include "engine/run/exit_status.h"
#include "engine/run/output_files.h"
#include "engine/run/run_child.h"
#include "engine/run/run_variant.h"
#include "engine/store/recording_file.h"
#include "engine/workload/catalogue.h"

#include <algorithm>
#include <cstdio>

namespace lanes {

namespace {

std::vector<std::string> wanted_variants(const Workload& workload, const RunRequest& request)
{
    if (!request.variants.empty()) {
        return request.variants;  // compile() knows whether they exist
    }
    if (request.check && !workload.exercise.of.empty()) {
        return {workload.exercise.of};
    }
    return variants_of(workload);
}

/// One object about all variants: their times in order, and their files.
std::string summary_of(const std::vector<VariantResult>& results, bool probe)
{
    JsonWriter json;
    json.begin_object().key("wall_ns").begin_array();
    for (const auto& result : results) {
        for (const Ns wall : result.wall) {
            json.value(wall);
        }
    }
    json.end_array();
    if (probe) {
        json.key("files").begin_array();
        for (const auto& result : results) {
            json.value(result.file);
        }
        json.end_array();
    }
    return json.end_object().take();
}

std::string range_of(const std::vector<Ns>& times)
{
    const auto [least, most] = std::minmax_element(times.begin(), times.end());
    return formatted("{:.3f} to {:.3f} ms", static_cast<double>(*least) * 1e-6, static_cast<double>(*most) * 1e-6);
}

std::string line_of(const std::string& name, const VariantResult& result)
{
    std::string times;
    for (const Ns wall : result.wall) {
        times += formatted("{}{:.3f} ms", times.empty() ? "" : ", ", static_cast<double>(wall) * 1e-6);
    }
    if (!result.totals.empty()) {
        times += formatted(" (median of {}: {})", result.totals.size(), range_of(result.totals));
    }
    if (!result.unrecorded.empty()) {
        times += ", without the probe " + range_of(result.unrecorded);
    }
    return formatted("{}: {}{}", name, times, result.file.empty() ? "" : " -> " + result.file);
}

void expect_exercise(const Workload& workload, const RunRequest& request)
{
    if (workload.exercise.check.empty()) {
        throw InputError("--check: " + workload.file + " has no 'exercise'");
    }
    if (!request.probe) {
        throw InputError("--check needs the recording that --no-probe leaves out");
    }
}

int run_checked(const RunRequest& request)
{
    const Workload workload = find_workload(request.workload);
    if (request.check) {
        expect_exercise(workload, request);
    }
    const auto variants = wanted_variants(workload, request);
    std::vector<Program> programs;
    programs.reserve(variants.size());
    for (const auto& variant : variants) {
        programs.push_back(compile(workload, variant, request.settings));
    }
    GpuSurvey survey;
    std::uint32_t gpus_needed = 1;
    for (const auto& program : programs) {
        gpus_needed = std::max(gpus_needed, program.gpus);
    }
    const auto device = choose_device(
        request.device, [&] { return survey = survey_gpus(); }, gpus_needed);
    if (!device.notice.empty()) {
        say(device.notice);
    }
    check_model(device, request.device);
    if (!request.probe && !device.cuda) {
        throw DeviceArgumentError("--no-probe measures a run on a GPU: the model device has no probe to leave out");
    }
    if (request.repeat > 1 && !device.cuda) {
        say("the model device computes the same every time: each variant is run once");
    }
    const auto files = request.probe ? output_files(request.output, workload.name, variants)
                                     : std::vector<std::string>(variants.size());
    const CaughtSignals signals;
    RunProgress progress(request.progress, request.progress == RunProgress::Form::json ? stdout : stderr);
    std::vector<VariantResult> results;
    bool solved = true;
    int status = 0;
    for (std::size_t i = 0; i < variants.size() && status == 0; ++i) {
        const VariantRun run {workload, programs[i], request.settings, device, survey, variants[i], files[i],
            device.cuda ? request.repeat : 1};
        auto result = device.cuda ? run_variant_on_cuda(run, progress) : run_variant_on_model(run, progress);
        progress.clear_bar();
        status = result.status;
        std::string messages;
        for (const auto& message : result.messages) {
            say(message);
            messages += (messages.empty() ? "" : "; ") + message;
        }
        const std::string name = run_name(workload.name, variants[i]);
        if (status == 0) {
            progress.done(variants[i], result.file);
        } else {
            progress.error(variants[i], status == 130 ? "cancelled" : messages);
        }
        if (status == 0 && request.progress != RunProgress::Form::json && !request.json) {
            std::puts(line_of(name, result).c_str());
            std::fflush(stdout);
        } else if (status != 0 && !result.file.empty()) {
            say("what was recorded up to then is in " + result.file);
        }
        if (status == 0 && request.check) {
            solved = request.check(workload, name, variants[i], result.file) && solved;
        }
        results.push_back(std::move(result));
    }
    if (request.json && status == 0) {
        std::puts(summary_of(results, request.probe).c_str());
    }
    constexpr int not_solved = 3;  // as a gate that is exceeded
    return status == 0 && !solved ? not_solved : status;
}

}  // namespace

int run_workload(const RunRequest& request)
{
    return exit_status_of(request.progress, [&] { return run_checked(request); });
}

}  // namespace lanes
