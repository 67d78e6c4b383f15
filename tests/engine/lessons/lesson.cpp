// SPDX-License-Identifier: MIT
#include "lesson.h"

#include "engine/analysis/told_run.h"
#include "engine/run/model/model_device_file.h"
#include "engine/run/model/run_model.h"
#include "engine/store/recording_file.h"
#include "engine/trace/trace_builder.h"
#include "engine/workload/workload.h"

#include <filesystem>
#include <QtGlobal>

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

}  // namespace

Trace modelled(const Workload& workload, const std::string& variant, const Settings& settings)
{
    const auto program = compile(workload, variant, settings);
    TraceBuilder records;
    write_model_outcome(run_model(program, load_model_device(resources() + "/devices/h100.yaml"), records), records);
    return records.finish(Source::model);
}

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
        const auto told = told_run(shown(variant).trace);
        at->second = told && told->is_newest;
    }
    return at->second;
}

const Shown& Lesson::shown(const std::string& variant) const
{
    auto& shown = m_shown[variant];
    if (!shown) {
        if (!has(variant)) {
            throw NotRecorded(variant);
        }
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
