// SPDX-License-Identifier: MIT
#include "engine/analysis/blocking/beside_gpu.h"

#include <algorithm>

namespace lanes {

BesideGpu beside_gpu(const Trace& trace, const Blocking& blocking, Row thread, const IntervalSet& busy)
{
    std::vector<Interval> held;
    std::vector<Interval> waiting;
    std::vector<Interval> active;
    // Calls come by start, and gaps are closed at once: a loop of launches is one interval and not thousands.
    const auto add = [](std::vector<Interval>& to, Ns start, Ns end, Ns gap) {
        if (!to.empty() && start >= to.back().start && start - to.back().end <= gap) {
            to.back().end = std::max(to.back().end, end);
        } else {
            to.push_back({start, end});
        }
    };
    for (const auto& stretch : blocking.calls) {
        if (trace.calls.thread[stretch.call] == thread) {
            add(held, stretch.start, stretch.end, 0);
        }
    }
    for (std::size_t call = 0; call < trace.calls.size(); ++call) {
        if (trace.calls.thread[call] == thread && trace.calls.outer[call] == no_row) {
            add(active, trace.calls.start[call], trace.calls.end[call], BesideGpu::gap);
        }
    }
    for (const auto& span : trace.host_spans) {
        if (span.thread == thread) {
            const bool works = span.type == HostSpanRecord::work || span.type == HostSpanRecord::staging;
            (works ? active : waiting).push_back({span.start, span.end});
        }
    }
    for (const auto& read : trace.reads) {
        if (read.thread == thread) {
            active.push_back({read.start, read.end});
        }
    }
    BesideGpu beside;
    const auto all_held = unite(std::move(held));
    const auto all_waiting = subtract(unite(std::move(waiting)), all_held);
    // The thread also works on between a call and a span beside it.
    std::vector<Interval> closed;
    for (const auto& interval : unite(std::move(active))) {
        add(closed, interval.start, interval.end, BesideGpu::gap);
    }
    beside.held = intersect(busy, all_held);
    beside.waiting = intersect(busy, all_waiting);
    const auto left = subtract(subtract(busy, all_held), all_waiting);
    beside.working = intersect(left, closed);
    beside.free = subtract(left, closed);
    return beside;
}

}  // namespace lanes
