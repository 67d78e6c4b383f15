// SPDX-License-Identifier: MIT
// Computed once for a whole recording, so that figures of a range cost only as much as the events in it: which earlier
// events reach into a range, and when each thread last issued work.
#pragma once

#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/facts/communication.h"
#include "engine/analysis/facts/intervals.h"
#include "engine/analysis/figures/end_tree.h"
#include "engine/trace/trace.h"

#include <algorithm>
#include <vector>

namespace lanes {

/// By thread: whether its process issued GPU operations. Every thread, where none did. A helper process that only asks
/// which GPUs there are (a compiler's, a data loader's) does not count for the run's length.
/// Cost: a look at each operation, where there are several processes.
std::vector<bool> working_threads(const Trace& trace);

/// Where the wall time ends: the last end of an operation, or of a call of working_threads(); of a range, if the
/// recording has neither. Cost: linear.
Ns end_of_work(const Trace& trace);

/// Trace and Blocking must outlive it. Cost: linear to build; 0.13 bytes an event, 0.26 a call.
struct RecordingBounds {
    RecordingBounds(const Trace& trace, const Blocking& blocking);

    struct OfThread {
        bool did_something = false;  ///< a call, a host span, a range, a read or a step; no row of a device did
        /// Start of its last call with GPU work. Calls that only fetch a value (value_copies.h) do not count: a wait
        /// before them is a wait for the result.
        Ns last_issue = INT64_MIN;
        /// Of a program in which several processes issue work: the start of the first operation of its process. One of
        /// them goes on to make its context while another works.
        Ns starts_up_until = INT64_MIN;
    };
    std::vector<OfThread> threads;
    /// The thread with the workload's first step, else the main thread of a process (of one that issues GPU work, if
    /// there is one), else the thread with the most calls; of several the first in the recording. no_row: no thread did
    /// anything.
    Row first_thread = no_row;
    Ns last_end = 0;  ///< where the wall time ends: end_of_work()

    std::vector<bool> issues;  ///< by call: it or a call inside it issued GPU work
    CommunicationKernels communicates;
    std::vector<CallClass> classes;  ///< call_classes()

    // Ends, by table.
    EndTree operations, calls, syncs, blocked, ranges, host_spans, reads;

    /// Without what its thread did while its process started up.
    Interval since_start_up(Row thread, Interval times) const
    {
        return {thread == no_row ? times.start : std::max(times.start, threads[thread].starts_up_until), times.end};
    }

    std::size_t bytes() const;

private:
    void note_issues(const Trace& trace);
    void note_start_up(const Trace& trace);
};

/// Calls `take(row)` for every row of a table that touches `range`, in their order. `times_of(row)` is its Interval,
/// sorted by start; `ends` is of the table. Cost: log n, then linear in the result.
template <class TimesOf, class Take>
void each_touching(std::size_t size, const EndTree& ends, Interval range, TimesOf times_of, Take take)
{
    std::size_t first = 0;
    for (std::size_t count = size; count > 0;) {
        const auto half = count / 2;
        if (times_of(static_cast<Row>(first + half)).start < range.start) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    ends.each_after(0, first, range.start, [&](std::size_t row) { take(static_cast<Row>(row)); });
    for (auto row = first; row < size; ++row) {
        const auto times = times_of(static_cast<Row>(row));
        if (times.start > range.end) {
            break;
        }
        if (touches(times.start, times.end, range)) {
            take(static_cast<Row>(row));
        }
    }
}
template <class T, class Take>
void each_touching(const std::vector<T>& table, const EndTree& ends, Interval range, Take take)
{
    each_touching(
        table.size(), ends, range,
        [&](Row row) {
            return Interval {table[row].start, table[row].end};
        },
        take);
}

}  // namespace lanes
