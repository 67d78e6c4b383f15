// SPDX-License-Identifier: MIT
// What cost time, each with the time that would be won without it, the operations or calls that prove it, and advice. A
// finding is made only where the record shows the thing itself.
//
// rule                    the thing, and what it is measured without
// stale-read              a read of the host found old bytes: wrong, not slow; no cost, and before all others
// copy-through-host       data went from one GPU to another through memory of the host; one copy between the GPUs
// pageable-async-copy     Async copies of pageable memory held threads; they and the waits right behind them return at
//                         once, and they move as fast as from pinned memory
// allocation-in-loop      memory was allocated, freed or pinned between GPU work, three times or more; such calls
//                         return at once
// loading-in-run          first launches of kernels, or calls made for that, loaded or compiled code, behind the
//                         warm-up where there are iterations; they return at once
// default-stream          operations stood back only because one of two was on the legacy default stream; they no
//                         longer do
// gpus-take-turns         a thread waited for one GPU before it gave work to another; it does not wait
// sync-after-small-copy   waits for D2H copies of up to 64 KiB (.item()), three times or more; nobody waits
// wait-before-work        waits for a stream, an event or a device before host work, with no read of a result between;
//                         in place of the thread the GPU waits (an event)
// device-wide-wait        other waits for a whole device, after which the thread issues more; likewise
// sync-in-loop            other waits for a stream or an event, three times or more; likewise
// query-spin              spins of queries (cudaEventQuery, cudaStreamQuery), with no read of a result next; likewise
// queue-full              full launch queues held threads; they do not
// copies-too-small        copies of 64 KiB or less follow one another on a stream, four or more; all but the last go
//                         along with it, at the rate of the link
// copies-not-hidden       copies take turns with kernels of their own stream, but for the first and last ones, which
//                         have nothing to hide behind; they go on streams of their own, one for each direction
// one-direction           copies of both directions take turns on a stream without kernels between; each direction
//                         gets a stream of its own
// copies-after-kernels    all results of several kernels are copied after the last of them; each goes after its own
// communication-after-kernels  the same of NCCL's kernels, as far as kernels leave them room; one of them behind
//                         several kernels can be cut into buckets
// communication-late      GPUs waited in a collective for one that began it later, with no other kernel beside it
// data-loader             no GPU is busy while a thread that feeds one waits for the next batch of PyTorch's
//                         DataLoader; that takes no time
// idle-between-iterations  where that is less: no GPU is busy from the last operation of an iteration to the first of
//                         the next, and the thread that issues is in nothing but its own work; that takes no time
// blocked-CAUSE           other waits of one thread after which it goes on; they return at once
// launch-bound            no GPU is busy for a fifth of the wall time while threads are in calls that issue work
// starved                 the same for a third, while threads work, read or allocate
// first-operators         in its place where most of that lies in operators of PyTorch that run for the first time
// recorder-overhead       the recorder held threads (buffers, resources, instrumentation); it does not
//
// The cost is what the rule's change (rules.h) gains in a replay, made to what was found alone: the gain that What if
// shows for it. For copies-after-kernels, communication-after-kernels, communication-late, launch-bound, starved and
// first-operators, and where a replay cannot tell or would take too long, it is what the record itself allows at most.
// A rule that gains nothing more once those before it, in this order, are mended is no finding; waits that gain nothing
// are tried once more after copies-not-hidden, for they may be what then sets the pace.
#pragma once

#include "engine/analysis/facts/intervals.h"
#include "engine/analysis/figures/recording_bounds.h"
#include "engine/analysis/figures/report_figures.h"
#include "engine/analysis/findings/finding.h"
#include "engine/analysis/verdict/verdict.h"

namespace lanes {

class Graph;

/// The findings of the report's range, what is wrong first, then the dearest; none under 1 % of the wall time or 20 µs.
/// `blocking`, `bounds` and `report` must be those of `trace`; `facts` those of the verdict, `gpu_busy` when any GPU
/// was busy in the range. Where blocked time is not known, only what is wrong is found.
/// Cost: linear in the recording, once for each rule that it may break, and in the range.
std::vector<Finding> find_findings(const Trace& trace, const Blocking& blocking, const RecordingBounds& bounds,
    const IntervalSet& gpu_busy, const VerdictFacts& facts, const ReportFigures& report, const Graph* graph = nullptr);

}  // namespace lanes
