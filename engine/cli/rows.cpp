// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/why.h"
#include "engine/analysis/query/event_list.h"
#include "engine/analysis/query/query_matcher.h"
#include "engine/analysis/words/json_writer.h"
#include "engine/analysis/words/names.h"
#include "engine/analysis/words/refused.h"
#include "engine/analysis/words/shown.h"
#include "engine/analysis/words/text_table.h"
#include "engine/cli/commands.h"
#include "engine/cli/option_values.h"
#include "engine/input_error.h"
#include "engine/trace/event.h"

#include <algorithm>
#include <CLI/CLI.hpp>
#include <memory>

namespace lanes {

namespace {

struct RowTable {
    const char* word;
    EventTable table;
};
constexpr std::array row_tables {RowTable {"operations", EventTable::operations}, RowTable {"calls", EventTable::calls},
    RowTable {"ranges", EventTable::ranges}};

struct RowsWanted {
    std::string file, table, query, range, sort = "length";
    std::size_t limit = 20;
    JsonForm json = {};
};

Query query_of(const std::string& text)
{
    try {
        return Query::parse(text);
    } catch (const QueryError& error) {
        throw InputError(std::string("--query: ") + error.what());
    }
}

/// What the query finds in the table and the part, in the order that is asked for.
std::vector<EventRef> found(const Trace& trace, const Blocking& blocking, const RowsWanted& wanted)
{
    const auto query = query_of(wanted.query);
    const auto* const of = std::find_if(
        row_tables.begin(), row_tables.end(), [&](const RowTable& each) { return each.word == wanted.table; });
    const auto part = range_of(wanted.range, trace).value_or(Interval {0, trace.duration});
    const QueryMatcher matcher(query, trace, &blocking);
    const EventList list(trace, [&](EventRef event) {
        const auto [start, end] = span_of(trace, event);
        const bool is_inner = event.table == EventTable::calls && trace.calls.outer[event.row] != no_row;
        return event.table == of->table && !is_inner && start <= part.end && end >= part.start
            && matcher.matches(event);
    });
    std::vector<EventRef> events(list.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
        events[i] = list[i];
    }
    if (wanted.sort == "length") {
        const auto length = [&](EventRef event) {
            const auto [start, end] = span_of(trace, event);
            return end - start;
        };
        std::stable_sort(events.begin(), events.end(), [&](EventRef a, EventRef b) { return length(a) > length(b); });
    }
    return events;
}

std::string rows_json(const Trace& trace, const Blocking& blocking, const std::vector<EventRef>& events,
    const RowsWanted& wanted, const Messages& messages)
{
    const auto shown = std::min(events.size(), wanted.limit);
    JsonWriter json;
    json.begin_object().field("schema", json_schema).field("table", std::string_view(wanted.table));
    json.field("query", std::string_view(wanted.query)).field("sort", std::string_view(wanted.sort));
    json.field("of", std::uint64_t {events.size()}).key("rows").begin_array();
    for (std::size_t i = 0; i < shown; ++i) {
        const auto event = events[i];
        json.begin_object().key("event");
        write_event(json, trace, event);
        json.field("bytes", bytes_of(trace, event)).key("blocked_ns");
        event.table == EventTable::calls&& blocking.known ? json.value(blocking.time_of(event.row)) : json.null();
        json.end_object();
    }
    json.end_array();
    if (shown < events.size()) {
        write_cut(json, "rows", shown, events.size(), "--limit " + std::to_string(events.size()));
    }
    write_refused(json, events.empty() ? std::vector {refused("rows", "no_row")} : std::vector<Refused> {}, messages);
    return json.end_object().take();
}

std::string rows_text(const Trace& trace, const Blocking& blocking, const std::vector<EventRef>& events,
    std::size_t limit, const Messages& messages)
{
    if (events.empty()) {
        return messages.text("refused.no_row") + '\n';
    }
    TextTable table("lrrrrll");
    std::vector<std::string> head;
    for (const char* id : {"id", "start", "length", "bytes", "blocked", "lane", "name"}) {
        head.push_back(messages.text(std::string("rows.") + id));
    }
    table.add(std::move(head));
    for (std::size_t i = 0; i < std::min(events.size(), limit); ++i) {
        const auto event = events[i];
        const auto [start, end] = span_of(trace, event);
        const Row lane = lane_of(trace, event);
        const auto bytes = bytes_of(trace, event);
        table.add({row_id(event), exact_time(start), exact_time(end - start), bytes > 0 ? shown_bytes(bytes) : "",
            event.table == EventTable::calls && blocking.known ? shown_time(blocking.time_of(event.row)) : "",
            lane == no_row                              ? ""
                : event.table == EventTable::operations ? lane_text(trace, trace.streams[lane])
                                                        : lane_text(trace, trace.threads[lane]),
            printable(trace.text(name_of(trace, event)))});
    }
    auto text = table.text();
    if (events.size() > limit) {
        text += messages.format(
                    {"rows.more", {{"shown", std::to_string(limit)}, {"count", std::to_string(events.size())}}})
            + '\n';
    }
    return text;
}

}  // namespace

void add_rows(CLI::App& app, CommandContext& context)
{
    const auto wanted = std::make_shared<RowsWanted>();
    auto* const command = app.add_subcommand("rows", "List the operations, calls or ranges that a query finds");
    add_recording(*command, wanted->file);
    std::vector<std::string> tables;
    for (const auto& each : row_tables) {
        tables.emplace_back(each.word);
    }
    command->add_option("TABLE", wanted->table, "operations, calls or ranges")->required()->check(one_of(tables));
    command->add_option("--query", wanted->query, "Only what this finds, in the search language of the window")
        ->type_name("QUERY");
    add_range(*command, wanted->range);
    command->add_option("--limit", wanted->limit, "Number of rows (default: 20)")
        ->type_name("N")
        ->check(whole_number(1, 1'000'000));
    command->add_option("--sort", wanted->sort, "The longest first (length), or in the order of time (start)")
        ->type_name("ORDER")
        ->check(one_of({"length", "start"}));
    add_json(*command, wanted->json, "Print JSON, with times in ns");
    add_language(*command, context);
    command->footer(
        "A QUERY is words and keys that must all hold, with or, not and parentheses: name:gemm, lane:copy,\n"
        "stream:7, thread:main, kind:h2d, family:matmul, dur>1ms, bytes>=64MiB, at<2s, blocked>10us.\n\n"
        "  lanes rows run.sqlite operations --query 'lane:copy dur>1ms' --limit 50\n"
        "  lanes rows run.sqlite calls --query 'kind:blocked' --json\n"
        "  lanes why run.sqlite --row call:17");
    command->callback([wanted, &context] {
        const auto trace = open_input(wanted->file);
        const auto blocking = find_blocking(trace);
        const auto events = found(trace, blocking, *wanted);
        print(wanted->json ? wanted->json.line_of(
                  rows_json(trace, blocking, events, *wanted, context.json_messages()), wanted->limit)
                           : rows_text(trace, blocking, events, wanted->limit, context.messages()));
    });
}

}  // namespace lanes
