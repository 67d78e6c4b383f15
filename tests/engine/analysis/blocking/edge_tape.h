// SPDX-License-Identifier: MIT
// What the tests of blocked time's edges share: the usual calls with their records on a tape, and what was found, as
// text.
#pragma once

#include "engine/analysis/blocking/blocking.h"
#include "tests/engine/analysis/tape.h"

#include <string>

namespace lanes::blocking_edges {

inline constexpr Ns us = 1000;
inline constexpr Ns ms = 1000 * us;
inline constexpr std::int32_t not_ready = 600;
inline constexpr auto pinned = MemoryKind::pinned;
inline constexpr auto pageable = MemoryKind::pageable;

inline std::uint32_t launch(Tape& tape, Ns start, std::uint32_t stream, Ns began, Ns done)
{
    const auto call = tape.call("cudaLaunchKernel", start, start + 5 * us);
    tape.kernel(call, stream, began, done);
    return call;
}

inline void sync_stream(Tape& tape, Ns start, Ns end, std::uint32_t stream)
{
    tape.sync(tape.call("cudaStreamSynchronize", start, end), SyncRecord::stream_sync, start, end, stream);
}

inline void sync_device(Tape& tape, Ns start, Ns end)
{
    tape.sync(tape.call("cudaDeviceSynchronize", start, end), SyncRecord::context_sync, start, end);
}

inline void sync_event(Tape& tape, Ns start, Ns end, std::uint32_t event_sync)
{
    tape.sync(tape.call("cudaEventSynchronize", start, end), SyncRecord::event, start, end, no_id, 5, event_sync);
}

inline void record_event(Tape& tape, Ns start, std::uint32_t stream, std::uint32_t event_sync)
{
    tape.event(tape.call("cudaEventRecord", start, start + us), stream, 5, event_sync);
}

/// A query of an event, with the record that names the event.
inline void query(Tape& tape, Ns start, Ns end, std::int32_t result, std::uint32_t event_sync = 41,
    const char* name = "cudaEventQuery", std::uint32_t thread = 1)
{
    const auto call = tape.call(name, start, end, thread, ApiCallRecord::runtime, result);
    tape.sync(call, SyncRecord::unknown, start, end, no_id, 5, event_sync);
}

/// "stream_sync 20000..102000, …" of a recording, "?cause" for what is not known of its first thread.
inline std::string said(const Trace& trace)
{
    const auto blocking = find_blocking(trace);
    if (!blocking.known) {
        return "unknown";
    }
    std::string text;
    for (const auto& stretch : blocking.calls) {
        text += (text.empty() ? "" : ", ") + std::string(name_of(stretch.cause)) + " " + std::to_string(stretch.start)
            + ".." + std::to_string(stretch.end);
    }
    for (std::size_t cause = 0; cause < block_cause_count; ++cause) {
        if (!blocking.knows(0, static_cast<BlockCause>(cause))) {
            text += (text.empty() ? "?" : ", ?") + std::string(name_of(static_cast<BlockCause>(cause)));
        }
    }
    return text;
}

}  // namespace lanes::blocking_edges

#define SAYS(tape, expected) QCOMPARE(said((tape).finish()), std::string(expected))
