// SPDX-License-Identifier: MIT
// Whose fault it is that GPUs wait in collectives: whether a GPU stands out, whether the late one changes, and what the
// others lose.
//
// A GPU stands out if all of this holds, by the starts of kernels and by their lengths alone:
//   - it came last to more than half of a group's collectives, of two GPUs to more than three quarters (half is chance:
//     equal ones change now and then), of more than eight GPUs to more than 4 of n (1 of n is chance), and the group
//     has a tenth or more of its collectives;
//   - the others would be done earlier by 2 % of the time looked at, and by more than the ends of one collective
//     differ, if it had come in time: CollectiveReplay;
//   - both ways tell the same time, to a tenth or twice that difference. The lesser is said.
//   - that time is more than four times what equal hosts would drift apart by chance, found from what it caught up from
//     one collective to the next.
// The first collective of a group of several processes counts for nothing: there all wait until all have started.
#pragma once

#include "engine/ranks/collective_replay.h"
#include "engine/ranks/collectives.h"

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
    std::optional<TakingTurns> turns;  ///< only if none stands out
};

using MakeReplay = std::function<std::shared_ptr<const CollectiveReplay>()>;

/// Looks at the collectives whose last kernel began in `range`. `without` is asked once, if any GPU came last often and
/// late enough. `excused`: by Collectives::all; what a GPU comes too late there has a known reason and does not count.
/// May be empty: none. `uncertainty`: by so much the clocks of GPUs may differ, beside what the ends of collectives do;
/// what is lost must be more. Cost: linear in the collectives; for each such GPU that of CollectiveReplay::earlier()
/// twice.
LateRanks find_late_ranks(const Trace& trace, const Collectives& collectives, const MakeReplay& without, Interval range,
    const std::vector<bool>& excused, Ns uncertainty = 0);

}  // namespace lanes
