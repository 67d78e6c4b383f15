// SPDX-License-Identifier: MIT
// What the CPU did while no GPU was busy. The verdict measures how long that was (verdict_facts); this says which calls
// and which work it was.
#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/figures/operators.h"
#include "engine/analysis/findings/first_operators.h"
#include "engine/analysis/findings/search.h"

namespace lanes {

Idle find_idle(const Search& search, const IntervalSet& busy, bool without_data_loader, const Cured& cured)
{
    const auto& trace = search.trace;
    const auto& calls = trace.calls;
    const auto range = search.report.range;
    const Coverage gpu(busy);
    Idle found;
    found.launches.rule = "launch-bound";
    found.work.rule = "starved";
    const auto take = [&](Candidate& candidate, Ns start, Ns end, EventRef event) -> Ns {
        const Interval part {std::max(start, range.start), std::min(end, range.end)};
        if (part.start < part.end) {
            if (const Ns idle = part.end - part.start - gpu.within(part); idle > 0) {
                candidate.evidence.add(event, idle);
                return idle;
            }
        }
        return 0;
    };
    each_touching(trace.host_spans, search.bounds.host_spans, range, [&](Row row) {
        const auto& span = trace.host_spans[row];
        if (span.type == HostSpanRecord::work) {
            take(found.work, span.start, span.end, {EventTable::host_spans, row});
        }
    });
    each_touching(trace.reads, search.bounds.reads, range, [&](Row row) {
        take(found.work, trace.reads[row].start, trace.reads[row].end, {EventTable::reads, row});
    });
    each_operator(trace, search.bounds, range, [&](Row row) {
        if (!without_data_loader || !waits_for_data_loader(trace, row)) {
            take(found.work, trace.ranges[row].start, trace.ranges[row].end, {EventTable::ranges, row});
        }
    });
    const auto times_of = [&](Row call) { return Interval {calls.start[call], calls.end[call]}; };
    each_touching(calls.size(), search.bounds.calls, range, times_of, [&](Row call) {
        if (calls.outer[call] == no_row) {
            const EventRef event {EventTable::calls, call};
            if (search.bounds.issues[call]) {
                // As in verdict_facts: a longer launch of a kernel loads code or waits for a lock.
                const bool of_kernel = search.bounds.classes[calls.name[call]] == CallClass::other;
                const Ns launched
                    = of_kernel ? std::min(calls.end[call], calls.start[call] + loads_code) : calls.end[call];
                const Ns idle = take(found.launches, calls.start[call], launched, event);
                found.launched += idle;
                found.graphs += search.bounds.classes[calls.name[call]] == CallClass::graph_launch ? idle : 0;
                take(found.work, launched, calls.end[call], event);
            } else if (search.bounds.classes[calls.name[call]] == CallClass::memory) {
                take(found.work, calls.start[call], calls.end[call], event);
            }
        }
    });
    IntervalSet first;
    for (const auto& of_thread : first_operators(trace)) {
        first.insert(first.end(), of_thread.begin(), of_thread.end());
    }
    IntervalSet gone;
    for (Row call = 0; call < cured.calls.size() && !first.empty(); ++call) {
        if (cured.calls[call]) {
            gone.push_back({calls.start[call], calls.end[call]});
        }
    }
    for (const auto& part : clip(subtract(unite(std::move(first)), unite(std::move(gone))), range)) {
        found.first += part.end - part.start - gpu.within(part);
    }
    return found;
}

}  // namespace lanes
