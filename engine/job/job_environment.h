// SPDX-License-Identifier: MIT
// `lanes env`: what a launcher must forward for each process of a job to be recorded. No wrapper, no daemon: the probe
// does the rest, and each process writes a file of its own.
#pragma once

#include "engine/analysis/steps.h"
#include "engine/trace/units.h"
#include "probes/inject/environment.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

struct JobEnvironment {
    std::string folder;  ///< a pattern (probes/inject/name_pattern.h): a folder on each host
    std::string probe;  ///< absolute path of liblanes-probe.so there
    std::string python = {};  ///< find_python_hook's folder; "": none
    bool pytorch = false;
    std::optional<StepNumbers> steps = {};
    std::string ranks = {};  ///< as wants_rank() reads it; "": all
    Ns at = 0;  ///< begin when the clock is a multiple of it; 0: at once
};

/// The words of --format: "shell" and the launchers.
const std::vector<std::string>& environment_formats();

std::vector<EnvironmentVariable> environment_of(const JobEnvironment& job);

/// As `format` wants it: lines of a shell (shell, torchrun, srun), options (mpirun), JSON (ray), YAML (k8s, dask).
std::string environment_text(const std::vector<EnvironmentVariable>& variables, std::string_view format);

}  // namespace lanes
