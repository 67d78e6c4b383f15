// SPDX-License-Identifier: MIT
// The time that the recorder itself took from working threads: CUPTI has a record of it.
#include "engine/analysis/findings/search.h"
#include "engine/trace/profiler_overhead.h"

namespace lanes {

Candidate find_recorder_overhead(const Search& search, Ns first)
{
    Candidate found;
    found.rule = "recorder-overhead";
    const auto source = search.trace.source;
    if (source == Source::nsys || source == Source::kineto || source == Source::chrome) {  // no recorder of ours
        found.advice = {"finding.recorder-overhead.advice_" + std::string(name_of(source)), {}};
    }
    for (Row row = 0; row < search.trace.overheads.size(); ++row) {
        const auto& overhead = search.trace.overheads[row];
        const Interval part = search.part_in_range(std::max(first, overhead.start), overhead.end);
        if (!is_profiler_overhead(overhead.type) || overhead.thread == no_row || length(part) == 0
            || search.bounds.threads[overhead.thread].last_issue < overhead.start) {
            continue;
        }
        found.save(overhead.thread, {overhead.start, overhead.end});
        Row call = outermost(search.trace.calls, overhead.call);
        if (call == no_row) {  // then the thread's next call is late because of it
            const auto& starts = search.trace.calls.start;
            call = static_cast<Row>(std::lower_bound(starts.begin(), starts.end(), overhead.start) - starts.begin());
            while (call < starts.size()
                && (search.trace.calls.thread[call] != overhead.thread || search.trace.calls.outer[call] != no_row)) {
                ++call;
            }
        }
        found.take(part, {EventTable::calls, call});
    }
    found.bound_by_taken();
    return found;
}

}  // namespace lanes
