// SPDX-License-Identifier: MIT
// What is computed once for a whole recording, so that the figures of a range cost what
// lies in that range: what reaches into it, and when each thread last issued or worked.
#pragma once

#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/blocking/call_class.h"
#include "engine/analysis/figures/end_tree.h"
#include "engine/analysis/figures/intervals.h"
#include "engine/trace/trace.h"

#include <algorithm>
#include <vector>

namespace lanes {

/// Trace and Blocking must outlive it. Cost: linear to build; 0.13 bytes an operation and so on, 0.26 a call.
struct RecordingBounds {
    RecordingBounds(const Trace& trace, const Blocking& blocking);

    struct OfThread {
        bool did_something = false;  ///< a call, a host span, a range, a read or a step
        /// Start of its last call with GPU work, but for calls that only fetch a value (value_copies.h): a wait before
        /// these is the wait for a result.
        Ns last_issue = INT64_MIN;
        Ns last_work = INT64_MIN;  ///< start of its last host work
    };
    std::vector<OfThread> threads;
    /// The one with the workload's first step, else the main thread of a process (one that issues GPU work, if
    /// any does), else the one with the most calls;
    /// of several the first of the recording. no_row: none did anything.
    Row first_thread = no_row;
    Ns last_end = 0;  ///< of a call or an operation; of a range where there is neither

    std::vector<bool> issues;  ///< by call: it or a call inside it issued GPU work
    std::vector<bool> communicates;  ///< communication_names()
    std::vector<CallClass> classes;  ///< call_classes()

    // The ends of the tables whose starts are sorted.
    EndTree operations, calls, syncs, blocked, ranges, host_spans, reads;

    std::size_t bytes() const;

private:
    void note_issues(const Trace& trace);
};

/// Whether [start, end) and `range` have a moment in common; what has no length counts at both ends of the range too.
constexpr bool touches(Ns start, Ns end, Interval range)
{
    return (start < range.end && end > range.start) || (start == end && start >= range.start && start <= range.end);
}

/// Calls `take(row)` for every row of a table that touches `range`, in their order. `times_of(row)` is its Interval,
/// sorted by start; `ends` is of the table. Cost: log n, then what there is.
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
