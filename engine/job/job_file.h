// SPDX-License-Identifier: MIT
// Summaries on disk: FILE.sum has the ranks of one recording, job.lanes those of a job. Both are the same small SQLite
// file: a row a rank in `rank`, with its identity in columns that people can query and its collectives, chain, steps
// and bins packed as blobs; `clock` has what aligned clocks are to the first one, a row a piece. Written whole or not
// at all.
//
// A packed number is a varint of 7 bits a byte, zigzag if it may be negative; times are differences from the one before
// (packed_ranks.cpp).
#pragma once

#include "engine/input_error.h"
#include "engine/ranks/job_meetings.h"
#include "engine/ranks/rank_summary.h"

#include <cstddef>
#include <string>
#include <vector>

namespace lanes {

/// Damaged, cut short, or no file of summaries.
class JobFileError : public InputError {
public:
    using InputError::InputError;
};

/// Blobs of `rank`; unpacking one throws JobFileError, naming `file`, for anything that was not packed here.
std::vector<std::byte> packed_collectives(const RankSummary& rank);
std::vector<std::byte> packed_chain(const RankSummary& rank);
std::vector<std::byte> packed_steps(const RankSummary& rank);
std::vector<std::byte> packed_bins(const RankSummary& rank);
struct PackedRank {
    std::vector<std::byte> collectives, chain, steps, bins;
};
void unpack(const PackedRank& packed, const std::string& file, RankSummary& rank);

/// Writes them. `meetings`: for the table of clocks; nullptr: none. Throws std::system_error.
void save_ranks(const std::vector<RankSummary>& ranks, const JobMeetings* meetings, const std::string& path);

/// Whether the file claims to hold summaries.
bool is_ranks_file(const std::string& path);

/// Reads what save_ranks() wrote; the file is untrusted. Throws JobFileError, std::system_error. Cost: 40 ns a
/// collective; two threads unpack.
std::vector<RankSummary> load_ranks(const std::string& path);

}  // namespace lanes
