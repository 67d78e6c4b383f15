// SPDX-License-Identifier: MIT
// Which process of a recording is which rank of a distributed run.
#pragma once

#include "engine/trace/trace.h"

#include <string>
#include <string_view>
#include <vector>

namespace lanes {

struct Rank {
    std::uint32_t process;  ///< Process::id
    std::int64_t rank;
    std::int64_t world;  ///< how many ranks the run had; 0: not known
    friend bool operator==(const Rank&, const Rank&) = default;
};

/// Reads the text of meta::ranks. Each line is a process: its id, its rank, the world's size. Other lines are skipped.
std::vector<Rank> parse_ranks(std::string_view text);
std::string text_of(const std::vector<Rank>& ranks);

/// The ranks that the recording names, in meta::ranks or else in meta::rank_of (from the launcher); in no order.
std::vector<Rank> told_ranks(const Trace& trace);

/// The ranks of the recording, sorted. If the recording names none and several of its processes used a GPU, these are
/// the ranks, in the order of their ids. Empty for a recording of one process that names none.
std::vector<Rank> ranks_of(const Trace& trace);

}  // namespace lanes
