// SPDX-License-Identifier: MIT
#include "engine/job/job_environment.h"

#include "engine/analysis/words/json_writer.h"
#include "engine/shell_quoted.h"

namespace lanes {

namespace {

/// A string of JSON, which is one of YAML, too.
std::string json_text(const std::string& text)
{
    return JsonWriter().value(text).take();
}

}  // namespace

const std::vector<std::string>& environment_formats()
{
    static const std::vector<std::string> formats {"shell", "torchrun", "srun", "mpirun", "ray", "k8s", "dask"};
    return formats;
}

std::vector<EnvironmentVariable> environment_of(const JobEnvironment& job)
{
    ControlSettings control;
    control.at = job.at;
    control.steps_end = job.steps ? job.steps->end : 0;
    auto variables = probe_environment({.spool = job.folder + "/%h.%p.spool",
        .probe = job.probe,
        .cupti = "",
        .python = job.python,
        .pytorch = job.pytorch,
        .control = control,
        .is_pattern = true});
    if (job.steps) {
        variables.push_back(
            {probe_variable::steps, std::to_string(job.steps->first) + ':' + std::to_string(job.steps->end)});
    }
    if (!job.ranks.empty()) {
        variables.push_back({probe_variable::ranks, job.ranks});
    }
    return variables;
}

std::string environment_text(const std::vector<EnvironmentVariable>& variables, std::string_view format)
{
    std::string text;
    if (format == "ray") {
        JsonWriter json;
        json.begin_object().key("env_vars").begin_object();
        for (const auto& variable : variables) {
            json.field(variable.name, std::string_view(variable.value));
        }
        return json.end_object().end_object().take() + '\n';
    }
    for (const auto& [name, value] : variables) {
        if (format == "mpirun") {
            text += (text.empty() ? "-x " : " -x ") + in_shell_quotes(name + '=' + value);
        } else if (format == "k8s") {
            text += "- name: " + name + "\n  value: " + json_text(value) + '\n';
        } else if (format == "dask") {
            text += (text.empty() ? "distributed:\n  nanny:\n    environ:\n      " : "      ") + name + ": "
                + json_text(value) + '\n';
        } else {
            text += "export " + name + '=' + in_shell_quotes(value) + '\n';
        }
    }
    return format == "mpirun" ? text + '\n' : text;
}

}  // namespace lanes
