// SPDX-License-Identifier: MIT
#include "engine/job/late_reason.h"

#include "engine/ranks/late_windows.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace lanes {

namespace {

/// Which of a rank's collectives began after its host had waited for the GPU since the one before had ended.
std::vector<bool> hosts_that_waited(const RankSummary& rank)
{
    std::vector<bool> found(rank.collectives.size());
    bool has_waited = false;
    for (const auto& step : rank.chain.steps) {
        if (step.kind == ChainStep::goes_on) {
            has_waited = true;
        } else if (step.kind == ChainStep::ends) {
            has_waited = false;
        } else if (step.kind == ChainStep::begins && step.collective < found.size()) {
            found[step.collective] = has_waited;
        }
    }
    return found;
}

class Lateness {
public:
    Lateness(const LateRank& late, Interval range, const std::vector<RankSummary>& ranks, const JobMeetings& meetings)
        : m_ranks(ranks)
        , m_meetings(meetings)
        , m_late(late)
    {
        add_issues();
        m_sums = against_others(meetings.trace, meetings.collectives, late, range,
            std::array {&Sums::compute, &Sums::copies, &Sums::kernels, &Sums::idle},
            [this](Row from, Row to) { return sums_between(from, to); });
    }

    std::optional<LateReason> reason() const
    {
        const auto lost = static_cast<double>(m_late.cost);
        if (2 * m_sums.more.compute >= lost) {
            return 50 * m_sums.more.kernels > m_sums.usual.kernels ? LateReason::more_kernels : LateReason::kernels;
        }
        if (2 * m_sums.more.copies >= lost) {
            return LateReason::copies;
        }
        if (2 * m_issued > m_missing) {
            return 2 * m_recording.sum > m_missing ? LateReason::profiler
                : 2 * m_loading.sum > m_missing    ? LateReason::data
                                                   : LateReason::host;
        }
        return 2 * m_sums.more.idle >= lost ? std::optional(LateReason::idle) : std::nullopt;
    }

private:
    /// Host time of one kind that the late rank had more and that still makes it late.
    struct Carried {
        Ns RankCollective::*before;
        double now = 0;
        double sum = 0;
    };
    /// Of a GPU, ns and kernels. Real numbers, as a file may claim sums that no integer holds.
    struct Sums {
        double compute = 0, copies = 0, kernels = 0, idle = 0;
    };

    Ns start(Row row) const { return m_meetings.trace.operations.start[row]; }
    const RankCollective& of(Row row) const
    {
        return m_ranks[m_meetings.rank_of(row)].collectives[m_meetings.collective_of[row]];
    }
    Ns issued(Row row) const { return m_meetings.aligned(m_meetings.rank_of(row), of(row).issued); }
    /// Rows of a rank are in order of time.
    bool has_before(Row row) const { return row > 0 && m_meetings.rank_of(row - 1) == m_meetings.rank_of(row); }
    bool has_waited(Row row)
    {
        const auto rank = m_meetings.rank_of(row);
        const auto [known, is_new] = m_waited.try_emplace(rank);
        if (is_new) {
            known->second = hosts_that_waited(m_ranks[rank]);
        }
        return known->second[m_meetings.collective_of[row]];
    }

    /// How much later than the last but one its host issued the collectives to which it came last.
    void add_issues()
    {
        const auto& all = m_meetings.collectives.all;
        std::vector<std::pair<Row, std::size_t>> own;  // the late rank's kernel and its collective
        for (std::size_t index = 0; index < all.size(); ++index) {
            for (const Row row : all[index].kernels) {
                if (m_meetings.rank_of(row) == m_late.device) {
                    own.emplace_back(row, index);
                }
            }
        }
        std::sort(own.begin(), own.end());
        for (const auto& [row, index] : own) {
            add_issue(row, all[index], std::binary_search(m_late.where.begin(), m_late.where.end(), index));
        }
    }

    /// `row`: of the late rank. `counts`: it came last to this one.
    void add_issue(Row row, const Collective& collective, bool counts)
    {
        Row next = no_row;
        for (const Row other : collective.kernels) {
            next = !m_late.has(m_meetings.rank_of(other)) && (next == no_row || start(other) > start(next)) ? other
                                                                                                            : next;
        }
        if (next == no_row || !has_before(row) || !has_before(next)) {
            return;
        }
        const auto more = [&](auto figure) {
            return static_cast<double>(static_cast<std::int64_t>(of(row).*figure - of(row - 1).*figure))
                - static_cast<double>(static_cast<std::int64_t>(of(next).*figure - of(next - 1).*figure));
        };
        const auto has_call = [&](Row each) { return of(each).issued != of(each).start; };
        const auto later = has_call(row) && has_call(next) ? static_cast<double>(issued(row) - issued(next)) : 0.;
        const bool is_level = has_waited(next);
        for (auto* const carried : {&m_loading, &m_recording}) {
            const double now = (is_level ? 0 : carried->now) + more(carried->before);
            carried->now = std::clamp(now, 0., std::max(later, 0.));
            carried->sum += counts ? carried->now : 0;
        }
        if (counts) {
            m_missing += static_cast<double>(start(row) - start(next));
            m_issued += later;
        }
    }

    Sums sums_between(Row from, Row to) const
    {
        const auto more = [&](auto figure) {
            return static_cast<double>(static_cast<std::int64_t>(of(to).*figure - of(from).*figure));
        };
        Sums sums {more(&RankCollective::compute_before), more(&RankCollective::copies_before),
            more(&RankCollective::kernels_before), 0};
        double exposed = 0;
        double busy = 0;  // length of the union of the collectives
        Ns end = of(from).start;
        const auto& collectives = m_ranks[m_meetings.rank_of(from)].collectives;
        for (auto at = m_meetings.collective_of[from]; at < m_meetings.collective_of[to]; ++at) {
            const auto& each = collectives[at];
            exposed += static_cast<double>(each.exposed);
            busy += static_cast<double>(std::max(each.end, end) - std::max(each.start, end));
            end = std::max(end, each.end);
        }
        sums.idle = std::max(0.,
            static_cast<double>(of(to).start - of(from).start) - sums.compute - sums.copies - std::min(exposed, busy));
        return sums;
    }

    const std::vector<RankSummary>& m_ranks;
    const JobMeetings& m_meetings;
    std::map<std::uint32_t, std::vector<bool>> m_waited;  ///< by rank: hosts_that_waited()
    const LateRank& m_late;
    double m_missing = 0, m_issued = 0;  ///< ns, summed over the collectives to which it came last
    AgainstOthers<Sums> m_sums;
    Carried m_loading {&RankCollective::loading_before}, m_recording {&RankCollective::recording_before};
};

}  // namespace

std::string_view word_of(LateReason reason)
{
    switch (reason) {
    case LateReason::kernels:
        return "kernels";
    case LateReason::more_kernels:
        return "more_kernels";
    case LateReason::copies:
        return "copies";
    case LateReason::data:
        return "data";
    case LateReason::profiler:
        return "profiler";
    case LateReason::host:
        return "host";
    case LateReason::idle:
        break;
    }
    return "idle";
}

std::optional<LateReason> reason_of(
    const LateRank& late, Interval range, const std::vector<RankSummary>& ranks, const JobMeetings& meetings)
{
    return Lateness(late, range, ranks, meetings).reason();
}

}  // namespace lanes
