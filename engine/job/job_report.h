// SPDX-License-Identifier: MIT
// Whose fault it is that the ranks of a job wait: for each collective how long it moved data, how long each rank waited
// and for whom; what a rank costs the others is find_late_ranks(), as in the finding communication-late.
//
// A rank waits in a collective from its own start to the last one's. That is told twice: by the starts on aligned
// clocks, and by how much longer its kernel took than the shortest one, which needs no clock. The lesser counts. Where
// the two differ by more than the clocks and the ends of one collective may, the wait is unclear and counts for none.
#pragma once

#include "engine/analysis/words/messages.h"
#include "engine/job/late_reason.h"
#include "engine/ranks/job_meetings.h"
#include "engine/ranks/late_ranks.h"
#include "engine/ranks/rank_summary.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanes {

/// What a table says of a rank: times of a step where it has steps, the means but for `p95`; else of all; nothing: it
/// is not known. Compute, exposed and idle time add up to the step, but for copies alone.
struct RankRow {
    std::optional<Ns> step, p95, compute, exposed, idle, waited, caused;
    std::optional<std::size_t> last;
    std::optional<Ns> clock;  ///< ±
};

/// A rank's figures, ns over the part that is judged.
struct JobRank {
    std::uint32_t index = 0;  ///< into the summaries
    std::size_t steps = 0;  ///< of it in that part
    double waited_steps = 0;  ///< the number of steps to divide `waited` by, see JobReport::compared_steps
    double caused_steps = 0;  ///< JobReport::compared_steps
    std::optional<Ns> step_mean, step_median, step_p95;
    Ns length = 0;  ///< of its steps, else of all that was recorded of it
    RankTimes times;  ///< in that time
    Ns waited = 0;  ///< for others: the length of the union of its waits, at most `length`
    Ns unclear = 0;  ///< by the longer of the two ways, where they differ
    std::optional<Ns> caused;  ///< what the others lose to it, once; nothing: not computed, as many came last as often
    std::size_t of = 0;  ///< collectives of it whose arrivals could be compared
    std::size_t last = 0;  ///< of these, how many it reached last
    std::optional<Ns> clock;  ///< by so much its clock may be wrong against the first; nothing: no bound
    /// False: what it waited for, and who for it, is not known; it is not 0.
    bool is_judged() const { return of > 0; }  // not if it meets others only in collectives that are not judged
    RankRow row() const;
};

struct JobGroup {
    std::size_t group;  ///< into Collectives::groups
    std::size_t collectives = 0;
    Ns transfer = 0;  ///< sum of the shortest durations
    Ns waited = 0;  ///< the sum of its collectives' waits, of all its ranks
    std::size_t unclear = 0;  ///< collectives with an unclear wait
};

/// The compute of a step, medians of steps: one long kernel is not in each step.
struct MoreCompute {
    std::uint32_t rank;  ///< into the summaries
    Ns own, others;  ///< that of the rank, and the median of the other stages of its pipeline
};

struct JobReport {
    std::vector<JobRank> ranks;  ///< those that are late together first; by what they cause, then by how often they
                                 ///< came last, then by rank
    std::vector<JobGroup> groups;
    LateRanks late;  ///< if several stages of one pipeline stand out, the first is one that has a `reason`
    std::optional<LateReason> reason;  ///< of LateRanks::first(), if it is not unclear and something explains it
    /// What is judged, on the first clock: the part that repeats where ranks have it in common, else all.
    Interval range;
    std::size_t steps = 0;  ///< in it; 0: it is all
    /// Divide waits and losses by this for those of a step. The first collective of a group counts for nothing: a step
    /// with one counts by how much of a usual step's waits is known of it. Of ranks the mean, weighed by their waits.
    double compared_steps = 0;
    std::optional<Ns> step;  ///< of the ranks' mean steps, the median
    /// waits[i * n + j]: how long i waited where j came last, each moment of a rank once. By rank in the order of the
    /// summaries, or by host where there are more than 64 ranks.
    std::vector<Ns> waits;
    std::vector<std::string> of_waits;  ///< what its rows are: "12", "node05"
    bool waits_by_host = false;
    /// Of ranks that are not judged, as they wait for one another in sends, the one that computes most, by more than a
    /// tenth and more than 2 % of a step.
    std::optional<MoreCompute> more_compute;
    bool is_judged() const
    {
        return std::any_of(ranks.begin(), ranks.end(), [](const JobRank& rank) { return rank.is_judged(); });
    }
};

/// A sum of waits or losses, as the mean of a step.
Ns of_compared_step(Ns time, double compared_steps);

inline constexpr std::size_t most_ranks_in_matrix = 64;

/// By row of JobMeetings::trace: how long its rank waited there for others; below 0: that is unclear, it may be up to
/// the amount. The first collective of a group counts for nothing, unless `with_first`: it waits, too, but for a
/// start-up. Cost: linear in the collectives.
std::vector<Ns> waits_of(const JobMeetings& meetings, bool with_first = false);

/// When the row's rank waits there for others, on its own clock; empty where it does not, or where that is unclear.
/// `waits`: waits_of().
Interval wait_in(
    const std::vector<RankSummary>& ranks, const JobMeetings& meetings, const std::vector<Ns>& waits, Row row);

/// Cost: n log n in the collectives, and a replay of all of them for each rank that may cost something (8 at most).
JobReport report_of(const std::vector<RankSummary>& ranks, const JobMeetings& meetings);

/// "Rank 37 is late (…): …", or that no rank stands out.
Message job_sentence(const std::vector<RankSummary>& ranks, const JobMeetings& meetings, const JobReport& report);

/// What does not fit together: lost ranks, gaps, clocks that were set, files cut short.
std::vector<Message> job_notes(const std::vector<RankSummary>& ranks, const JobMeetings& meetings);

/// A page of `lanes ranks`; the table has the first `rows` ranks.
std::string job_text(const std::vector<RankSummary>& ranks, const JobMeetings& meetings, const JobReport& report,
    const Messages& messages, std::size_t rows);
std::string job_json(const std::vector<RankSummary>& ranks, const JobMeetings& meetings, const JobReport& report,
    const Messages& messages);

/// Checks that these are different ranks of one job; gives numbers in the order of the files where none has one. Throws
/// InputError naming two files of one rank, or one that is a copy of another.
void settle_ranks(std::vector<RankSummary>& ranks);

}  // namespace lanes
