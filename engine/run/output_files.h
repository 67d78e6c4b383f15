// SPDX-License-Identifier: MIT
// `-o FILE_OR_DIR`: where the recordings of a run go.
#pragma once

#include "probes/spool.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace lanes {

/// Wrong arguments: exit status 2.
class OutputArgumentError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Another run writes to that spool.
class SpoolHeldError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// One file a variant: WORKLOAD.VARIANT.sqlite (WORKLOAD.sqlite for the unnamed variant) in the folder `output`
/// ("": the current one, made if it is not there), or `output` itself if it ends in .sqlite and there is one variant.
/// Throws StoreError where something that is no file has the name of one of them.
std::vector<std::string> output_files(
    const std::string& output, const std::string& workload, const std::vector<std::string>& variants);

/// X.spool of X.sqlite.
std::string spool_of(const std::string& recording);

/// Opens `spool` anew. What a run that was killed left under that name is never lost: it gets the first free one of
/// X.killed-1.spool, X.killed-2.spool, ... Returns a line that says so, "" where there was nothing.
/// Throws SpoolHeldError while another run writes to it (of two that open it at once the one that came second),
/// StoreError where it is no file, std::system_error.
std::string open_new_spool(SpoolWriter& writer, const std::string& spool);

/// True while a process has the spool open to write to it.
bool is_written_to(const std::string& spool);

/// Writes a run's last words. A spool without them was cut short; and they tell whether the disk has room left, for it
/// may have filled since the run's last record: see SpoolWriter::error().
void end_spool(SpoolWriter& writer);

}  // namespace lanes
