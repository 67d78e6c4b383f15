// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/critical_path.h"

#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/blocking/call_class.h"
#include "engine/analysis/graph/slack.h"

#include <algorithm>
#include <future>
#include <map>
#include <tuple>
#include <utility>

namespace lanes {

namespace {

constexpr std::size_t worth_a_thread = 100'000;  // operations

}  // namespace

CriticalPath critical_path(const Graph& graph, Interval range)
{
    const auto& trace = graph.trace();
    CriticalPath path;
    const auto last = last_of(graph, range);
    path.range = {range.start, last.event ? last.time : range.start};
    // On another core: it takes about as long as all the rest.
    const bool aside = trace.operations.size() > worth_a_thread;
    auto slack_found = std::async(aside ? std::launch::async : std::launch::deferred,
        [&graph, within = path.range] { return find_slack(graph, within); });
    path.parts = path_back(graph, last, range.start);
    std::map<std::pair<bool, Row>, Ns> lanes;
    std::map<std::pair<EventTable, StringId>, std::pair<Ns, std::uint64_t>> names;
    for (const auto& part : path.parts) {
        const Ns time = part.span.end - part.span.start;
        path.by_kind[static_cast<std::size_t>(part.kind)] += time;
        if (part.kind == PathPart::unknown) {
            path.unexplained += time;
        } else if (part.kind == PathPart::launch || part.kind == PathPart::step) {
            const Row call = outermost(trace.calls, trace.operations.call[part.event.row]);
            const Ns handed = call == no_row ? part.span.start : trace.calls.end[call];
            path.unexplained += std::max<Ns>(0, part.span.end - std::max(part.span.start, handed) - ordinary_call);
        }
        const bool is_operation = part.kind == PathPart::operation;
        if (is_operation || part.kind == PathPart::call || part.kind == PathPart::work
            || part.kind == PathPart::handover) {
            lanes[{is_operation, lane_of(trace, part.event)}] += time;
            auto& [sum, count] = names[{part.event.table, name_of(trace, part.event)}];
            sum += time;
            ++count;
        }
    }
    path.slack = slack_found.get();
    const auto& slack = path.slack;
    std::vector<std::optional<Ns>> of_stream(trace.streams.size());
    std::map<StringId, Ns> of_name;
    for (Row row = 0; row < slack.size(); ++row) {
        if (trace.operations.start[row] >= path.range.end || trace.operations.end[row] <= path.range.start) {
            continue;
        }
        auto& least = of_stream[trace.operations.stream[row]];
        least = std::min(least.value_or(slack[row]), slack[row]);
        const auto [name, is_new] = of_name.try_emplace(trace.operations.name[row], slack[row]);
        name->second = std::min(name->second, slack[row]);
    }
    for (const auto& [lane, time] : lanes) {
        path.lanes.push_back(
            {lane.first, lane.second, time, lane.first ? of_stream[lane.second] : std::optional<Ns>()});
    }
    for (Row stream = 0; stream < of_stream.size(); ++stream) {
        if (of_stream[stream] && !lanes.contains({true, stream})) {
            path.lanes.push_back({true, stream, 0, of_stream[stream]});
        }
    }
    std::stable_sort(
        path.lanes.begin(), path.lanes.end(), [](const auto& a, const auto& b) { return a.time > b.time; });
    for (const auto& [name, sum] : names) {
        const bool is_operation = name.first == EventTable::operations;
        path.names.push_back({name.first, name.second, sum.first, sum.second,
            is_operation ? std::optional<Ns>(of_name[name.second]) : std::nullopt});
    }
    for (const auto& [name, least] : of_name) {
        if (!names.contains({EventTable::operations, name})) {
            path.names.push_back({EventTable::operations, name, 0, 0, least});
        }
    }
    std::stable_sort(
        path.names.begin(), path.names.end(), [](const auto& a, const auto& b) { return a.time > b.time; });
    return path;
}

}  // namespace lanes
