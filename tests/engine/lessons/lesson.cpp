// SPDX-License-Identifier: MIT
#include "lesson.h"

#include "engine/run/model/model_device_file.h"
#include "engine/run/model/run_model.h"
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/trace_builder.h"
#include "engine/workload/workload.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <QtGlobal>
#include <tuple>

namespace lanes::tests {

std::string resources()
{
    return qEnvironmentVariable("LANES_SOURCE").toStdString() + "/resources";
}

Workload workload_of(const std::string& name)
{
    return load_workload(resources() + "/workloads/" + name + ".yaml");
}

namespace {

std::string file_of(const std::string& machine, const std::string& workload, const std::string& variant)
{
    return resources() + "/recordings/" + machine + "/" + workload + "." + variant + ".sqlite";
}

Trace modelled(const Workload& workload, const std::string& variant)
{
    const auto program = compile(workload, variant);
    TraceBuilder records;
    write_model_outcome(run_model(program, load_model_device(resources() + "/devices/h100.yaml"), records), records);
    return records.finish(Source::model);
}

/// Everything that a run does, to what, and when.
bool is_same_run(const Trace& a, const Trace& b)
{
    const auto names = [](const Trace& trace, const std::vector<StringId>& ids) {
        std::vector<std::string_view> texts;
        std::ranges::transform(ids, std::back_inserter(texts), [&](StringId id) { return trace.text(id); });
        return texts;
    };
    const auto steps = [](const Trace& trace) {
        std::vector<std::pair<Ns, Row>> all;
        for (const auto& step : trace.steps) {
            all.emplace_back(step.start, step.thread);
        }
        return all;
    };
    const auto sizes = [](const Trace& trace) {
        std::vector<std::tuple<std::uint64_t, MemoryKind, MemoryKind>> all;
        for (const auto& copy : trace.copies) {
            all.emplace_back(copy.bytes, copy.source, copy.target);
        }
        return all;
    };
    const auto reads = [](const Trace& trace) {
        std::vector<std::tuple<Ns, Ns, std::uint64_t, std::uint64_t, bool>> all;
        for (const auto& read : trace.reads) {
            all.emplace_back(read.start, read.end, read.bytes, read.wrong_bytes, read.expect_stale);
        }
        return all;
    };
    const auto spans = [](const Trace& trace) {
        std::vector<std::tuple<Ns, Ns, Row, std::string_view>> all;
        for (const auto& span : trace.host_spans) {
            all.emplace_back(span.start, span.end, span.thread, trace.text(span.name));
        }
        return all;
    };
    return a.operations.start == b.operations.start && a.operations.end == b.operations.end
        && a.operations.stream == b.operations.stream && a.operations.kind == b.operations.kind
        && names(a, a.operations.name) == names(b, b.operations.name) && a.calls.start == b.calls.start
        && a.calls.end == b.calls.end && a.calls.thread == b.calls.thread
        && names(a, a.calls.name) == names(b, b.calls.name) && steps(a) == steps(b) && sizes(a) == sizes(b)
        && reads(a) == reads(b) && spans(a) == spans(b);
}

}  // namespace

Lesson::Lesson(std::string machine, std::string workload)
    : m_machine(std::move(machine))
    , m_workload(std::move(workload))
{
}

bool Lesson::has(const std::string& variant) const
{
    return m_machine == "model" || std::filesystem::exists(file_of(m_machine, m_workload, variant));
}

bool Lesson::has_current(const std::string& variant) const
{
    if (m_machine == "model") {
        return true;
    }
    if (!has(variant)) {
        return false;
    }
    static std::map<std::string, bool> known;  // by file: several claims ask for the same one
    const auto [at, is_new] = known.try_emplace(file_of(m_machine, m_workload, variant));
    if (is_new) {
        const auto then = parse_workload(shown(variant).trace.meta.at(meta::workload_text), m_workload);
        at->second = is_same_run(modelled(then, variant), modelled(workload_of(m_workload), variant));
    }
    return at->second;
}

const Shown& Lesson::shown(const std::string& variant) const
{
    auto& shown = m_shown[variant];
    if (!shown) {
        shown = std::make_unique<Shown>();
        shown->trace = m_machine == "model" ? modelled(workload_of(m_workload), variant)
                                            : open_recording(file_of(m_machine, m_workload, variant));
        shown->report = make_report(shown->trace, find_blocking(shown->trace));
    }
    return *shown;
}

double Lesson::total(const std::string& variant) const
{
    return static_cast<double>(report(variant).wall);
}

double Lesson::hidden(const std::string& variant) const
{
    const auto& figures = gpu(variant);
    return static_cast<double>(figures.copy_hidden) / static_cast<double>(figures.copy);
}

double Lesson::stale(const std::string& variant) const
{
    const Read& read = shown(variant).trace.reads.at(0);
    return static_cast<double>(read.wrong_bytes) / static_cast<double>(read.bytes);
}

double Lesson::longest_call(const std::string& variant, std::string_view name) const
{
    const Trace& trace = shown(variant).trace;
    Ns longest = 0;
    for (Row row = 0; row < trace.calls.size(); ++row) {
        if (trace.text(trace.calls.name[row]).starts_with(name)) {
            longest = std::max(longest, trace.calls.end[row] - trace.calls.start[row]);
        }
    }
    return static_cast<double>(longest);
}

double Lesson::calls_longer_than(const std::string& variant, std::string_view name, Ns time) const
{
    const Trace& trace = shown(variant).trace;
    double found = 0;
    for (Row row = 0; row < trace.calls.size(); ++row) {
        found += trace.text(trace.calls.name[row]).starts_with(name)
            && trace.calls.end[row] - trace.calls.start[row] > time;
    }
    return found;
}

}  // namespace lanes::tests
