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

/// Reads the text of meta::ranks, a line a process: its id, its rank, the world's size. Lines that are no three numbers
/// are left out.
std::vector<Rank> parse_ranks(std::string_view text);
std::string text_of(const std::vector<Rank>& ranks);

/// Those that the recording says: of meta::ranks, else as a launcher told them; in no order.
std::vector<Rank> told_ranks(const Trace& trace);

/// Of the recording's processes, by rank. Where it does not say, the processes that have work on a GPU are ranks in
/// the order of their ids, if there are several; a recording of one process then has none.
std::vector<Rank> ranks_of(const Trace& trace);

}  // namespace lanes
