// SPDX-License-Identifier: MIT
// The replay of WithoutRanks from summaries: each rank's chain, and what a collective does to its members.
//
// Collectives are taken in the order in which their last rank came. A rank is followed only from the first collective
// on that becomes earlier for it: until then all of it is as recorded. So a replay costs as much as what changes in it.
#pragma once

#include "engine/ranks/collective_replay.h"
#include "engine/ranks/job_meetings.h"

#include <cstdint>
#include <map>
#include <vector>

namespace lanes {

class JobReplay : public CollectiveReplay {
public:
    /// Both must outlive it. Of `range`, on the first clock. Cost: linear in the steps of all chains.
    JobReplay(const std::vector<RankSummary>& ranks, const JobMeetings& meetings, Interval range);

    /// By rank (into the summaries). `range` must be that of the constructor. What a rank has done
    /// by its end is told when the last collective ended that it began in it. Cost: linear in the collectives, and in
    /// the steps of the ranks that become earlier.
    Earlier earlier(const LeftOut& left_out, Clock clock, Interval range) const override;

private:
    class Run;
    /// Where a rank's chain comes to a collective.
    struct Place {
        std::uint32_t step = 0, anchors = 0, paces = 0;  ///< its step, and how many of these there are before it
    };
    /// The last to come to a collective, on a clock that its members share.
    struct Last {
        Ns came = 0;
        std::uint32_t rank = 0;
    };
    /// A kernel of a collective. Those of one lie side by side: a replay looks at all of them, one after the other.
    struct Member {
        Ns start, takes;
        std::uint32_t rank, collective;  ///< into the rank's collectives
        std::uint32_t step;  ///< its Place's
        Ns came(Clock clock) const { return clock == Clock::shared ? start : -takes; }
    };

    void level_hosts(std::vector<std::uint32_t>& first);
    void find_places(std::uint32_t rank, std::uint32_t first);
    void find_members();
    std::vector<Last> lasts(Clock clock) const;

    const std::vector<RankSummary>& m_ranks;
    const JobMeetings& m_meetings;
    Interval m_range;
    std::vector<Ns> m_level;  ///< by rank: how far its host was ahead when it issued the first collective of the range
    std::vector<std::size_t> m_until;  ///< by rank: its first step after the range
    std::vector<std::vector<Place>> m_places;  ///< by rank and collective
    /// By rank: how much earlier its host is after each wait if no collective is: less than 0 while it is ahead of the
    /// others of its first collective in the range, which it was before.
    std::vector<std::vector<Ns>> m_paces;
    std::vector<Member> m_members;  ///< of all collectives, in their order
    std::vector<std::size_t> m_first_member;  ///< by collective, and the end
    std::vector<Last> m_by_starts, m_by_lengths;  ///< by collective
};

}  // namespace lanes
