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
    non_blocking,  ///< no thread waits for its copy: blocking=True goes, cudaMemcpy becomes cudaMemcpyAsync
    event_waits,  ///< synchronisations and spins of queries become waits of streams for events
    drop_syncs,  ///< synchronisations after which the thread issues more are left out, or only every N-th is made
    drop_values,  ///< small results are not fetched (.item()): their copy, its wait and its read go, or only every N-th
                  ///< stays
    leave_legacy,  ///< work leaves the legacy default stream
    own_stream,  ///< copies go to separate streams, one a direction
    pool,  ///< cudaMalloc and cudaFree become those of a pool with room
    graph,  ///< launches in a row become graphs, of N each
    faster,  ///< kernels take an N-th of their time
    more_streams,  ///< a stream's work goes to N streams in turn, two unless given, from upload to upload
    overlap_all_reduce,  ///< collectives after kernels begin when their part of the kernels is done
    faster_link,  ///< copies of pinned memory take an N-th of their time
    prefetch,  ///< uploads, on a separate stream, come N iterations of their loop earlier, one unless given
    split,  ///< an upload with its kernels and their download becomes N pieces, four unless given, in a pipeline
    buckets,  ///< a collective after kernels becomes N, four unless given; each begins when its part is done
    gather,  ///< small copies in a row become one
    workers,  ///< N other processes, four unless given, load the batches that a thread loads itself
    at_once,  ///< calls return at once, and host work and what a thread does in ranges takes no time
    peer,  ///< what went from GPU to GPU through host memory goes directly
    on_stream,  ///< copies go to the stream of that number, of their context
    last = on_stream,
};
inline constexpr std::size_t change_kinds = static_cast<std::size_t>(ChangeKind::last) + 1;

/// Whether the change means nothing without an amount.
bool needs_amount(ChangeKind kind);
/// Whether its amount is the number of something, and so a whole one; else the amount counts or is a factor.
bool is_number(ChangeKind kind);
/// Whether a query can limit it to a part of the recording.
bool can_be_limited(ChangeKind kind);
/// Whether it means nothing for a whole recording: a query or a finding must limit it.
bool needs_limit(ChangeKind kind);

/// The word of a change, as `lanes whatif` and its JSON write it: "pin", "non-blocking", …
std::string_view name_of(ChangeKind kind);
/// Nothing for any other word.
std::optional<ChangeKind> change_of(std::string_view name);
/// Whether `amount` means something for it: every how many, how many times as fast.
bool has_amount(ChangeKind kind);
/// Whether it can be made to copies of one direction alone.
bool has_direction(ChangeKind kind);

/// The copies that a change is made to.
enum class Direction : std::uint8_t { both, uploads, downloads };
/// The direction that `text` begins with ("uploads stream:7"), removed from it; both: it begins with none.
Direction take_direction(std::string& text);
/// "uploads"; "" for both.
std::string_view name_of(Direction direction);

/// What a finding found (engine/analysis/findings), to limit a change to it.
struct FoundRows {
    std::vector<Row> calls;  ///< outermost; sorted
    std::vector<Row> operations;  ///< sorted
    /// By thread: what was found is its own time in these stretches. Sorted, disjoint; empty: none.
    std::vector<std::vector<Interval>> own_time;
    /// By operation: how long a copy takes instead (peer), or the host to prepare it (pin). Sorted.
    std::vector<std::pair<Row, Ns>> takes;

    bool has_call(Row row) const { return std::binary_search(calls.begin(), calls.end(), row); }
    bool has_operation(Row row) const { return std::binary_search(operations.begin(), operations.end(), row); }
    std::optional<Ns> time_of(Row operation) const;
};

struct Change {
    ChangeKind kind = ChangeKind::pin;
    /// Limits the change to the copies, kernels and calls that it matches; all unless given. leave_legacy is always for
    /// all streams; for overlap_all_reduce and buckets it matches the kernels that collectives follow.
    Query on = {};
    /// 0: none is kept; for a graph: as many as repeat. Above 0 where needs_amount().
    double amount = 0;
    /// The finding to whose rows it is limited, as `lanes report` calls it ("sync-in-loop"); "": none.
    std::string finding = {};
    /// That finding's rows. Null: no finding limits it, or it was only read and must be filled before a replay.
    std::shared_ptr<const FoundRows> rows = {};
    Direction direction = Direction::both;  ///< where has_direction()
    friend bool operator==(const Change& a, const Change& b)
    {
        return a.kind == b.kind && a.on.text() == b.on.text() && a.amount == b.amount && a.finding == b.finding
            && a.direction == b.direction;
    }
};

/// A query for what begins in that stretch of time, to limit changes (Change::on).
Query query_of(Interval part);
/// The stretch of time of a query that is, or ends with, what query_of() wrote; nothing: it does not.
std::optional<Interval> limited_part(const Query& on);
/// Whether a query limits when things begin, and nothing else: what query_of() wrote, once or within another.
bool limits_time_alone(const Query& on);
/// The same changes without that stretch of time, which the command gives as --range.
std::vector<Change> without_part(std::vector<Change> changes, Interval part);

/// As on the command line, without dashes and quotes: "pin uploads", "faster 2 name:matmul",
/// "event-waits finding:sync-in-loop".
std::string words_of(const Change& change);
/// Reads what words_of wrote, without the rows of a finding; nothing if it is no change.
std::optional<Change> change_in(std::string_view words);
/// "--event-waits finding:sync-in-loop --pin": options of `lanes whatif`, quoted for a shell.
std::string options_of(const std::vector<Change>& changes);
/// The finding that `text` begins with ("finding:sync-in-loop dur>1ms"), removed from it; "": it begins with none.
std::string take_finding(std::string& text);
/// "pin memory", "kernels 2 times as fast (name:matmul)", "pin memory (6.530 s to 6.754 s)".
Message message_of(const Change& change);

/// How far a prediction of its kind can be relied on; for several changes the last of theirs.
enum class Reliability : std::uint8_t {
    reliable,  ///< only moves what was recorded
    good,  ///< also removes what the recording cannot prove needless
    conditional,  ///< limited by launches, which recording slows down, or by work of the host, which varies
    bound,  ///< an upper bound: what would change besides is left out
    unsafe,  ///< the host reads before anything has waited for what it reads
};
std::string_view name_of(Reliability reliability);

}  // namespace lanes::replay
