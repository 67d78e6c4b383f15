// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/critical_path.h"

#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/graph/rows_in.h"
#include "engine/analysis/graph/slack.h"
#include "engine/trace/event.h"

#include <algorithm>
#include <future>
#include <limits>
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
    std::array<std::vector<Ns>, 2> lanes {std::vector<Ns>(trace.threads.size()), std::vector<Ns>(trace.streams.size())};
    struct NameSum {
        Ns time = 0;
        std::uint64_t count = 0;
        Row latest = no_row;  // more parts of it may come: what interrupts a range or a call lies within it
    };
    std::map<EventTable, std::vector<NameSum>> names;
    EventTable summed = EventTable::none;  // the table of which `sums` are
    std::vector<NameSum>* sums = nullptr;
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
            lanes[is_operation ? 1 : 0][lane_of(trace, part.event)] += time;
            if (sums == nullptr || summed != part.event.table) {
                summed = part.event.table;
                sums = &names.try_emplace(summed, trace.strings.size()).first->second;
            }
            auto& sum = (*sums)[graph.ranges().name_of(part.event)];
            sum.time += time;
            sum.count += part.event.row == sum.latest ? 0 : 1;
            sum.latest = part.event.row;
        }
    }
    path.slack = slack_found.get();
    const auto& slack = path.slack;
    std::vector<std::optional<Ns>> of_stream(trace.streams.size());
    std::vector<std::optional<Ns>> of_name(trace.strings.size());
    const auto lower = [](std::optional<Ns>& least, Ns to) { least = std::min(least.value_or(to), to); };
    const auto& ops = trace.operations;
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        const auto rows = trace.operations_of(stream);
        const auto begin = ops.start.begin();
        const auto begins_before = [&](Ns time) {
            return static_cast<Row>(std::lower_bound(begin + rows.begin, begin + rows.end, time) - begin);
        };
        const Row stop = begins_before(path.range.end);
        const Row first = begins_before(path.range.start);
        for (Row row = first - std::min(first - rows.begin, reach_looked_through); row < stop; ++row) {
            if (ops.end[row] > path.range.start) {
                lower(of_stream[stream], slack[row]);
                lower(of_name[ops.name[row]], slack[row]);
            }
        }
    }
    for (Row thread = 0; thread < lanes[0].size(); ++thread) {
        if (lanes[0][thread] > 0) {
            path.lanes.push_back({false, thread, lanes[0][thread], std::nullopt});
        }
    }
    for (Row stream = 0; stream < of_stream.size(); ++stream) {
        if (of_stream[stream] || lanes[1][stream] > 0) {
            path.lanes.push_back({true, stream, lanes[1][stream], of_stream[stream]});
        }
    }
    std::stable_sort(
        path.lanes.begin(), path.lanes.end(), [](const auto& a, const auto& b) { return a.time > b.time; });
    for (const auto& [table, of_table] : names) {
        for (StringId name = 0; name < of_table.size(); ++name) {
            if (const auto& sum = of_table[name]; sum.count > 0) {
                path.names.push_back(
                    {table, name, sum.time, sum.count, table == EventTable::operations ? of_name[name] : std::nullopt});
            }
        }
    }
    const auto on_path = names.find(EventTable::operations);
    for (StringId name = 0; name < of_name.size(); ++name) {
        if (of_name[name] && (on_path == names.end() || on_path->second[name].count == 0)) {
            path.names.push_back({EventTable::operations, name, 0, 0, of_name[name]});
        }
    }
    std::stable_sort(path.names.begin(), path.names.end(), [&](const auto& a, const auto& b) {
        const auto rank = [&](const auto& name) {
            return std::tuple(-name.time, name.slack.value_or(std::numeric_limits<Ns>::max()), trace.text(name.name));
        };
        return rank(a) < rank(b);
    });
    return path;
}

}  // namespace lanes
