// SPDX-License-Identifier: MIT
// Blocked time: when a CPU thread was held in an API call until GPU work, or the
// staging of its own copy, was done. Measured from the record, never inferred from
// a call's name or a memory kind; docs/definitions.md gives the rule that this follows.
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

/// The cause as reports print it: "stream_sync".
std::string_view name_of(BlockCause cause);

/// One blocked stretch: all or a part of an outermost API call, or a whole spin of queries.
struct BlockedCall {
    Ns start, end;
    Row call;  ///< into Trace::calls; of a spin of queries the last one, which found the work done
    Row released_by;  ///< the last operation it waited for (staging: the copy staged), into Trace::operations; no_row:
                      ///< none, or a host function
    BlockCause cause;
};

/// The blocked stretches of all threads, sorted by start, and an index of them by call. `known` is false where the
/// recording has no API calls, no operations, or nothing that joins the two; then figures are null.
struct Blocking {
    bool known = false;
    std::vector<BlockedCall> calls;
    /// By thread (into Trace::threads): bit 1 << cause where the thread made a call whose wait this recording
    /// cannot tell, say a cudaStreamSynchronize without the record that names its stream, while what it may
    /// have waited for would lead to different answers. The figures of such a cause are null.
    std::vector<std::uint16_t> unknown;

    bool knows(Row thread) const { return known && (thread >= unknown.size() || unknown[thread] == 0); }
    bool knows(Row thread, BlockCause cause) const
    {
        return known && (thread >= unknown.size() || (unknown[thread] >> static_cast<unsigned>(cause) & 1U) == 0);
    }

    /// The stretches of a call, by start; empty for a call that was not held. Cost: log n.
    std::span<const Row> of(Row call) const;
    /// All stretches by their call, then by start, for who goes through the calls in their order. Into `calls`.
    std::span<const Row> by_call() const { return m_by_call; }
    /// How long a call was blocked: the sum of its stretches. Every figure of one call is this one. Cost: as of().
    Ns time_of(Row call) const;
    /// Builds the index that of() uses: to be called once `calls` is filled, as find_blocking() does. Cost: n log n, 4
    /// bytes a stretch, a bit a call.
    void index_calls();

private:
    std::vector<Row> m_by_call;  ///< into `calls`, by their call, then by start
    std::vector<bool> m_held;  ///< by call, up to the last one that has a stretch; nearly all calls have none
};

/// Cost: n log(streams) in calls and operations.
Blocking find_blocking(const Trace& trace, const Progress& progress = {});

}  // namespace lanes
