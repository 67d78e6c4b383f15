// SPDX-License-Identifier: MIT
// For whom GPUs wait in collectives: for one GPU in most of them (it stands out), for one GPU in a few of them (it was
// seldom late), or for a GPU that changes; and what the others lose.
//
// A GPU stands out if all of this holds, by the starts of kernels and by their lengths alone:
//   - it came last to more than half of a group's collectives, of two GPUs to more than three quarters (half is chance:
//     equal ones change now and then), of more than eight GPUs to more than 4 of n (1 of n is chance), and the group
//     has a tenth or more of its collectives; or it was last by most in as large a share of the steps, each with all of
//     its collectives: who is late once in a step of many collectives comes last to one of them;
//   - the others would be done earlier by 2 % of the time looked at, and by more than the ends of one collective
//     differ, if it had come in time: CollectiveReplay;
//   - both ways tell the same time, to a tenth or twice that difference. The lesser is said.
//   - that time is more than four times what equal hosts would drift apart by chance, found from what it caught up from
//     one collective to the next; or more than five times that, found from what was lost in each step.
//
// A GPU was seldom late if all of this holds. It is not listed among those that stand out:
//   - more than half of the time from the next to last kernel to the last one, of all the group's collectives, was in
//     those where it came last by more than ten times the median;
//   - it was so at half as many times as there are steps, or fewer, and not three times or more at equal distances
//     while it stands out: a step may have many collectives, and one of each may be late. Collectives right after one
//     another are one time. What costs less than a tenth of the costliest time is none;
//   - the cost of these alone meets the last three conditions above.
//
// If neither holds of any GPU, it is looked for likewise in units of GPUs that may be late together: hosts, and groups
// such as those of tensor parallelism, whose GPUs keep one another waiting. A unit comes to a collective when its last
// GPU does; by chance it comes last as often as it has GPUs in the group. Groups within one unit say nothing of it.
//
// It is unclear if a GPU meets the conditions by lengths alone, and clocks that are as wrong as they may be could hide
// it by starts.
//
// The first collective of a group of several processes counts for nothing: there all wait until all have started.
//
// A group is not judged if two of its GPUs belong to one pipeline: they send to one another in the range, or to others
// that do, and one of the two GPUs of each such pair spends 2 % or more of the range in sends and receives. There they
// wait for one another, which is not counted; who comes last to a collective of all stages is a matter of the schedule.
#pragma once

#include "engine/ranks/collective_replay.h"
#include "engine/ranks/collectives.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace lanes {

/// 1 / least_lost of the time that is looked at, 2 %: less is not said.
inline constexpr Ns least_lost = 50;

struct LateRank {
    std::uint32_t device;  ///< Device::id
    std::size_t group;  ///< into Collectives::groups, where it came last most often
    std::size_t last, of;  ///< to so many of the group's collectives it came last
    Ns cost;  ///< by which all `others` would be done earlier
    std::vector<std::size_t> where;  ///< into Collectives::all: where it came last in the range and that counts
    std::vector<std::uint32_t> others;  ///< devices, sorted: those that it meets again and again
    /// Of `seldom`: how often it was late; collectives that follow one another are one time. Else 0.
    std::size_t times = 0;
    /// Of `seldom`: what it cost at most at one time. Of `unclear`: `cost` is by the starts of kernels, this by their
    /// lengths. Else 0.
    Ns most = 0;
    /// Sorted: it alone; if a unit is late, all of that. `device` is the one that came last most
    /// often.
    std::vector<std::uint32_t> together = {};
    bool has(std::uint32_t gpu) const { return std::binary_search(together.begin(), together.end(), gpu); }
};

/// No GPU stands out, but from one collective to the next it is often another one that comes last.
struct TakingTurns {
    std::size_t group;
    std::size_t changes, of;  ///< so often the last one was another than before, of the collectives where it was clear
    Ns cost;  ///< by which all would be done earlier if in each of them the last one had come with the next to last
    std::vector<std::size_t> where;  ///< into Collectives::all: those in which it was clear
};

struct LateRanks {
    std::vector<LateRank> stand_out;  ///< the costliest first; each cost is for itself, they do not add up
    std::optional<LateRank> seldom;  ///< `last` counts only when it was much later than usual
    std::optional<TakingTurns> turns;  ///< nothing if a GPU stands out or one was seldom late
    /// Only if there is none of the above; `last`: how often its kernel was the shortest.
    std::optional<LateRank> unclear;
    /// Sorted, into Collectives::groups: they met in the range where all wait for all, but are not judged.
    std::vector<std::size_t> not_judged;
    /// Because of these GPUs, as Device::id, ascending: each entry is one pipeline.
    std::vector<std::vector<std::uint32_t>> pipelines;
    bool judges(std::size_t group) const { return !std::binary_search(not_judged.begin(), not_judged.end(), group); }

    /// The rank that is named first; null: none.
    const LateRank* first() const
    {
        return seldom ? &*seldom : !stand_out.empty() ? &stand_out.front() : unclear ? &*unclear : nullptr;
    }
};

/// GPUs that may be late together, such as by host, the likeliest division first; asked with the groups that are
/// judged.
using MakeUnits = std::function<std::vector<GpuUnits>(const LateRanks& judged)>;
using MakeReplay = std::function<std::shared_ptr<const CollectiveReplay>()>;

/// Looks at the collectives whose last kernel began in `range`. `without` is asked once, if any GPU came last often and
/// late enough. `excused`: by Collectives::all; what a GPU comes too late there has a known reason and does not count.
/// May be empty: none. `uncertainty`: by so much the clocks of GPUs may differ, beside what the ends of collectives do;
/// what is lost must be more. `steps`: iterations in the range; 0: not known, and then no GPU was late a few times
/// only. `together` is asked if no GPU is late alone; may be empty. Cost: linear in the collectives, for each division
/// anew; for each such GPU or unit that of CollectiveReplay::earlier() twice.
LateRanks find_late_ranks(const Trace& trace, const Collectives& collectives, const MakeReplay& without, Interval range,
    const std::vector<bool>& excused, Ns uncertainty = 0, std::size_t steps = 0, const MakeUnits& together = {});

}  // namespace lanes
