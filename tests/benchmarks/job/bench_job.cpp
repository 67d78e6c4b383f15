// SPDX-License-Identifier: MIT
// bench_job [RANKS [STEPS]]: how long a job takes from job.lanes to the report: opened, matched and its clocks aligned,
// judged. Prints JSON.
#include "tests/benchmarks/job/large_job.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sys/resource.h>

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
    const auto count = argc > 1 ? static_cast<std::uint32_t>(std::atoi(argv[1])) : 512;
    const auto path = write_large_job(count, argc > 2 ? std::atoi(argv[2]) : 500);
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
