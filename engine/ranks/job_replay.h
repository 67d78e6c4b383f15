// SPDX-License-Identifier: MIT
// The replay of WithoutRanks from summaries: each rank's chain, and what a collective does to its members.
#pragma once

#include "engine/ranks/collective_replay.h"
#include "engine/ranks/job_meetings.h"

#include <cstdint>
#include <map>
#include <vector>

namespace lanes {

class JobReplay : public CollectiveReplay {
public:
    /// Both must outlive it. Cost: linear in the collectives.
    JobReplay(const std::vector<RankSummary>& ranks, const JobMeetings& meetings);

    /// By rank (into the summaries). The range is all of it. Cost: linear in the steps of all chains.
    std::map<std::uint32_t, Ns> earlier(const std::vector<std::uint32_t>& left_out, Clock clock, Interval range,
        Hosts hosts = Hosts::level) const override;

private:
    class Run;

    const std::vector<RankSummary>& m_ranks;
    const JobMeetings& m_meetings;
    std::vector<std::vector<std::size_t>> m_meeting_of;  ///< by rank and collective: into Collectives::all
    std::vector<std::vector<Row>> m_row_of;
};

}  // namespace lanes
