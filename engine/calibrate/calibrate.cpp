// SPDX-License-Identifier: MIT
#include "engine/calibrate/calibrate.h"

#include "engine/analysis/words/json_writer.h"
#include "engine/calibrate/fit.h"
#include "engine/calibrate/record_set.h"
#include "engine/formatted.h"
#include "engine/run/child_process.h"
#include "engine/run/exit_status.h"
#include "engine/run/model/model_constants.h"
#include "engine/run/model/model_device_file.h"
#include "engine/run/model_files.h"
#include "engine/run/output_files.h"
#include "engine/store/atomic_file.h"
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "engine/workload/catalogue.h"
#include "engine/workload/resources.h"
#include "engine/workload/workload.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

namespace lanes {

namespace {

namespace fs = std::filesystem;

/// A folder for recordings that are not kept.
class ScratchFolder {
public:
    ScratchFolder()
    {
        auto name = (fs::temp_directory_path() / "lanes-calibrate-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) {
            throw std::system_error(errno, std::generic_category(), name);
        }
        m_path = name;
    }
    ~ScratchFolder()
    {
        std::error_code none;
        fs::remove_all(m_path, none);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    const std::string& path() const { return m_path; }

private:
    std::string m_path;
};

/// The recordings of calibration workloads in `folders`, by name; other recordings are skipped.
std::vector<Trace> open_all(const std::vector<std::string>& folders)
{
    const auto set = catalogue_names(resource("calibration"));
    std::vector<Trace> traces;
    for (const auto& folder : folders) {
        std::error_code error;
        std::vector<fs::path> files;
        for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
            if (entry->path().extension() == ".sqlite") {
                files.push_back(entry->path());
            }
        }
        if (error) {
            throw OutputArgumentError(formatted("--from {}: {}", folder, error.message()));
        }
        std::sort(files.begin(), files.end());
        for (const auto& file : files) {
            auto trace = open_recording(file.string());
            if (std::find(set.begin(), set.end(), meta::text_of(trace.meta, meta::workload)) != set.end()) {
                traces.push_back(std::move(trace));
            }
        }
        if (traces.empty()) {
            throw OutputArgumentError(formatted("--from {}: found no recording of a calibration workload", folder));
        }
    }
    return traces;
}

std::string meta_of(const std::vector<Trace>& traces, const char* key)
{
    for (const auto& trace : traces) {
        if (const auto text = meta::text_of(trace.meta, key); !text.empty()) {
            return std::string(text);
        }
    }
    return "";
}

std::string source_text(const ModelConstant& constant, const Estimate& estimate)
{
    if (estimate.samples == 1 || estimate.low == estimate.high) {
        return formatted("fitted: {}", estimate.how);
    }
    return formatted("fitted: {}; {} of {}, quartiles {} and {}", estimate.how,
        constant.unit == ModelUnit::time ? "mean" : "median", estimate.samples,
        text_of(constant, std::max(0.0, estimate.low)), text_of(constant, std::max(0.0, estimate.high)));
}

ModelDeviceFile device_file(
    const Fit& fit, const ModelDeviceFile& defaults, const std::vector<Trace>& traces, const CalibrateRequest& request)
{
    ModelDeviceFile file;
    file.device = fit.device();
    const auto gpu = meta_of(traces, meta::device);
    const bool of_model = gpu.starts_with("model:");
    file.device.name = !request.name.empty() ? request.name
        : of_model && !traces.front().devices.empty()
        ? std::string(traces.front().text(traces.front().devices.front().name))
        : "Model of " + gpu;
    file.measured = {{"gpu", gpu}, {"recordings", std::to_string(traces.size())}};
    for (const auto& [key, from] :
        {std::pair("driver", meta::driver_version), std::pair("cuda", meta::runtime_version)}) {
        if (const auto value = meta_of(traces, from); !value.empty()) {
            file.measured[key] = value;
        }
    }
    file.comment
        = {"A model device that lanes calibrate made of recordings of the calibration workloads on " + gpu + ".",
            "`fitted` says of which experiment, of how many samples, and between which quartiles they lie;",
            "`default` was not measured there: it is that of the model device " + model_device_name(request.defaults)
                + ", whose text follows."};
    for (const auto& constant : model_constants()) {
        const std::string name(constant.name);
        const auto estimate = fit.estimates().find(name);
        file.sources[name] = estimate != fit.estimates().end()   ? source_text(constant, estimate->second)
            : defaults.sources.at(name).starts_with("default: ") ? defaults.sources.at(name)
                                                                 : "default: " + defaults.sources.at(name);
    }
    return file;
}

std::string json_of(const ModelDeviceFile& file, const Fit& fit, const std::string& path)
{
    JsonWriter json;
    json.begin_object().field("file", path).field("name", std::string_view(file.device.name));
    json.key("constants").begin_array();
    for (const auto& constant : model_constants()) {
        const double value = value_of(file.device, constant);
        json.begin_object().field("name", constant.name).field("value", value);
        json.field("text", std::string_view(text_of(constant, value)));
        const auto estimate = fit.estimates().find(constant.name);
        json.field("fitted", estimate != fit.estimates().end());
        if (estimate != fit.estimates().end()) {
            json.field("samples", static_cast<std::uint64_t>(estimate->second.samples));
            json.field("low", estimate->second.low).field("high", estimate->second.high);
        }
        json.field("source", std::string_view(file.sources.at(std::string(constant.name)))).end_object();
    }
    return json.end_array().end_object().take();
}

void write_file(const std::string& path, const std::string& text)
{
    AtomicFile file(path);
    std::ofstream out(file.beside(), std::ios::binary);
    out << text;
    out.close();
    if (!out) {
        throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), path);
    }
    file.commit();
}

/// Without a GPU, the error does not speak of an option that nobody gave.
DeviceChoice chosen_device(const std::string& device, GpuSurvey& survey)
{
    try {
        return choose_device(device, [&] { return survey = survey_gpus(); });
    } catch (const NoGpuError&) {
        if (device != CalibrateRequest().device) {
            throw;
        }
        throw NoGpuError("there is no GPU to measure: " + survey.problem);
    }
}

/// Makes the recordings. `status` is not 0 if that failed.
std::vector<std::string> record(
    const CalibrateRequest& request, const std::string& folder, RunProgress& progress, int& status)
{
    GpuSurvey survey;
    const auto device = chosen_device(request.device, survey);
    check_model(device, request.device);
    const CaughtSignals signals;
    const auto set = record_set(device, survey, folder, request.rounds, progress);
    progress.clear_bar();
    for (const auto& message : set.messages) {
        say(message);
    }
    status = set.status;
    return {folder};
}

int calibrate_checked(const CalibrateRequest& request)
{
    if (!request.output.ends_with(".yaml") || fs::is_directory(request.output)) {
        throw OutputArgumentError(formatted("-o {}: expected a file whose name ends in .yaml", request.output));
    }
    check_model_device(request.defaults, "--defaults " + request.defaults);
    const auto defaults = load_model_device_file(model_device_path(request.defaults).string());
    if (!request.recordings.empty()) {
        std::error_code error;
        fs::create_directories(request.recordings, error);
        if (!fs::is_directory(request.recordings)) {
            throw OutputArgumentError(formatted("--recordings {}: cannot make this folder", request.recordings));
        }
    }
    RunProgress progress(request.progress, request.progress == RunProgress::Form::json ? stdout : stderr);
    auto folders = request.from;
    std::optional<ScratchFolder> scratch;
    if (folders.empty()) {
        if (request.recordings.empty()) {
            scratch.emplace();
        }
        int status = 0;
        folders = record(request, scratch ? scratch->path() : request.recordings, progress, status);
        if (status != 0) {
            return status;
        }
    }
    const auto traces = open_all(folders);
    const auto fit = fit_device(Experiments(traces), defaults.device);
    const auto file = device_file(fit, defaults, traces, request);
    write_file(request.output, to_text(file));
    progress.done("", request.output);
    const auto left = model_constants().size() - fit.estimates().size();
    if (request.json) {
        std::puts(json_of(file, fit, request.output).c_str());
    } else if (request.progress != RunProgress::Form::json) {
        std::fputs(formatted("{}: {} constants fitted to {} recordings, {} taken from {} -> {}\n", file.device.name,
                       fit.estimates().size(), traces.size(), left, model_device_name(request.defaults), request.output)
                       .c_str(),
            stdout);
    }
    return 0;
}

}  // namespace

int calibrate(const CalibrateRequest& request)
{
    return exit_status_of(request.progress, [&] { return calibrate_checked(request); });
}

}  // namespace lanes
