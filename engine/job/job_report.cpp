// SPDX-License-Identifier: MIT
#include "engine/job/job_report.h"

#include "engine/analysis/facts/intervals.h"
#include "engine/input_error.h"
#include "engine/ranks/job_replay.h"
#include "engine/ranks/merge_ranks.h"
#include "engine/trace/median.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace lanes {

namespace {

constexpr std::size_t most_replayed = 8;  // ranks whose cost is computed by a replay
constexpr Ns worth_a_replay = 200;  // of all the time: what may cost less than 0.5 % is 0

/// The value below which 19 of 20 are.
Ns p95_of(std::vector<Ns> times)
{
    return nth_of(times, (times.size() - 1) * 19 / 20);
}

/// Without a name, the clock tells hosts apart.
const std::string& host_name(const RankIdentity& identity)
{
    return identity.host.empty() ? identity.clock : identity.host;
}

class JobReporter {
public:
    JobReporter(const std::vector<RankSummary>& ranks, const JobMeetings& meetings)
        : m_ranks(ranks)
        , m_meetings(meetings)
        , m_late_by(ranks.size())
        , m_rows(ranks.size())
        , m_judged(ranks.size())
        , m_first_met(ranks.size())
    {
    }

    JobReport make()
    {
        m_waits = waits_of(m_meetings);
        find_range();
        add_steps();
        prepare_matrix();
        m_report.late = find_late_ranks(
            m_meetings.trace, m_meetings.collectives, [this] { return replay(); }, m_report.range, {},
            m_meetings.uncertainty, m_report.steps, [this](const LateRanks& judged) { return units(judged); });
        for (const auto& collective : m_meetings.collectives.all) {
            const bool is_first = collective.all_wait && !std::exchange(m_has_met[collective.group], true);
            if (is_in_range(collective)) {
                add_collective(collective, is_first);
            }
        }
        add_waits();
        add_causes();
        add_more_compute();
        add_reason();
        sort_rows();
        return std::move(m_report);
    }

private:
    /// Made once, if anything asks.
    const std::shared_ptr<const JobReplay>& replay()
    {
        if (!m_replay) {
            m_replay = std::make_shared<const JobReplay>(m_ranks, m_meetings, m_report.range);
        }
        return m_replay;
    }

    /// Ranks that may be late together: those of a host, unless all is one host or each rank has its own; those of a
    /// group, where groups of one size divide the job; and those that come late together again and again.
    std::vector<GpuUnits> units(const LateRanks& judged) const
    {
        std::map<std::string, std::uint32_t> first;
        std::vector<std::uint32_t> host_of;
        for (std::uint32_t rank = 0; rank < m_ranks.size(); ++rank) {
            host_of.push_back(first.try_emplace(host_name(m_ranks[rank].identity), rank).first->second);
        }
        std::vector<GpuUnits> found;
        if (first.size() > 1 && first.size() < m_ranks.size()) {
            found.emplace_back(host_of);
        }
        for (const auto& group : m_meetings.collectives.groups) {
            const bool is_first = group.size() > 1 && group.size() < m_ranks.size() && group.front() == 0;
            if (auto divided = is_first ? divided_like(group) : std::nullopt; divided && *divided != host_of) {
                found.emplace_back(std::move(*divided));
            }
        }
        if (auto late = late_together(judged)) {
            found.emplace_back(std::move(*late));
        }
        return found;
    }

    /// By rank the first one of the late ones, or itself. Late are those after the longest gap between two arrivals,
    /// half of a group or fewer, if more than half of the time of these gaps of the group is before the same ranks (who
    /// is late once in a step of many collectives is so in one of them), and that is not little; of all groups
    /// together.
    std::optional<std::vector<std::uint32_t>> late_together(const LateRanks& judged) const
    {
        const auto& collectives = m_meetings.collectives;
        std::set<std::size_t> has_met;
        std::vector<Ns> gaps(collectives.groups.size());
        std::map<std::pair<std::size_t, std::vector<std::uint32_t>>, Ns> before;
        for (const auto& collective : collectives.all) {
            const bool counts = collective.all_wait && judged.judges(collective.group);
            if (!counts || has_met.insert(collective.group).second || !is_in_range(collective)) {
                continue;
            }
            auto rows = collective.kernels;
            std::sort(rows.begin(), rows.end(), [&](Row a, Row b) { return start(a) < start(b); });
            const auto half = rows.begin() + static_cast<std::ptrdiff_t>((rows.size() + 1) / 2);
            auto late = rows.end();
            Ns gap = -1;
            for (auto row = half; row != rows.begin() && row != rows.end(); ++row) {
                if (const Ns own = start(*row) - start(*(row - 1)); own > gap) {
                    late = row;
                    gap = own;
                }
            }
            if (late == rows.end()) {
                continue;
            }
            std::vector<std::uint32_t> ranks;
            for (; late != rows.end(); ++late) {
                ranks.push_back(m_meetings.rank_of(*late));
            }
            std::sort(ranks.begin(), ranks.end());
            gaps[collective.group] += gap;
            before[{collective.group, std::move(ranks)}] += gap;
        }
        const Ns little = (m_report.range.end - m_report.range.start) / least_lost;
        std::set<std::uint32_t> late;
        for (const auto& [set, gap] : before) {
            if (const auto& [group, ranks] = set; 2 * gap > gaps[group] && gap > little) {
                late.insert(ranks.begin(), ranks.end());
            }
        }
        if (late.size() < 2 || 2 * late.size() > m_ranks.size()) {
            return std::nullopt;
        }
        std::vector<std::uint32_t> unit_of(m_ranks.size());
        std::iota(unit_of.begin(), unit_of.end(), 0U);
        for (const auto rank : late) {
            unit_of[rank] = *late.begin();
        }
        return unit_of;
    }

    /// The first rank of each rank's group, if `first` and other groups of its size have each rank once.
    std::optional<std::vector<std::uint32_t>> divided_like(const std::vector<std::uint32_t>& first) const
    {
        std::vector<std::uint32_t> group_of(m_ranks.size(), no_id);
        const auto take = [&](const std::vector<std::uint32_t>& group) {
            const bool is_free = group.size() == first.size()
                && std::all_of(group.begin(), group.end(), [&](auto rank) { return group_of[rank] == no_id; });
            for (const auto rank : is_free ? group : std::vector<std::uint32_t>()) {
                group_of[rank] = group.front();
            }
        };
        take(first);
        for (const auto& group : m_meetings.collectives.groups) {
            take(group);
        }
        const bool is_whole = std::find(group_of.begin(), group_of.end(), no_id) == group_of.end();
        return is_whole ? std::optional(std::move(group_of)) : std::nullopt;
    }

    Ns start(Row row) const { return m_meetings.trace.operations.start[row]; }
    Ns takes(Row row) const { return m_meetings.trace.operations.end[row] - start(row); }

    /// Of the part that repeats: from when all have begun it until the last one has ended it. It counts if all ranks
    /// have about as many steps in it: ranks that were recorded one after another have none in common, and one rank may
    /// have an iteration more before it, whose length says nothing about those in it. Of ranks that recorded different
    /// steps it ends when the first one has ended.
    void find_range()
    {
        Interval steady {std::numeric_limits<Ns>::min(), std::numeric_limits<Ns>::min()};
        Interval all {std::numeric_limits<Ns>::max(), std::numeric_limits<Ns>::min()};
        Ns first_end = std::numeric_limits<Ns>::max();
        for (std::uint32_t rank = 0; rank < m_ranks.size(); ++rank) {
            const auto& of = m_ranks[rank];
            all.start = std::min(all.start, m_meetings.aligned(rank, of.start));
            all.end = std::max(all.end, m_meetings.aligned(rank, of.end));
            if (of.steady.start < of.steady.end) {
                steady.start = std::max(steady.start, m_meetings.aligned(rank, of.steady.start));
                const Ns end = m_meetings.aligned(rank, of.steady.end);
                steady.end = std::max(steady.end, end);
                first_end = std::min(first_end, end);
            }
        }
        if (!m_meetings.steps.empty()) {  // what some ranks did not record is not judged
            steady.end = first_end;
        }
        m_report.range = steady;
        std::vector<Ns> counts, means;
        for (std::uint32_t rank = 0; rank < m_ranks.size(); ++rank) {
            if (const auto lengths = steps_in_range(rank); !lengths.empty()) {
                counts.push_back(static_cast<Ns>(lengths.size()));
                means.push_back(mean_of(lengths));
            }
        }
        if (counts.size() == m_ranks.size() && steady.start < steady.end && are_alike(counts, means)) {
            m_report.step = median_of(means);
        } else {
            m_report.range = m_ranks.empty() ? Interval {} : all;
        }
    }

    std::vector<Ns> steps_in_range(std::uint32_t rank) const
    {
        std::vector<Ns> lengths;
        for (const auto& step : m_ranks[rank].steps) {
            if (is_in_range(rank, step)) {
                lengths.push_back(step.end - step.start);
            }
        }
        return lengths;
    }
    static Ns mean_of(const std::vector<Ns>& times)
    {
        return std::accumulate(times.begin(), times.end(), Ns {0}) / static_cast<Ns>(times.size());
    }

    bool is_in_range(const Collective& collective) const
    {
        return start(collective.last) >= m_report.range.start && start(collective.last) < m_report.range.end;
    }
    bool is_in_range(std::uint32_t rank, const RankStep& step) const
    {
        const Ns middle = m_meetings.aligned(rank, step.start + (step.end - step.start) / 2);
        return middle >= m_report.range.start && middle <= m_report.range.end;
    }

    /// Whether all ranks do as many steps, but for one at an end, and of one length.
    static bool are_alike(const std::vector<Ns>& counts, const std::vector<Ns>& means)
    {
        const auto [fewest, most] = std::minmax_element(counts.begin(), counts.end());
        const auto [shortest, longest] = std::minmax_element(means.begin(), means.end());
        return !counts.empty() && *most - *fewest <= 1 && *longest - *shortest <= *longest / 5;
    }

    void add_steps()
    {
        std::vector<Ns> counts;
        for (std::uint32_t rank = 0; rank < m_ranks.size(); ++rank) {
            auto& row = m_rows[rank];
            row.index = rank;
            row.times = m_ranks[rank].times;
            row.length = m_ranks[rank].end - m_ranks[rank].start;
            const auto& clock = m_meetings.alignment.clocks[m_meetings.clock_of[rank]];
            if (clock.method != AlignedClock::Method::unknown) {
                row.clock = clock.uncertainty();
            }
            const auto steps = m_report.step ? steps_in_range(rank) : std::vector<Ns>();
            RankTimes times;
            std::vector<Interval> judged;
            for (const auto& step : steps.empty() ? std::vector<RankStep>() : m_ranks[rank].steps) {
                if (!is_in_range(rank, step)) {
                    continue;
                }
                judged.push_back({step.start, step.end});
                for (const auto figure : {&RankTimes::busy, &RankTimes::compute, &RankTimes::communication,
                         &RankTimes::exposed, &RankTimes::copies, &RankTimes::blocked}) {
                    times.*figure += step.times.*figure;
                }
            }
            counts.push_back(static_cast<Ns>(steps.size()));
            if (steps.empty()) {
                judged.push_back({m_ranks[rank].start, m_ranks[rank].end});
            } else {
                row.steps = steps.size();
                row.step_mean = mean_of(steps);
                row.step_median = median_of(steps);
                row.step_p95 = p95_of(steps);
                row.length = std::accumulate(steps.begin(), steps.end(), Ns {0});
                row.times = times;
            }
            m_judged[rank] = unite(std::move(judged));
        }
        m_report.steps = counts.empty() ? 0 : static_cast<std::size_t>(median_of(counts));
    }

    void prepare_matrix()
    {
        m_place.resize(m_ranks.size());
        m_report.waits_by_host = m_ranks.size() > most_ranks_in_matrix;
        std::map<std::string, std::size_t> hosts;
        for (std::size_t rank = 0; rank < m_ranks.size(); ++rank) {
            if (!m_report.waits_by_host) {
                m_place[rank] = rank;
                m_report.of_waits.push_back(std::to_string(m_ranks[rank].identity.rank));
                continue;
            }
            const auto& host = host_name(m_ranks[rank].identity);
            const auto [place, is_new] = hosts.try_emplace(host, hosts.size());
            m_place[rank] = place->second;
            if (is_new) {
                m_report.of_waits.push_back(host.empty() ? "?" : host);
            }
        }
        m_report.waits.assign(m_report.of_waits.size() * m_report.of_waits.size(), 0);
        m_waiting.resize(m_ranks.size() * m_report.of_waits.size());
        for (std::size_t group = 0; group < m_meetings.collectives.groups.size(); ++group) {
            m_report.groups.push_back({group});
        }
    }

    void add_collective(const Collective& collective, bool is_first)
    {
        auto& group = m_report.groups[collective.group];
        ++group.collectives;
        Ns transfer = std::numeric_limits<Ns>::max();
        Ns next_to_last = std::numeric_limits<Ns>::min();
        for (const Row row : collective.kernels) {
            transfer = std::min(transfer, takes(row));
            next_to_last = row == collective.last ? next_to_last : std::max(next_to_last, start(row));
        }
        group.transfer += transfer;
        if (!collective.all_wait || !m_report.late.judges(collective.group)) {
            return;
        }
        const auto last = m_meetings.rank_of(collective.last);
        const Ns margin = start(collective.last) - next_to_last;
        m_rows[last].last += margin > 0 ? 1 : 0;  // else two came at once
        m_late_by[last] += is_first ? 0 : margin;
        bool is_unclear = false;
        for (const Row row : collective.kernels) {
            const auto rank = m_meetings.rank_of(row);
            if (is_first) {
                m_first_met[rank].push_back(m_ranks[rank].collectives[m_meetings.collective_of[row]].start);
            }
            ++m_rows[rank].of;
            const Ns wait = m_waits[row];
            if (wait < 0) {
                is_unclear = true;
                m_rows[rank].unclear -= wait;
                continue;
            }
            group.waited += wait;
            m_waiting[rank * m_report.of_waits.size() + m_place[last]].push_back(
                wait_in(m_ranks, m_meetings, m_waits, row));
        }
        group.unclear += is_unclear ? 1 : 0;
    }

    /// Collectives of several streams may wait at the same time: that is one time of their rank. A wait may begin in an
    /// earlier step than those that are judged.
    void add_waits()
    {
        const auto places = m_report.of_waits.size();
        double sum = 0, weights = 0;
        for (std::size_t rank = 0; rank < m_ranks.size(); ++rank) {
            std::vector<Interval> all;
            for (std::size_t place = 0; place < places; ++place) {
                const auto of = intersect(unite(std::move(m_waiting[rank * places + place])), m_judged[rank]);
                m_report.waits[m_place[rank] * places + place] += length(of);
                all.insert(all.end(), of.begin(), of.end());
            }
            const auto waits = unite(std::move(all));
            m_rows[rank].waited = length(waits);
            m_rows[rank].waited_steps = static_cast<double>(m_rows[rank].steps);
            if (const double a_step = whole_steps_wait(rank, waits); a_step > 0) {
                auto& steps = m_rows[rank].waited_steps;
                steps = std::min(steps, static_cast<double>(m_rows[rank].waited) / a_step);
                sum += steps * a_step;
                weights += a_step;
            }
        }
        m_report.compared_steps = weights > 0 ? sum / weights : static_cast<double>(m_report.steps);
        for (auto& row : m_rows) {
            row.caused_steps = m_report.compared_steps;
        }
    }

    /// The mean wait of the rank's steps without the first collective of a group; 0: it has none, or does not wait.
    double whole_steps_wait(std::size_t rank, const IntervalSet& waits) const
    {
        if (m_rows[rank].steps == 0) {
            return 0;
        }
        const Coverage waiting(waits);
        const auto& met = m_first_met[rank];
        double waited = 0, steps = 0;
        for (const auto& step : m_ranks[rank].steps) {
            const bool is_whole = std::none_of(
                met.begin(), met.end(), [&](Ns start) { return start >= step.start && start < step.end; });
            if (is_whole && is_in_range(static_cast<std::uint32_t>(rank), step)) {
                waited += static_cast<double>(waiting.within({step.start, step.end}));
                ++steps;
            }
        }
        return steps > 0 ? waited / steps : 0;
    }

    /// What each rank costs the others: the replay's figure for ranks that stand out, for others the smaller of the two
    /// bounds.
    void add_causes()
    {
        std::vector<std::uint32_t> order(m_ranks.size());
        std::iota(order.begin(), order.end(), 0U);
        std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return m_late_by[a] > m_late_by[b]; });
        for (std::size_t i = 0; i < order.size(); ++i) {
            auto& row = m_rows[order[i]];
            if (!row.is_judged()) {
                continue;
            }
            const auto stands_out = std::find_if(m_report.late.stand_out.begin(), m_report.late.stand_out.end(),
                [&](const LateRank& late) { return late.device == order[i] && late.together.size() == 1; });
            if (stands_out != m_report.late.stand_out.end()) {
                row.caused = stands_out->cost;
            } else if (m_late_by[order[i]] < (m_report.range.end - m_report.range.start) / worth_a_replay) {
                row.caused = 0;
            } else if (i < most_replayed) {
                row.caused = cost_of(order[i]);
            }
        }
    }

    Ns cost_of(std::uint32_t rank)
    {
        const auto& collectives = m_meetings.collectives;
        std::vector<bool> has_met(collectives.groups.size());
        LeftOut left_out {std::vector<std::uint32_t>(collectives.all.size(), no_id)};
        std::vector<bool> meets(m_ranks.size());
        for (std::size_t i = 0; i < collectives.all.size(); ++i) {
            const auto& group = collectives.groups[collectives.all[i].group];
            if (collectives.all[i].all_wait && m_report.late.judges(collectives.all[i].group)
                && std::binary_search(group.begin(), group.end(), rank)) {
                if (!has_met[collectives.all[i].group]) {
                    has_met[collectives.all[i].group] = true;
                    continue;
                }
                left_out.unit[i] = rank;
                for (const auto other : group) {
                    meets[other] = other != rank;
                }
            }
        }
        Ns cost = std::numeric_limits<Ns>::max();
        for (const auto clock : {CollectiveReplay::Clock::shared, CollectiveReplay::Clock::none}) {
            const auto done = replay()->earlier(left_out, clock, m_report.range).done;
            for (const auto& [other, earlier] : done) {
                cost = meets[other] ? std::min(cost, earlier) : cost;
            }
        }
        return cost == std::numeric_limits<Ns>::max() ? 0 : cost;
    }

    void add_reason()
    {
        auto& late = m_report.late;
        if (late.first() == nullptr || late.unclear) {
            return;
        }
        m_report.reason = reason_of(*late.first(), m_report.range, m_ranks, m_meetings);
        if (m_report.reason || late.seldom) {
            return;
        }
        // The stages of a pipeline come late together: the one that has a reason is named.
        const auto has = [&](const LateRank& rank, const std::vector<std::uint32_t>& pipeline) {
            return std::binary_search(pipeline.begin(), pipeline.end(), rank.device);
        };
        const auto pipeline = std::find_if(late.pipelines.begin(), late.pipelines.end(),
            [&](const auto& gpus) { return has(late.stand_out.front(), gpus); });
        if (pipeline == late.pipelines.end()) {
            return;
        }
        for (auto each = late.stand_out.begin(); each != late.stand_out.end() && !m_report.reason; ++each) {
            if (has(*each, *pipeline)) {
                m_report.reason = reason_of(*each, m_report.range, m_ranks, m_meetings);
                if (m_report.reason) {
                    std::rotate(late.stand_out.begin(), each, each + 1);
                    return;
                }
            }
        }
    }

    void add_more_compute()
    {
        const auto of_step = [&](std::uint32_t rank) {
            std::vector<Ns> computes;
            for (const auto& step : m_report.step ? m_ranks[rank].steps : std::vector<RankStep>()) {
                if (is_in_range(rank, step)) {
                    computes.push_back(step.times.compute);
                }
            }
            return computes.empty() ? std::nullopt : std::optional(median_of(std::move(computes)));
        };
        for (const auto& pipeline : m_report.late.pipelines) {
            for (const auto rank : pipeline) {
                std::vector<Ns> others;
                for (const auto other : pipeline) {
                    if (const auto of_other = other == rank ? std::nullopt : of_step(other)) {
                        others.push_back(*of_other);
                    }
                }
                const auto own = of_step(rank);
                if (!own || others.size() + 1 < pipeline.size()) {
                    continue;
                }
                const MoreCompute found {rank, *own, median_of(std::move(others))};
                const Ns more = found.own - found.others;
                if (more * 10 > found.others && more * least_lost > *m_report.step
                    && (!m_report.more_compute || m_report.more_compute->own < found.own)) {
                    m_report.more_compute = found;
                }
            }
        }
    }

    void sort_rows()
    {
        const auto* const late = m_report.late.first();
        const auto is_late_together
            = [&](const JobRank& row) { return late != nullptr && late->together.size() > 1 && late->has(row.index); };
        std::stable_sort(m_rows.begin(), m_rows.end(), [&](const JobRank& a, const JobRank& b) {
            if (is_late_together(a) != is_late_together(b)) {
                return is_late_together(a);
            }
            return std::tuple(-a.caused.value_or(0), -static_cast<std::int64_t>(a.last), m_ranks[a.index].identity.rank)
                < std::tuple(-b.caused.value_or(0), -static_cast<std::int64_t>(b.last), m_ranks[b.index].identity.rank);
        });
        m_report.ranks = std::move(m_rows);
    }

    const std::vector<RankSummary>& m_ranks;
    const JobMeetings& m_meetings;
    JobReport m_report;
    std::shared_ptr<const JobReplay> m_replay;
    std::vector<Ns> m_waits;  ///< waits_of()
    std::vector<Ns> m_late_by;  ///< by rank: the time in which only it was missing, the most that it can cost
    std::map<std::size_t, bool> m_has_met;  ///< by group
    std::vector<JobRank> m_rows;
    std::vector<IntervalSet> m_judged;  ///< by rank: its time that is judged, on its own clock
    std::vector<std::vector<Ns>> m_first_met;  ///< by rank: the first collectives of groups, on its own clock
    std::vector<std::size_t> m_place;  ///< by rank: its row of the matrix
    /// [rank * places + place]: when the rank waits for those of that column of the matrix, on its own clock.
    std::vector<std::vector<Interval>> m_waiting;
};

}  // namespace

Ns of_compared_step(Ns time, double compared_steps)
{
    return static_cast<Ns>(static_cast<double>(time) / std::max(1.0, compared_steps));
}

RankRow JobRank::row() const
{
    const auto each = [&](Ns time) { return time / std::max<Ns>(1, static_cast<Ns>(steps)); };
    RankRow row {
        step_mean, step_p95, each(times.compute), each(times.exposed), each(length - times.busy), {}, {}, {}, clock};
    if (is_judged()) {
        row.waited = of_compared_step(waited, waited_steps);
        row.caused = caused ? std::optional(of_compared_step(*caused, caused_steps)) : std::nullopt;
        row.last = last;
    }
    return row;
}

std::vector<Ns> waits_of(const JobMeetings& meetings, bool with_first)
{
    const auto& ops = meetings.trace.operations;
    std::vector<Ns> waits(ops.size());
    std::vector<bool> has_met(meetings.collectives.groups.size());
    const auto takes = [&](Row row) { return ops.end[row] - ops.start[row]; };
    for (const auto& collective : meetings.collectives.all) {
        if (!collective.all_wait) {
            continue;
        }
        if (!with_first && !has_met[collective.group]) {  // there all wait until all have started, or are recorded
            has_met[collective.group] = true;
            continue;
        }
        Ns transfer = std::numeric_limits<Ns>::max();
        for (const Row row : collective.kernels) {
            transfer = std::min(transfer, takes(row));
        }
        const Ns may_differ = meetings.uncertainty + alignment_margin(transfer);
        for (const Row row : collective.kernels) {
            const Ns by_starts = ops.start[collective.last] - ops.start[row];
            const Ns by_lengths = takes(row) - transfer;
            const Ns differ = by_starts > by_lengths ? by_starts - by_lengths : by_lengths - by_starts;
            waits[row] = differ > may_differ ? -std::max(by_starts, by_lengths) : std::min(by_starts, by_lengths);
        }
    }
    return waits;
}

Interval wait_in(
    const std::vector<RankSummary>& ranks, const JobMeetings& meetings, const std::vector<Ns>& waits, Row row)
{
    const Ns start = ranks[meetings.rank_of(row)].collectives[meetings.collective_of[row]].start;
    return {start, start + std::max<Ns>(0, waits[row])};
}

JobReport report_of(const std::vector<RankSummary>& ranks, const JobMeetings& meetings)
{
    return JobReporter(ranks, meetings).make();
}

namespace {

/// Whether nothing in the recording said the rank, and another one has the same events at the same times: two ranks
/// never agree to the nanosecond.
bool are_copies(const RankSummary& a, const RankSummary& b)
{
    const auto is_guessed = [](const RankSummary& rank) {
        const auto& rule = rank.identity.rule;
        return rule.empty() || rule == "name" || rule == "order";
    };
    return (is_guessed(a) || is_guessed(b)) && a.operations > 0 && a.operations == b.operations && a.start == b.start
        && a.end == b.end && a.identity.process == b.identity.process && a.collectives == b.collectives
        && a.times == b.times && a.bins == b.bins && a.steps == b.steps;
}

}  // namespace

void settle_ranks(std::vector<RankSummary>& ranks)
{
    const bool none_known
        = std::all_of(ranks.begin(), ranks.end(), [](const RankSummary& rank) { return rank.identity.rank < 0; });
    std::map<std::int64_t, const RankSummary*> taken;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        auto& identity = ranks[i].identity;
        if (none_known) {
            identity.rank = static_cast<std::int64_t>(i);
            identity.rule = "order";
        }
        if (identity.rank < 0) {
            throw InputError("'" + ranks[i].file
                + "' does not say which rank it is, others do: set LANES_RANK, or name "
                  "it rankN");
        }
        const auto [other, is_new] = taken.try_emplace(identity.rank, &ranks[i]);
        if (!is_new) {
            throw InputError("'" + other->second->file + "' and '" + ranks[i].file + "' are both rank "
                + std::to_string(identity.rank) + ": these are not the ranks of one run");
        }
    }
    std::multimap<Ns, const RankSummary*> by_start;
    for (const auto& rank : ranks) {
        const auto [first, last] = by_start.equal_range(rank.start);
        const auto copy = std::find_if(first, last, [&](const auto& other) { return are_copies(*other.second, rank); });
        if (copy != last) {
            throw InputError(words_of_copies(copy->second->file, rank.file));
        }
        by_start.emplace(rank.start, &rank);
    }
    std::stable_sort(ranks.begin(), ranks.end(),
        [](const RankSummary& a, const RankSummary& b) { return a.identity.rank < b.identity.rank; });
}

}  // namespace lanes
