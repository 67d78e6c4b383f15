// SPDX-License-Identifier: MIT
// A recording timed anew without something that cost time: what a finding's cost is measured with.
//
// A replay goes through all calls, host work, reads and operations in the order in which they began, and gives each a
// new time from the new times of what it came after:
//   - a thread does what it did in the same order, with the same time of its own between two calls and in each;
//   - an operation follows its call, the one before it on its stream, what an event makes its stream wait for, the
//     other side of the legacy default stream, the copy before it on its copy engine, and of kernels that fill the GPU
//     the one before it;
//   - a call that was held returns as long after what held it as it did; a synchronising call that was not held waits
//     where what it synchronises with is not yet done; the n-th get of a queue follows the n-th put;
//   - a thread of PyTorch that went on behind another one's backward pass follows that one (turns.h, inferred);
//   - kernels of one collective on several GPUs run until the last of them has begun and as long behind that as they
//   did;
//   - of all that it came after, the one that it really waited for (the latest) keeps its distance to the nanosecond,
//     the others at most what such a step usually takes.
// So a replay that changes nothing gives the times of the recording.
//
// What it assumes of the changes: kernels, copies and the program's own work last as long as they did, whatever runs
// beside them; memory for the changed order is there. So what is won is what would be won at most. Waits for what the
// recording does not name (network, other processes) keep their length.
#pragma once

#include "engine/analysis/figures/intervals.h"
#include "engine/analysis/graph/dependencies.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace lanes {

/// What is changed in a replay.
struct Cures {
    enum Call : std::uint8_t {
        none,
        in_order,  ///< is not held: of a wait, returns at once; what the thread issues behind it waits on the GPU, of
                   ///< what the call waited for, for what was issued last, as behind an event; not for downloads, whose
                   ///< result is the host's
        at_once,  ///< returns at once and orders nothing
        pinned,  ///< returns at once, and its copy is one of pinned memory
        dropped,  ///< it and its copy are not made at all
        batched,  ///< not made by itself: its copy goes along behind the one before it, at the rate of pinned memory
    };
    std::vector<Call> calls;  ///< by outermost call
    std::vector<bool> own_copies;  ///< by stream: its copies go on streams of their own, one a direction
    bool no_legacy_order = false;  ///< the legacy default stream and the others wait for one another no more
    /// By thread: what it does by itself then (work, calls that are not held, nothing that is recorded) takes no time.
    /// Empty: of none.
    std::vector<IntervalSet> saved;
};

class Replay {
public:
    /// Trace and Blocking must outlive it. Cost: that of Dependencies.
    Replay(const Trace& trace, const Blocking& blocking);

    struct Result {
        Ns end = 0;  ///< of the last call or operation
        Ns gpu_busy = 0;  ///< some GPU busy
        Ns recorded_busy = 0;  ///< the same of the recording, and so of a replay that changes nothing
        /// What is won of the part that was asked for: how much earlier than recorded the replay has done all that was
        /// done by the end of that part (of what reaches out of it, so much as was done by then), less what it had won
        /// by its start. That is of operations, and of threads that issue any: calls, and in a part that ends before
        /// the last of these, also host work and reads.
        Ns won = 0;
    };
    /// Cost: linear in calls, operations, host spans and reads; 16 bytes a call, 8 an operation while it runs.
    Result run(const Cures& cures, Interval part) const;
    Result run(const Cures& cures) const { return run(cures, {0, m_trace.duration}); }

    /// How long the copy would take from or to pinned memory: at the fastest rate of large copies of pinned memory in
    /// the recording, else at that of the GPU's PCI Express generation; never longer than it took.
    Ns pinned_time(Row operation) const;

    const Dependencies& order() const { return m_order; }
    /// Of each collective the kernel that began last, and each of the others; sorted.
    const std::vector<std::pair<Row, Row>>& collectives() const { return m_collectives; }
    Cures no_cures() const;
    bool issues(Row thread) const { return m_issues[thread]; }
    Ns last_end() const { return m_last_end; }
    Ns held(Row call) const { return m_blocking.time_of(call); }

private:
    const Trace& m_trace;
    const Blocking& m_blocking;
    Dependencies m_order;
    std::vector<bool> m_issues;  ///< by thread; all where none does
    Ns m_last_end = 0;  ///< of a call or an operation
    std::vector<std::pair<Row, Row>> m_collectives;
    mutable std::vector<double> m_pinned_rate;  ///< bytes/ns, by stream; empty until somebody asks for it
};

}  // namespace lanes
