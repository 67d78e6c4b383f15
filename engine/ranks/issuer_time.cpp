// SPDX-License-Identifier: MIT
#include "engine/ranks/issuer_time.h"

#include "engine/analysis/facts/batches.h"
#include "engine/analysis/facts/call_class.h"
#include "engine/trace/profiler_overhead.h"

#include <algorithm>

namespace lanes {

IssuerTime issuer_time(const Trace& trace, GpuOfProcess of)
{
    const auto& ops = trace.operations;
    std::vector<Ns> last_issue(trace.threads.size(), -record_time_limit);
    for (Row row = 0; row < ops.size(); ++row) {
        const auto& stream = trace.streams[ops.stream[row]];
        const bool is_of_gpu = stream.device == of.device && stream.process == of.process;
        const Row call = is_of_gpu ? outermost(trace.calls, ops.call[row]) : no_row;
        if (call != no_row && trace.calls.thread[call] != no_row) {
            auto& last = last_issue[trace.calls.thread[call]];
            last = std::max(last, trace.calls.start[call]);
        }
    }
    const auto issues_after = [&](Row thread, Ns time) { return thread != no_row && last_issue[thread] >= time; };
    std::vector<Interval> loading, recording;
    for (const auto& range : trace.ranges) {
        if (!range.open && issues_after(range.thread, range.start) && waits_for_batch(trace.text(range.name))) {
            loading.push_back({range.start, range.end});
        }
    }
    for (const auto& span : trace.host_spans) {
        if (span.type == HostSpanRecord::queue_get && issues_after(span.thread, span.start)) {
            loading.push_back({span.start, span.end});
        }
    }
    for (const auto& overhead : trace.overheads) {
        if (is_profiler_overhead(overhead.type) && issues_after(overhead.thread, overhead.start)) {
            recording.push_back({overhead.start, overhead.end});
        }
    }
    return {unite(std::move(loading)), unite(std::move(recording))};
}

}  // namespace lanes
