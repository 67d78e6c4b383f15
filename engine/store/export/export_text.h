// SPDX-License-Identifier: MIT
// Recordings as text for other tools; private to engine/store.
#pragma once

#include "engine/store/recording_file.h"
#include "engine/store/text_file.h"

namespace lanes {

/// Chrome trace JSON as PyTorch's profiler (Kineto) writes it, for Perfetto, chrome://tracing and HTA. `name` is the
/// trace's own name, "x.json". Events that overlap without nesting get separate rows, since Perfetto drops them
/// otherwise. Times are exact: microseconds with three decimals from baseTimeNanoseconds on.
///
/// In addition to Kineto's arguments, calls have "result", and "queries" and "answer" if they are many queries in one;
/// recorders' overheads have "thread" and "call", its correlation; NVTX ranges, spans and reads of the host have
/// "domain"; events on an extra row have the "thread" that they belong to; operations have "operator", "module",
/// "range" and "line" of their owner, and "owner from": "capture" if it is that of a graph's node. The category of a
/// counter is its unit. own_head.h describes the head.
void write_kineto(const Trace& trace, const std::vector<UserMark>& marks, TextFile& file, std::string_view name,
    const Progress& progress);

/// One line an operation, RFC 4180, with a header. Invalid UTF-8 becomes U+FFFD.
void write_csv(const Trace& trace, TextFile& file, const Progress& progress);

/// "Pageable", "HtoD", "Command Buffer Full", "Stream Sync": as Nsight and Kineto write them.
std::string_view word_of(MemoryKind kind);
std::string_view arrow_of(CopyKind kind);
std::string_view word_of(OverheadRecord::Type type);
std::string_view word_of(SyncRecord::Type type);
std::string_view word_of(CounterRecord::Unit unit);

}  // namespace lanes
