// SPDX-License-Identifier: MIT
#include "engine/ranks/job_replay.h"

#include <algorithm>
#include <deque>
#include <limits>

namespace lanes {

namespace {

constexpr auto no_meeting = std::numeric_limits<std::size_t>::max();

}  // namespace

JobReplay::JobReplay(const std::vector<RankSummary>& ranks, const JobMeetings& meetings)
    : m_ranks(ranks)
    , m_meetings(meetings)
    , m_meeting_of(ranks.size())
    , m_row_of(ranks.size())
{
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        m_meeting_of[rank].assign(ranks[rank].collectives.size(), no_meeting);
        m_row_of[rank].assign(ranks[rank].collectives.size(), no_row);
    }
    for (std::size_t i = 0; i < meetings.collectives.all.size(); ++i) {
        const auto& collective = meetings.collectives.all[i];
        for (const Row row : collective.all_wait ? collective.kernels : std::vector<Row>()) {
            const auto rank = meetings.rank_of(row);
            m_meeting_of[rank][meetings.collective_of[row]] = i;
            m_row_of[rank][meetings.collective_of[row]] = row;
        }
    }
}

/// Ranks go on by themselves until one has to know when a collective ends to which others have not come.
class JobReplay::Run {
public:
    Run(const JobReplay& of, const std::vector<std::uint32_t>& left_out, Clock clock)
        : m_of(of)
        , m_left_out(left_out)
        , m_clock(clock)
        , m_ranks(of.m_ranks.size())
        , m_meetings(of.m_meetings.collectives.all.size())
    {
        for (std::size_t rank = 0; rank < m_ranks.size(); ++rank) {
            const auto collectives = of.m_ranks[rank].collectives.size();
            m_ranks[rank].anchors = {0};
            m_ranks[rank].paces = {0, 0};
            m_ranks[rank].begins.assign(collectives, 0);
            m_ranks[rank].ends.assign(collectives, 0);
        }
    }

    /// Each host issues its first collective when the last of its group does.
    void level()
    {
        const auto& meetings = m_of.m_meetings;
        std::vector<bool> is_level(m_ranks.size());
        for (const auto& collective : meetings.collectives.all) {
            if (!collective.all_wait) {
                continue;
            }
            const auto issued = [&](Row row) {
                const auto rank = meetings.rank_of(row);
                return meetings.aligned(rank, m_of.m_ranks[rank].collectives[meetings.collective_of[row]].issued);
            };
            Ns last = std::numeric_limits<Ns>::min();
            for (const Row row : collective.kernels) {
                last = std::max(last, issued(row));
            }
            for (const Row row : collective.kernels) {
                const auto rank = meetings.rank_of(row);
                if (!is_level[rank]) {
                    is_level[rank] = true;
                    m_ranks[rank].paces[1] = issued(row) - last;
                }
            }
        }
    }

    void run()
    {
        for (std::uint32_t rank = 0; rank < m_ranks.size(); ++rank) {
            m_ready.push_back(rank);
        }
        std::uint32_t stuck = 0;
        for (;;) {
            while (!m_ready.empty()) {
                const auto rank = m_ready.front();
                m_ready.pop_front();
                go_on(rank);
            }
            // All that are left wait for each other, as their collectives were not matched well: one goes on as
            // recorded.
            while (stuck < m_ranks.size() && m_ranks[stuck].is_done) {
                ++stuck;
            }
            if (stuck == m_ranks.size()) {
                return;
            }
            m_meetings[m_ranks[stuck].waits_for].is_over = true;
            m_ready.push_back(stuck);
        }
    }

    std::map<std::uint32_t, Ns> done_earlier() const
    {
        std::map<std::uint32_t, Ns> found;
        for (std::uint32_t rank = 0; rank < m_ranks.size(); ++rank) {
            found.emplace(rank, std::max<Ns>(0, m_ranks[rank].done));
        }
        return found;
    }

private:
    struct RankState {
        std::size_t step = 0;
        bool has_come = false;  ///< to the collective of `step`, which it is left out of
        bool is_done = false;
        std::size_t waits_for = no_meeting;
        std::vector<Ns> anchors, paces;
        std::vector<Ns> begins, ends;  ///< by collective
        Ns done = 0;
    };
    struct MeetingState {
        std::size_t come = 0;
        bool is_over = false;
        std::vector<std::uint32_t> waiting = {};
    };

    static Ns least(const RankState& state, const ChainStep& step)
    {
        Ns time = std::numeric_limits<Ns>::max();
        for (const auto& term : step.terms) {
            const auto& of = term.kind == ChainTerm::anchor ? state.anchors
                : term.kind == ChainTerm::pace              ? state.paces
                                                            : state.ends;
            if (term.number < of.size()) {
                time = std::min(time, of[term.number] + term.slack);
            }
        }
        return time == std::numeric_limits<Ns>::max() ? 0 : time;
    }

    void go_on(std::uint32_t rank)
    {
        auto& state = m_ranks[rank];
        const auto& steps = m_of.m_ranks[rank].chain.steps;
        for (; state.step < steps.size(); ++state.step) {
            const auto& step = steps[state.step];
            if (step.kind == ChainStep::goes_on) {
                state.paces.push_back(least(state, step));
            } else if (step.kind == ChainStep::done) {
                state.done = least(state, step);
            } else if (step.collective >= state.begins.size()) {
                continue;
            } else if (step.kind == ChainStep::begins ? !begin(rank, step) : !end(rank, step)) {
                return;
            }
        }
        state.is_done = true;
    }

    /// False: has to wait.
    bool begin(std::uint32_t rank, const ChainStep& step)
    {
        auto& state = m_ranks[rank];
        const auto meeting = m_of.m_meeting_of[rank][step.collective];
        if (!state.has_come) {
            // Never later than recorded: what a host was ahead of others did get done meanwhile.
            state.begins[step.collective] = std::max<Ns>(0, least(state, step));
            state.ends[step.collective] = state.begins[step.collective];
            if (meeting != no_meeting && ++m_meetings[meeting].come == kernels_of(meeting).size()) {
                move_data(meeting);
            }
        }
        // What is left out is moved to when the others have come, and with it all that follows.
        state.has_come = meeting != no_meeting && m_left_out[meeting] == rank && !m_meetings[meeting].is_over;
        if (state.has_come) {
            wait(rank, meeting);
        }
        return !state.has_come;
    }

    bool end(std::uint32_t rank, const ChainStep& step)
    {
        auto& state = m_ranks[rank];
        const auto meeting = m_of.m_meeting_of[rank][step.collective];
        if (meeting != no_meeting && !m_meetings[meeting].is_over) {
            wait(rank, meeting);
            return false;
        }
        const Ns before = step.terms.empty() ? std::numeric_limits<Ns>::max() : least(state, step);
        state.anchors.push_back(std::min(before, state.ends[step.collective]));
        return true;
    }

    void wait(std::uint32_t rank, std::size_t meeting)
    {
        m_ranks[rank].waits_for = meeting;
        m_meetings[meeting].waiting.push_back(rank);
    }

    const std::vector<Row>& kernels_of(std::size_t meeting) const
    {
        return m_of.m_meetings.collectives.all[meeting].kernels;
    }

    /// When it came, on a clock that all members share.
    Ns came(Row row) const
    {
        const auto& ops = m_of.m_meetings.trace.operations;
        return m_clock == Clock::shared ? ops.start[row] : ops.start[row] - ops.end[row];
    }

    void move_data(std::size_t meeting)
    {
        const auto& found = m_of.m_meetings;
        const auto left_out = m_left_out[meeting];
        Ns last = std::numeric_limits<Ns>::min();
        Ns last_now = last;
        const auto now
            = [&](Row row) { return came(row) - m_ranks[found.rank_of(row)].begins[found.collective_of[row]]; };
        for (const Row row : kernels_of(meeting)) {
            last = std::max(last, came(row));
            if (found.rank_of(row) != left_out) {
                last_now = std::max(last_now, now(row));
            }
        }
        for (const Row row : kernels_of(meeting)) {
            auto& state = m_ranks[found.rank_of(row)];
            state.ends[found.collective_of[row]] = last - last_now;
            if (const Ns late = now(row) - last_now; found.rank_of(row) == left_out && late > 0) {
                for (auto* const times : {&state.anchors, &state.paces}) {
                    for (auto& time : *times) {
                        time += late;
                    }
                }
            }
        }
        m_meetings[meeting].is_over = true;
        m_ready.insert(m_ready.end(), m_meetings[meeting].waiting.begin(), m_meetings[meeting].waiting.end());
    }

    const JobReplay& m_of;
    const std::vector<std::uint32_t>& m_left_out;
    Clock m_clock;
    std::vector<RankState> m_ranks;
    std::vector<MeetingState> m_meetings;
    std::deque<std::uint32_t> m_ready;
};

std::map<std::uint32_t, Ns> JobReplay::earlier(
    const std::vector<std::uint32_t>& left_out, Clock clock, Interval, Hosts hosts) const
{
    Run run(*this, left_out, clock);
    if (hosts == Hosts::level) {
        run.level();
    }
    run.run();
    return run.done_earlier();
}

}  // namespace lanes
