// SPDX-License-Identifier: MIT
#include "engine/run/recording_join.h"

#include "engine/analysis/caveats.h"
#include "engine/analysis/facts/recorded_part.h"
#include "engine/analysis/words/messages.h"
#include "engine/formatted.h"
#include "engine/run/stream_names.h"
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/names/graph_names.h"
#include "engine/workload/effects.h"

#include <algorithm>
#include <ctime>
#include <numeric>

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

namespace {

/// The name of kernels in one line, for a list.
std::string listed(std::string_view kernel_name)
{
    std::string name(kernel_name);
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '\n' || c == GraphNames::separator; }, ' ');
    return name;
}

/// The lines of `meta::step_names`: for a graph's launch the names of its kernels in the order of capture, or one name
/// if all have the same.
std::vector<std::string> step_names(const Program& program)
{
    std::vector<std::string> names(program.steps.size());
    std::vector<std::vector<std::string>> graphs(program.graphs.size());
    for (const auto& thread : program.threads) {
        std::vector<std::string>* graph = nullptr;
        each_effects(program, thread, [&](const Effects& effects, Index at) {
            if (effects.begins != no_id) {
                graph = &graphs[effects.begins];
                graph->clear();
            } else if (effects.ends != no_id) {
                graph = nullptr;
            } else if (effects.counts.kernels > 0) {
                auto& name = names[thread.instructions[at].step];
                name = listed(effects.kernel_name);
                if (graph != nullptr) {
                    graph->push_back(name);
                }
            }
        });
    }
    each_effects(program, [&](const Effects& effects, const Instruction& instruction, Index) {
        if (effects.launches == no_id || graphs[effects.launches].empty()) {
            return;
        }
        const auto& kernels = graphs[effects.launches];
        const bool all_same = std::count(kernels.begin(), kernels.end(), kernels.front())
            == static_cast<std::ptrdiff_t>(kernels.size());
        auto& name = names[instruction.step];
        name = kernels.front();
        for (std::size_t k = 1; k < kernels.size() && !all_same; ++k) {
            name += GraphNames::separator + kernels[k];
        }
    });
    return names;
}

/// As in reports: to the last end of a call or operation, without a check of the results after them.
Ns wall_of(const Trace& trace)
{
    Ns wall = 0;
    for (const auto* ends : {&trace.calls.end, &trace.operations.end}) {
        const auto last = std::max_element(ends->begin(), ends->end());
        wall = std::max(wall, last != ends->end() ? *last : Ns {0});
    }
    return wall;
}

std::string in_line(const std::vector<Ns>& times)
{
    std::string line;
    for (const Ns time : times) {
        line += (line.empty() ? "" : " ") + std::to_string(time);
    }
    return line;
}

/// Place of the median; of two, the lower one.
std::size_t median_place(const std::vector<Ns>& times)
{
    std::vector<std::size_t> order(times.size());
    std::iota(order.begin(), order.end(), std::size_t {0});
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>((order.size() - 1) / 2);
    std::nth_element(order.begin(), middle, order.end(),
        [&](std::size_t a, std::size_t b) { return std::pair(times[a], a) < std::pair(times[b], b); });
    return *middle;
}

}  // namespace

std::map<std::string, std::string> meta_of_run(
    const Workload& workload, const Program& program, const Settings& settings)
{
    std::string set;
    for (const auto& [key, value] : settings) {
        set += key + "=" + value + "\n";
    }
    std::string steps;
    for (const auto& name : step_names(program)) {
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

JoinedRecording join_recording(const std::string& spool, const std::string& recording, const Program* program,
    const std::string& failure, const Repetitions& repetitions, const ProgramPart& part)
{
    JoinedRecording joined;
    std::size_t kept = repetitions.first;
    if (repetitions.count > 1) {
        for (std::size_t i = 0; i < repetitions.count; ++i) {
            joined.totals.push_back(wall_of(open_spool(spool, nullptr, {.repetition = repetitions.first + i})));
        }
        kept += median_place(joined.totals);
    }
    SpoolPart of_spool {
        .repetition = kept, .processes = part.processes, .recorded = part.recorded, .is_whole = part.is_whole};
    Trace trace = open_spool(spool, &joined.note, of_spool);
    if (part.steps) {
        if (const auto found = find_steps(trace, *part.steps, joined.no_steps)) {
            of_spool.cut = Interval {trace.origin + found->start, trace.origin + found->end};
            trace = open_spool(spool, &joined.note, of_spool);
        }
    }
    if (!joined.totals.empty()) {
        trace.meta[meta::repeat_totals_ns] = in_line(joined.totals);
    }
    if (!repetitions.unrecorded.empty()) {
        trace.meta[meta::unrecorded_totals_ns] = in_line(repetitions.unrecorded);
    }
    if (program != nullptr) {
        name_streams(trace, *program);
    }
    if (!failure.empty()) {
        trace.meta[meta::error] = failure;
        const auto& ends = trace.operations.end;
        const auto last = std::max_element(ends.begin(), ends.end());
        trace.meta[meta::gpu_end_ns] = std::to_string(last != ends.end() ? *last : 0);
    }
    joined.wall = wall_of(trace);
    joined.calls = trace.calls.size();
    joined.operations = trace.operations.size();
    joined.dropped = trace.dropped;
    joined.started_cuda = trace.meta.contains(meta::cupti_version);
    for (const auto& read : trace.reads) {
        joined.stale_reads += read.wrong_bytes > 0 && !read.expect_stale ? 1 : 0;
    }
    for (const auto& error : trace.errors) {
        if (const auto text = trace.text(error.message); error.code == 0 && text.starts_with("not recorded")) {
            joined.probe_problem = text;
        }
    }
    if (const auto reason = trace.meta.find(meta::not_begun); reason != trace.meta.end()) {
        joined.not_begun = reason->second;
        trace.meta.erase(reason);
    }
    if (trace.meta.contains(meta::unflushed)) {
        joined.remarks.push_back(Messages::english().format(cut_short_message(trace)));
    }
    if (const auto module = trace.meta.find(meta::refused_profiler); module != trace.meta.end()) {
        joined.remarks.push_back(
            formatted("a profiler in the program ({}) asked for CUPTI, which serves one at a time: it "
                      "got no GPU activity. For torch.profiler's own trace run the program without "
                      "lanes record",
                module->second));
        trace.meta.erase(module);
    }
    for (const auto& recorded : recorded_parts(trace)) {
        joined.reached_size = joined.reached_size || recorded.ended_by == "size";
    }
    // If the program made no call, an earlier file of that name is kept.
    if (program != nullptr || joined.calls > 0 || joined.operations > 0) {
        save_recording(trace, recording);
    }
    return joined;
}

}  // namespace lanes
