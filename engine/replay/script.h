// SPDX-License-Identifier: MIT
// A recording as something that can be replayed: what each thread did in order, what that put on the GPUs, and how long
// each step took. A replay needs no recorded times, so every edit of a Script is a change to try.
//
// An item is one thing of a thread: an outermost API call, host work, a read, a put, a get or a join. It begins `gap`
// after the one before it, takes `own` of CPU time, waits for what its kind waits for, and returns `post` after that.
// An operation begins a delay after the last of what it must follow: its call, the operation before it on its stream,
// those that an event or the legacy default stream puts before it. For what bound it in the recording that delay is the
// measured one, for the others it is a constant.
#pragma once

#include "engine/analysis/graph/graph.h"
#include "engine/replay/bound.h"
#include "engine/replay/constants.h"
#include "engine/replay/crowd.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanes::replay {

inline constexpr std::uint32_t none = 0xFFFFFFFFU;

/// The most that a call takes which no longer waits.
inline constexpr Ns short_call = 2'000;

struct Operation {
    Ns length = 0;  ///< alone on the GPU; for a member of a gang, from when all members had their multiprocessors
    Ns delay = 0;  ///< measured, after what `bound` it
    Row row = no_row;  ///< into Trace::operations
    Ns tail = 0;  ///< of a kernel: how long before its end it leaves room for small ones
    Ns lay = 0;  ///< for which it was ready and waited for multiprocessors, if its known size does not explain that
    Ns was = 0;  ///< its recorded start: of operations that wait for the same thing, the earliest goes first
    std::uint32_t stream = 0;  ///< into Script::streams
    std::uint32_t gang = none;  ///< kernels of one collective, which end together
    float share = 0;  ///< of the multiprocessors, up to 1; 0: it takes none from others
    float lead = 1;  ///< the part of the operation before it on its stream that had run when it began; 1: all
    Crowd crowd;  ///< of a kernel, beside a collective
    StartCause bound = StartCause::unknown;  ///< unknown: no delay is measured, constants are used
    OperationKind kind = OperationKind::kernel;
    bool streams = false;  ///< a kernel that streams memory (traffic.h)
    bool pageable = false;  ///< from or to pageable host memory
    std::uint32_t after = none;  ///< of a node of a graph: the node that it followed
    std::uint32_t needs = none;  ///< the one upload that a change makes it wait for
    bool of_graph = false;
    bool beside = false;  ///< a node of a graph that ran beside the node before it on its stream
    bool dropped = false;
    bool is_pinned_now = false;  ///< a change made it so
    std::uint64_t bytes = 0;  ///< of a copy that a change made from several; 0: as recorded
    std::uint16_t piece = 0, pieces = 1;  ///< of what a change cut into pieces
    bool behind_downloads = false;  ///< an upload that may bring back what was copied to the host before it
};

/// What a thread's item does to streams, at its start.
struct Action {
    enum Kind : std::uint8_t { record, wait };
    Kind kind;
    std::uint32_t stream;  ///< for `record`, the one whose work the event follows
    std::uint32_t event;  ///< into Script::events
};

struct Item {
    enum Kind : std::uint8_t { call, work, read, put, get, join };
    enum Wait : std::uint8_t {
        nothing,
        own_work,  ///< what the call issued itself: a synchronous or pageable copy, a launch that waits
        operation,  ///< one operation, `target`: a spin of queries
        stream,  ///< all that was submitted to stream `target`
        context,  ///< all that was submitted to context `target`
        event,  ///< event `target`
        item,  ///< the end of item `target` of another thread
        order,  ///< nothing on the CPU: what the thread issues from now on waits on the GPU for the work of stream
                ///< (context, event) `target`; `ordered` says which of these
    };
    Ns gap = 0;
    Ns own = 0;
    /// Of a get: how long another thread works on each thing, one after another, before it passes it on.
    Ns service = 0;
    Ns makes_context = 0;  ///< of `own`, the time in which CUDA started up in this call (cuda_start.h)
    /// The time to load the batch that it needs, by one of `workers` other processes; and the thread's time to take the
    /// batch, if the processes are PyTorch's, else 0.
    Ns loading = 0, taking = 0;
    Ns post = 0;  ///< measured, from the end of what it waited for to its own end; may be negative
    Ns start = 0, end = 0;  ///< as recorded
    Ns not_before = 0;  ///< a change says that it begins no earlier than at that time of the run
    Row row = no_row;  ///< into Trace::calls, host_spans or reads
    std::uint32_t first_operation = 0, operations = 0;  ///< those that it issued, in Script::operations
    std::uint32_t first_action = 0, actions = 0;
    std::uint32_t target = none;
    std::uint32_t thread = 0;
    std::uint32_t workers = 0;  ///< 0: it needs no such batch
    std::uint32_t behind = none;  ///< an item of another thread that this one follows; `gap` counts from its end
    CallClass type = CallClass::other;
    Kind kind = call;
    Wait wait = nothing;
    Wait ordered = nothing;
    bool counts = true;  ///< for the end of the run: it is a call of a process that issues GPU work
    bool held = false;  ///< it did wait, so `post` is measured
    bool full = false;  ///< held by a full launch queue
    bool at_once = false;  ///< a change lets it return at once, whatever its launch queue holds
    bool dropped = false;
    bool stays = false;  ///< of a dropped one: its thread still takes `gap` there, and follows `behind`
    bool inferred = false;  ///< `behind` was guessed from the times
    bool loose = false;  ///< host work whose time counts as a gap
    std::uint16_t piece = 0;  ///< of what a change cut into pieces
    bool varies = false;  ///< host work whose time differed within the recording
};

struct ScriptStream {
    Row row = no_row;  ///< into Trace::streams; no_row: a change made it
    std::uint32_t context = 0;  ///< into Script::contexts
    std::uint32_t device = 0;  ///< place among the devices
    std::int32_t priority = 0;  ///< of its kernels: lower goes first
    bool legacy = false, blocking = false;
    std::uint32_t uploads = none, downloads = none;  ///< separate streams to which its copies were moved
    bool loads_ahead = false;  ///< uploads are for later iterations: a wait for this stream does not wait for them
    std::uint32_t collectives = none;  ///< to which its collectives were moved
    std::vector<std::uint32_t> dealt;  ///< the streams to which some of its work was dealt
    std::uint32_t home = none;  ///< for such a stream, the one that its work came from
    std::uint32_t within = none;  ///< for such a stream, the recorded one in whose order its work is done
};

struct ScriptContext {
    std::vector<std::uint32_t> streams, blocking, legacy;
};

struct Queue {
    std::uint64_t capacity = 0;  ///< 0: no put ever waited
};

/// Why a replay of a recording would mean nothing.
struct Gaps {
    std::uint64_t orphans = 0;  ///< operations without the call that should be there
    std::uint64_t empty_graphs = 0;  ///< launches of graphs whose nodes are not recorded
    std::uint64_t inferred = 0;  ///< hand-overs between threads that were guessed
};

struct Script {
    std::vector<Item> items;  ///< by thread, in program order
    std::vector<std::uint32_t> first_item;  ///< by thread, and one more
    /// First those that were issued before the recording began, which no item has; then by item, in the order of
    /// submission.
    std::vector<Operation> operations;
    std::uint32_t before
        = 0;  ///< how many of the former: submitted when the replay begins, and never earlier than recorded
    std::vector<Action> actions;
    std::uint32_t events = 0;  ///< how many records of events there are
    std::vector<ScriptStream> streams;  ///< those of the trace, then new ones
    std::vector<ScriptContext> contexts;
    std::vector<std::uint32_t> queue_of;  ///< by item: the queue of a put or get, else none; empty: there are no queues
    std::vector<Queue> queues;
    std::vector<std::uint32_t> gang_sizes;
    std::uint32_t devices = 0;
    std::vector<std::uint32_t> copy_engines;  ///< by device; 0: not known
    Gaps gaps;
    Constants constants;
    Ns recorded_end = 0;  ///< end_of_work(): of the last call or operation, helper processes left out
    std::optional<Interval> repeats;  ///< the recording's part that repeats (steady_state.h)
    std::size_t iterations = 0;  ///< in that part
    bool legacy_order = true;
    Bound bound;  ///< for each of its replays

    /// Whether it is a copy of pageable memory that a change moved to another stream: its thread then copies the data
    /// beside other work.
    bool is_copied_elsewhere(const Operation& operation) const
    {
        return operation.pageable && streams[operation.stream].home != none;
    }
};

/// Trace and Graph must live while it is made. Cost: n log n in what the threads did, n log(streams) in operations, and
/// that of find_steady_state(); 80 bytes an operation and 128 an item.
Script make_script(const Graph& graph);

}  // namespace lanes::replay
