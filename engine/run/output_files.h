// SPDX-License-Identifier: MIT
// `-o FILE_OR_DIR`: the files of a run's recordings, and their spools.
#pragma once

#include "engine/input_error.h"
#include "probes/spool.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace lanes {

/// A wrong value of -o, or of another option that names a file or folder.
class OutputArgumentError : public InputError {
public:
    using InputError::InputError;
};

/// Another run is writing to that spool.
class SpoolHeldError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The file of each variant: WORKLOAD.VARIANT.sqlite (WORKLOAD.sqlite for the unnamed variant) in the folder `output`,
/// or `output` itself if it ends in .sqlite and there is one variant. Creates the folder; "" is the current one. Throws
/// OutputArgumentError, also for a new folder whose name has the ending of another kind of recording, and StoreError if
/// something other than a file has one of the names.
std::vector<std::string> output_files(
    const std::string& output, const std::string& workload, const std::vector<std::string>& variants);

/// "X.spool" for "X.sqlite".
std::string spool_of(const std::string& recording);

/// Creates and opens `spool`. A spool that a killed run left there is first renamed to X.killed-1.spool,
/// X.killed-2.spool, …; then returns a line that says so, else "". Throws SpoolHeldError while another run is writing
/// to it, StoreError if it is not a file, std::system_error.
std::string open_new_spool(SpoolWriter& writer, const std::string& spool);

/// Whether any process has the spool open for writing.
bool is_written_to(const std::string& spool);

/// Writes the mark of a complete spool (meta::spool_end). If the disk has become full since the last record,
/// SpoolWriter::error() says so afterwards.
void end_spool(SpoolWriter& writer);

}  // namespace lanes
