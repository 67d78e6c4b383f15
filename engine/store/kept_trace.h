// SPDX-License-Identifier: MIT
// A large recording as it lay in memory when its file was read or written, kept for the next opening; private to
// engine/store.
//
// One file a recording in $XDG_CACHE_HOME/lanescope/traces (~/.cache), which its owner alone may read; the recording's
// own file is never touched. It counts as long as that file has the same place, size and times of change, and for
// programs made of the same sources of engine/trace and engine/store alone. What is damaged, or says a row or an order
// that cannot be, is as if it were not there. All of them take at most `most_kept_bytes`: those not used for longest
// go.
#pragma once

#include "engine/trace/progress.h"
#include "engine/trace/trace.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace lanes {

inline constexpr std::uint64_t most_kept_bytes = 4'000'000'000;

/// What tells one state of a file from another: device, inode, size, times of its change and its inode's.
using FileStamp = std::array<std::uint64_t, 7>;
/// Nothing for what is no regular file.
std::optional<FileStamp> stamp_of(const std::string& path);

/// Nothing where none is kept for this file as it is. Throws Cancelled alone. Cost: reading it, and one look at each
/// row: about 1 s for 10 M operations with their calls.
std::optional<Trace> kept_trace(const std::string& path, const FileStamp& stamp, const Progress& progress);

/// Keeps what was read from the file, or written to it, when its stamp was `stamp`, if it is worth it and there is
/// room. Never fails aloud, nor throws. Cost: writing 81 bytes an operation with its call, into the system's cache at
/// first.
void keep_trace(const std::string& path, const FileStamp& stamp, const Trace& trace) noexcept;

/// Whether every row, text and value of a trace from elsewhere is one that can be, and what is sorted is.
/// kept_trace_check.cpp.
bool is_possible(const Trace& trace);

}  // namespace lanes
