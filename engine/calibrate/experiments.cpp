// SPDX-License-Identifier: MIT
#include "engine/calibrate/experiments.h"

#include <algorithm>

namespace lanes {

namespace {

Work work_of(const Trace& trace, Row row)
{
    const auto& operations = trace.operations;
    const auto call = operations.call[row];
    Work work {.kind = operations.kind[row],
        .start = operations.start[row],
        .end = operations.end[row],
        .call_start = trace.calls.start[call],
        .call_end = trace.calls.end[call],
        .bytes = trace.bytes_of(row),
        .blocks = 0,
        .threads = 0,
        .stream = operations.stream[row],
        .name = trace.text(operations.name[row])};
    if (work.kind == OperationKind::kernel) {
        const auto& kernel = trace.kernels[operations.detail[row]];
        work.blocks = kernel.grid[0];
        work.threads = kernel.block[0];
    }
    return work;
}

template <class Spans> auto within(const Spans& spans, const Range& range)
{
    std::vector<typename Spans::value_type> found;
    std::copy_if(spans.begin(), spans.end(), std::back_inserter(found), [&](const auto& span) {
        return span.thread == range.thread && span.start >= range.start && span.end <= range.end;
    });
    return found;
}

}  // namespace

std::vector<Work> Experiment::work() const
{
    std::vector<Work> all;
    for (const auto& call : calls) {
        all.insert(all.end(), call.work.begin(), call.work.end());
    }
    std::stable_sort(all.begin(), all.end(), [](const Work& a, const Work& b) { return a.start < b.start; });
    return all;
}

Experiments::Experiments(std::span<const Trace> traces)
    : m_traces(traces)
{
    for (const auto& trace : traces) {
        auto& work = m_work.emplace_back(trace.calls.size());
        for (const auto row : trace.operations_by_time()) {
            if (const auto call = trace.operations.call[row]; call != no_row) {
                work[call].push_back(row);
            }
        }
        auto& bytes = m_bytes.emplace_back(trace.calls.size(), 0);
        for (const auto& event : trace.memory) {
            if (event.call != no_row) {
                bytes[event.call] = event.bytes;
            }
        }
    }
}

std::vector<Experiment> Experiments::of(std::string_view name) const
{
    std::vector<Experiment> found;
    for (std::size_t t = 0; t < m_traces.size(); ++t) {
        const auto& trace = m_traces[t];
        for (const auto& range : trace.ranges) {
            if (range.mark || trace.text(range.name) != name) {
                continue;
            }
            Experiment experiment {.trace = &trace,
                .calls = {},
                .host = within(trace.host_spans, range),
                .reads = within(trace.reads, range),
                .start = range.start,
                .end = range.end};
            const auto& calls = trace.calls;
            const auto first = std::lower_bound(calls.start.begin(), calls.start.end(), range.start);
            for (auto row = static_cast<Row>(first - calls.start.begin());
                 row < calls.size() && calls.start[row] <= range.end; ++row) {
                if (calls.thread[row] != range.thread || calls.outer[row] != no_row) {
                    continue;
                }
                Call call {.name = trace.text(calls.name[row]),
                    .start = calls.start[row],
                    .end = calls.end[row],
                    .bytes = m_bytes[t][row],
                    .work = {}};
                for (const auto operation : m_work[t][row]) {
                    call.work.push_back(work_of(trace, operation));
                }
                experiment.calls.push_back(std::move(call));
            }
            found.push_back(std::move(experiment));
        }
    }
    return found;
}

}  // namespace lanes
