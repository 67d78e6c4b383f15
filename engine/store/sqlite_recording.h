// SPDX-License-Identifier: MIT
// Recordings as SQLite files in the layout of Nsight Systems' export; private to engine/store.
#pragma once

#include "engine/store/recording_file.h"

#include <cstdint>
#include <limits>

namespace lanes {

/// Writes a new file at `path`, with these marks instead of the trace's. The same trace gives the same bytes. From
/// `coded_rows` rows on it has the codes of row_codes.h: fewer rows are read in a tenth of a second without them.
/// Throws std::system_error when the disk is full.
void write_sqlite(const Trace& trace, const std::vector<UserMark>& marks, const std::string& path,
    const Progress& progress, std::size_t coded_rows = 100'000);

/// Reads ours and Nsight's, of any schema version; `most_rows` of each table of events. Throws as open_recording()
/// does.
Trace read_sqlite(const std::string& path, const Progress& progress,
    std::uint64_t most_rows = std::numeric_limits<std::uint64_t>::max());

}  // namespace lanes
