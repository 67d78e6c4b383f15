// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/why.h"

#include "engine/analysis/facts/steady_state.h"
#include "engine/analysis/graph/first_launch.h"
#include "engine/analysis/words/names.h"
#include "engine/analysis/words/shown.h"
#include "engine/analysis/words/text_table.h"
#include "engine/trace/event.h"
#include "engine/trace/operator_range.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <optional>

namespace lanes {

namespace {

constexpr std::size_t shown_names = 6;
constexpr Ns least_step = 100;  // ns, the resolution of times in a list
constexpr std::size_t shown_ranges = 3;

/// Names, without numbers, of the ranges around the time in which nothing is recorded: those with a tenth of it or
/// more.
std::vector<std::pair<std::string_view, Ns>> between_by_range(const Graph& graph, const CriticalPath& path)
{
    constexpr Ns least_part = 10;
    const auto& trace = graph.trace();
    std::vector<std::pair<std::string_view, Ns>> found;
    if (trace.ranges.empty() || path.of(PathPart::between) * 100 < path.range.end - path.range.start) {
        return found;
    }
    std::map<std::string_view, Ns> names;
    for (const auto& part : path.parts) {
        const Row range = part.kind == PathPart::between ? graph.ranges().around(part.thread, part.span) : no_row;
        if (range != no_row) {
            names[without_number(trace.text(trace.ranges[range].name))] += part.span.end - part.span.start;
        }
    }
    std::copy_if(names.begin(), names.end(), std::back_inserter(found),
        [&](const auto& name) { return name.second * least_part >= path.of(PathPart::between); });
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    found.resize(std::min(found.size(), shown_ranges));
    return found;
}

/// The largest places at which Python was; more say little.
constexpr std::size_t shown_places = 5;

}  // namespace

PlaceTally python_places(const Graph& graph, const std::vector<PathPart>& parts)
{
    PlaceTally tally;
    for (const auto& part : parts) {
        const bool in_range = part.kind == PathPart::work && part.event.table == EventTable::ranges
            && !is_operator(graph.trace(), part.event.row);
        if (part.thread != no_row && (part.kind == PathPart::between || in_range)) {
            graph.sampled().count(part.thread, part.span, tally);
        }
    }
    return tally;
}

PlaceTally python_places(const Graph& graph, Interval range)
{
    return graph.sampled().interval() == 0 ? PlaceTally()
                                           : python_places(graph, path_back(graph, last_of(graph, range), range.start));
}

std::optional<Message> python_message(const Graph& graph, const char* id, const PlaceTally& tally)
{
    const auto most = tally.by_count(1);
    if (most.empty()) {
        return std::nullopt;
    }
    return Message {id,
        {{"place", std::string(graph.trace().text(most.front().first))}, {"count", std::to_string(most.front().second)},
            {"all", std::to_string(tally.all)}, {"interval", shown_time(graph.sampled().interval())}}};
}

std::string stream_label(const Trace& trace, Row stream)
{
    return printable(trace.full_label_of(trace.streams[stream]));
}

Message operation_message(const Trace& trace, Row operation)
{
    const auto kind = trace.operations.kind[operation];
    const auto stream = stream_label(trace, trace.operations.stream[operation]);
    if (kind == OperationKind::kernel) {
        return {
            "why.kernel", {{"name", std::string(trace.text(trace.operations.name[operation]))}, {"stream", stream}}};
    }
    Message message {"why.copy", {{"bytes", shown_bytes(trace.bytes_of(operation))}, {"stream", stream}}};
    message.parts.push_back({"kind", {"kind." + std::string(name_of(kind_of(kind))), {}}});
    return message;
}

Message start_message(const Graph& graph, Row operation)
{
    const auto& trace = graph.trace();
    const auto cause = graph.starts().cause(operation);
    const Row after = graph.starts().after(operation);
    const Row call = outermost(trace.calls, trace.operations.call[operation]);
    Message message {"why.start." + std::string(name_of(cause)), {}};
    const Ns start = trace.operations.start[operation];
    Ns delay = 0;
    if (after != no_row) {
        delay = std::abs(start - trace.operations.end[after]);
        message.id += cause == StartCause::stream && start < trace.operations.end[after] ? "_early" : "";
        message.parts.push_back({"what", operation_message(trace, after)});
    } else if (call != no_row) {
        delay = std::max<Ns>(0, start - trace.calls.start[call]);
        const auto first = cause == StartCause::launch ? first_call_of(graph, operation) : FirstCall::none;
        message.id += first == FirstCall::of_process ? "_first" : first == FirstCall::of_kernel ? "_loading" : "";
    }
    message.arguments = {{"delay", shown_time(delay)}, {"ready", shown_time(graph.starts().ready_time(operation))}};
    return message;
}

std::string why_text(std::span<const WhyLine> lines, const Messages& messages)
{
    TextTable table("rrl");
    Ns step = std::numeric_limits<Ns>::max();
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
        const Ns apart = lines[i].span.start - lines[i + 1].span.start;
        step = apart > 0 ? std::min(step, apart) : step;
    }
    const Ns latest = lines.empty() ? 0 : lines.front().span.start;
    constexpr Ns told_apart = 100;  // the resolution of lengths, also where lines are far apart
    step = std::min(step, latest / told_apart);
    for (const auto& line : lines) {
        table.add(
            {lines.size() == 1 ? shown_time(latest) : shown_moment(line.span.start, latest, std::max(step, least_step)),
                shown_time(line.span.end - line.span.start), messages.format(line.text)});
    }
    return messages.text("why.title") + "\n\n" + table.text();
}

std::string critical_path_text(const Graph& graph, const CriticalPath& path, const Messages& messages)
{
    const auto& trace = graph.trace();
    const Ns whole = path.range.end - path.range.start;
    if (path.parts.empty() || whole <= 0) {
        return {};
    }
    TextTable table;
    const auto add = [&](const std::string& what, Ns time) {
        if (time > 0) {
            table.add({what, shown_time(time), shown_share(static_cast<double>(time) / static_cast<double>(whole))});
        }
    };
    add(messages.text("path.operations"), path.of(PathPart::operation));
    add(messages.text("path.delays"), path.of(PathPart::launch) + path.of(PathPart::step));
    add(messages.text("path.calls"), path.of(PathPart::call));
    add(messages.text("path.work"), path.of(PathPart::work) + path.of(PathPart::handover));
    add(messages.text("path.inferred"), path.of(PathPart::inferred));
    add(messages.text("path.between"), path.of(PathPart::between));
    for (const auto& [name, time] : between_by_range(graph, path)) {
        add(messages.format({"path.between_in", {{"range", std::string(name)}}}), time);
    }
    const auto tally = python_places(graph, path.parts);
    for (const auto& [place, count] : tally.by_count(shown_places)) {
        table.add({messages.format({"path.python", {{"place", std::string(trace.text(place))}}}),
            messages.format({"path.samples", {{"count", std::to_string(count)}, {"all", std::to_string(tally.all)}}}),
            ""});
    }
    add(messages.text("path.unknown"), path.of(PathPart::unknown));
    const auto slack_text = [&](Ns time, std::optional<Ns> slack) {
        return !slack || time != 0 ? ""
            : *slack == 0          ? messages.text("path.no_slack")
                                   : messages.format({"path.slack", {{"time", shown_time(*slack)}}});
    };
    TextTable names("lrrrl");
    for (std::size_t i = 0; i < std::min(path.names.size(), shown_names); ++i) {
        const auto& name = path.names[i];
        names.add({printable(shown_name(trace, name.table, name.name)), std::to_string(name.count) + "×",
            shown_time(name.time), shown_share(static_cast<double>(name.time) / static_cast<double>(whole)),
            slack_text(name.time, name.slack)});
    }
    TextTable lanes("lrrl");
    for (std::size_t i = 0; i < std::min(path.lanes.size(), shown_names); ++i) {
        const auto& lane = path.lanes[i];
        lanes.add({lane.is_stream ? stream_label(trace, lane.lane) : messages.format(thread_message(trace, lane.lane)),
            shown_time(lane.time), shown_share(static_cast<double>(lane.time) / static_cast<double>(whole)),
            slack_text(lane.time, lane.slack)});
    }
    const auto sampled = tally.all == 0
        ? std::string()
        : messages.format({"path.sampled", {{"interval", shown_time(graph.sampled().interval())}}}) + '\n';
    return '\n' + messages.text("path.title") + '\n' + table.text() + sampled + messages.text("path.names") + '\n'
        + names.text() + messages.text("path.lanes") + '\n' + lanes.text();
}

}  // namespace lanes
