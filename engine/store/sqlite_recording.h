// SPDX-License-Identifier: MIT
// Recordings as SQLite files in the layout of Nsight Systems' export; private to engine/store.
#pragma once

#include "engine/store/recording_file.h"

namespace lanes {

/// Writes a new file at `path`, with these marks in place of the trace's. The same trace gives the same bytes. Throws
/// std::system_error when the disk is full.
void write_sqlite(
    const Trace& trace, const std::vector<UserMark>& marks, const std::string& path, const Progress& progress);

/// Reads ours and Nsight's, of any schema version. Errors as open_recording's.
Trace read_sqlite(const std::string& path, const Progress& progress);

}  // namespace lanes
