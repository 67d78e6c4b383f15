// SPDX-License-Identifier: MIT
// Recordings on disk: our SQLite files and those of Nsight Systems, spools, and
// what can be exported.
#pragma once

#include "engine/trace/progress.h"
#include "engine/trace/trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

namespace lanes {

/// A file that is not what it claims or cannot be read: one line for people, exit code 2.
class StoreError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Opens a recording by its content: our SQLite, an Nsight export, a spool, or a Chrome trace (PyTorch's profiler),
/// plain or gzip. The file is untrusted. Throws StoreError, or std::system_error if it cannot be read.
Trace open_recording(const std::string& path, const Progress& progress = {});

/// What the beginning of a large file holds, for whoever shows something while the rest is read: nothing of a file that
/// is read as a whole as soon, or cannot be read so. Throws as open_recording does. Cost: about 0.1 s, whatever the
/// size.
std::optional<Trace> open_beginning(const std::string& path, const Progress& progress = {});

/// How people call the recording in the file: its name without folder and without the endings that say what it is,
/// among them PyTorch's: "w0" of "/tmp/w0.pt.trace.json.gz".
std::string recording_name(std::string_view path);

/// Writes by the ending of `path`: .sqlite, .json, .json.gz or .csv. Writes beside and renames: either the
/// whole file is there or none. `marks` take the place of the trace's own; .csv alone leaves them out. Throws
/// std::system_error (disk full), StoreError for an unknown ending.
void save_recording(const Trace& trace, const std::string& path, const Progress& progress = {},
    const std::vector<UserMark>* marks = nullptr);

/// What is taken of a spool.
struct SpoolPart {
    std::size_t repetition = 0;  ///< of a run that was repeated, counted from 0
    const std::set<std::uint32_t>* processes = nullptr;  ///< of several only these, and what belongs to none
    std::optional<Interval> cut = {};  ///< what began in [start, end), on the records' own clock
};

/// Reads a spool into a trace; `note` gets what could not be read, "" if all was sound. A spool without the last words
/// of its run was cut short, wherever it ends: meta::complete is "no".
Trace open_spool(const std::string& path, std::string* note = nullptr, const SpoolPart& part = {});

/// The recorded processes in a spool, by their ids, and the ranks that launchers gave them ("" for none).
/// Throws as open_spool. Cost: reads the spool once.
std::map<std::uint32_t, std::string> processes_of_spool(const std::string& path);

}  // namespace lanes
