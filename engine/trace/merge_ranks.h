// SPDX-License-Identifier: MIT
// Recordings of one run, each of a rank, as one recording; and the way back.
#pragma once

#include "engine/trace/ranks.h"
#include "engine/trace/trace.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace lanes {

/// The recordings are not ranks of one run: one line for people.
class MergeError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// How the clock of a recording was brought to that of the first.
enum class Alignment : std::uint8_t {
    clock,  ///< both have the time of day
    collectives,  ///< moved so that the collectives of both end together: the clocks were apart
    starts,  ///< they have no time in common nor collectives that fit: they begin together
};

struct MergedPart {
    std::string name;  ///< as messages call it
    Trace trace;
    std::vector<Rank> ranks;  ///< out: its processes that are ranks, with their new ids
    Alignment alignment = Alignment::clock;  ///< out
    Ns moved = 0;  ///< out: by how much, beyond what its own times say
};

/// One recording of all parts. Processes keep their ids where they are free; a device is another one in every part
/// unless its UUID or PCI address says otherwise. A part that does not say its rank gets its place among the parts.
///
/// Collectives (NCCL's all-reduce, all-gather, reduce-scatter) end on all ranks together, but for some 10 us: where two
/// parts have equally many and the ends of each pair are apart by the same time, more than 100 us, the clocks were.
///
/// Steps and texts of workloads are left out, as they are of one run each. Throws MergeError where two parts are the
/// same rank, or where the parts are no two. Cost: linear.
Trace merge_ranks(std::vector<MergedPart>& parts);

/// What one rank did: its process, those that it started, and in the first rank's also those that belong to nobody.
/// Times count from the same moment as in `trace`.
Trace part_of(const Trace& trace, const std::vector<Rank>& ranks, std::size_t index);

}  // namespace lanes
