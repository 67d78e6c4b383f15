// SPDX-License-Identifier: MIT
#include "engine/run/run_variant.h"

#include "engine/formatted.h"
#include "engine/run/child_process.h"
#include "engine/run/output_files.h"
#include "engine/run/own_program.h"
#include "engine/run/recording_join.h"
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "probes/inject/environment.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace lanes {

namespace {

constexpr int patience_ms = 5000;

/// What the child reported.
struct ChildReport {
    double from = 0, share = 1;  ///< the child's part of the variant's progress
    bool begun = false;
    std::vector<Ns> wall;
    std::vector<std::string> errors;

    void take(const std::string& line, const std::string& label, RunProgress& progress)
    {
        const auto space = line.find(' ');
        const auto word = line.substr(0, space);
        const auto rest = space == std::string::npos ? std::string() : line.substr(space + 1);
        if (word == "begun") {
            begun = true;
        } else if (word == "wall") {
            wall.push_back(std::strtoll(rest.c_str(), nullptr, 10));
        } else if (word == "error") {
            errors.push_back(rest);
        } else if (word == "progress") {
            const auto next = rest.find(' ');
            progress.at(label, from + share * std::strtod(rest.c_str(), nullptr),
                next == std::string::npos ? "" : rest.substr(next + 1));
        }
    }
};

/// Whether one of its steps is a fault, which the recorded GPU times must survive.
bool faults(const Program& program)
{
    return std::any_of(program.threads.begin(), program.threads.end(), [](const auto& thread) {
        return std::any_of(thread.instructions.begin(), thread.instructions.end(),
            [](const auto& instruction) { return std::holds_alternative<FaultAction>(instruction.action); });
    });
}

ChildProcess child_of(const VariantRun& run, const std::string& spool)
{
    ChildProcess child;
    child.arguments = {own_program(), "run-child", run.workload.file, "--variant", run.program.variant, "--gpu",
        std::to_string(run.device.gpu), "--repeat", std::to_string(run.repeat)};
    for (const auto& [key, value] : run.settings) {
        child.arguments.push_back("--set");
        child.arguments.push_back(key + "=" + value);
    }
    if (!spool.empty()) {
        child.arguments.push_back("--spool");
        child.arguments.push_back(spool);
        ProbeSettings probe;
        probe.spool = spool;
        probe.probe = find_probe(own_folder());
        probe.names_own_threads = true;
        child.environment = probe_environment(probe);
        if (faults(run.program) && std::getenv(probe_variable::host_pinned) == nullptr) {
            child.environment.push_back({probe_variable::host_pinned, "1"});
        }
    }
    if (run.program.gpus > 1 && std::getenv("NCCL_NVLS_ENABLE") == nullptr) {
        // All-reduce through the switches' multicast needs rights that containers often lack; NCCL then fails.
        child.environment.push_back({"NCCL_NVLS_ENABLE", "0"});
    }
    if (run.program.launch_blocking) {
        child.environment.push_back({"CUDA_LAUNCH_BLOCKING", "1"});
    }
    child.dies_with_parent = true;
    return child;
}

void write_meta(SpoolWriter& spool, const VariantRun& run, Source source, const std::string& device)
{
    spool.write_meta(meta::source, name_of(source));
    for (const auto& [key, value] : meta_of_run(run.workload, run.program, run.settings)) {
        spool.write_meta(key, value);
    }
    spool.write_meta(meta::device, device);
}

std::string full_name(const VariantRun& run)
{
    return run_name(run.workload.name, run.program.variant);
}

/// False if a write failed, as on a full disk: an incomplete recording is not kept.
bool spool_is_whole(SpoolWriter& writer, const std::string& spool, VariantResult& result)
{
    end_spool(writer);
    if (writer.error() == 0) {
        return true;
    }
    result.messages.push_back(
        formatted("cannot write {}: {}; no recording was made", spool, std::strerror(writer.error())));
    ::unlink(spool.c_str());
    return false;
}

std::string failure_text(const VariantRun& run, const ChildEnd& end, const ChildReport& report)
{
    if (!report.errors.empty()) {
        return report.errors.front();
    }
    return formatted("the run of {} {}", full_name(run), text_of(end));
}

/// The part of a variant's progress for runs with the probe, if as many without it follow.
constexpr double recorded_share = 0.6;

/// The repetitions that can be kept: all; the failed one; or those before a cancelled one. Count 0: only what the first
/// run recorded before it was cancelled.
Repetitions repetitions_of(const ChildReport& report, const ChildEnd& end, bool cancelled)
{
    const std::size_t runs = report.wall.size();
    if (runs <= 1) {
        return {.first = 0, .count = cancelled ? 0U : 1U, .unrecorded = {}};
    }
    if (end.status == 0) {
        return {.first = 0, .count = runs, .unrecorded = {}};
    }
    return cancelled ? Repetitions {.first = 0, .count = runs - 1, .unrecorded = {}}
                     : Repetitions {.first = runs - 1, .count = 1, .unrecorded = {}};
}

/// The wall times of as many runs without the probe. A failure is a message: the recording is sound.
std::vector<Ns> unrecorded_times(const VariantRun& run, RunProgress& progress, VariantResult& result)
{
    ChildReport report;
    report.from = recorded_share;
    report.share = 1 - recorded_share;
    auto child = child_of(run, "");
    child.on_line = [&](const std::string& line) { report.take(line, run.label, progress); };
    const ChildEnd end = run_child_process(child, patience_ms);
    progress.clear_bar();
    if (CaughtSignals::count() > 0) {
        result.status = 130;
        return {};
    }
    if (end.status != 0) {
        result.messages.push_back("without the probe: " + failure_text(run, end, report));
        return {};
    }
    return report.wall;
}

}  // namespace

void finish_variant(const VariantRun& run, const std::string& spool, const std::string& failure,
    const Repetitions& repetitions, VariantResult& result)
{
    JoinedRecording joined;
    try {
        joined = join_recording(spool, run.file, &run.program, failure, repetitions);
    } catch (const std::exception& error) {
        result.status = std::max(result.status, 1);
        result.messages.push_back(
            formatted("{}; the records are still in {}: lanes convert makes a recording of them", error.what(), spool));
        return;
    }
    ::unlink(spool.c_str());
    result.file = run.file;
    result.wall.assign(1, joined.wall);
    result.totals = joined.totals;
    result.unrecorded = repetitions.unrecorded;
    if (!joined.note.empty()) {
        result.messages.push_back(joined.note);
    }
    if (!joined.probe_problem.empty()) {
        result.messages.push_back(joined.probe_problem);
    }
    if (joined.dropped > 0) {
        result.messages.push_back(
            formatted("{} {} dropped", joined.dropped, joined.dropped == 1 ? "record was" : "records were"));
    }
    if (joined.stale_reads > 0) {
        result.messages.push_back(
            formatted("{} {} found wrong bytes", joined.stale_reads, joined.stale_reads == 1 ? "read" : "reads"));
    }
}

void judge_failure(const VariantRun& run, const std::string& failure, VariantResult& result)
{
    const std::string& expected = run.program.expected_error;
    if (expected.empty() || result.status == 130) {
        return;
    }
    if (failure.empty()) {
        result.status = 1;
        result.messages.push_back(
            formatted("the run of {} ended well, but the workload expects {}", full_name(run), expected));
    } else if (failure.find(": " + expected + ":") != std::string::npos) {
        result.status = 0;
        result.messages.back() = formatted("as the workload expects: {}", failure);
    }
}

VariantResult run_variant_on_cuda(const VariantRun& run, RunProgress& progress)
{
    VariantResult result;
    const std::string spool = run.file.empty() ? "" : std::filesystem::absolute(spool_of(run.file)).string();
    SpoolWriter writer;
    if (!spool.empty()) {
        if (auto left = open_new_spool(writer, spool); !left.empty()) {
            result.messages.push_back(std::move(left));
        }
        write_meta(writer, run, Source::cupti, run.survey.gpus[static_cast<std::size_t>(run.device.gpu)].name);
        writer.write_meta(meta::driver_version, cuda_version_text(run.survey.driver_version));
        writer.write_meta(meta::runtime_version, cuda_version_text(run.survey.toolkit_version));
        if (find_probe(own_folder()).empty()) {
            result.messages.push_back("liblanes-probe.so is not beside lanes: GPU work is not recorded");
        }
    }
    const bool beside = run.repeat > 1 && !spool.empty();
    ChildReport report;
    report.share = beside ? recorded_share : 1;
    auto child = child_of(run, spool);
    child.on_line = [&](const std::string& line) { report.take(line, run.label, progress); };
    const ChildEnd end = run_child_process(child, patience_ms);
    progress.clear_bar();
    result.wall = report.wall;

    const bool failed = end.status != 0;
    const bool cancelled = CaughtSignals::count() > 0;
    std::string failure;
    if (cancelled) {
        failure = "cancelled";
        result.status = 130;
    } else if (failed) {
        failure = failure_text(run, end, report);
        result.status = end.status == 2 ? 2 : 1;
        result.messages.push_back(failure);
    }
    judge_failure(run, failure, result);
    if (spool.empty()) {
        return result;
    }
    if (!report.begun) {
        ::unlink(spool.c_str());
        return result;
    }
    Repetitions repetitions = repetitions_of(report, end, cancelled);
    if (cancelled && repetitions.count > 0) {
        failure.clear();  // that of the cancelled run, which is not kept
        result.messages.push_back(formatted("cancelled after {} of {} runs", repetitions.count, run.repeat));
    }
    repetitions.count = std::max<std::size_t>(repetitions.count, 1);
    if (beside && result.status == 0 && failure.empty()) {
        repetitions.unrecorded = unrecorded_times(run, progress, result);
    }
    const bool disk_full = !report.errors.empty() && report.errors.back().starts_with("cannot write ");
    if (disk_full || !spool_is_whole(writer, spool, result)) {
        ::unlink(spool.c_str());
        result.status = std::max(result.status, 1);
        return result;
    }
    writer.close();
    progress.at(run.label, 0.95, "writing the recording");
    finish_variant(run, spool, failure, repetitions, result);
    return result;
}

}  // namespace lanes
