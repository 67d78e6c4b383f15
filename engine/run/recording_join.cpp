// SPDX-License-Identifier: MIT
#include "engine/run/recording_join.h"

#include "engine/run/stream_names.h"
#include "engine/store/meta.h"
#include "engine/store/recording.h"

#include <algorithm>
#include <ctime>

namespace lanes {

std::string utc_now()
{
    const std::time_t now = std::time(nullptr);
    std::tm parts {};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

std::map<std::string, std::string> meta_of_run(
    const Workload& workload, const Program& program, const Settings& settings)
{
    std::string set;
    for (const auto& [key, value] : settings) {
        set += key + "=" + value + "\n";
    }
    std::vector<std::string> names(program.steps.size());
    for (const auto& thread : program.threads) {
        for (const auto& instruction : thread.instructions) {
            if (const auto* kernel = std::get_if<KernelAction>(&instruction.action)) {
                names[instruction.step] = kernel->name;
            } else if (std::holds_alternative<AllReduceAction>(instruction.action)) {
                names[instruction.step] = "nccl all_reduce";  // tools tell communication by a name that begins so
            }
        }
    }
    std::string steps;
    for (auto& name : names) {
        std::replace(name.begin(), name.end(), '\n', ' ');
        steps += name + "\n";
    }
    return {
        {meta::workload, workload.name},
        {meta::workload_text, workload.source},
        {meta::variant, program.variant},
        {meta::settings, set},
        {meta::title, in_language(workload.title, "en")},
        {meta::step_names, steps},
        {meta::recorded_at, utc_now()},
    };
}

JoinedRecording join_recording(
    const std::string& spool, const std::string& recording, const Program* program, const std::string& failure)
{
    JoinedRecording joined;
    Trace trace = open_spool(spool, &joined.note);
    trace.meta.erase(meta::spool_end);
    if (program != nullptr) {
        name_streams(trace, *program);
    }
    if (!failure.empty()) {
        trace.meta[meta::error] = failure;
        const auto& ends = trace.operations.end;
        const auto last = std::max_element(ends.begin(), ends.end());
        trace.meta[meta::gpu_end_ns] = std::to_string(last != ends.end() ? *last : 0);
    }
    // As reports give it: to the last end of a call or operation, not of a check of the results after them.
    for (const auto* ends : {&trace.calls.end, &trace.operations.end}) {
        const auto last = std::max_element(ends->begin(), ends->end());
        joined.wall = std::max(joined.wall, last != ends->end() ? *last : Ns {0});
    }
    joined.calls = trace.calls.size();
    joined.operations = trace.operations.size();
    joined.dropped = trace.dropped;
    for (const auto& read : trace.reads) {
        joined.stale_reads += read.wrong_bytes > 0 && !read.expect_stale ? 1 : 0;
    }
    for (const auto& error : trace.errors) {
        if (const auto text = trace.text(error.message); error.code == 0 && text.starts_with("not recorded")) {
            joined.probe_problem = text;
        }
    }
    save_recording(trace, recording);
    return joined;
}

}  // namespace lanes
