// SPDX-License-Identifier: MIT
// The changes that can be tried on a recording.
#pragma once

#include "engine/analysis/query/query.h"
#include "engine/analysis/words/messages.h"
#include "engine/trace/trace.h"
#include "engine/trace/units.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanes::replay {

enum class ChangeKind : std::uint8_t {
    pin,  ///< pageable memory of copies becomes pinned
    non_blocking,  ///< nobody waits behind a copy for it: blocking=True goes, cudaMemcpy becomes cudaMemcpyAsync
    event_waits,  ///< synchronisations and spins of queries become waits of streams for events
    drop_syncs,  ///< synchronisations behind which the thread issues more are not made, or every N-th is
    drop_values,  ///< small results are not fetched (.item()): their copy, its wait and its read go, or every N-th
                  ///< stays
    leave_legacy,  ///< work leaves the legacy default stream
    own_stream,  ///< copies go to streams of their own, one a direction
    pool,  ///< cudaMalloc and cudaFree become those of a pool that has room
    graph,  ///< launches in a row become graphs, of N each
    faster,  ///< kernels take an N-th of their time
    more_streams,  ///< what a stream does is dealt out to N streams, two unless given, from upload to upload
    overlap_all_reduce,  ///< collectives behind kernels begin when their part of the kernels is done
    faster_link,  ///< copies of pinned memory take an N-th of their time
    prefetch,  ///< uploads, on a stream of their own, come N turns of their loop earlier, one unless given
    split,  ///< an upload with its kernels and their download becomes N pieces, four unless given, in a pipeline
    buckets,  ///< a collective behind kernels becomes N, four unless given, of which each begins when its part is done
    gather,  ///< small copies one behind another become one
    workers,  ///< batches that a thread loads itself N other processes load, four unless given
    at_once,  ///< calls return at once, and host work and what a thread does in ranges takes no time
    peer,  ///< what went from GPU to GPU through memory of the host goes directly; change_kinds counts to it
};
inline constexpr std::size_t change_kinds = static_cast<std::size_t>(ChangeKind::peer) + 1;

/// Without an amount it says nothing.
bool needs_amount(ChangeKind kind);
/// Whether a query can limit it to some of the recording.
bool can_be_limited(ChangeKind kind);
/// Whether it says nothing of a whole recording: a query or a finding must limit it.
bool needs_limit(ChangeKind kind);

/// The word of a change, as `lanes whatif` and its JSON write it: "pin", "non-blocking", …
std::string_view name_of(ChangeKind kind);
/// Nothing for another word.
std::optional<ChangeKind> change_of(std::string_view name);
/// Whether `amount` says something of it: every how many, how many times as fast.
bool has_amount(ChangeKind kind);

/// What a finding found (engine/analysis/findings), to limit a change to it.
struct FoundRows {
    std::vector<Row> calls;  ///< outermost; sorted
    std::vector<Row> operations;  ///< sorted
    /// By thread: its own time in these stretches is what was found. Sorted, disjoint; empty: none.
    std::vector<std::vector<Interval>> own_time;
    /// By operation: how long a copy takes instead (peer), or the host to prepare it (pin). Sorted.
    std::vector<std::pair<Row, Ns>> takes;

    bool has_call(Row row) const { return std::binary_search(calls.begin(), calls.end(), row); }
    bool has_operation(Row row) const { return std::binary_search(operations.begin(), operations.end(), row); }
    std::optional<Ns> time_of(Row operation) const;
};

struct Change {
    ChangeKind kind = ChangeKind::pin;
    /// Of copies, kernels, calls: those that it matches; all unless given. leave_legacy is of all streams always;
    /// overlap_all_reduce and buckets wait for the kernels that it matches.
    Query on = {};
    /// 0: none is kept; of a graph: as many as come again and again; of those that need one above 0.
    double amount = 0;
    /// The finding whose rows alone it changes, as `lanes report` calls it ("sync-in-loop"); "": none.
    std::string finding = {};
    /// Its rows. Null of a change that was only read or that no finding limits: it must be filled before a replay.
    std::shared_ptr<const FoundRows> rows = {};
    friend bool operator==(const Change& a, const Change& b)
    {
        return a.kind == b.kind && a.on.text() == b.on.text() && a.amount == b.amount && a.finding == b.finding;
    }
};

/// What begins in that stretch of time, to limit changes to (Change::on).
Query query_of(Interval part);

/// As the command line has it, but for the dashes and quotes: "pin", "faster 2 name:matmul",
/// "event-waits finding:sync-in-loop".
std::string words_of(const Change& change);
/// What words_of wrote, without the rows of a finding; nothing where no change is written so.
std::optional<Change> change_in(std::string_view words);
/// In quotes where a shell needs them.
std::string shell_quoted(const std::string& text);
/// "--event-waits finding:sync-in-loop --pin": options of `lanes whatif`, quoted for a shell.
std::string options_of(const std::vector<Change>& changes);
/// The finding that `text` begins with ("finding:sync-in-loop dur>1ms"), taken off it; "": it begins with none.
std::string take_finding(std::string& text);
/// "pin memory", "kernels 2 times as fast (name:matmul)", "pin memory (6.530 s to 6.754 s)".
Message message_of(const Change& change);

/// How far a prediction of its kind can be relied on; of several changes the last of theirs.
enum class Reliability : std::uint8_t {
    reliable,  ///< moves what was recorded
    good,  ///< and removes what the recording cannot prove needless
    conditional,  ///< bound by launches, which recording makes slower, or by work of the host, which varies
    bound,  ///< as good as it could get: what would change besides is left out
    unsafe,  ///< the host reads before anything has waited for what it reads
};
std::string_view name_of(Reliability reliability);

}  // namespace lanes::replay
