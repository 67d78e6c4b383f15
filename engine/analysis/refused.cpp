// SPDX-License-Identifier: MIT
#include "engine/analysis/refused.h"

#include "engine/analysis/caveats.h"
#include "engine/analysis/words/json_writer.h"
#include "engine/analysis/words/shown.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/range_kinds.h"

#include <algorithm>
#include <charconv>

namespace lanes {

namespace {

/// Samples or frames: what says where the CPU was between calls.
bool shows_cpu(const Trace& trace)
{
    const RangeKinds kinds(trace);
    for (Row row = 0; row < trace.ranges.size(); ++row) {
        if (kinds.is_frame(row) || kinds.is_sampled(row)) {
            return true;
        }
    }
    return false;
}

/// Work of streams that is on record without when it ran.
std::size_t without_times(const Trace& trace)
{
    auto count = static_cast<std::size_t>(std::count_if(trace.host_functions.begin(), trace.host_functions.end(),
        [](const HostFunction& function) { return !function.timed; }));
    if (const auto found = trace.meta.find(meta::without_length); found != trace.meta.end()) {
        std::size_t points = 0;
        std::from_chars(found->second.data(), found->second.data() + found->second.size(), points);
        count += points;
    }
    return count;
}

Ns recorders_time(const Trace& trace)
{
    std::vector<Interval> spans;
    spans.reserve(trace.overheads.size());
    for (const auto& overhead : trace.overheads) {
        spans.push_back({overhead.start, overhead.end});
    }
    std::sort(spans.begin(), spans.end(), [](Interval a, Interval b) { return a.start < b.start; });
    Ns time = 0;
    Ns end = 0;
    for (const auto& span : spans) {
        time += std::max<Ns>(0, span.end - std::max(span.start, end));
        end = std::max(end, span.end);
    }
    return time;
}

}  // namespace

std::vector<Refused> refused_by(const Trace& trace, const Report& report)
{
    std::vector<Refused> all;
    const bool has_work = trace.operations.size() > 0;
    const bool has_no_length = report.gpu_busy == 0 && report.has_operations();
    if (!report.gpu_recorded) {
        all.push_back(refused("gpu", "gpu_not_recorded", true));
    } else if (!has_work) {
        all.push_back(refused("gpu", "no_gpu_work"));
    } else if (has_no_length) {
        all.push_back(refused("gpu", "no_gpu_time"));
    } else if (report.has_whole_graphs) {
        all.push_back(refused("counts", "whole_graphs", true));
    }
    const auto* const first = report.first_thread();
    if (first == nullptr || !first->blocked) {
        const bool has_calls = trace.calls.size() > 0;
        all.push_back(refused("cpu", has_calls ? "waits_unknown" : "no_calls", true));
    }
    if (report.findings.empty()) {
        const bool is_idle = 2 * report.gpu_busy < report.wall;
        all.push_back(refused("findings",
            !report.gpu_recorded ? "gpu_not_recorded"
                : !has_work      ? "no_gpu_work"
                : has_no_length  ? "no_gpu_time"
                : is_idle        ? "not_explained"
                                 : "nothing_found"));
    }
    if (!report.steady) {
        const bool is_part = report.range != Interval {0, trace.duration};
        all.push_back(refused("steady",
            is_part                       ? "a_part"
                : report.workload.empty() ? "nothing_repeats"
                                          : "a_workload"));
    }
    if (trace.calls.size() == 0 && !has_work) {
        all.push_back(refused("critical_path", "nothing_recorded"));
    }
    if (!report.complete) {
        all.push_back(refused("wall_ns", "cut_short", true));
    }
    return all;
}

std::vector<Message> not_recorded(const Trace& trace)
{
    std::vector<Message> all;
    if (trace.source == Source::model || trace.source == Source::predicted) {
        all.push_back({"not_recorded.measured_times", {}});
    }
    if (!shows_cpu(trace)) {
        all.push_back({"not_recorded.cpu_samples", {}});
    }
    if (std::none_of(trace.counters.begin(), trace.counters.end(),
            [](const Counter& counter) { return counter.device != no_id; })) {
        all.push_back({"not_recorded.counters", {}});
    }
    if (const auto count = without_times(trace); count > 0) {
        all.push_back({"not_recorded.times", {{"count", std::to_string(count)}}});
    }
    if (trace.source != Source::model && trace.source != Source::predicted) {
        const auto time = recorders_time(trace);
        all.push_back(time > 0 ? Message {"not_recorded.recorder_known", {{"time", shown_time(time)}}}
                               : Message {"not_recorded.recorder", {}});
    }
    return all;
}

void write_not_recorded(JsonWriter& json, const Trace& trace, const Messages& messages)
{
    json.key("not_in_the_recording").begin_array();
    for (const auto& message : not_recorded(trace)) {
        json.begin_object().field("id", std::string_view(message.id).substr(message.id.find('.') + 1));
        json.field("text", std::string_view(messages.format(message))).end_object();
    }
    json.end_array();
}

}  // namespace lanes
