// SPDX-License-Identifier: MIT
// A recording as what has to be done again: what each thread did in its order, what that put on the GPUs, and how long
// each step took. No time of the recording is needed to replay it, so every edit of a Script is a change to try.
//
// An item is one thing of a thread: an outermost API call, host work, a read, a put, a get or a join. It begins `gap`
// behind the one before it, takes `own` of CPU time, waits for what its kind waits for, and goes on `post` behind that.
// An operation begins a delay behind the last of what it must follow: its call, the operation before it on its stream,
// those that an event or the legacy default stream puts before it. What bound it in the recording keeps its measured
// delay; the others take constants.
#pragma once

#include "engine/analysis/graph/graph.h"
#include "engine/replay/bound.h"
#include "engine/replay/constants.h"
#include "engine/replay/crowd.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanes::replay {

inline constexpr std::uint32_t none = 0xFFFFFFFFU;

/// What is left of a call that does not wait, at most.
inline constexpr Ns short_call = 2'000;

struct Operation {
    Ns length = 0;  ///< alone on the GPU; of a member of a gang from when all of it had their multiprocessors
    Ns delay = 0;  ///< measured, behind what `bound` it
    Row row = no_row;  ///< into Trace::operations
    Ns tail = 0;  ///< of a kernel: so long before its end it leaves room for small ones
    Ns lay = 0;  ///< that it lay ready, for multiprocessors that what is known of its size does not explain
    Ns was = 0;  ///< its start as recorded: of those that wait for one thing the first goes first
    std::uint32_t stream = 0;  ///< into Script::streams
    std::uint32_t gang = none;  ///< kernels of one collective, which end together
    float share = 0;  ///< of the multiprocessors, up to 1; 0: it stands in nobody's way
    float lead = 1;  ///< so much of the operation before it on its stream had run when it began, if that was not over
    Crowd crowd;  ///< of a kernel, beside a collective
    StartCause bound = StartCause::unknown;  ///< unknown: nothing is measured, constants stand for it
    OperationKind kind = OperationKind::kernel;
    bool streams = false;  ///< a kernel that goes over memory (traffic.h)
    bool pageable = false;  ///< from or to pageable host memory
    std::uint32_t after = none;  ///< of a node of a graph: the node that it followed
    std::uint32_t needs = none;  ///< that a change lets it follow alone: its kernel's, its upload's
    bool of_graph = false;
    bool beside = false;  ///< a node of a graph that ran beside the one before it on its stream
    bool dropped = false;
    bool is_pinned_now = false;  ///< a change made it so
    std::uint64_t bytes = 0;  ///< of a copy that a change made of several; 0: as recorded
    std::uint16_t piece = 0, pieces = 1;  ///< of what a change cut into pieces
    bool behind_downloads = false;  ///< an upload that may bring back what was copied to the host before it
};

/// What a thread's item does to streams, at its start.
struct Action {
    enum Kind : std::uint8_t { record, wait };
    Kind kind;
    std::uint32_t stream;  ///< of `record` the one whose work the event stands behind
    std::uint32_t event;  ///< into Script::events
};

struct Item {
    enum Kind : std::uint8_t { call, work, read, put, get, join };
    enum Wait : std::uint8_t {
        nothing,
        own_work,  ///< what it issued itself: a synchronous or pageable copy, a launch that waits
        operation,  ///< one operation, `target`: a spin of queries
        stream,  ///< all that was submitted to stream `target`
        context,  ///< all that was submitted to context `target`
        event,  ///< event `target`
        item,  ///< the end of item `target` of another thread
        order,  ///< nothing: what the thread issues from now on waits on the GPU for what stream (context, event)
                ///< `target` has to do; `ordered` says which
    };
    Ns gap = 0;
    Ns own = 0;
    /// Of a get: so long another thread works on each thing, one after another, before it is handed on.
    Ns service = 0;
    /// Of the batch that it is behind, by one of `workers` other processes; and what of its thread's time it costs that
    /// a process of PyTorch's handed over the batch, 0: it was none of these.
    Ns loading = 0, taking = 0;
    Ns post = 0;  ///< measured, from the end of what it waited for to its own end; may be negative
    Ns start = 0, end = 0;  ///< as recorded
    Row row = no_row;  ///< into Trace::calls, host_spans or reads
    std::uint32_t first_operation = 0, operations = 0;  ///< that it issued, into Script::operations
    std::uint32_t first_action = 0, actions = 0;
    std::uint32_t target = none;
    std::uint32_t thread = 0;
    std::uint32_t workers = 0;  ///< 0: it is behind no such batch
    std::uint32_t behind = none;  ///< an item of another thread that this one was handed on by; `gap` is behind its end
    CallClass type = CallClass::other;
    Kind kind = call;
    Wait wait = nothing;
    Wait ordered = nothing;
    bool counts = true;  ///< for the end of the run: a call of a process that issues GPU work
    bool held = false;  ///< it did wait, so `post` is measured
    bool full = false;  ///< held by a full launch queue
    bool at_once = false;  ///< a change lets it return at once, whatever its launch queue holds
    bool dropped = false;
    bool inferred = false;  ///< `behind` was guessed from the times
    bool loose = false;  ///< of host work, how long it takes is a gap too
    std::uint16_t piece = 0;  ///< of what a change cut into pieces
    bool varies = false;  ///< of host work, how long it takes differed in the recording already
};

struct ScriptStream {
    Row row = no_row;  ///< into Trace::streams; no_row: a change made it
    std::uint32_t context = 0;  ///< into Script::contexts
    std::uint32_t device = 0;  ///< place among the devices
    std::int32_t priority = 0;  ///< of its kernels: lower goes first
    bool legacy = false, blocking = false;
    std::uint32_t uploads = none, downloads = none;  ///< streams of its own to which its copies were moved
    bool loads_ahead = false;  ///< uploads are of later turns: who waits for this stream does not wait for them
    std::uint32_t collectives = none;  ///< to which its collectives were
    std::vector<std::uint32_t> dealt;  ///< to which some of all of it was
    std::uint32_t home = none;  ///< of such a stream, where it came from
};

struct ScriptContext {
    std::vector<std::uint32_t> streams, blocking, legacy;
};

struct Queue {
    std::uint64_t capacity = 0;  ///< 0: no put ever waited
};

/// What of a recording makes a replay of it say nothing.
struct Gaps {
    std::uint64_t orphans = 0;  ///< operations without a call, of which there should be one
    std::uint64_t empty_graphs = 0;  ///< launches of graphs whose nodes are not recorded
    std::uint64_t inferred = 0;  ///< hand-overs between threads that were guessed
};

struct Script {
    std::vector<Item> items;  ///< by thread, in program order
    std::vector<std::uint32_t> first_item;  ///< by thread, and one more
    /// Those that were issued before the recording began, which no item has, then by item, in the order of submission.
    std::vector<Operation> operations;
    std::uint32_t before
        = 0;  ///< how many of the former: there when the replay begins, and never earlier than recorded
    std::vector<Action> actions;
    std::uint32_t events = 0;  ///< how many records of events there are
    std::vector<ScriptStream> streams;  ///< those of the trace, then new ones
    std::vector<ScriptContext> contexts;
    std::vector<std::uint32_t> queue_of;  ///< by item that puts or gets, else none; empty: there are no queues
    std::vector<Queue> queues;
    std::vector<std::uint32_t> gang_sizes;
    std::uint32_t devices = 0;
    std::vector<std::uint32_t> copy_engines;  ///< by device; 0: not known
    Gaps gaps;
    Constants constants;
    Ns recorded_end = 0;  ///< end_of_work(): of the last call or operation, helper processes left out
    bool legacy_order = true;
    Bound bound;  ///< of each of its replays

    /// A copy of pageable memory that a change put on another stream: its thread copies the data beside other work.
    bool is_copied_elsewhere(const Operation& operation) const
    {
        return operation.pageable && streams[operation.stream].home != none;
    }
};

/// Trace and Graph must live while it is made. Cost: n log n in what the threads did, n log(streams) in operations; 80
/// bytes an operation and 120 an item.
Script make_script(const Graph& graph);

}  // namespace lanes::replay
