// SPDX-License-Identifier: MIT
// Merges the recordings of a distributed run's ranks into one, and splits a merged recording.
#pragma once

#include "engine/input_error.h"
#include "engine/trace/ranks.h"
#include "engine/trace/trace.h"

#include <optional>
#include <string>
#include <vector>

namespace lanes {

/// The recordings are not those of different ranks.
class MergeError : public InputError {
public:
    using InputError::InputError;
};

/// How the times of a recording were aligned with those of the first.
enum class Alignment : std::uint8_t {
    clock,  ///< by the time of day, which both record
    collectives,  ///< shifted to where its collectives allow it: the clocks differed
    starts,  ///< at their first events: they have neither a common clock nor matching collectives
};

struct MergedPart {
    std::string name;  ///< for messages
    Trace trace;
    std::vector<Rank> ranks;  ///< out: its ranks, with the new ids of their processes
    Alignment alignment = Alignment::clock;  ///< out
    Ns moved = 0;  ///< out: ns by which it was shifted relative to its own clock
    /// out: ns by which it may be off after that, at most, by what its collectives allow; nothing: no bound, or the
    /// first.
    std::optional<Ns> uncertainty = {};
};

/// Merges all parts. A process keeps its id unless another part has used it. Devices of different parts are different
/// devices, unless they have the same UUID or PCI address. A part that does not say its rank gets its index as rank.
///
/// Clocks are compared by the collectives of the parts (clock_alignment.h). A part whose clock differs from the first
/// one's is moved as a whole, by what it is ahead in its middle: what it drifts is part of its uncertainty. The
/// uncertainty is kept: meta::clock_uncertainty_ns.
///
/// The steps and texts of workloads are left out: they belong to one run each. Throws MergeError if two parts are the
/// same rank, if one that does not say its rank is a copy of another, or if there are fewer than two parts. Cost:
/// linear.
Trace merge_ranks(std::vector<MergedPart>& parts);

/// The error that names two files of the same events.
std::string words_of_copies(const std::string& one, const std::string& other);

/// The recording of one rank: its process and the processes that it started. The first rank also gets the processes
/// that belong to no rank. t = 0 is the same as in `trace`, and parts of one clock say so (meta::boot_id).
Trace part_of(const Trace& trace, const std::vector<Rank>& ranks, std::size_t index);

}  // namespace lanes
