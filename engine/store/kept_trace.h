// SPDX-License-Identifier: MIT
// Keeps a large recording, as it was in memory when its file was read or written, for the next opening; private to
// engine/store.
//
// One file a recording in $XDG_CACHE_HOME/lanescope/traces (~/.cache), which only its owner may read; the recording's
// file is never touched. It is valid as long as that file has the same place, size and times of change, and only for
// programs built from the same sources of engine/trace and engine/store. Damaged ones, or with impossible rows or
// orders, are ignored. Together they take at most `most_kept_bytes`: the least recently used are removed.
#pragma once

#include "engine/trace/progress.h"
#include "engine/trace/trace.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace lanes {

inline constexpr std::uint64_t most_kept_bytes = 4'000'000'000;

/// Identifies a state of a file: device, inode, size, times of its change and its inode's.
using FileStamp = std::array<std::uint64_t, 7>;
/// Nothing for anything but a regular file.
std::optional<FileStamp> stamp_of(const std::string& path);

/// Nothing if none is kept for this state of the file. Throws only Cancelled. Cost: reading it, and one look at each
/// row: about 1 s for 10 M operations with their calls.
std::optional<Trace> kept_trace(const std::string& path, const FileStamp& stamp, const Progress& progress);

/// Keeps the trace that was read from the file, or written to it, when its stamp was `stamp`, if that is worth it and
/// there is room. Neither throws nor reports errors. Cost: writing 81 bytes an operation with its call, at first into
/// the system's cache.
void keep_trace(const std::string& path, const FileStamp& stamp, const Trace& trace) noexcept;

/// Whether every row, text and value of an untrusted trace is possible, and its tables are sorted.
/// kept_trace_check.cpp.
bool is_possible(const Trace& trace);

}  // namespace lanes
