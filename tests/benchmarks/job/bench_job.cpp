// SPDX-License-Identifier: MIT
// bench_job [RANKS [STEPS]]: how long a job takes from job.lanes to the report: opened, matched and its clocks aligned,
// judged. Two collectives a step, of data-parallel groups of 64 and across them; 8 ranks a host, with clocks of their
// own. Prints JSON.
#include "engine/job/job_file.h"
#include "tests/engine/job/job_of_ranks.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sys/resource.h>
#include <unistd.h>

using namespace lanes;

namespace {

class Watch {
public:
    double seconds()
    {
        const auto now = std::chrono::steady_clock::now();
        const std::chrono::duration<double> took = now - m_from;
        m_from = now;
        return took.count();
    }

private:
    std::chrono::steady_clock::time_point m_from = std::chrono::steady_clock::now();
};

}  // namespace

int main(int argc, char** argv)
{
    RunOfRanks run;
    run.ranks = argc > 1 ? static_cast<std::uint32_t>(std::atoi(argv[1])) : 512;
    run.steps = argc > 2 ? std::atoi(argv[2]) : 500;
    run.group = std::min<std::uint32_t>(run.ranks, 64);
    run.crosses = run.ranks > 64;
    run.late = [](auto rank, int step) { return rank == 1 && step > 0 ? 5 * RunOfRanks::ms : 0; };
    const auto path
        = (std::filesystem::temp_directory_path() / ("bench_job." + std::to_string(::getpid()) + ".lanes")).string();
    {
        auto ranks = summaries_of(run);
        name_communicators(ranks, run);
        save_ranks(ranks, nullptr, path);
    }
    const auto bytes = std::filesystem::file_size(path);
    Watch watch;
    auto ranks = load_ranks(path);
    const double opened = watch.seconds();
    settle_ranks(ranks);
    const auto meetings = meet(ranks);
    const double matched = watch.seconds();
    const auto report = report_of(ranks, meetings);
    const double judged = watch.seconds();
    std::filesystem::remove(path);
    rusage usage {};
    ::getrusage(RUSAGE_SELF, &usage);
    std::printf(
        "{\"ranks\": %zu, \"collectives\": %zu, \"bytes\": %ju, \"open_s\": %.3f, \"match_s\": %.3f, \"judge_s\": "
        "%.3f, \"late\": %zu, \"peak_mb\": %ld}\n",
        ranks.size(), meetings.trace.operations.size(), static_cast<std::uintmax_t>(bytes), opened, matched, judged,
        report.late.stand_out.size(), usage.ru_maxrss / 1024);
    return 0;
}
