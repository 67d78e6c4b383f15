// SPDX-License-Identifier: MIT
#include "engine/ranks/job_replay.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace lanes {

namespace {

constexpr Ns never = std::numeric_limits<Ns>::max();
constexpr auto no_collective = std::numeric_limits<std::uint32_t>::max();

}  // namespace

JobReplay::JobReplay(const std::vector<RankSummary>& ranks, const JobMeetings& meetings, Interval range)
    : m_ranks(ranks)
    , m_meetings(meetings)
    , m_range(range)
    , m_level(ranks.size())
    , m_until(ranks.size())
    , m_places(ranks.size())
    , m_paces(ranks.size())
{
    std::vector<std::uint32_t> first(ranks.size(), no_collective);
    level_hosts(first);
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
        find_places(rank, first[rank]);
    }
    find_members();
    m_by_starts = lasts(Clock::shared);
    m_by_lengths = lasts(Clock::none);
}

void JobReplay::find_members()
{
    const auto& ops = m_meetings.trace.operations;
    m_members.reserve(ops.size());
    m_first_member.reserve(m_meetings.collectives.all.size() + 1);
    m_first_member.push_back(0);
    for (const auto& collective : m_meetings.collectives.all) {
        for (const Row row : collective.kernels) {
            const auto rank = m_meetings.rank_of(row);
            const auto of = m_meetings.collective_of[row];
            m_members.push_back({ops.start[row], ops.end[row] - ops.start[row], rank, of, m_places[rank][of].step});
        }
        m_first_member.push_back(m_members.size());
    }
}

/// Each host issues its first collective in the range when the last of its group does.
void JobReplay::level_hosts(std::vector<std::uint32_t>& first)
{
    const auto issued = [&](Row row) {
        const auto rank = m_meetings.rank_of(row);
        return m_meetings.aligned(rank, m_ranks[rank].collectives[m_meetings.collective_of[row]].issued);
    };
    const auto& ops = m_meetings.trace.operations;
    for (const auto& collective : m_meetings.collectives.all) {
        const auto is_new = [&](Row row) { return first[m_meetings.rank_of(row)] == no_collective; };
        if (!collective.all_wait || ops.start[collective.last] < m_range.start
            || std::none_of(collective.kernels.begin(), collective.kernels.end(), is_new)) {
            continue;
        }
        Ns last = std::numeric_limits<Ns>::min();
        for (const Row row : collective.kernels) {
            last = std::max(last, issued(row));
        }
        for (const Row row : collective.kernels) {
            if (const auto rank = m_meetings.rank_of(row); is_new(row)) {
                first[rank] = m_meetings.collective_of[row];
                m_level[rank] = issued(row) - last;
            }
        }
    }
}

/// Goes through a chain of which no collective is earlier. `first`: the collective for which its host is level.
void JobReplay::find_places(std::uint32_t rank, std::uint32_t first)
{
    const auto& steps = m_ranks[rank].chain.steps;
    const auto& collectives = m_ranks[rank].collectives;
    // The pace of that collective's call; those before it are as recorded.
    std::uint32_t level = no_collective;
    for (const auto& step : steps) {
        if (step.kind == ChainStep::begins && step.collective == first) {
            for (const auto& term : step.terms) {
                const bool is_later = term.kind == ChainTerm::pace && (level == no_collective || term.number > level);
                level = is_later ? term.number : level;
            }
        }
    }
    auto& paces = m_paces[rank];
    auto& places = m_places[rank];
    const auto add_pace = [&](Ns time) {
        const auto number = paces.size();
        paces.push_back(number < level || level == no_collective ? 0 : number == level ? m_level[rank] : time);
    };
    add_pace(0);
    add_pace(0);
    places.resize(collectives.size());
    std::uint32_t anchors = 1;
    m_until[rank] = steps.size();
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
        const auto& step = steps[i];
        const bool is_of_one = step.kind <= ChainStep::ends && step.collective < places.size();
        if (is_of_one && step.kind == ChainStep::ends && m_until[rank] == steps.size()
            && m_meetings.aligned(rank, collectives[step.collective].start) >= m_range.end) {
            m_until[rank] = i;
        }
        if (is_of_one && step.kind == ChainStep::begins) {
            places[step.collective] = {i, anchors, static_cast<std::uint32_t>(paces.size())};
        } else if (step.kind == ChainStep::ends) {
            ++anchors;
        } else if (step.kind == ChainStep::goes_on) {
            Ns time = never;
            for (const auto& term : step.terms) {
                const bool is_pace = term.kind == ChainTerm::pace && term.number < paces.size();
                time = std::min(time, term.slack + (is_pace ? paces[term.number] : 0));
            }
            add_pace(time == never ? 0 : time);
        }
    }
}

std::vector<JobReplay::Last> JobReplay::lasts(Clock clock) const
{
    std::vector<Last> found;
    found.reserve(m_meetings.collectives.all.size());
    for (std::size_t i = 0; i + 1 < m_first_member.size(); ++i) {
        Last last {std::numeric_limits<Ns>::min(), 0};
        for (auto at = m_first_member[i]; at < m_first_member[i + 1]; ++at) {
            const Ns time = m_members[at].came(clock);
            last = time > last.came ? Last {time, m_members[at].rank} : last;
        }
        found.push_back(last);
    }
    return found;
}

class JobReplay::Run {
public:
    Run(const JobReplay& of, const LeftOut& left_out, Clock clock)
        : m_of(of)
        , m_left_out(left_out)
        , m_clock(clock)
        , m_ranks(of.m_ranks.size())
        , m_moved(left_out.unit.size())
    {
    }

    Earlier run()
    {
        const auto& all = m_of.m_meetings.collectives.all;
        const auto& lasts = m_clock == Clock::shared ? m_of.m_by_starts : m_of.m_by_lengths;
        const auto& ops = m_of.m_meetings.trace.operations;
        for (std::size_t i = 0; i < all.size() && ops.start[all[i].last] <= m_of.m_range.end; ++i) {
            if (ops.start[all[i].last] < m_of.m_range.start) {
                continue;
            }
            const auto& members = m_of.m_meetings.collectives.groups[all[i].group];
            const bool is_held_up = m_left_out.has(i, lasts[i].rank);
            if (all[i].all_wait
                && (is_held_up
                    || (m_followed > 0 && std::any_of(members.begin(), members.end(), [&](std::uint32_t rank) {
                           return m_ranks[rank] != nullptr;
                       })))) {
                move_data(i, lasts[i].came);
            }
        }
        Earlier found {{}, std::move(m_moved)};
        for (std::uint32_t rank = 0; rank < m_ranks.size(); ++rank) {
            Ns done = 0;
            if (auto* const state = m_ranks[rank].get(); state != nullptr) {
                follow(rank, m_of.m_until[rank]);
                const bool is_all = m_of.m_until[rank] == m_of.m_ranks[rank].chain.steps.size();
                done = is_all ? state->done : state->anchors.empty() ? state->in_time : state->anchors.back();
            }
            found.done.emplace(rank, std::max<Ns>(0, done));
        }
        return found;
    }

private:
    /// A rank of which something is earlier.
    struct Followed {
        std::size_t step = 0;  ///< the next one
        std::uint32_t first_anchor = 0, first_pace = 0;  ///< those before are as recorded
        Ns in_time = 0;  ///< but earlier by this: it came so much earlier to what it is left out of
        std::vector<Ns> anchors = {}, paces = {};
        std::vector<Ns> begins = {}, ends = {};  ///< by collective
        Ns done = 0;
    };

    Followed& followed(std::uint32_t rank, std::uint32_t collective)
    {
        auto& state = m_ranks[rank];
        if (!state) {
            const auto& place = m_of.m_places[rank][collective];
            const auto collectives = m_of.m_ranks[rank].collectives.size();
            state = std::make_unique<Followed>();
            state->step = std::size_t {place.step} + 1;
            state->first_anchor = place.anchors;
            state->first_pace = place.paces;
            state->begins.assign(collectives, 0);
            state->ends.assign(collectives, 0);
            ++m_followed;
        }
        return *state;
    }

    Ns least(std::uint32_t rank, const Followed& state, const std::vector<ChainTerm>& terms) const
    {
        Ns time = never;
        for (const auto& term : terms) {
            Ns of = 0;
            if (term.kind == ChainTerm::anchor) {
                const auto at = term.number - state.first_anchor;
                of = term.number < state.first_anchor ? state.in_time
                    : at < state.anchors.size()       ? state.anchors[at]
                                                      : 0;
            } else if (term.kind == ChainTerm::pace) {
                const auto& paces = m_of.m_paces[rank];
                const auto at = term.number - state.first_pace;
                of = term.number < state.first_pace && term.number < paces.size() ? paces[term.number] + state.in_time
                    : at < state.paces.size()                                     ? state.paces[at]
                                                                                  : 0;
            } else {
                of = term.number < state.ends.size() ? state.ends[term.number] : 0;
            }
            time = std::min(time, of + term.slack);
        }
        return time == never ? 0 : time;
    }

    /// Up to before step `end`.
    void follow(std::uint32_t rank, std::size_t end)
    {
        auto& state = *m_ranks[rank];
        const auto& steps = m_of.m_ranks[rank].chain.steps;
        for (; state.step < end; ++state.step) {
            const auto& step = steps[state.step];
            const Ns time = least(rank, state, step.terms);
            switch (step.kind) {
            case ChainStep::begins:
                if (step.collective < state.begins.size()) {
                    // Never later than recorded: what a host was ahead of others did get done meanwhile.
                    state.begins[step.collective] = std::max<Ns>(0, time);
                    state.ends[step.collective] = state.begins[step.collective];  // unless others come, too
                }
                break;
            case ChainStep::ends:
                if (step.collective < state.ends.size()) {
                    const Ns ends = state.ends[step.collective];
                    state.anchors.push_back(std::max<Ns>(0, step.terms.empty() ? ends : std::min(time, ends)));
                }
                break;
            case ChainStep::goes_on:
                state.paces.push_back(time);
                break;
            case ChainStep::done:
                state.done = time;
                break;
            }
        }
    }

    /// When it comes now; it is followed to there.
    Ns comes(const Member& member) const
    {
        const auto& state = m_ranks[member.rank];
        return member.came(m_clock) - (state ? state->begins[member.collective] : 0);
    }

    /// All have come but who is left out; `last` is when the last one did as recorded.
    void move_data(std::size_t collective, Ns last)
    {
        const auto* const begin = m_of.m_members.data() + m_of.m_first_member[collective];
        const auto* const end = m_of.m_members.data() + m_of.m_first_member[collective + 1];
        Ns last_now = std::numeric_limits<Ns>::min();
        for (const auto* member = begin; member != end; ++member) {
            if (m_ranks[member->rank]) {
                follow(member->rank, std::size_t {member->step} + 1);
            }
            if (!m_left_out.has(collective, member->rank)) {
                last_now = std::max(last_now, comes(*member));
            }
        }
        const Ns earlier = last - last_now;
        m_moved[collective] = earlier;
        for (const auto* member = begin; member != end; ++member) {
            const auto rank = member->rank;
            const auto of = member->collective;
            const Ns late = m_left_out.has(collective, rank) ? comes(*member) - last_now : 0;
            if (earlier <= 0 && late <= 0 && !m_ranks[rank]) {
                continue;
            }
            auto& state = followed(rank, of);
            state.ends[of] = std::max<Ns>(0, earlier);
            if (late > 0) {
                // It comes in time: its host has issued it, and its GPU done all before it, so much earlier.
                state.in_time += late;
                for (auto* const times : {&state.anchors, &state.paces}) {
                    for (auto& time : *times) {
                        time += late;
                    }
                }
            }
        }
    }

    const JobReplay& m_of;
    const LeftOut& m_left_out;
    Clock m_clock;
    std::vector<std::unique_ptr<Followed>> m_ranks;  ///< nullptr: all as recorded
    std::size_t m_followed = 0;
    std::vector<Ns> m_moved;  ///< by collective
};

CollectiveReplay::Earlier JobReplay::earlier(const LeftOut& left_out, Clock clock, Interval) const
{
    return Run(*this, left_out, clock).run();
}

}  // namespace lanes
