// SPDX-License-Identifier: MIT
// Recordings on disk: our SQLite files and those of Nsight Systems, spools, and
// what can be exported.
#pragma once

#include "engine/input_error.h"
#include "engine/trace/progress.h"
#include "engine/trace/trace.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace lanes {

/// A file that is not what it claims to be or cannot be read.
class StoreError : public InputError {
public:
    /// What the window says in its own language; of all others what() says it.
    enum class Reason : std::uint8_t { other, empty, unknown_format, rocpd, damaged_database };
    explicit StoreError(const std::string& what, Reason why = Reason::other)
        : InputError(what)
        , reason(why)
    {
    }
    StoreError(const std::string& what, std::size_t at_line, std::size_t at_column)
        : InputError(what)
        , reason(Reason::other)
        , line(at_line)
        , column(at_column)
    {
    }
    Reason reason;
    std::size_t line = 0, column = 0;  ///< of JSON that cannot be read, from 1; 0: what() names no place
};

/// Keeps a trace for the next opening of its file: see open_recording().
using KeepLater = std::function<void(const Trace&)>;

/// Opens a recording by its content: our SQLite, an Nsight export, a spool, or a Chrome trace (PyTorch's profiler),
/// plain or gzip. The file is untrusted. Throws StoreError, or std::system_error if it cannot be read.
///
/// What was read of a large file is kept for its next opening (kept_trace.h). That takes up to a second. To show the
/// trace first, give `keep_later`: it becomes the function that does it, or stays empty. It may be called with this
/// trace on any thread, and throws nothing.
Trace open_recording(const std::string& path, const Progress& progress = {}, KeepLater* keep_later = nullptr);

/// Throws what open_recording() would for a file whose first bytes show that it is no recording. Cost: one read.
void check_recording(const std::string& path);

/// Reads only the beginning of a large file, to show something while the rest is read. Nothing if the whole file can be
/// read as quickly, or if its format does not allow it. Throws as open_recording(). Cost: about 0.1 s for any size.
std::optional<Trace> open_beginning(const std::string& path, const Progress& progress = {});

/// The name of the recording for display: the file's name without folder and known endings, also PyTorch's: "w0" for
/// "/tmp/w0.pt.trace.json.gz".
std::string recording_name(std::string_view path);

/// Writes the format of `path`'s ending: .sqlite, .json, .json.gz or .csv. Writes to a temporary file and renames it,
/// so that the file is complete or not there. `marks` replace the marks of the trace; .csv has no marks. A large
/// .sqlite is kept for its first opening (kept_trace.h). Throws std::system_error (disk full), StoreError for an
/// unknown ending.
void save_recording(const Trace& trace, const std::string& path, const Progress& progress = {},
    const std::vector<UserMark>* marks = nullptr);

/// Which part of a spool to read.
struct SpoolPart {
    std::size_t repetition = 0;  ///< which repetition of a run, from 0
    const std::set<std::uint32_t>* processes = nullptr;  ///< only these processes, and records of no process; null: all
    /// Of several recorded parts of a process the one that meets [start, end], on the records' own clock
    /// (spool_parts.h); none: the last one.
    std::optional<Interval> recorded = {};
    bool is_whole = false;  ///< all of it was written, however the spool ends
    std::optional<Interval> cut = {};  ///< only what began in [start, end), on the records' own clock
};

/// Reads a spool into a trace; `note` says what could not be read, "" if nothing is missing. Without meta::spool_end
/// the spool was cut short, and meta::complete becomes "no".
Trace open_spool(const std::string& path, std::string* note = nullptr, const SpoolPart& part = {});

/// The recorded processes in a spool, by id, with the ranks that launchers gave them ("" for none). Throws as
/// open_spool(). Cost: reads the spool once.
std::map<std::uint32_t, std::string> processes_of_spool(const std::string& path);

}  // namespace lanes
