// SPDX-License-Identifier: MIT
// Blocked time: when a CPU thread was held in an API call until GPU work, or the staging of its own copy, was done. It
// is measured from records, never inferred from the name of a call or a kind of memory. docs/definitions.md has the
// rule.
#pragma once

#include "engine/trace/progress.h"
#include "engine/trace/trace.h"

#include <span>
#include <string_view>
#include <vector>

namespace lanes {

enum class BlockCause : std::uint8_t {
    copy,
    staging,
    launch,
    stream_sync,
    device_sync,
    event_sync,
    poll,
    queue_full,
    memory,
    other
};
inline constexpr std::size_t block_cause_count = 10;

/// "stream_sync", …: as in reports.
std::string_view name_of(BlockCause cause);

/// A blocked stretch: all or part of an outermost API call, or a spin of queries.
struct BlockedCall {
    Ns start, end;
    Row call;  ///< into Trace::calls; for a spin of queries the last query, which found the work done
    Row released_by;  ///< the last operation that it waited for (staging: the staged copy), into Trace::operations;
                      ///< no_row: none, or a host function
    BlockCause cause;
};

/// The blocked stretches of all threads, by start, with an index by call. `known` is false if the recording has no API
/// calls, no operations, or nothing that joins the two; then figures are null.
struct Blocking {
    bool known = false;
    std::vector<BlockedCall> calls;
    /// By thread (into Trace::threads), bit 1 << cause: the recording does not say what a call of the thread waited
    /// for, such as a cudaStreamSynchronize without the record that names its stream, and the possible answers give
    /// different figures. The figures of that cause are null.
    std::vector<std::uint16_t> unknown;

    bool knows(Row thread) const { return known && (thread >= unknown.size() || unknown[thread] == 0); }
    bool knows(Row thread, BlockCause cause) const
    {
        return known && (thread >= unknown.size() || (unknown[thread] >> static_cast<unsigned>(cause) & 1U) == 0);
    }

    /// The stretches of a call (into `calls`), by start; empty if it was not blocked. Cost: log n.
    std::span<const Row> of(Row call) const;
    /// All stretches (into `calls`) by call, then by start.
    std::span<const Row> by_call() const { return m_by_call; }
    /// How long a call was blocked: the sum of its stretches. Cost: log n.
    Ns time_of(Row call) const;
    /// Builds the index of of(). Call it after filling `calls`, as find_blocking() does. Cost: n log n; 4 bytes a
    /// stretch, a bit a call.
    void index_calls();

private:
    std::vector<Row> m_by_call;  ///< into `calls`, by their call, then by start
    std::vector<bool> m_held;  ///< by call, up to the last one with a stretch; of() is faster for all others
};

/// Cost: n log(streams) in calls and operations.
Blocking find_blocking(const Trace& trace, const Progress& progress = {});

}  // namespace lanes
