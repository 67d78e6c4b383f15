// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/iteration_spans.h"

#include "engine/analysis/facts/communication.h"
#include "engine/analysis/facts/launch_loop.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lanes {

namespace {

using Rows = std::vector<Row>;

/// What each range's process issued in it. What another rank issues meanwhile may be of a later iteration.
std::vector<Rows> issued_in(const Trace& trace, Row thread, const std::vector<Interval>& ranges)
{
    std::vector<Rows> issued(ranges.size());
    const auto& ops = trace.operations;
    for (Row row = 0; row < ops.size(); ++row) {
        if (thread != no_row && trace.streams[ops.stream[row]].process != trace.threads[thread].process) {
            continue;
        }
        const Ns time = issue_time(trace, row);
        const auto after = std::partition_point(
            ranges.begin(), ranges.end(), [&](const Interval& range) { return range.start <= time; });
        if (after != ranges.begin() && time < std::prev(after)->end) {
            issued[static_cast<std::size_t>(after - ranges.begin()) - 1].push_back(row);
        }
    }
    return issued;
}

/// Of an iteration, or of all.
struct OnStream {
    Ns computes = 0, works = 0;
    Ns first_start = record_time_limit;
    std::size_t iterations = 0;  ///< with work on it
};
using OnStreams = std::map<Row, OnStream>;

/// One or more streams: the one that computes most.
OnStreams::const_iterator busiest(const OnStreams& streams)
{
    return std::max_element(streams.begin(), streams.end(), [](const auto& a, const auto& b) {
        return std::pair(a.second.computes, a.second.works) < std::pair(b.second.computes, b.second.works);
    });
}

/// When the first operation of each on its main stream began; record_time_limit: it has none there.
std::vector<Ns> main_starts(const Trace& trace, const std::vector<Rows>& operations)
{
    const CommunicationKernels communicates(trace);
    const auto& ops = trace.operations;
    std::vector<OnStreams> each(operations.size());
    OnStreams all;
    for (std::size_t i = 0; i < operations.size(); ++i) {
        for (const Row row : operations[i]) {
            auto& on = each[i][ops.stream[row]];
            const Ns takes = ops.end[row] - ops.start[row];
            on.works += takes;
            on.computes += ops.kind[row] == OperationKind::kernel && !communicates.has(trace, row) ? takes : 0;
            on.first_start = std::min(on.first_start, ops.start[row]);
        }
        for (const auto& [stream, on] : each[i]) {
            auto& of_all = all[stream];
            of_all.works += on.works;
            of_all.computes += on.computes;
            ++of_all.iterations;
        }
    }
    const auto main = busiest(all);
    const bool of_one = main != all.end() && main->second.iterations * 10 >= operations.size() * 9;
    std::vector<Ns> starts;
    starts.reserve(each.size());
    for (const auto& streams : each) {
        const auto own = of_one ? streams.find(main->first) : busiest(streams);
        starts.push_back(own == streams.end() ? record_time_limit : own->second.first_start);
    }
    return starts;
}

}  // namespace

IterationSpans iteration_spans(const Trace& trace, const Repetition& repetition)
{
    IterationSpans spans {repetition.iterations, {}};
    auto& all = spans.all;
    const auto& steady = repetition.steady;
    const auto operations
        = steady.found == SteadyState::Found::ranges ? issued_in(trace, steady.thread, all) : repetition.operations;
    const auto starts = main_starts(trace, operations);
    for (std::size_t i = 0; i < all.size(); ++i) {
        Ns done = all[i].end;
        for (const Row row : operations[i]) {
            done = std::max(done, trace.operations.end[row]);
        }
        if (i > 0) {
            const Ns begins = std::max(all[i].start, std::min(spans.done.back(), starts[i]));
            all[i].start = std::max(begins, all[i - 1].start);
            all[i - 1].end = all[i].start;
            done = std::max(done, spans.done.back());
        }
        spans.done.push_back(done);
    }
    if (!all.empty()) {
        all.back().end = spans.done.back();
    }
    return spans;
}

}  // namespace lanes
