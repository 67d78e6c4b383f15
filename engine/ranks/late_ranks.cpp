// SPDX-License-Identifier: MIT
#include "engine/ranks/late_ranks.h"

#include "engine/trace/median.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace lanes {

namespace {

constexpr std::size_t least_collectives = 3;  // fewer are an accident
constexpr Ns agree_within = 10;  // a tenth
constexpr std::size_t times_chance = 4;
constexpr double beyond_chance = 4;  // standard deviations
constexpr std::size_t seldom = 10;  // a group that has less than a tenth of a GPU's collectives says nothing of it

using Clock = CollectiveReplay::Clock;

/// One group's collectives in the range.
struct Meetings {
    std::vector<std::size_t> all;  ///< into Collectives::all
    std::map<std::uint32_t, std::size_t> last, shortest;  ///< by GPU: how often its kernel was that
    std::vector<Ns> apart;  ///< the ends of each
};

class LatenessSearch {
public:
    LatenessSearch(const Trace& trace, const Collectives& collectives, const MakeReplay& without, Interval range,
        const std::vector<bool>& excused, Ns uncertainty)
        : m_trace(trace)
        , m_collectives(collectives)
        , m_make_without(without)
        , m_range(range)
        , m_uncertainty(uncertainty)
        , m_counts(collectives.all.size())
        , m_groups(collectives.groups.size())
    {
        std::vector<bool> has_met(collectives.groups.size());
        for (std::size_t i = 0; i < collectives.all.size(); ++i) {
            const auto& collective = collectives.all[i];
            if (!collective.all_wait) {
                continue;
            }
            const bool is_excused = i < excused.size() && excused[i];
            m_counts[i] = (has_met[collective.group] || collective.of_one_process) && !is_excused;
            has_met[collective.group] = true;
            const Ns moved = trace.operations.start[collective.last];
            if (moved >= range.start && moved < range.end) {
                look_at(i);
            }
        }
    }

    LateRanks find()
    {
        LateRanks found;
        std::map<std::uint32_t, LateRank> often_last;  // the group of each where it is so most often
        for (std::size_t group = 0; group < m_groups.size(); ++group) {
            for (const auto& [gpu, last] : m_groups[group].last) {
                if (is_often_last(group, gpu)) {
                    const LateRank rank {gpu, group, last, m_groups[group].all.size(), 0, {}, {}};
                    const auto [place, is_new] = often_last.try_emplace(gpu, rank);
                    place->second = is_new || last <= place->second.last ? place->second : rank;
                }
            }
        }
        for (auto& [gpu, rank] : often_last) {
            if (m_late[gpu].time < least(rank.group)) {
                continue;
            }
            rank.others = others_of(gpu);
            std::vector<std::uint32_t> left_out(m_counts.size(), no_id);
            for (std::size_t i = 0; i < left_out.size(); ++i) {
                const auto& group = m_collectives.groups[m_collectives.all[i].group];
                left_out[i] = m_counts[i] && std::binary_search(group.begin(), group.end(), gpu) ? gpu : no_id;
            }
            if (const auto cost = agreed_cost(left_out, rank.others, rank.group)) {
                rank.cost = *cost;
                for (const auto index : m_groups[rank.group].all) {
                    if (m_counts[index] && device(m_collectives.all[index].last) == gpu) {
                        rank.where.push_back(index);
                    }
                }
                found.stand_out.push_back(rank);
            }
        }
        std::stable_sort(found.stand_out.begin(), found.stand_out.end(),
            [](const LateRank& a, const LateRank& b) { return a.cost > b.cost; });
        for (std::size_t group = 0; found.stand_out.empty() && group < m_groups.size(); ++group) {
            auto turns = turns_of(group);
            if (turns && (!found.turns || found.turns->cost < turns->cost)) {
                found.turns = turns;
            }
        }
        return found;
    }

private:
    Ns start(Row row) const { return m_trace.operations.start[row]; }
    Ns takes(Row row) const { return m_trace.operations.end[row] - m_trace.operations.start[row]; }
    std::uint32_t device(Row row) const { return m_trace.streams[m_trace.operations.stream[row]].device; }

    /// From the next to last kernel's start to the last one's.
    Ns margin(const Collective& collective) const
    {
        Ns next_to_last = std::numeric_limits<Ns>::min();
        for (const Row row : collective.kernels) {
            next_to_last = row == collective.last ? next_to_last : std::max(next_to_last, start(row));
        }
        return start(collective.last) - next_to_last;
    }

    /// What is no more than 2 %, than the ends differ or than the clocks may is not said.
    Ns least(std::size_t group) const
    {
        return std::max(
            {(m_range.end - m_range.start) / least_lost, median_of(m_groups[group].apart) + 1, m_uncertainty + 1});
    }

    void look_at(std::size_t index)
    {
        const auto& kernels = m_collectives.all[index].kernels;
        for (const Row row : kernels) {
            ++m_late[device(row)].meetings;
        }
        m_late[device(m_collectives.all[index].last)].time += m_counts[index] ? margin(m_collectives.all[index]) : 0;
        auto& group = m_groups[m_collectives.all[index].group];
        const auto count = [&](const auto& before, std::map<std::uint32_t, std::size_t>& counts) {
            const Row best = *std::min_element(kernels.begin(), kernels.end(), before);
            const bool is_one = std::none_of(
                kernels.begin(), kernels.end(), [&](Row other) { return other != best && !before(best, other); });
            counts[device(best)] += is_one ? 1 : 0;
        };
        count([&](Row a, Row b) { return start(a) > start(b); }, group.last);
        count([&](Row a, Row b) { return takes(a) < takes(b); }, group.shortest);
        const auto [first, last] = std::minmax_element(kernels.begin(), kernels.end(),
            [&](Row a, Row b) { return m_trace.operations.end[a] < m_trace.operations.end[b]; });
        group.apart.push_back(m_trace.operations.end[*last] - m_trace.operations.end[*first]);
        group.all.push_back(index);
    }

    /// Those that it meets again and again where all wait for all.
    std::vector<std::uint32_t> others_of(std::uint32_t gpu) const
    {
        std::set<std::uint32_t> others;
        for (std::size_t group = 0; group < m_groups.size(); ++group) {
            const auto& members = m_collectives.groups[group];
            if (m_groups[group].all.size() >= least_collectives
                && std::binary_search(members.begin(), members.end(), gpu)) {
                others.insert(members.begin(), members.end());
            }
        }
        others.erase(gpu);
        return {others.begin(), others.end()};
    }

    bool is_often_last(std::size_t group, std::uint32_t device) const
    {
        const auto& of = m_groups[group];
        const auto gpus = m_collectives.groups[group].size();
        const auto is_often = [&](const std::map<std::uint32_t, std::size_t>& counts) {
            const auto found = counts.find(device);
            return found != counts.end()
                && (2 * found->second > of.all.size() || found->second * gpus > times_chance * of.all.size())
                && 2 * found->second * gpus > 3 * of.all.size();
        };
        return of.all.size() >= least_collectives && of.all.size() * seldom >= m_late.at(device).meetings
            && is_often(of.last) && is_often(of.shortest);
    }

    /// By how much all of `gpus` would be done earlier. Nothing: too little, or the two ways do not agree.
    std::optional<Ns> agreed_cost(
        const std::vector<std::uint32_t>& left_out, const std::vector<std::uint32_t>& gpus, std::size_t of)
    {
        if (!m_without) {
            m_without = m_make_without();
        }
        const Ns apart = median_of(m_groups[of].apart);
        std::optional<Ns> cost;
        for (const auto clock : {Clock::shared, Clock::none}) {
            const auto earlier = m_without->earlier(left_out, clock, m_range);
            Ns all = std::numeric_limits<Ns>::max();
            for (const auto gpu : gpus) {
                all = std::min(all, earlier.done.at(gpu));
            }
            if (is_chance(earlier.moved, of, all)) {
                return std::nullopt;
            }
            const Ns more = cost ? std::max(*cost, all) : all;
            cost = cost ? std::min(*cost, all) : all;
            if (*cost < least(of) || more - *cost > std::max(2 * std::max(apart, m_uncertainty), more / agree_within)) {
                return std::nullopt;
            }
        }
        return cost;
    }

    /// Whether chance explains the loss. Hosts that never wait for one another drift apart and back, and meanwhile the
    /// slower one comes last to each collective. A drift by chance has as many steps back as steps forward: its
    /// variance is twice the sum of squares of what the late GPU caught up from one collective to the next.
    bool is_chance(const std::vector<Ns>& moved, std::size_t group, Ns lost) const
    {
        double caught_up = 0;  // sum of squares
        Ns before = 0;
        for (const auto index : m_groups[group].all) {
            const auto less = static_cast<double>(std::max<Ns>(0, before - moved[index]));
            caught_up += less * less;
            before = moved[index];
        }
        return static_cast<double>(lost) <= beyond_chance * std::sqrt(2 * caught_up);
    }

    std::optional<TakingTurns> turns_of(std::size_t group)
    {
        const auto& of = m_groups[group];
        if (of.all.size() < least_collectives) {
            return std::nullopt;
        }
        const Ns apart = median_of(of.apart);
        std::vector<std::uint32_t> left_out(m_counts.size(), no_id);
        TakingTurns turns {group, 0, 0, 0, {}};
        std::uint32_t before = no_id;
        Ns most = 0;
        for (const auto index : of.all) {
            const auto& collective = m_collectives.all[index];
            if (!m_counts[index] || margin(collective) <= apart) {
                continue;
            }
            left_out[index] = device(collective.last);
            turns.where.push_back(index);
            most += margin(collective);
            turns.changes += before != no_id && before != left_out[index] ? 1 : 0;
            turns.of += before != no_id ? 1 : 0;
            before = left_out[index];
        }
        if (turns.of < least_collectives || 2 * turns.changes <= turns.of || most < least(group)) {
            return std::nullopt;
        }
        const auto cost = agreed_cost(left_out, m_collectives.groups[group], group);
        turns.cost = std::min(most, cost.value_or(0));
        return cost ? std::optional(turns) : std::nullopt;
    }

    const Trace& m_trace;
    const Collectives& m_collectives;
    const MakeReplay& m_make_without;
    std::shared_ptr<const CollectiveReplay> m_without;
    Interval m_range;
    Ns m_uncertainty;
    std::vector<bool> m_counts;  ///< by collective: whether a late GPU counts there
    std::vector<Meetings> m_groups;
    struct Late {
        std::size_t meetings = 0;
        Ns time = 0;  ///< for which it alone was missing: it costs no more
    };
    std::map<std::uint32_t, Late> m_late;  ///< by GPU
};

}  // namespace

LateRanks find_late_ranks(const Trace& trace, const Collectives& collectives, const MakeReplay& without, Interval range,
    const std::vector<bool>& excused, Ns uncertainty)
{
    return LatenessSearch(trace, collectives, without, range, excused, uncertainty).find();
}

}  // namespace lanes
