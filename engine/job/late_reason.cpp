// SPDX-License-Identifier: MIT
#include "engine/job/late_reason.h"

#include <algorithm>
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

/// Sums over the collectives to which a rank came last: how much more than the last but one it had of each.
class Lateness {
public:
    Lateness(const LateRank& late, const std::vector<RankSummary>& ranks, const JobMeetings& meetings)
        : m_ranks(ranks)
        , m_meetings(meetings)
    {
        const auto& all = meetings.collectives.all;
        std::vector<std::pair<Row, std::size_t>> own;  // the late rank's kernel and its collective
        for (std::size_t index = 0; index < all.size(); ++index) {
            for (const Row row : all[index].kernels) {
                if (meetings.rank_of(row) == late.device) {
                    own.emplace_back(row, index);
                }
            }
        }
        std::sort(own.begin(), own.end());
        for (const auto& [row, index] : own) {
            add(row, all[index], std::binary_search(late.where.begin(), late.where.end(), index));
        }
    }

    LateReason reason() const
    {
        if (2 * m_compute > m_missing) {
            return 50 * m_kernels > m_of_kernels ? LateReason::more_kernels : LateReason::kernels;
        }
        if (2 * m_copies > m_missing) {
            return LateReason::copies;
        }
        if (2 * m_issued <= m_missing) {
            return LateReason::idle;
        }
        return 2 * m_recording.sum > m_missing ? LateReason::profiler
            : 2 * m_loading.sum > m_missing    ? LateReason::data
                                               : LateReason::host;
    }

private:
    /// Host time of one kind that the late rank had more and that still makes it late.
    struct Carried {
        Ns RankCollective::*before;
        double now = 0;
        double sum = 0;
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

    /// `row`: of the late rank. `counts`: it came last to this one.
    void add(Row row, const Collective& collective, bool counts)
    {
        Row next = no_row;
        for (const Row other : collective.kernels) {
            next = other != row && (next == no_row || start(other) > start(next)) ? other : next;
        }
        if (next == no_row || !has_before(row) || !has_before(next)) {
            return;
        }
        const auto more = [&](auto figure) {
            return static_cast<double>(static_cast<std::int64_t>(of(row).*figure - of(row - 1).*figure))
                - static_cast<double>(static_cast<std::int64_t>(of(next).*figure - of(next - 1).*figure));
        };
        const auto behind = static_cast<double>(issued(row) - issued(next));
        const bool is_level = has_waited(next);
        for (auto* const carried : {&m_loading, &m_recording}) {
            const double now = (is_level ? 0 : carried->now) + more(carried->before);
            carried->now = std::clamp(now, 0., std::max(behind, 0.));
            carried->sum += counts ? carried->now : 0;
        }
        if (!counts) {
            return;
        }
        m_missing += static_cast<double>(start(row) - start(next));
        m_issued += behind;
        m_compute += more(&RankCollective::compute_before);
        m_copies += more(&RankCollective::copies_before);
        m_kernels += more(&RankCollective::kernels_before);
        m_of_kernels += static_cast<double>(of(next).kernels_before - of(next - 1).kernels_before);
    }

    const std::vector<RankSummary>& m_ranks;
    const JobMeetings& m_meetings;
    std::map<std::uint32_t, std::vector<bool>> m_waited;  ///< by rank: hosts_that_waited()
    // ns and kernels, summed over collectives; real numbers, as a file may claim sums that no integer holds.
    double m_missing = 0, m_issued = 0, m_compute = 0, m_copies = 0, m_kernels = 0, m_of_kernels = 0;
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

LateReason reason_of(const LateRank& late, const std::vector<RankSummary>& ranks, const JobMeetings& meetings)
{
    return Lateness(late, ranks, meetings).reason();
}

}  // namespace lanes
