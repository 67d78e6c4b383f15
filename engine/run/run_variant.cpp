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
            progress.at(
                label, std::strtod(rest.c_str(), nullptr), next == std::string::npos ? "" : rest.substr(next + 1));
        }
    }
};

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
    }
    if (run.program.gpus > 1 && std::getenv("NCCL_NVLS_ENABLE") == nullptr) {
        // All-reduce through the switches' multicast needs rights that containers often lack; NCCL then fails.
        child.environment.push_back({"NCCL_NVLS_ENABLE", "0"});
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
    return run.workload.name + (run.program.variant.empty() ? "" : "." + run.program.variant);
}

/// False where a write failed, as on a full disk: half a recording is not kept.
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

}  // namespace

void finish_variant(const VariantRun& run, const std::string& spool, const std::string& failure, VariantResult& result)
{
    JoinedRecording joined;
    try {
        joined = join_recording(spool, run.file, &run.program, failure);
    } catch (const std::exception& error) {
        result.status = std::max(result.status, 1);
        result.messages.push_back(
            formatted("{}; the records are still in {}: lanes convert makes a recording of them", error.what(), spool));
        return;
    }
    ::unlink(spool.c_str());
    result.file = run.file;
    result.wall.assign(1, joined.wall);
    if (!joined.note.empty()) {
        result.messages.push_back(joined.note);
    }
    if (!joined.probe_problem.empty()) {
        result.messages.push_back(joined.probe_problem);
    }
    if (joined.dropped > 0) {
        result.messages.push_back(formatted("{} records were dropped", joined.dropped));
    }
    if (joined.stale_reads > 0) {
        result.messages.push_back(formatted("{} reads found bytes that had not arrived yet", joined.stale_reads));
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
    ChildReport report;
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
    if (spool.empty()) {
        return result;
    }
    if (!report.begun) {
        ::unlink(spool.c_str());
        return result;
    }
    const bool disk_full = !report.errors.empty() && report.errors.back().starts_with("cannot write ");
    if (disk_full || !spool_is_whole(writer, spool, result)) {
        ::unlink(spool.c_str());
        result.status = std::max(result.status, 1);
        return result;
    }
    writer.close();
    progress.at(run.label, 0.95, "writing the recording");
    finish_variant(run, spool, failure, result);
    return result;
}

}  // namespace lanes
