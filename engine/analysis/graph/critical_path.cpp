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

struct NameSum {
    Ns time = 0;
    std::uint64_t count = 0;
    Row latest = no_row;  // more parts of it may come: what interrupts a range or a call lies within it
};

/// What the parts of a path come to: by kind, by lane and by name.
class PathSums {
public:
    explicit PathSums(const Graph& graph)
        : threads(graph.trace().threads.size())
        , streams(graph.trace().streams.size())
        , m_graph(graph)
        , m_trace(graph.trace())
    {
    }
    void add(const PathPart& part, CriticalPath& path);

    std::vector<Ns> threads, streams;  ///< time by lane
    std::map<EventTable, std::vector<NameSum>> names;

private:
    const Graph& m_graph;
    const Trace& m_trace;
    EventTable m_latest = EventTable::none;  // the table that m_sums belongs to
    std::vector<NameSum>* m_sums = nullptr;
};

void PathSums::add(const PathPart& part, CriticalPath& path)
{
    const Ns time = part.span.end - part.span.start;
    path.by_kind[static_cast<std::size_t>(part.kind)] += time;
    if (part.kind == PathPart::unknown) {
        path.unexplained += time;
    } else if (part.kind == PathPart::launch || part.kind == PathPart::step) {
        const Row call = outermost(m_trace.calls, m_trace.operations.call[part.event.row]);
        const Ns handed = call == no_row ? part.span.start : m_trace.calls.end[call];
        path.unexplained += std::max<Ns>(0, part.span.end - std::max(part.span.start, handed) - ordinary_call);
    }
    const bool is_operation = part.kind == PathPart::operation;
    if (!is_operation && part.kind != PathPart::call && part.kind != PathPart::work
        && part.kind != PathPart::handover) {
        return;
    }
    (is_operation ? streams : threads)[lane_of(m_trace, part.event)] += time;
    if (m_sums == nullptr || m_latest != part.event.table) {
        m_latest = part.event.table;
        m_sums = &names.try_emplace(m_latest, m_trace.strings.size()).first->second;
    }
    auto& sum = (*m_sums)[m_graph.ranges().name_of(part.event)];
    sum.time += time;
    sum.count += part.event.row == sum.latest ? 0 : 1;
    sum.latest = part.event.row;
}

/// The least slack of a range's operations, by stream and by name; nothing: it has none.
struct LeastSlack {
    std::vector<std::optional<Ns>> of_stream, of_name;
};

LeastSlack least_slack(const Trace& trace, Interval range, const std::vector<Ns>& slack)
{
    LeastSlack least {
        std::vector<std::optional<Ns>>(trace.streams.size()), std::vector<std::optional<Ns>>(trace.strings.size())};
    const auto lower = [](std::optional<Ns>& known, Ns to) { known = std::min(known.value_or(to), to); };
    const auto& ops = trace.operations;
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        const auto rows = trace.operations_of(stream);
        const auto begin = ops.start.begin();
        const auto begins_before = [&](Ns time) {
            return static_cast<Row>(std::lower_bound(begin + rows.begin, begin + rows.end, time) - begin);
        };
        const Row stop = begins_before(range.end);
        const Row first = begins_before(range.start);
        for (Row row = first - std::min(first - rows.begin, reach_looked_through); row < stop; ++row) {
            if (ops.end[row] > range.start) {
                lower(least.of_stream[stream], slack[row]);
                lower(least.of_name[ops.name[row]], slack[row]);
            }
        }
    }
    return least;
}

/// Most time first.
void list_lanes(const PathSums& sums, const LeastSlack& least, CriticalPath& path)
{
    for (Row thread = 0; thread < sums.threads.size(); ++thread) {
        if (sums.threads[thread] > 0) {
            path.lanes.push_back({false, thread, sums.threads[thread], std::nullopt});
        }
    }
    for (Row stream = 0; stream < least.of_stream.size(); ++stream) {
        if (least.of_stream[stream] || sums.streams[stream] > 0) {
            path.lanes.push_back({true, stream, sums.streams[stream], least.of_stream[stream]});
        }
    }
    std::stable_sort(
        path.lanes.begin(), path.lanes.end(), [](const auto& a, const auto& b) { return a.time > b.time; });
}

/// Most time first, then least slack, then by text.
void list_names(const Trace& trace, const PathSums& sums, const LeastSlack& least, CriticalPath& path)
{
    for (const auto& [table, of_table] : sums.names) {
        for (StringId name = 0; name < of_table.size(); ++name) {
            if (const auto& sum = of_table[name]; sum.count > 0) {
                path.names.push_back({table, name, sum.time, sum.count,
                    table == EventTable::operations ? least.of_name[name] : std::nullopt});
            }
        }
    }
    const auto on_path = sums.names.find(EventTable::operations);
    for (StringId name = 0; name < least.of_name.size(); ++name) {
        if (least.of_name[name] && (on_path == sums.names.end() || on_path->second[name].count == 0)) {
            path.names.push_back({EventTable::operations, name, 0, 0, least.of_name[name]});
        }
    }
    std::stable_sort(path.names.begin(), path.names.end(), [&](const auto& a, const auto& b) {
        const auto rank = [&](const auto& name) {
            return std::tuple(-name.time, name.slack.value_or(std::numeric_limits<Ns>::max()), trace.text(name.name));
        };
        return rank(a) < rank(b);
    });
}

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
    PathSums sums(graph);
    for (const auto& part : path.parts) {
        sums.add(part, path);
    }
    path.slack = slack_found.get();
    const auto least = least_slack(trace, path.range, path.slack);
    list_lanes(sums, least, path);
    list_names(trace, sums, least, path);
    return path;
}

}  // namespace lanes
