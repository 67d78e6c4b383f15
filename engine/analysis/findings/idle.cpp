// SPDX-License-Identifier: MIT
// What the CPU did while no GPU was busy. The verdict measures how long that was (verdict_facts); this says which calls
// and which work it was.
#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/figures/operators.h"
#include "engine/analysis/findings/first_operators.h"
#include "engine/analysis/findings/search.h"

#include <map>

namespace lanes {

Idle find_idle(const Search& search, const IntervalSet& busy, Ns from, bool without_data_loader, const Cured& cured)
{
    const auto& trace = search.trace;
    const auto& calls = trace.calls;
    const Interval range {std::max(from, search.report.range.start), search.report.range.end};
    const Coverage gpu(busy);
    Idle found;
    found.launches.rule = "launch-bound";
    found.work.rule = "starved";
    found.late.rule = "cpu-late";
    std::map<Ns, Ns> gaps;  // by their ends, in which an operation begins
    for (std::size_t i = 1; i < busy.size(); ++i) {
        gaps.emplace_hint(gaps.end(), busy[i].start, busy[i].start - busy[i - 1].end);
    }
    for (Row row = 0; row < trace.operations.size() && !gaps.empty(); ++row) {
        if (const auto gap = gaps.find(trace.operations.start[row]); gap != gaps.end()) {
            found.late.evidence.add({EventTable::operations, row}, gap->second);
            gaps.erase(gap);
        }
    }
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

Candidate find_first_operators(const Search& search, Ns until)
{
    const auto& trace = search.trace;
    Candidate found;
    found.rule = "first-operators";
    const auto first = first_operators(trace);
    std::vector<std::size_t> next(first.size());
    for (Row row = 0; row < trace.ranges.size() && trace.ranges[row].start < until; ++row) {
        const auto& range = trace.ranges[row];
        if (!is_operator(trace, row) || range.thread >= first.size()) {
            continue;
        }
        const auto& of_thread = first[range.thread];
        auto& at = next[range.thread];
        while (at < of_thread.size() && of_thread[at].end <= range.start) {
            ++at;
        }
        if (at < of_thread.size() && of_thread[at].start == range.start && of_thread[at].end == range.end) {
            found.evidence.add({EventTable::ranges, row}, search.in_range(range.start, std::min(range.end, until)));
        }
    }
    IntervalSet all;
    for (const auto& of_thread : first) {
        all.insert(all.end(), of_thread.begin(), of_thread.end());
    }
    found.bound = length(clip(unite(std::move(all)), {search.report.range.start, until}));
    return found;
}

}  // namespace lanes
