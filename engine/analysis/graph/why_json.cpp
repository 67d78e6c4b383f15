// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/why.h"
#include "engine/analysis/words/event_id.h"
#include "engine/analysis/words/json_writer.h"
#include "engine/analysis/words/refused.h"
#include "engine/trace/collective_call.h"
#include "engine/trace/event.h"

#include <algorithm>

namespace lanes {

void write_event(JsonWriter& json, const Trace& trace, EventRef event)
{
    if (!event) {
        json.null();
        return;
    }
    const auto [start, end] = span_of(trace, event);
    json.begin_object().field("id", row_id(event)).field("kind", name_of(kind_of(trace, event)));
    json.field("name", trace.text(name_of(trace, event))).field("start_ns", start).field("end_ns", end);
    json.field("correlation", correlation_of(trace, event));
    const Row lane = lane_of(trace, event);
    if (event.table == EventTable::operations) {
        json.field("stream", trace.streams[lane].id);
    } else if (lane != no_row) {
        json.field("thread", trace.threads[lane].id);
    }
    json.end_object();
}

void write_owner(JsonWriter& json, const Owners& owners, const Owner& owner)
{
    const auto text = [&](std::string_view key, std::string_view value) {
        json.key(key);
        value.empty() ? json.null() : json.value(value);
    };
    json.begin_object();
    for (const auto part : owner_parts) {
        text(name_of(part), owners.text(owner, part));
    }
    text("from", name_of(owner.from));
    text("missing", name_of(owner.missing));
    json.end_object();
}

void write_collectives(JsonWriter& json, const Graph& graph, Row operation)
{
    const Trace& trace = graph.trace();
    const auto calls = collective_ranges(trace, graph.owners(), operation);
    if (calls.empty()) {
        return;
    }
    json.key("collectives").begin_array();
    for (const Row range : calls) {
        const auto call = *collective_call(trace, range);
        const auto number = [&](std::string_view key, std::optional<std::uint64_t> value) {
            json.key(key);
            value ? json.value(*value) : json.null();
        };
        const auto text = [&](std::string_view key, std::string_view value) {
            json.key(key);
            value.empty() ? json.null() : json.value(value);
        };
        json.begin_object().field("function", call.function);
        text("communicator", call.communicator);
        number("call", call.call);
        number("bytes", call.bytes);
        text("op", call.operation);
        number("root", call.root);
        number("peer", call.peer);
        json.end_object();
    }
    json.end_array();
}

namespace {

constexpr std::size_t most_waits = 100, most_chain = 12, most_shares = 50;

void write_parts(JsonWriter& json, const Graph& graph, const std::vector<PathPart>& parts, bool with_owners = false)
{
    json.begin_array();
    for (const auto& part : parts) {
        json.begin_object().field("kind", name_of(part.kind));
        json.field("start_ns", part.span.start).field("end_ns", part.span.end).key("cause");
        part.kind == PathPart::launch || part.kind == PathPart::step ? json.value(name_of(part.cause)) : json.null();
        json.key("event");
        write_event(json, graph.trace(), part.event);
        if (with_owners && part.event.table == EventTable::operations) {
            json.key("owner");
            write_owner(json, graph.owners(), graph.owners().of(part.event.row));
            write_collectives(json, graph, part.event.row);
        }
        json.end_object();
    }
    json.end_array();
}

void write_starts(JsonWriter& json, const Graph& graph, Interval range)
{
    struct Sum {
        std::uint64_t count = 0;
        Ns ready = 0;
    };
    std::array<Sum, start_cause_count> sums;
    const auto& ops = graph.trace().operations;
    for (Row row = 0; row < ops.size(); ++row) {
        if (ops.start[row] >= range.start && ops.start[row] <= range.end) {
            auto& sum = sums[static_cast<std::size_t>(graph.starts().cause(row))];
            ++sum.count;
            sum.ready += graph.starts().ready_time(row);
        }
    }
    json.key("starts").begin_object();
    for (std::size_t cause = 0; cause < start_cause_count; ++cause) {
        json.key(name_of(static_cast<StartCause>(cause))).begin_object();
        json.field("count", sums[cause].count).field("ready_ns", sums[cause].ready).end_object();
    }
    json.end_object();
}

void write_waits(JsonWriter& json, const Graph& graph, Interval range)
{
    const auto& trace = graph.trace();
    const auto& stretches = graph.blocking().calls;
    json.key("waits");
    if (!graph.blocking().known) {
        json.null();
        return;
    }
    std::vector<Row> rows;
    for (Row row = 0; row < stretches.size(); ++row) {
        if (stretches[row].start < range.end && stretches[row].end > range.start) {
            rows.push_back(row);
        }
    }
    const auto length = [&](Row row) { return stretches[row].end - stretches[row].start; };
    std::stable_sort(rows.begin(), rows.end(), [&](Row a, Row b) { return length(a) > length(b); });
    const auto all = rows.size();
    rows.resize(std::min(rows.size(), most_waits));
    json.begin_array();
    for (const Row row : rows) {
        const auto& stretch = stretches[row];
        const EventRef call {EventTable::calls, stretch.call};
        json.begin_object().field("id", wait_id(row)).field("cause", name_of(stretch.cause));
        json.field("start_ns", stretch.start).field("end_ns", stretch.end).key("call");
        write_event(json, trace, call);
        json.key("released_by");
        write_event(json, trace,
            graph.released_by(row) == no_row ? EventRef {} : EventRef {EventTable::operations, graph.released_by(row)});
        json.key("chain");
        write_parts(json, graph, path_back(graph, {call, stretch.end}, 0, most_chain));
        json.end_object();
    }
    json.end_array();
    if (rows.size() < all) {
        write_cut(json, "waits", rows.size(), all, "lanes rows FILE calls --query kind:blocked");
    }
}

/// Where Python was between calls, by samples; null: they were not taken.
void write_places(JsonWriter& json, const Graph& graph, const PlaceTally& tally)
{
    if (graph.sampled().interval() == 0) {
        json.null();
        return;
    }
    json.begin_object().field("interval_ns", graph.sampled().interval()).field("samples", tally.all);
    json.key("places").begin_array();
    for (const auto& [place, count] : tally.by_count(most_shares)) {
        json.begin_object().field("name", graph.trace().text(place)).field("samples", count).end_object();
    }
    json.end_array().end_object();
}

void write_path(JsonWriter& json, const Graph& graph, Interval range)
{
    const auto& trace = graph.trace();
    const auto path = critical_path(graph, range);
    json.key("critical_path");
    if (path.parts.empty()) {
        json.null();
        return;
    }
    json.begin_object().key("range_ns").begin_array().value(path.range.start).value(path.range.end).end_array();
    for (std::size_t kind = 0; kind < path_kinds; ++kind) {
        json.field(std::string(name_of(static_cast<PathPart::Kind>(kind))) + "_ns", path.by_kind[kind]);
    }
    json.field("unexplained_ns", path.unexplained).key("lanes").begin_array();
    for (std::size_t i = 0; i < std::min(path.lanes.size(), most_shares); ++i) {
        const auto& lane = path.lanes[i];
        json.begin_object();
        if (lane.is_stream) {
            const auto& stream = trace.streams[lane.lane];
            json.field("stream", stream.id).field("process", stream.process).field("context", stream.context);
        } else {
            const auto& thread = trace.threads[lane.lane];
            json.field("thread", thread.id).field("process", thread.process);
        }
        json.field("time_ns", lane.time).field("slack_ns", lane.slack).end_object();
    }
    json.end_array().key("names").begin_array();
    for (std::size_t i = 0; i < std::min(path.names.size(), most_shares); ++i) {
        const auto& name = path.names[i];
        json.begin_object().field("name", shown_name(trace, name.table, name.name)).field("count", name.count);
        json.field("time_ns", name.time).field("slack_ns", name.slack).end_object();
    }
    json.end_array().key("python");
    write_places(json, graph, python_places(graph, path.parts));
    json.end_object();
}

}  // namespace

std::string why_json(const Graph& graph, const std::vector<PathPart>& parts, const Messages& messages)
{
    JsonWriter json;
    json.begin_object().field("schema", json_schema).key("chain");
    write_parts(json, graph, parts, true);
    json.key("lines").begin_array();
    for (const auto& line : why_lines(graph, parts)) {
        json.begin_object().field("start_ns", line.span.start).field("end_ns", line.span.end);
        json.field("text", std::string_view(messages.format(line.text))).end_object();
    }
    json.end_array();
    write_refused(
        json, parts.empty() ? std::vector {refused("chain", "nothing_recorded")} : std::vector<Refused> {}, messages);
    return json.end_object().take();
}

void write_why(JsonWriter& json, const Graph& graph, Interval range)
{
    write_starts(json, graph, range);
    write_waits(json, graph, range);
    write_path(json, graph, range);
}

}  // namespace lanes
