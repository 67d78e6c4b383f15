// SPDX-License-Identifier: MIT
// The job that the benchmarks judge and show: two collectives a step, of data-parallel groups of 64 and across them; 8
// ranks a host, with clocks of their own; rank 1 is late.
#pragma once

#include "engine/job/job_file.h"
#include "tests/engine/job/job_of_ranks.h"

#include <filesystem>
#include <string>
#include <unistd.h>

namespace lanes {

/// Writes it to a file of its own in the folder for temporary files, and returns that.
inline std::string write_large_job(std::uint32_t count, int steps)
{
    RunOfRanks run;
    run.ranks = count;
    run.steps = steps;
    run.group = std::min<std::uint32_t>(run.ranks, 64);
    run.crosses = run.ranks > 64;
    run.late = [](auto rank, int step) { return rank == 1 && step > 0 ? 5 * RunOfRanks::ms : 0; };
    const auto path
        = (std::filesystem::temp_directory_path() / ("bench_job." + std::to_string(::getpid()) + ".lanes")).string();
    auto ranks = summaries_of(run);
    name_communicators(ranks, run);
    save_ranks(ranks, nullptr, path);
    return path;
}

}  // namespace lanes
