// SPDX-License-Identifier: MIT
#include "engine/ranks/late_ranks.h"

#include "engine/trace/median.h"

#include <algorithm>
#include <array>
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
constexpr double beyond_chance_in_steps = 5;  // equal ranks differ a little in each step, so this asks for more
constexpr std::size_t rare_group = 10;  // one that has less than a tenth of a GPU's collectives says nothing of it
constexpr Ns much_later = 10;  // than the median
constexpr std::size_t few_of = 2;  // 1 / few_of of the steps at most; a GPU that is late in more of them stands out
constexpr Ns part_of_a_time = 10;  // a tenth: what costs less than this part of the costliest time is no time

using Clock = CollectiveReplay::Clock;

/// One group's collectives in the range.
struct Meetings {
    std::vector<std::size_t> all;  ///< into Collectives::all
    std::map<std::uint32_t, std::size_t> last, shortest;  ///< by GPU: how often its kernel was that
    std::size_t in_a_step = 1;  ///< so many of them, rounded down
    std::size_t steps = 0;  ///< whole ones, if each has several collectives
    std::map<std::uint32_t, std::size_t> last_in, shortest_in;  ///< in so many steps it was that by most, in all
    std::vector<Ns> apart;  ///< the ends of each
};

bool is_in(const Trace& trace, const Collective& collective, Interval range)
{
    const Ns moved = trace.operations.start[collective.last];
    return moved >= range.start && moved < range.end;
}

/// Which GPUs wait for one another in sends: the stages of a pipeline.
class Pipelines {
public:
    Pipelines(const Trace& trace, const Collectives& collectives, Interval range)
    {
        std::map<std::uint32_t, Ns> in_sends;
        std::set<std::size_t> groups;
        const auto& ops = trace.operations;
        for (const auto& collective : collectives.all) {
            if (collective.is_send && is_in(trace, collective, range)) {
                groups.insert(collective.group);
                for (const Row row : collective.kernels) {
                    in_sends[trace.streams[ops.stream[row]].device] += ops.end[row] - ops.start[row];
                }
            }
        }
        const Ns least = (range.end - range.start) / least_lost;  // who is in sends for less waits there for less
        for (const auto group : groups) {
            const auto& gpus = collectives.groups[group];
            if (std::any_of(gpus.begin(), gpus.end(), [&](std::uint32_t gpu) { return in_sends[gpu] >= least; })) {
                m_joined.try_emplace(gpus.front(), gpus.front());
                m_joined.try_emplace(gpus.back(), gpus.back());
                m_joined[first_of(gpus.back())] = first_of(gpus.front());
            }
        }
    }

    /// One GPU of the pipeline of each; a GPU that sends nothing is for itself.
    std::uint32_t first_of(std::uint32_t gpu) const
    {
        for (auto to = m_joined.find(gpu); to != m_joined.end() && to->second != gpu; to = m_joined.find(gpu)) {
            gpu = to->second;
        }
        return gpu;
    }

    /// The groups with two GPUs of one pipeline, and these pipelines.
    void leave_out(const Trace& trace, const Collectives& collectives, Interval range, LateRanks& from) const
    {
        std::set<std::size_t> met;
        for (const auto& collective : collectives.all) {
            if (!m_joined.empty() && collective.all_wait && is_in(trace, collective, range)) {
                met.insert(collective.group);
            }
        }
        std::set<std::uint32_t> pipelines;
        for (const auto group : met) {
            std::set<std::uint32_t> seen, twice;
            for (const auto gpu : collectives.groups[group]) {
                (seen.insert(first_of(gpu)).second ? seen : twice).insert(first_of(gpu));
            }
            if (!twice.empty()) {
                from.not_judged.push_back(group);
                pipelines.insert(twice.begin(), twice.end());
            }
        }
        for (const auto pipeline : pipelines) {
            auto& gpus = from.pipelines.emplace_back();
            for (const auto& [gpu, to] : m_joined) {
                if (first_of(gpu) == pipeline) {
                    gpus.push_back(gpu);
                }
            }
        }
    }

private:
    std::map<std::uint32_t, std::uint32_t> m_joined;  ///< to another GPU of its pipeline, or to itself
};

class LatenessSearch {
public:
    /// `left_out` says which groups are not judged.
    LatenessSearch(const Trace& trace, const Collectives& collectives, const MakeReplay& without, Interval range,
        const std::vector<bool>& excused, Ns uncertainty, std::size_t steps, const GpuUnits& units,
        const LateRanks& left_out)
        : m_trace(trace)
        , m_collectives(collectives)
        , m_make_without(without)
        , m_range(range)
        , m_uncertainty(uncertainty)
        , m_steps(steps)
        , m_units(units)
        , m_units_of(units_of_groups())
        , m_counts(collectives.all.size())
        , m_groups(collectives.groups.size())
    {
        std::vector<bool> has_met(collectives.groups.size());
        for (std::size_t i = 0; i < collectives.all.size(); ++i) {
            const auto& collective = collectives.all[i];
            if (!collective.all_wait || m_units_of[collective.group].size() < 2 || !left_out.judges(collective.group)) {
                continue;
            }
            const bool is_excused = i < excused.size() && excused[i];
            m_counts[i] = (has_met[collective.group] || collective.of_one_process) && !is_excused;
            has_met[collective.group] = true;
            if (is_in(trace, collective, range)) {
                look_at(i);
            }
        }
        for (auto& group : m_groups) {
            look_at_steps(group);
        }
    }

    /// What stands out or was seldom late.
    void find_late(LateRanks& found)
    {
        std::map<std::uint32_t, LateRank> often_last;  // the group of each where it is so most often
        for (std::size_t group = 0; group < m_groups.size(); ++group) {
            for (const auto& [unit, last] : m_groups[group].last) {
                if (is_often_last(group, unit)) {
                    const LateRank rank {unit, group, last, m_groups[group].all.size(), 0, {}, {}};
                    const auto [place, is_new] = often_last.try_emplace(unit, rank);
                    place->second = is_new || last <= place->second.last ? place->second : rank;
                }
            }
        }
        for (std::size_t group = 0; group < m_groups.size(); ++group) {
            auto seldom = seldom_late(group);
            if (seldom && (!found.seldom || found.seldom->cost < seldom->cost)) {
                found.seldom = std::move(seldom);
            }
        }
        for (auto& [unit, rank] : often_last) {
            if (m_late[unit].time < least(rank.group) || (found.seldom && found.seldom->device == unit)) {
                continue;
            }
            rank.others = others_of(unit);
            if (const auto cost = agreed_cost(without(unit), rank.others, rank.group)) {
                rank.cost = *cost;
                rank.where = where_last(rank);
                found.stand_out.push_back(rank);
            }
        }
        std::stable_sort(found.stand_out.begin(), found.stand_out.end(),
            [](const LateRank& a, const LateRank& b) { return a.cost > b.cost; });
        for (auto& rank : found.stand_out) {
            name_together(rank);
        }
        if (found.seldom) {
            name_together(*found.seldom);
        }
    }

    std::optional<TakingTurns> find_turns()
    {
        std::optional<TakingTurns> found;
        for (std::size_t group = 0; group < m_groups.size(); ++group) {
            auto turns = turns_of(group);
            if (turns && (!found || found->cost < turns->cost)) {
                found = turns;
            }
        }
        return found;
    }

    std::optional<LateRank> find_unclear()
    {
        std::optional<LateRank> found;
        for (std::size_t group = 0; !found && group < m_groups.size(); ++group) {
            found = unclear_in(group);
        }
        if (found) {
            name_together(*found);
        }
        return found;
    }

private:
    Ns start(Row row) const { return m_trace.operations.start[row]; }
    Ns takes(Row row) const { return m_trace.operations.end[row] - m_trace.operations.start[row]; }
    std::uint32_t device(Row row) const { return m_trace.streams[m_trace.operations.stream[row]].device; }
    std::uint32_t unit(Row row) const { return m_units.of(device(row)); }

    /// By group, sorted.
    std::vector<std::vector<std::uint32_t>> units_of_groups() const
    {
        std::vector<std::vector<std::uint32_t>> found;
        for (const auto& group : m_collectives.groups) {
            auto& units = found.emplace_back();
            for (const auto gpu : group) {
                units.push_back(m_units.of(gpu));
            }
            std::sort(units.begin(), units.end());
            units.erase(std::unique(units.begin(), units.end()), units.end());
        }
        return found;
    }
    bool meets(std::size_t group, std::uint32_t unit) const
    {
        return std::binary_search(m_units_of[group].begin(), m_units_of[group].end(), unit);
    }

    /// A unit becomes its GPU that came last most often, and all of it.
    void name_together(LateRank& late) const
    {
        std::map<std::uint32_t, std::size_t> last;
        for (const auto& group : m_collectives.groups) {
            for (const auto gpu : group) {
                if (m_units.of(gpu) == late.device) {
                    last[gpu] = 0;
                }
            }
        }
        for (const auto& [gpu, times] : last) {
            late.together.push_back(gpu);
        }
        for (const auto index : late.where) {
            ++last[device(m_collectives.all[index].last)];
        }
        late.device = std::max_element(last.begin(), last.end(), [](const auto& a, const auto& b) {
            return a.second < b.second;
        })->first;
    }

    /// From when all other units had come to the start of the last kernel.
    Ns margin(const Collective& collective) const
    {
        const auto last = unit(collective.last);
        Ns next_to_last = std::numeric_limits<Ns>::min();
        for (const Row row : collective.kernels) {
            next_to_last = unit(row) == last ? next_to_last : std::max(next_to_last, start(row));
        }
        return start(collective.last) - next_to_last;
    }

    Row shortest(const Collective& collective) const
    {
        return *std::min_element(
            collective.kernels.begin(), collective.kernels.end(), [&](Row a, Row b) { return takes(a) < takes(b); });
    }

    /// By how much the shortest kernel is shorter than the next one of another unit.
    Ns shorter_by(const Collective& collective) const
    {
        const Row best = shortest(collective);
        Ns next = std::numeric_limits<Ns>::max();
        for (const Row row : collective.kernels) {
            next = unit(row) == unit(best) ? next : std::min(next, takes(row));
        }
        return next - takes(best);
    }

    /// A GPU that is late once in each step comes last to one of the step's collectives only. So for each step: the GPU
    /// that was last by most, in all of the step's collectives together.
    void look_at_steps(Meetings& group) const
    {
        group.in_a_step = std::max<std::size_t>(group.all.size() / std::max<std::size_t>(m_steps, 1), 1);
        if (m_steps == 0 || group.in_a_step == 1) {
            return;  // no steps, or each collective is one
        }
        group.steps = group.all.size() / group.in_a_step;
        const auto most = [](const std::map<std::uint32_t, Ns>& by_gpu) {
            return std::max_element(by_gpu.begin(), by_gpu.end(), [](const auto& a, const auto& b) {
                return a.second < b.second;
            })->first;
        };
        for (std::size_t step = 0; step < group.steps; ++step) {
            std::map<std::uint32_t, Ns> late, shorter;
            for (std::size_t i = step * group.in_a_step; i < (step + 1) * group.in_a_step; ++i) {
                const auto& collective = m_collectives.all[group.all[i]];
                late[unit(collective.last)] += margin(collective);
                shorter[unit(shortest(collective))] += shorter_by(collective);
            }
            ++group.last_in[most(late)];
            ++group.shortest_in[most(shorter)];
        }
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
        for (const auto each : m_units_of[m_collectives.all[index].group]) {
            ++m_late[each].meetings;
        }
        m_late[unit(m_collectives.all[index].last)].time += m_counts[index] ? margin(m_collectives.all[index]) : 0;
        auto& group = m_groups[m_collectives.all[index].group];
        const auto count = [&](const auto& before, std::map<std::uint32_t, std::size_t>& counts) {
            const Row best = *std::min_element(kernels.begin(), kernels.end(), before);
            const bool is_one = std::none_of(kernels.begin(), kernels.end(),
                [&](Row other) { return unit(other) != unit(best) && !before(best, other); });
            counts[unit(best)] += is_one ? 1 : 0;
        };
        count([&](Row a, Row b) { return start(a) > start(b); }, group.last);
        count([&](Row a, Row b) { return takes(a) < takes(b); }, group.shortest);
        const auto [first, last] = std::minmax_element(kernels.begin(), kernels.end(),
            [&](Row a, Row b) { return m_trace.operations.end[a] < m_trace.operations.end[b]; });
        group.apart.push_back(m_trace.operations.end[*last] - m_trace.operations.end[*first]);
        group.all.push_back(index);
    }

    /// Those that it meets again and again where all wait for all.
    std::vector<std::uint32_t> others_of(std::uint32_t unit) const
    {
        std::set<std::uint32_t> others;
        for (std::size_t group = 0; group < m_groups.size(); ++group) {
            for (const auto gpu : m_collectives.groups[group]) {
                if (m_groups[group].all.size() >= least_collectives && meets(group, unit) && m_units.of(gpu) != unit) {
                    others.insert(gpu);
                }
            }
        }
        return {others.begin(), others.end()};
    }

    bool is_often_last(std::size_t group, std::uint32_t unit) const
    {
        const auto& of = m_groups[group];
        const auto is = [&](const auto& last, const auto& shortest, std::size_t all) {
            return is_often(group, last, unit, all) && is_often(group, shortest, unit, all);
        };
        return may_judge(group, unit)
            && (is(of.last, of.shortest, of.all.size())
                || (of.steps >= least_collectives && is(of.last_in, of.shortest_in, of.steps)));
    }

    bool may_judge(std::size_t group, std::uint32_t unit) const
    {
        const auto count = m_groups[group].all.size();
        return count >= least_collectives && count * rare_group >= m_late.at(unit).meetings;
    }

    bool is_often(std::size_t group, const std::map<std::uint32_t, std::size_t>& counts, std::uint32_t unit,
        std::size_t all) const
    {
        const auto& gpus = m_collectives.groups[group];
        const auto own = static_cast<std::size_t>(
            std::count_if(gpus.begin(), gpus.end(), [&](std::uint32_t gpu) { return m_units.of(gpu) == unit; }));
        const auto found = counts.find(unit);
        const auto last = found == counts.end() ? 0 : found->second * gpus.size();  // by chance: own * all
        return (2 * last > all * gpus.size() || last > times_chance * own * all) && 2 * last > 3 * own * all;
    }

    /// The unit holds up none of the collectives that count.
    LeftOut without(std::uint32_t unit) const
    {
        LeftOut left_out = nobody();
        for (std::size_t i = 0; i < left_out.unit.size(); ++i) {
            left_out.unit[i] = m_counts[i] && meets(m_collectives.all[i].group, unit) ? unit : no_id;
        }
        return left_out;
    }
    LeftOut nobody() const { return {std::vector<std::uint32_t>(m_counts.size(), no_id), m_units}; }

    std::vector<std::size_t> where_last(const LateRank& rank) const
    {
        std::vector<std::size_t> where;
        for (const auto index : m_groups[rank.group].all) {
            if (m_counts[index] && unit(m_collectives.all[index].last) == rank.device) {
                where.push_back(index);
            }
        }
        return where;
    }

    /// Whether something comes again at equal distances in all of a row of `count`: what is found to repeat may be the
    /// layers of a step, and it comes once in each step.
    static bool is_regular(const std::vector<std::size_t>& at, std::size_t count)
    {
        std::size_t least = count, most = 0;
        for (std::size_t i = 1; i < at.size(); ++i) {
            least = std::min(least, at[i] - at[i - 1]);
            most = std::max(most, at[i] - at[i - 1]);
        }
        const auto alike = [](std::size_t less, std::size_t more) { return 4 * more <= 5 * less; };
        return at.size() > 2 && alike(least, most) && alike(most, at.front()) && alike(most, count - at.back());
    }

    /// Collectives that follow one another, to all of which one GPU came much too late.
    struct Time {
        std::size_t at;  ///< the first of them, of its group's collectives
        Ns missing;
        std::vector<std::size_t> where;  ///< into Collectives::all
    };

    /// The GPU to which most of what a group lost is due, in few collectives.
    std::optional<LateRank> seldom_late(std::size_t group)
    {
        const auto& of = m_groups[group];
        std::vector<Ns> margins;
        Ns all = 0;
        for (const auto index : of.all) {
            if (m_counts[index]) {
                margins.push_back(margin(m_collectives.all[index]));
                all += margins.back();
            }
        }
        if (of.all.size() < least_collectives || margins.empty() || all < least(group)) {
            return std::nullopt;
        }
        const Ns much = std::max(much_later * median_of(margins), median_of(of.apart));
        std::map<std::uint32_t, std::vector<Time>> much_late;
        std::uint32_t before = no_id;
        for (std::size_t at = 0; at < of.all.size(); ++at) {
            const auto index = of.all[at];
            const auto& collective = m_collectives.all[index];
            const Ns missing = m_counts[index] ? margin(collective) : 0;
            const auto gpu = missing > much ? unit(collective.last) : no_id;
            if (gpu != no_id) {
                auto& times = much_late[gpu];
                auto& time = gpu == before ? times.back() : times.emplace_back(Time {at, 0, {}});
                time.missing += missing;
                time.where.push_back(index);
            }
            before = gpu;
        }
        for (auto& [gpu, times] : much_late) {
            LateRank rank {gpu, group, 0, of.all.size(), 0, {}, {}};
            for (const auto& time : times) {
                rank.most = std::max(rank.most, time.missing);
            }
            std::vector<std::size_t> begins;
            for (const auto& time : times) {
                if (time.missing * part_of_a_time < rank.most) {
                    continue;
                }
                begins.push_back(time.at);
                rank.cost += time.missing;
                rank.where.insert(rank.where.end(), time.where.begin(), time.where.end());
            }
            rank.times = begins.size();
            rank.last = rank.where.size();
            if (2 * rank.cost <= all || rank.times * few_of > m_steps
                || (is_regular(begins, of.all.size()) && is_often_last(group, gpu)) || !may_judge(group, gpu)) {
                continue;
            }
            LeftOut left_out = nobody();
            for (const auto index : rank.where) {
                left_out.unit[index] = gpu;
            }
            rank.others = others_of(gpu);
            if (const auto cost = agreed_cost(left_out, rank.others, group)) {
                rank.cost = std::min(*cost, rank.cost);
                rank.most = std::min(rank.most, rank.cost);
                return rank;
            }
        }
        return std::nullopt;
    }

    /// A GPU comes last if its kernel is the shortest: the others' kernels wait for it. This finds the GPU that came
    /// last most often by that rule. The clocks may be wrong by more than the time that it was late.
    std::optional<LateRank> unclear_in(std::size_t group)
    {
        const auto& of = m_groups[group];
        const Ns range = m_range.end - m_range.start;
        for (const auto& [gpu, shortest] : of.shortest) {
            if (!may_judge(group, gpu) || !is_often(group, of.shortest, gpu, of.all.size())) {
                continue;
            }
            LateRank rank {gpu, group, shortest, of.all.size(), 0, {}, others_of(gpu)};
            const auto lost = lost_by(without(gpu), rank.others);
            rank.cost = lost[0].time;
            rank.most = lost[1].time;
            rank.where = where_last(rank);
            const Ns wrong = 2 * std::max(median_of(of.apart), m_uncertainty) * static_cast<Ns>(of.all.size());
            if (rank.most > std::max(range / least_lost, median_of(of.apart)) && rank.most - rank.cost <= wrong
                && !is_chance(lost[1].moved, group, rank.most)) {
                return rank;
            }
        }
        return std::nullopt;
    }

    struct Lost {
        Ns time;  ///< by which all are done earlier
        std::vector<Ns> moved;  ///< CollectiveReplay::Earlier::moved
    };
    /// By the starts of kernels, and by their lengths.
    std::array<Lost, 2> lost_by(const LeftOut& left_out, const std::vector<std::uint32_t>& gpus)
    {
        if (!m_without) {
            m_without = m_make_without();
        }
        std::array<Lost, 2> lost;
        for (const auto clock : {Clock::shared, Clock::none}) {
            auto earlier = m_without->earlier(left_out, clock, m_range);
            Ns all = std::numeric_limits<Ns>::max();
            for (const auto gpu : gpus) {
                all = std::min(all, earlier.done.at(gpu));
            }
            lost[clock == Clock::shared ? 0 : 1] = {all, std::move(earlier.moved)};
        }
        return lost;
    }

    /// By how much all of `gpus` would be done earlier. Nothing: too little, or the two ways do not agree.
    std::optional<Ns> agreed_cost(const LeftOut& left_out, const std::vector<std::uint32_t>& gpus, std::size_t of)
    {
        const Ns apart = median_of(m_groups[of].apart);
        const auto lost = lost_by(left_out, gpus);
        const auto [less, more] = std::minmax(lost[0].time, lost[1].time);
        const bool is_by_chance = std::any_of(
            lost.begin(), lost.end(), [&](const Lost& each) { return is_chance(each.moved, of, each.time); });
        return is_by_chance || less < least(of)
                || more - less > std::max(2 * std::max(apart, m_uncertainty), more / agree_within)
            ? std::nullopt
            : std::optional(less);
    }

    /// Whether chance explains the loss. Hosts that never wait for one another drift apart and back, and meanwhile the
    /// slower one comes last to each collective. A drift by chance has as many steps back as steps forward: its
    /// variance is twice the sum of squares of what the late GPU caught up from one collective to the next. A GPU that
    /// loses time in the loader and catches up within each step does not drift: it loses some in each step.
    bool is_chance(const std::vector<Ns>& moved, std::size_t group, Ns lost) const
    {
        const double caught_up = squares_of(moved, group, 1, [](Ns more) { return std::min<Ns>(more, 0); });
        const double of_steps = squares_of(moved, group, m_groups[group].in_a_step, [](Ns more) { return more; });
        const auto all = static_cast<double>(lost);
        return all <= beyond_chance * std::sqrt(2 * caught_up) && all <= beyond_chance_in_steps * std::sqrt(of_steps);
    }

    /// The sum of squares of what `part_of` takes from the change between each `every`-th collective and the one
    /// before.
    template <typename PartOf>
    double squares_of(const std::vector<Ns>& moved, std::size_t group, std::size_t every, PartOf part_of) const
    {
        const auto& all = m_groups[group].all;
        double sum = 0;
        Ns before = 0;
        for (std::size_t at = every - 1; at < all.size(); at += every) {
            const auto more = static_cast<double>(part_of(moved[all[at]] - before));
            sum += more * more;
            before = moved[all[at]];
        }
        return sum;
    }

    std::optional<TakingTurns> turns_of(std::size_t group)
    {
        const auto& of = m_groups[group];
        if (of.all.size() < least_collectives) {
            return std::nullopt;
        }
        const Ns apart = median_of(of.apart);
        LeftOut left_out = nobody();
        TakingTurns turns {group, 0, 0, 0, {}};
        std::uint32_t before = no_id;
        Ns most = 0;
        std::map<std::uint32_t, Ns> by_gpu;  // however often others were last by a little
        for (const auto index : of.all) {
            const auto& collective = m_collectives.all[index];
            if (!m_counts[index] || margin(collective) <= apart) {
                continue;
            }
            left_out.unit[index] = unit(collective.last);
            turns.where.push_back(index);
            most += margin(collective);
            by_gpu[unit(collective.last)] += margin(collective);
            turns.changes += before != no_id && before != left_out.unit[index] ? 1 : 0;
            turns.of += before != no_id ? 1 : 0;
            before = left_out.unit[index];
        }
        const bool is_of_one
            = std::any_of(by_gpu.begin(), by_gpu.end(), [&](const auto& each) { return each.second > most / 4 * 3; });
        if (turns.of < least_collectives || 2 * turns.changes <= turns.of || most < least(group) || is_of_one) {
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
    std::size_t m_steps;
    GpuUnits m_units;
    std::vector<std::vector<std::uint32_t>> m_units_of;  ///< by group, sorted; one of a single unit is not looked at
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
    const std::vector<bool>& excused, Ns uncertainty, std::size_t steps, const MakeUnits& together)
{
    LateRanks found;
    Pipelines(trace, collectives, range).leave_out(trace, collectives, range, found);
    LatenessSearch of_gpus(trace, collectives, without, range, excused, uncertainty, steps, {}, found);
    of_gpus.find_late(found);
    const auto divisions = found.first() == nullptr && together ? together(found) : std::vector<GpuUnits>();
    for (auto units = divisions.begin(); found.first() == nullptr && units != divisions.end(); ++units) {
        LatenessSearch(trace, collectives, without, range, excused, uncertainty, steps, *units, found).find_late(found);
    }
    if (found.first() == nullptr) {
        found.turns = of_gpus.find_turns();
    }
    if (found.first() == nullptr && !found.turns) {
        found.unclear = of_gpus.find_unclear();
    }
    return found;
}

}  // namespace lanes
