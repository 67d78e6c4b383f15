// SPDX-License-Identifier: MIT
// GPUs idle while a thread that feeds them waits for PyTorch's DataLoader.
#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/facts/batches.h"
#include "engine/analysis/findings/search.h"

namespace lanes {

bool waits_for_data_loader(const Trace& trace, Row range)
{
    return waits_for_batch(trace.text(trace.ranges[range].name));
}

Candidate find_data_loader(const Search& search, const IntervalSet& busy, Ns first, Ns& since_first)
{
    const auto& trace = search.trace;
    Candidate found;
    found.rule = "data-loader";
    std::vector<bool> is_next(trace.strings.size());
    bool any = false;
    for (StringId name = 0; name < is_next.size(); ++name) {
        is_next[name] = waits_for_batch(trace.text(name));
        any = any || is_next[name];
    }
    if (!any) {
        return found;
    }
    const Coverage gpu(busy);
    std::vector<Interval> waits;
    bool has_workers = false;
    each_touching(trace.ranges, search.bounds.ranges, search.report.range, [&](Row row) {
        const auto& range = trace.ranges[row];
        if (!is_next[range.name] || range.thread == no_row || range.open
            || search.bounds.threads[range.thread].last_issue < range.start) {
            return;
        }
        for (const auto& wait : clip({{range.start, range.end}}, search.report.range)) {
            const Ns idle = wait.end - wait.start - gpu.within(wait);
            if (idle > ordinary_call) {
                has_workers = has_workers || !fetches_batch_itself(trace.text(range.name));
                waits.push_back(wait);
                found.evidence.add({EventTable::ranges, row}, idle);
                for (const auto& stretch : subtract({wait}, busy)) {
                    found.save(range.thread, stretch);
                }
            }
        }
    });
    const auto idle = subtract(unite(std::move(waits)), busy);
    found.bound = length(idle);
    since_first = length(clip(idle, {first, search.report.range.end}));
    if (!has_workers) {
        found.advice = Message {"finding.data-loader.advice_no_workers", {}};
    }
    return found;
}

}  // namespace lanes
