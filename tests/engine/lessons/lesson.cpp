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
#include <QtGlobal>
#include <sstream>

namespace lanes::tests {

std::string resources()
{
    return qEnvironmentVariable("LANES_SOURCE").toStdString() + "/resources";
}

namespace {

std::string file_of(const std::string& machine, const std::string& workload, const std::string& variant)
{
    return resources() + "/recordings/" + machine + "/" + workload + "." + variant + ".sqlite";
}

Trace modelled(const std::string& workload, const std::string& variant)
{
    const auto program = compile(load_workload(resources() + "/workloads/" + workload + ".yaml"), variant);
    TraceBuilder records;
    write_model_outcome(run_model(program, load_model_device(resources() + "/devices/h100.yaml"), records), records);
    return records.finish(Source::model);
}

/// What a workload does: its file without what is only said.
std::string steps_of(const std::string& text)
{
    std::istringstream lines(text);
    std::string steps;
    bool within = false;
    std::size_t look = std::string::npos;  // how far such a key is indented: what is further in belongs to it
    for (std::string line; std::getline(lines, line);) {
        within = (within || line == "parameters:") && line != "code:";
        const std::size_t indent = line.find_first_not_of(' ');
        if (indent > look && indent != std::string::npos) {
            continue;
        }
        const auto key = indent == std::string::npos ? "" : line.substr(indent);
        look = key.starts_with("look:") || key.starts_with("usual:") ? indent : std::string::npos;
        if (look != std::string::npos) {
            continue;
        }
        for (const char* said : {"title:", "label:", "lines:", "#"}) {
            line = line.substr(0, line.find(said));
        }
        line.erase(line.find_last_not_of(' ') + 1);
        if (within && !line.empty()) {
            steps += line + '\n';
        }
    }
    return steps;
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
    const auto now = load_workload(resources() + "/workloads/" + m_workload + ".yaml").source;
    return has(variant) && steps_of(shown(variant).trace.meta.at(meta::workload_text)) == steps_of(now);
}

const Shown& Lesson::shown(const std::string& variant) const
{
    auto& shown = m_shown[variant];
    if (!shown) {
        shown = std::make_unique<Shown>();
        shown->trace = m_machine == "model" ? modelled(m_workload, variant)
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
