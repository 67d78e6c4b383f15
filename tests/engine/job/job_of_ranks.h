// SPDX-License-Identifier: MIT
// Jobs of known runs (run_of_ranks.h): summaries as lanes gather collects them.
#pragma once

#include "engine/job/job_report.h"
#include "engine/job/summarize.h"
#include "tests/engine/ranks/run_of_ranks.h"

#include <string>
#include <vector>

namespace lanes {

/// Rank n lies in "rankN.sqlite", on node n / ranks_a_host; each host has a clock.
inline std::vector<RankSummary> summaries_of(const RunOfRanks& run, std::uint32_t ranks_a_host = 8)
{
    std::vector<RankSummary> ranks;
    for (const auto& trace : run.make_each()) {
        const auto rank = ranks.size();
        ranks.push_back(summarize(trace, "rank" + std::to_string(rank) + ".sqlite").front());
        auto& identity = ranks.back().identity;
        identity.world = run.ranks;
        identity.host = "node" + std::to_string(rank / ranks_a_host);
        identity.clock = "boot of " + identity.host;
    }
    return ranks;
}

/// Names the communicators of each rank's all-reduces, as NCCL does: that of its group, then that of its place.
inline void name_communicators(std::vector<RankSummary>& ranks, const RunOfRanks& run)
{
    const std::uint32_t meet = run.group == 0 ? run.ranks : run.group;
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
        auto& names = ranks[rank].names;
        const auto first = static_cast<std::uint32_t>(names.size());
        names.push_back("data " + std::to_string(rank / meet));
        names.push_back("pipeline " + std::to_string(rank % meet));
        std::uint64_t number = 0;
        for (auto& collective : ranks[rank].collectives) {
            const auto of = run.crosses ? number % 2 : 0;
            collective.communicator = first + static_cast<std::uint32_t>(of);
            collective.number = number++ / (run.crosses ? 2 : 1);
        }
    }
}

struct Judged {
    std::vector<RankSummary> ranks;
    JobMeetings meetings;
    JobReport report;

    explicit Judged(std::vector<RankSummary> of)
        : ranks(std::move(of))
    {
        settle_ranks(ranks);
        meetings = meet(ranks);
        report = report_of(ranks, meetings);
    }
    std::string sentence() const { return job_sentence(ranks, meetings, report); }
    std::vector<std::string> notes() const
    {
        std::vector<std::string> lines;
        for (const auto& note : job_notes(ranks, meetings)) {
            lines.push_back(note);
        }
        return lines;
    }
    /// The row of a rank.
    const JobRank& row(std::uint32_t rank) const
    {
        return *std::find_if(
            report.ranks.begin(), report.ranks.end(), [&](const JobRank& each) { return each.index == rank; });
    }
};

}  // namespace lanes
