// SPDX-License-Identifier: MIT
// Replays a recording without something that cost time. The time saved is the cost of a finding.
//
// A replay goes through all calls, host work, reads and operations by their recorded start, and computes the new time
// of each from the new times of its predecessors:
//   - A thread does the same in the same order, with the same own time in each call and between calls.
//   - An operation follows its call; the operation before it on its stream; what an event makes its stream wait
//     for; the other side of the legacy default stream; the copy before it on its copy engine; and, if it is a kernel
//     that fills the GPU, the kernel before it that does.
//   - A blocked call returns as long after what it waited for as it did. A synchronising call that was not blocked
//     waits if its work is not done yet. The n-th get of a queue follows the n-th put.
//   - A PyTorch thread that continued after another thread's backward pass follows that thread (turns.h, inferred).
//   - Kernels of one collective on several GPUs run until the last of them has started, and as long after that as they
//     did.
//   - The predecessor that was really waited for (the latest) keeps its exact distance. The others keep at most the
//     usual distance of such a step.
// So a replay without changes reproduces the recorded times.
//
// Assumptions: kernels, copies and the program's own work take as long as they did, whatever runs beside them, and
// there is memory for the new order. So the saved time is an upper bound. Waits for what is not recorded (network,
// other processes) keep their length.
#pragma once

#include "engine/analysis/facts/intervals.h"
#include "engine/analysis/graph/dependencies.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace lanes {

/// What a replay changes.
struct Cures {
    enum Call : std::uint8_t {
        none,
        in_order,  ///< a wait that returns at once. The thread's next work waits on the GPU instead, as for an event,
                   ///< for the last work that the call waited for; not for downloads, whose result the host needs
        at_once,  ///< returns at once and orders nothing
        pinned,  ///< returns at once, and its copy is from or to pinned memory
        dropped,  ///< the call and its copy are left out
        batched,  ///< the call is left out: its copy is appended to the copy before it, at the rate of pinned memory
        prepared,  ///< first copies its data to pinned memory, which takes `takes`; then as `pinned`
        peer,  ///< returns at once, and its copy, from another GPU, takes `takes`
        passed_over,  ///< `in_order`, and its copy takes no time: what waits for it waits for what came before it
    };
    std::vector<Call> calls;  ///< by outermost call
    std::vector<bool> own_copies;  ///< by stream: its copies move to separate streams, one per direction
    bool no_legacy_order = false;  ///< the legacy default stream and other streams no longer wait for one another
    /// By thread: what it does on its own in these intervals (work, calls that are not blocked) takes no time. Empty:
    /// none.
    std::vector<IntervalSet> saved;
    std::vector<std::pair<Row, Ns>> takes;  ///< by call that is `prepared` or `peer`, sorted

    Ns time_of(Row call) const
    {
        const auto found = std::lower_bound(takes.begin(), takes.end(), std::pair(call, Ns {INT64_MIN}));
        return found != takes.end() && found->first == call ? found->second : 0;
    }
};

class Replay {
public:
    /// Trace and Blocking must outlive it. Cost: that of Dependencies.
    Replay(const Trace& trace, const Blocking& blocking);

    struct Result {
        Ns end = 0;  ///< end_of_work(), replayed
        Ns gpu_busy = 0;  ///< time in which any GPU was busy
        Ns recorded_busy = 0;  ///< the same in the recording
        /// The time saved in the requested part: how much earlier the replay has done what was done by the end of the
        /// part (of events across that end, the share before it), less the same at its start. Counts operations, and
        /// calls of threads that issue any; if the part ends before the last of these, also host work and reads.
        Ns won = 0;
    };
    /// Cost: linear in calls, operations, host spans and reads; 16 bytes a call, 8 an operation while it runs.
    Result run(const Cures& cures, Interval part) const;
    Result run(const Cures& cures) const { return run(cures, {0, m_trace.duration}); }

    /// The time of the copy if its memory were pinned: at the fastest rate of large pinned copies in the recording,
    /// else at the rate of the GPU's PCI Express generation; never more than the recorded time.
    Ns pinned_time(Row operation) const;

    const Dependencies& order() const { return m_order; }
    /// Pairs of a collective's last starting kernel and each of its other kernels; sorted.
    const std::vector<std::pair<Row, Row>>& collectives() const { return m_collectives; }
    Cures no_cures() const;
    bool issues(Row thread) const { return m_issues[thread]; }
    bool works(Row thread) const { return m_works[thread]; }  ///< working_threads()
    Ns last_end() const { return m_last_end; }
    Ns held(Row call) const { return m_blocking.time_of(call); }

private:
    const Trace& m_trace;
    const Blocking& m_blocking;
    Dependencies m_order;
    std::vector<bool> m_issues;  ///< by thread; all true if no thread issues anything
    std::vector<bool> m_works;  ///< by thread: working_threads()
    Ns m_last_end = 0;  ///< end_of_work()
    std::vector<std::pair<Row, Row>> m_collectives;
    mutable std::vector<double> m_pinned_rate;  ///< bytes/ns, by stream; computed at first use
};

}  // namespace lanes
