// SPDX-License-Identifier: MIT
// A summary as JSON, CSV and lines of a terminal.
#include "engine/analysis/summary/summary.h"
#include "engine/analysis/words/event_id.h"
#include "engine/analysis/words/json_writer.h"
#include "engine/analysis/words/refused.h"
#include "engine/analysis/words/shown.h"
#include "engine/analysis/words/text_table.h"
#include "engine/trace/csv.h"
#include "engine/trace/utf8.h"

#include <algorithm>
#include <numeric>

namespace lanes {

namespace {

bool moves(const Summary& summary)
{
    return summary.by == SummaryBy::copy;
}

bool nests(const Summary& summary)
{
    return summary.by == SummaryBy::range;
}

/// Whether a table of this kind says when no kernel hid its rows: one that copies or communicates.
bool has_exposed(const Summary& summary)
{
    return std::any_of(
        summary.rows.begin(), summary.rows.end(), [](const SummaryRow& row) { return row.exposed.has_value(); });
}

bool is_by_owner(const Summary& summary)
{
    return summary.by >= SummaryBy::owner;
}

/// How many operations have an owner, and why the others have none.
std::string owned_text(const Summary& summary, const Messages& messages)
{
    const auto all = summary.count();
    const auto none = std::accumulate(summary.missing.begin(), summary.missing.end(), std::uint64_t {0});
    std::string text
        = messages.format({"summary.owned", {{"owned", std::to_string(all - none)}, {"all", std::to_string(all)}}});
    for (std::size_t i = 0; i < summary.missing.size(); ++i) {
        if (summary.missing[i] > 0) {
            text += "\n"
                + messages.format({"summary.missing_" + std::string(name_of(owner_misses[i])),
                    {{"count", std::to_string(summary.missing[i])}}});
        }
    }
    return text + '\n';
}

/// Bytes a second, over the row's total time; "" if that is 0.
std::string average_rate(const SummaryRow& row)
{
    const double seconds = static_cast<double>(row.total) / 1e9;
    return seconds <= 0 ? "" : shown_rate(static_cast<double>(row.bytes) / seconds);
}

/// Names of kernels can be hundreds of letters long: the middle, which says least, is cut.
std::string shown_name(const std::string& name)
{
    constexpr std::size_t most = 72, head = 44, tail = 25;
    std::string text = printable(name);
    if (text.size() <= most) {
        return text;
    }
    const auto boundary = [&](std::size_t at) {
        while (at < text.size() && continues_utf8(text[at])) {
            ++at;
        }
        return at;
    };
    return text.substr(0, boundary(head)) + "…" + text.substr(boundary(text.size() - tail));
}

std::vector<std::string> head_of(const Summary& summary, const Messages& messages)
{
    std::vector<std::string> cells;
    for (const char* id : {"name", "count", "total", "share", "mean", "median", "min", "max"}) {
        cells.push_back(messages.text(std::string("summary.") + id));
    }
    if (nests(summary)) {  // its share is of that
        cells.insert(cells.begin() + 3, messages.text("summary.own"));
    }
    if (moves(summary)) {
        cells.insert(cells.end(), {messages.text("summary.bytes"), messages.text("summary.rate")});
    } else if (summary.by == SummaryBy::api) {
        cells.insert(cells.end(), {messages.text("summary.blocked"), messages.text("report.held")});
    }
    if (has_exposed(summary)) {
        cells.push_back(messages.text("summary.exposed"));
    }
    return cells;
}

std::vector<std::string> cells_of(const Summary& summary, const SummaryRow& row, const Messages& messages)
{
    const std::string unnamed = is_by_owner(summary) ? "no_" + std::string(name_of(summary.by)) : "unnamed";
    std::vector<std::string> cells {row.name.empty() ? messages.text("summary." + unnamed) : shown_name(row.name),
        std::to_string(row.count), shown_time(row.total), shown_share(summary.share(row)), shown_time(row.mean()),
        shown_time(row.median), shown_time(row.min), shown_time(row.max)};
    if (nests(summary)) {
        cells.insert(cells.begin() + 3, shown_time(row.own));
    }
    if (moves(summary)) {
        cells.insert(cells.end(), {shown_bytes(row.bytes), average_rate(row)});
    } else if (summary.by == SummaryBy::api) {
        for (const auto& time : {row.blocked, row.held}) {
            cells.push_back(time ? shown_time(*time) : "–");
        }
    }
    if (has_exposed(summary)) {
        cells.push_back(row.exposed ? shown_time(*row.exposed) : "–");
    }
    return cells;
}

/// The shortest number that reads back as the same, in every locale.
std::string exact(double number)
{
    JsonWriter json;
    json.value(number);
    return json.take();
}

/// The GPU or process of the counter.
std::string owner_of(const CounterRow& row, bool several_processes, const Messages& messages)
{
    std::string text;
    if (row.device != no_id) {
        text = messages.format({"summary.of_gpu", {{"number", std::to_string(row.device)}}});
    }
    if (several_processes || row.device == no_id) {
        text += (text.empty() ? "" : ", ")
            + messages.format({"summary.of_process", {{"number", std::to_string(row.process)}}});
    }
    return text;
}

void write_counters(JsonWriter& json, const CounterSummary& counters)
{
    json.begin_object().field("by", "counter").key("rows").begin_array();
    for (const CounterRow& row : counters.rows) {
        json.begin_object().field("name", std::string_view(row.name));
        json.field("process", std::int64_t {row.process}).key("gpu");
        if (row.device == no_id) {
            json.null();
        } else {
            json.value(std::int64_t {row.device});
        }
        json.field("unit", name_of(row.unit)).field("count", row.samples).field("min", row.min);
        json.field("mean", row.mean).field("max", row.max).field("last", row.last).end_object();
    }
    json.end_array().end_object();
}

std::string counters_text(const CounterSummary& counters, const Messages& messages)
{
    TextTable table("llr");
    std::vector<std::string> head;
    for (const char* id : {"name", "of", "samples", "least", "mean", "most", "last"}) {
        head.push_back(messages.text(std::string("summary.") + id));
    }
    table.add(std::move(head));
    for (const CounterRow& row : counters.rows) {
        const auto shown = [&](double value) { return shown_value(value, row.unit); };
        table.add({row.name.empty() ? messages.text("summary.unnamed") : shown_name(row.name),
            owner_of(row, counters.several_processes, messages), std::to_string(row.samples), shown(row.min),
            shown(row.mean), shown(row.max), shown(row.last)});
    }
    return table.text();
}

}  // namespace

std::string to_json(
    const std::vector<Summary>& summaries, Interval range, const CounterSummary* counters, const Messages& messages)
{
    JsonWriter json;
    json.begin_object().field("schema", json_schema).key("range_ns").begin_array();
    json.value(range.start).value(range.end).end_array().key("tables").begin_array();
    for (const Summary& summary : summaries) {
        json.begin_object().field("by", name_of(summary.by)).field("total_ns", summary.total).key("rows").begin_array();
        for (const SummaryRow& row : summary.rows) {
            json.begin_object().field("name", std::string_view(row.name)).field("count", row.count);
            json.field("total_ns", row.total);
            if (nests(summary)) {
                json.field("self_ns", row.own);
            }
            json.field("share", summary.share(row)).field("mean_ns", row.mean());
            json.field("median_ns", row.median).field("min_ns", row.min).field("max_ns", row.max);
            json.field("longest", std::string_view(row_id(row.longest)));
            if (moves(summary)) {
                json.field("bytes", row.bytes);
            } else if (summary.by == SummaryBy::api) {
                json.field("blocked_ns", row.blocked).field("held_ns", row.held);
            }
            if (row.family) {
                json.field("family", word_of(*row.family)).field("exposed_ns", row.exposed);
            }
            json.end_object();
        }
        json.end_array();
        if (is_by_owner(summary)) {
            json.key("no_owner").begin_object();
            for (std::size_t i = 0; i < summary.missing.size(); ++i) {
                json.field(name_of(owner_misses[i]), summary.missing[i]);
            }
            json.end_object();
        }
        json.end_object();
    }
    if (counters != nullptr) {
        write_counters(json, *counters);
    }
    json.end_array();
    std::vector<Refused> all;
    for (const Summary& summary : summaries) {
        if (summary.rows.empty()) {
            all.push_back(refused("tables." + std::string(name_of(summary.by)), "none_recorded"));
        }
    }
    if (counters != nullptr && counters->rows.empty()) {
        all.push_back(refused("tables.counter", "none_recorded"));
    }
    write_refused(json, all, messages);
    return json.end_object().take();
}

std::string to_csv(const std::vector<Summary>& summaries, const CounterSummary* counters)
{
    const std::string others = counters != nullptr ? ",,,,,,,\r\n" : "\r\n";  // cells of counters alone
    std::string text = "by,name,count,total_ns,share,mean_ns,median_ns,min_ns,max_ns,bytes,blocked_ns,held_ns,family,"
                       "self_ns,exposed_ns";
    text += counters != nullptr ? ",process,gpu,unit,min,mean,max,last\r\n" : "\r\n";
    for (const Summary& summary : summaries) {
        for (const SummaryRow& row : summary.rows) {
            text += std::string(name_of(summary.by)) + ',' + csv_field(row.name) + ',' + std::to_string(row.count) + ','
                + std::to_string(row.total) + ',' + exact(summary.share(row)) + ',' + std::to_string(row.mean()) + ','
                + std::to_string(row.median) + ',' + std::to_string(row.min) + ',' + std::to_string(row.max) + ','
                + (moves(summary) ? std::to_string(row.bytes) : "") + ','
                + (row.blocked ? std::to_string(*row.blocked) : "") + ',' + (row.held ? std::to_string(*row.held) : "")
                + ',' + std::string(row.family ? word_of(*row.family) : "") + ','
                + (nests(summary) ? std::to_string(row.own) : "") + ','
                + (row.exposed ? std::to_string(*row.exposed) : "") + others;
        }
    }
    for (const CounterRow& row : counters != nullptr ? counters->rows : std::vector<CounterRow>()) {
        text += "counter," + csv_field(row.name) + ',' + std::to_string(row.samples) + ",,,,,,,,,,,,,"
            + std::to_string(row.process) + ',' + (row.device == no_id ? "" : std::to_string(row.device)) + ','
            + std::string(name_of(row.unit)) + ',' + exact(row.min) + ',' + exact(row.mean) + ',' + exact(row.max) + ','
            + exact(row.last) + "\r\n";
    }
    return text;
}

std::string to_text(const std::vector<Summary>& summaries, const Messages& messages, const CounterSummary* counters)
{
    const auto tables = summaries.size() + (counters != nullptr ? 1 : 0);
    std::string text;
    for (const Summary& summary : summaries) {
        if (summary.rows.empty() && tables > 1) {
            continue;
        }
        text += (text.empty() ? "" : "\n") + messages.text("summary." + std::string(name_of(summary.by))) + '\n';
        if (summary.rows.empty()) {
            text += "  " + messages.text("summary.none") + '\n';
            continue;
        }
        TextTable table("lr");
        table.add(head_of(summary, messages));
        for (const SummaryRow& row : summary.rows) {
            table.add(cells_of(summary, row, messages));
        }
        text += table.text();
        text += is_by_owner(summary) ? owned_text(summary, messages) : "";
    }
    if (counters != nullptr && !counters->rows.empty()) {
        text += (text.empty() ? "" : "\n") + messages.text("summary.counter") + '\n'
            + counters_text(*counters, messages);
    } else if (counters != nullptr && tables == 1) {
        text = messages.text("summary.counter") + "\n  " + messages.text("summary.none") + '\n';
    }
    return text.empty() ? messages.text("summary.none") + '\n' : text;
}

}  // namespace lanes
