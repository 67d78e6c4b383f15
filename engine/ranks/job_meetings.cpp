// SPDX-License-Identifier: MIT
#include "engine/ranks/job_meetings.h"

#include "engine/analysis/facts/communication.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace lanes {

namespace {

/// A kernel: rank and its collective there.
struct Member {
    std::uint32_t rank, collective;
};
using Members = std::vector<Member>;

/// The kernels of one communicator, or of one name, of all ranks that have any.
struct Kin {
    std::string what;
    bool is_named = false;  ///< by a communicator
    bool is_numbered = false;  ///< all of them: RankCollective::is_numbered
    std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> of_rank;  ///< in order
    std::size_t most = 0;
    bool is_even = true;  ///< all ranks have as many, of the same kind
    bool sends_in_pairs = false;  ///< among more than two ranks: the n-th of one rank is not that of all
};

class Matching {
public:
    explicit Matching(const std::vector<RankSummary>& ranks)
        : m_ranks(ranks)
    {
        m_found.clock_of.resize(ranks.size());
        m_found.moved.resize(ranks.size());
        std::map<std::string, std::uint32_t> clocks;
        std::map<std::pair<std::string, std::string>, std::uint32_t> of_host;  // clones of a machine share a boot id
        std::uint32_t next = 0;
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            const auto& clock = ranks[rank].identity.clock;
            const auto& host = ranks[rank].identity.host;
            if (clock.empty()) {
                m_found.clock_of[rank] = next++;
            } else {
                const auto [place, is_new] = of_host.try_emplace({clock, host}, next);
                next += is_new ? 1 : 0;
                m_found.clock_of[rank] = place->second;
                clocks.try_emplace(clock, place->second);
            }
        }
        for (const auto& rank : ranks) {  // who asked may run no rank
            for (const auto& round : rank.rounds) {
                next += clocks.try_emplace(round.asker, next).second ? 1 : 0;
            }
        }
        m_clocks = next;
        m_number_of = std::move(clocks);
    }

    JobMeetings find()
    {
        find_steps();
        find_kin();
        std::vector<Members> sure, likely;
        std::vector<const Kin*> by_time;
        for (auto& kin : m_kin) {
            if (kin.of_rank.size() < 2) {
                continue;
            }
            if (!kin.is_even && kin.is_numbered && match_by_number(kin, sure)) {
                continue;
            }
            const bool is_by_step = has_steps_to_match() && !kin.is_numbered && !kin.sends_in_pairs;
            if (!(kin.is_named && (kin.is_even || is_by_step))) {
                by_time.push_back(&kin);
            }
            if (is_by_step) {
                match_by_step(kin, kin.is_named ? sure : likely);
            } else if (kin.is_even) {
                auto& to = kin.is_named ? sure : likely;
                for (std::size_t n = 0; n < kin.most; ++n) {
                    Members members;
                    for (const auto& [rank, of] : kin.of_rank) {
                        members.push_back({rank, of[n]});
                    }
                    to.push_back(std::move(members));
                }
            }
        }
        part_clocks(sure);
        std::vector<Members> for_clocks = sure;
        if (for_clocks.empty()) {
            for_clocks = likely;
        }
        auto meetings = clock_meetings(for_clocks);
        add_rounds(meetings);
        m_found.alignment = align_clocks(m_clocks, meetings, clocks_set());
        if (sure.empty()) {
            drop_unlikely();
        }
        move_apart();
        note_contradictions(for_clocks);
        for (const auto* const kin : by_time) {
            match_by_time(*kin, sure);
        }
        build(sure);
        note_gaps();
        note_uncertainty();
        return std::move(m_found);
    }

private:
    const RankCollective& of(const Member& member) const { return m_ranks[member.rank].collectives[member.collective]; }
    const std::string& name_of(const Member& member) const { return m_ranks[member.rank].names[of(member).name]; }

    /// The steps of each rank, if they differ.
    void find_steps()
    {
        auto& steps = m_found.steps;
        for (const auto& rank : m_ranks) {
            RecordedSteps of {std::numeric_limits<std::int64_t>::max(), -1};
            for (const auto& collective : rank.collectives) {
                if (collective.step >= 0) {
                    of.first = std::min(of.first, collective.step);
                    of.last = std::max(of.last, collective.step);
                }
            }
            if (of.last < 0 && !rank.collectives.empty()) {
                steps.clear();
                return;
            }
            steps.push_back(of);
        }
        std::set<RecordedSteps> different;
        for (const auto& of : steps) {
            if (of.last >= 0) {
                different.insert(of);
            }
        }
        if (different.size() < 2) {
            steps.clear();
        }
    }
    bool has_steps_to_match() const { return !m_found.steps.empty(); }

    void find_kin()
    {
        std::unordered_map<std::string, std::size_t> places;
        for (std::uint32_t rank = 0; rank < m_ranks.size(); ++rank) {
            const auto& names = m_ranks[rank].names;
            std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> here;  // by communicator, or by name
            for (std::uint32_t i = 0; i < m_ranks[rank].collectives.size(); ++i) {
                const auto& collective = m_ranks[rank].collectives[i];
                const bool is_named = collective.communicator != 0;
                const auto key = std::pair(collective.communicator, is_named ? 0 : collective.name);
                auto place = here.find(key);
                if (place == here.end()) {
                    const auto& what = names[is_named ? collective.communicator : collective.name];
                    const auto [kin, is_new] = places.try_emplace((is_named ? "c" : "n") + what, m_kin.size());
                    if (is_new) {
                        m_kin.push_back({what, is_named, is_named, {}, 0, true, false});
                    }
                    place = here.emplace(key, kin->second).first;
                    m_kin[kin->second].of_rank.emplace_back(rank, std::vector<std::uint32_t>());
                }
                auto& kin = m_kin[place->second];
                kin.of_rank.back().second.push_back(i);
                kin.is_numbered = kin.is_numbered && collective.is_numbered;
            }
        }
        for (auto& kin : m_kin) {
            const auto& first = kin.of_rank.front();
            kin.sends_in_pairs = kin.is_named && kin.of_rank.size() > 2
                && is_send(kind_of(name_of({first.first, first.second.front()})));
            kin.is_even = kin.is_numbered || !kin.sends_in_pairs;
            for (const auto& [rank, of_rank] : kin.of_rank) {
                kin.most = std::max(kin.most, of_rank.size());
                kin.is_even = kin.is_even && of_rank.size() == first.second.size();
                for (std::size_t n = 0; kin.is_even && n < of_rank.size(); ++n) {
                    const auto& one = of({rank, of_rank[n]});
                    const auto& other = of({first.first, first.second[n]});
                    // Ranks give different bytes to a gather of uneven parts: only the kind must be the same.
                    kin.is_even = one.number == other.number
                        && (rank == first.first
                            || m_ranks[rank].names[one.name] == m_ranks[first.first].names[other.name]);
                }
            }
        }
    }

    /// Those with one number. False, and nothing is added: a graph replayed some of them, on one rank more often than
    /// on another, so that their numbers do not say which are one.
    bool match_by_number(const Kin& kin, std::vector<Members>& sure)
    {
        std::vector<std::pair<std::uint64_t, Member>> all;
        for (const auto& [rank, of_rank] : kin.of_rank) {
            for (const auto i : of_rank) {
                all.push_back({of({rank, i}).number, {rank, i}});
            }
        }
        std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<Members> found;
        for (auto from = all.begin(); from != all.end();) {
            const auto to = std::find_if(from, all.end(), [&](const auto& each) { return each.first != from->first; });
            std::map<std::uint32_t, Members> of_rank;
            for (; from != to; ++from) {
                of_rank[from->second.rank].push_back(from->second);
            }
            const auto times = of_rank.begin()->second.size();
            for (const auto& [rank, members] : of_rank) {
                if (members.size() != times) {
                    return false;
                }
            }
            for (std::size_t n = 0; n < times && of_rank.size() > 1; ++n) {
                auto& one = found.emplace_back();
                for (const auto& [rank, members] : of_rank) {
                    one.push_back(members[n]);
                }
            }
        }
        std::move(found.begin(), found.end(), std::back_inserter(sure));
        return true;
    }

    /// The n-th of a step on one rank is the n-th of that step on the others. A step is left out if a rank lacks it, or
    /// a part of it.
    void match_by_step(const Kin& kin, std::vector<Members>& found)
    {
        std::map<std::int64_t, std::vector<Members>> steps;  // by number, and by rank of the kin
        for (std::size_t place = 0; place < kin.of_rank.size(); ++place) {
            const auto& [rank, of_rank] = kin.of_rank[place];
            for (const auto i : of_rank) {
                auto& step = steps[of({rank, i}).step];
                step.resize(kin.of_rank.size());
                step[place].push_back({rank, i});
            }
        }
        for (const auto& [number, of_ranks] : steps) {
            const auto count = of_ranks.front().size();
            if (number < 0 || std::any_of(of_ranks.begin(), of_ranks.end(), [&](const Members& members) {
                    return members.size() != count;
                })) {
                continue;
            }
            for (std::size_t n = 0; n < count; ++n) {
                auto& one = found.emplace_back();
                for (const auto& members : of_ranks) {
                    one.push_back(members[n]);
                }
            }
        }
    }

    /// A question to a clock is a meeting of two: the answer comes after it was asked, and before it is there.
    void add_rounds(std::vector<ClockMeeting>& meetings) const
    {
        std::set<std::pair<std::uint32_t, Ns>> known;  // ranks of a host have the same rounds
        for (std::size_t rank = 0; rank < m_ranks.size(); ++rank) {
            for (const auto& round : m_ranks[rank].rounds) {
                const auto clock = m_found.clock_of[rank];
                const auto asker = m_number_of.at(round.asker);
                if (asker != clock && known.emplace(clock, round.there).second) {
                    meetings.push_back({{{clock, round.there, round.there}, {asker, round.sent, round.back}}, 0});
                }
            }
        }
    }

    /// Ranks of one boot id that left most of their collectives before others of it had come do not share a clock.
    void part_clocks(const std::vector<Members>& sure)
    {
        struct Times {
            std::size_t all = 0, wrong = 0;
        };
        std::map<std::uint32_t, Times> times;  // by clock
        for (const auto& members : sure) {
            if (!do_all_wait(kind_of(name_of(members.front())), members.size())) {
                continue;
            }
            std::map<std::uint32_t, Interval> together;  // by clock: the last start, the first end
            for (const auto& member : members) {
                const auto& kernel = of(member);
                const auto [place, is_new]
                    = together.try_emplace(m_found.clock_of[member.rank], Interval {kernel.start, kernel.end});
                place->second.start = std::max(place->second.start, kernel.start);
                place->second.end = std::min(place->second.end, kernel.end);
            }
            for (const auto& [clock, time] : together) {
                ++times[clock].all;
                times[clock].wrong += time.start > time.end + alignment_margin(0) ? 1 : 0;
            }
        }
        std::set<std::uint32_t> kept;
        for (auto& clock : m_found.clock_of) {
            if (2 * times[clock].wrong > times[clock].all && !kept.insert(clock).second) {
                clock = static_cast<std::uint32_t>(m_clocks++);
            }
        }
    }

    /// By clock: the moments between which it was not set.
    std::vector<std::vector<Ns>> clocks_set() const
    {
        std::vector<std::vector<Ns>> set;
        for (std::size_t rank = 0; rank < m_ranks.size(); ++rank) {
            for (const auto& each : m_ranks[rank].clock_set) {
                set.resize(m_clocks);
                auto& of = set[m_found.clock_of[rank]];
                of.insert(of.end(), {std::min(each.before, each.after), std::max(each.before, each.after)});
            }
        }
        for (auto& of : set) {
            std::sort(of.begin(), of.end());
        }
        return set;
    }

    const std::string& kind_of(const std::string& name)
    {
        const auto [place, is_new] = m_kinds.try_emplace(name);
        if (is_new) {
            place->second = communication_of(name);
        }
        return place->second;
    }

    std::vector<ClockMeeting> clock_meetings(const std::vector<Members>& all)
    {
        std::map<std::tuple<std::string, std::uint64_t, std::size_t>, Ns> shortest;
        const auto key = [&](const Members& members) {
            const auto& one = of(members.front());
            return std::tuple(m_ranks[members.front().rank].names[one.communicator] + ' ' + name_of(members.front()),
                one.bytes, members.size());
        };
        std::vector<Ns> least(all.size());
        std::vector<ClockMeeting> meetings(all.size());
        std::vector<std::size_t> place(m_clocks);
        for (std::size_t i = 0; i < all.size() && m_clocks > 1; ++i) {
            const auto& members = all[i];
            if (!do_all_wait(kind_of(name_of(members.front())), members.size())) {
                continue;  // who sends is not recorded
            }
            Ns least_time = std::numeric_limits<Ns>::max();
            place.assign(m_clocks, ClockMeeting::all);
            for (const auto& member : members) {
                const auto& kernel = of(member);
                const auto clock = m_found.clock_of[member.rank];
                least_time = std::min(least_time, kernel.end - kernel.start);
                if (place[clock] == ClockMeeting::all) {
                    place[clock] = meetings[i].members.size();
                    meetings[i].members.push_back({clock, kernel.start, kernel.end});
                } else {
                    auto& known = meetings[i].members[place[clock]];
                    known.last_start = std::max(known.last_start, kernel.start);
                    known.first_end = std::min(known.first_end, kernel.end);
                }
            }
            auto [known, is_new] = shortest.try_emplace(key(members), least_time);
            known->second = std::min(known->second, least_time);
        }
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!meetings[i].members.empty()) {
                meetings[i].shortest = shortest.at(key(all[i]));
            }
        }
        return meetings;
    }

    /// On aligned clocks: which of them end together.
    void match_by_time(const Kin& kin, std::vector<Members>& sure)
    {
        Trace trace;
        Members members;
        const auto& first = of({kin.of_rank.front().first, kin.of_rank.front().second.front()});
        const auto name = trace.strings.intern(m_ranks[kin.of_rank.front().first].names[first.name]);
        trace.kernels.push_back({name, {}, {}, 0, 0, 0, 0, no_id});
        for (const auto& [rank, of_rank] : kin.of_rank) {
            const auto stream = add_stream(trace, rank);
            for (const auto i : of_rank) {
                const auto& kernel = of({rank, i});
                add_operation(
                    trace, stream, m_found.aligned(rank, kernel.start), m_found.aligned(rank, kernel.end), name);
                members.push_back({rank, i});
            }
        }
        for (const auto& collective : find_collectives(trace).all) {
            Members one;
            for (const Row row : collective.kernels) {
                one.push_back(members[row]);
            }
            sure.push_back(std::move(one));
        }
    }

    static Row add_stream(Trace& trace, std::uint32_t rank)
    {
        trace.devices.emplace_back();
        trace.devices.back().id = rank;
        Stream stream {};
        stream.process = rank + 1;
        stream.device = rank;
        trace.streams.push_back(stream);
        trace.processes.emplace_back();
        trace.processes.back().id = rank + 1;
        return static_cast<Row>(trace.streams.size() - 1);
    }
    static void add_operation(Trace& trace, Row stream, Ns start, Ns end, StringId name)
    {
        auto& ops = trace.operations;
        ops.start.push_back(start);
        ops.end.push_back(std::max(start, end));
        ops.stream.push_back(stream);
        ops.name.push_back(name);
        ops.correlation.push_back(0);
        ops.call.push_back(no_row);
        ops.detail.push_back(0);
        ops.kind.push_back(OperationKind::kernel);
        trace.duration = std::max(trace.duration, end);
    }

    void build(std::vector<Members>& sure)
    {
        auto& trace = m_found.trace;
        std::vector<std::vector<Row>> rows(m_ranks.size());
        for (std::uint32_t rank = 0; rank < m_ranks.size(); ++rank) {
            rows[rank].assign(m_ranks[rank].collectives.size(), no_row);
        }
        for (const auto& members : sure) {
            for (const auto& member : members) {
                rows[member.rank][member.collective] = 0;
            }
        }
        const auto name = trace.strings.intern("collective");
        trace.kernels.push_back({name, {}, {}, 0, 0, 0, 0, no_id});
        for (std::uint32_t rank = 0; rank < m_ranks.size(); ++rank) {
            const auto stream = add_stream(trace, rank);
            for (std::uint32_t i = 0; i < rows[rank].size(); ++i) {
                if (rows[rank][i] == no_row) {
                    continue;
                }
                const auto& kernel = of({rank, i});
                rows[rank][i] = static_cast<Row>(trace.operations.size());
                const Ns start = m_found.aligned(rank, kernel.start);
                add_operation(trace, stream, start, start + (kernel.end - kernel.start), name);
                m_found.collective_of.push_back(i);
            }
        }
        std::map<std::vector<std::uint32_t>, std::size_t> groups;
        const auto& ops = trace.operations;
        std::vector<std::uint32_t> gpus;
        for (auto& members : sure) {
            std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) { return a.rank < b.rank; });
            gpus.clear();
            const auto& what = kind_of(name_of(members.front()));
            const bool all_wait = do_all_wait(what, members.size());
            Collective one {0, {}, 0, all_wait, false, is_send(what) && !all_wait};
            for (const auto& member : members) {
                gpus.push_back(member.rank);
                one.kernels.push_back(rows[member.rank][member.collective]);
            }
            one.last = *std::max_element(
                one.kernels.begin(), one.kernels.end(), [&](Row a, Row b) { return ops.start[a] < ops.start[b]; });
            const auto [place, is_new] = groups.try_emplace(gpus, m_found.collectives.groups.size());
            if (is_new) {
                m_found.collectives.groups.push_back(gpus);
            }
            one.group = place->second;
            m_found.collectives.all.push_back(std::move(one));
        }
        std::stable_sort(m_found.collectives.all.begin(), m_found.collectives.all.end(),
            [&](const Collective& a, const Collective& b) { return ops.start[a.last] < ops.start[b.last]; });
    }

    void note_contradictions(const std::vector<Members>& meetings)
    {
        const auto words = [&](std::size_t index) {
            if (index >= meetings.size()) {
                return std::string("ssh");
            }
            const auto& member = meetings[index].front();
            return kind_of(name_of(member)) + ' ' + std::to_string(of(member).number + 1);
        };
        for (const auto& each : m_found.alignment.contradictions) {
            const auto rank = std::find(m_found.clock_of.begin(), m_found.clock_of.end(), each.clock);
            if (rank == m_found.clock_of.end()) {
                continue;  // of the host that asked, where no rank ran
            }
            m_found.contradictions.push_back({static_cast<std::uint32_t>(rank - m_found.clock_of.begin()),
                words(each.before), words(each.after), each.by});
        }
    }

    /// Ranks that lack what most of their kin have, and kernels without counterpart.
    void note_gaps()
    {
        std::vector<std::vector<bool>> is_met(m_ranks.size());
        for (std::size_t rank = 0; rank < m_ranks.size(); ++rank) {
            is_met[rank].assign(m_ranks[rank].collectives.size(), false);
        }
        for (Row row = 0; row < m_found.trace.operations.size(); ++row) {
            is_met[m_found.rank_of(row)][m_found.collective_of[row]] = true;
        }
        for (const auto& kin : m_kin) {
            if (has_steps_to_match() && !kin.is_numbered) {
                continue;  // what of different steps has no counterpart is no gap
            }
            for (const auto& [rank, of_rank] : kin.of_rank) {
                const auto alone = static_cast<std::size_t>(std::count_if(
                    of_rank.begin(), of_rank.end(), [&, r = rank](std::uint32_t i) { return !is_met[r][i]; }));
                if (kin.is_named && !kin.sends_in_pairs && of_rank.size() < kin.most) {
                    m_found.gaps.push_back({JobGap::lacks, rank, kin.what, kin.most - of_rank.size(), kin.most});
                }
                // Without a name, broadcasts and sends are matched only where they happen to end together.
                if (alone > 0 && (kin.is_named || do_all_wait(kind_of(kin.what), kin.of_rank.size()))) {
                    m_found.gaps.push_back({JobGap::unmatched, rank, kin.what, alone, of_rank.size()});
                }
            }
        }
    }

    /// Where only the order of kernels said which are one collective, and their times contradict that again and again,
    /// they are none.
    void drop_unlikely()
    {
        constexpr std::size_t most_times_set = 2;
        std::vector<std::size_t> times(m_clocks);
        auto& alignment = m_found.alignment;
        for (const auto& each : alignment.contradictions) {
            ++times[each.clock];
        }
        for (std::uint32_t clock = 0; clock < m_clocks; ++clock) {
            if (times[clock] > most_times_set) {
                alignment.clocks[clock] = {};
                alignment.clocks[clock].compared_with = clock;
            }
        }
        std::erase_if(alignment.contradictions,
            [&](const ClockContradiction& each) { return times[each.clock] > most_times_set; });
    }

    /// Ranks whose clocks cannot be compared begin together.
    void move_apart()
    {
        std::map<std::uint32_t, Ns> begins;  // of those that are compared with a clock
        const auto compared_with
            = [&](std::uint32_t rank) { return m_found.alignment.clocks[m_found.clock_of[rank]].compared_with; };
        for (std::uint32_t rank = 0; rank < m_ranks.size(); ++rank) {
            const Ns begin = m_found.aligned(rank, m_ranks[rank].start);
            const auto [place, is_new] = begins.try_emplace(compared_with(rank), begin);
            place->second = std::min(place->second, begin);
        }
        for (std::uint32_t rank = 0; rank < m_ranks.size(); ++rank) {
            m_found.moved[rank] = begins.begin()->second - begins.at(compared_with(rank));
        }
        m_found.has_one_clock = begins.size() < 2;
    }

    void note_uncertainty()
    {
        for (const auto number : std::set<std::uint32_t>(m_found.clock_of.begin(), m_found.clock_of.end())) {
            const auto& clock = m_found.alignment.clocks[number];
            if (clock.method == AlignedClock::Method::collectives) {
                m_found.uncertainty = std::max(m_found.uncertainty, 2 * clock.uncertainty());
            }
        }
    }

    const std::vector<RankSummary>& m_ranks;
    std::vector<Kin> m_kin;
    std::map<std::string, std::string> m_kinds;  ///< communication_of() by name
    std::size_t m_clocks = 0;
    std::map<std::string, std::uint32_t> m_number_of;  ///< clocks by name
    JobMeetings m_found;
};

}  // namespace

JobMeetings meet(const std::vector<RankSummary>& ranks)
{
    return Matching(ranks).find();
}

}  // namespace lanes
