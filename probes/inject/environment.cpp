// SPDX-License-Identifier: MIT
#include "probes/inject/environment.h"

#include "probes/inject/name_pattern.h"

#include <cstdlib>
#include <unistd.h>

namespace lanes {

std::vector<EnvironmentVariable> probe_environment(const ProbeSettings& settings)
{
    std::vector<EnvironmentVariable> variables {{"CUDA_INJECTION64_PATH", settings.probe},
        {probe_variable::spool, settings.is_pattern ? settings.spool : pattern_of_name(settings.spool)}};
    if (!settings.cupti.empty()) {
        variables.push_back({probe_variable::cupti, settings.cupti});
    }
    if (settings.control != ControlSettings {}) {
        variables.push_back({probe_variable::control, to_text(settings.control)});
    }
    if (settings.names_own_threads) {
        variables.push_back({probe_variable::threads, "0"});
    }
    const auto nvtx = settings.probe.substr(0, settings.probe.rfind('/') + 1) + "liblanes-nvtx.so";
    if (::access(nvtx.c_str(), R_OK) == 0) {
        variables.push_back({"NVTX_INJECTION64_PATH", nvtx});
    }
    if (settings.pytorch) {
        variables.push_back({probe_variable::pytorch, settings.shapes ? "shapes" : "1"});
    }
    if (settings.stacks > 0) {
        variables.push_back({probe_variable::stacks, std::to_string(settings.stacks)});
    }
    if (!settings.python.empty()) {
        const char* path = std::getenv("PYTHONPATH");
        variables.push_back(
            {"PYTHONPATH", settings.python + (path != nullptr && *path != '\0' ? ":" + std::string(path) : "")});
    }
    return variables;
}

std::string find_python_hook(const std::string& probe)
{
    auto folder = probe.substr(0, probe.rfind('/') + 1) + "python/hook";
    return ::access((folder + "/sitecustomize.py").c_str(), R_OK) == 0 ? folder : std::string();
}

std::string find_probe(const std::string& folder)
{
    for (const char* place : {"/", "/../lib/", "/../lib/lanescope/"}) {
        auto path = folder + place + "liblanes-probe.so";
        if (::access(path.c_str(), R_OK) == 0) {
            return path;
        }
    }
    return {};
}

}  // namespace lanes
