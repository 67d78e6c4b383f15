// SPDX-License-Identifier: MIT
#include "engine/analysis/compare/changes.h"
#include "engine/analysis/words/json_writer.h"
#include "engine/analysis/words/shown.h"
#include "engine/analysis/words/text_table.h"

#include <algorithm>
#include <cstdlib>

namespace lanes {

namespace {

std::string changes_title(const ComparedParts& parts, const Messages& messages)
{
    const char* id = !parts.iterations   ? "change.title"
        : parts.count_a == parts.count_b ? "change.title_of_iterations"
                                         : "change.title_of_other_iterations";
    const auto title = messages.format({id,
        {{"a", std::to_string(parts.number_a)}, {"b", std::to_string(parts.number_b)},
            {"count_a", std::to_string(parts.count_a)}, {"count_b", std::to_string(parts.count_b)},
            {"time_a", shown_time(parts.a.end - parts.a.start)}, {"time_b", shown_time(parts.b.end - parts.b.start)}}});
    return !parts.hides_the_average() ? title
                                      : title + ". "
            + messages.format(
                {"change.average", {{"time_a", shown_time(parts.average_a)}, {"time_b", shown_time(parts.average_b)}}});
}

std::string more_text(Ns more)
{
    return (more > 0 ? "+" : "") + shown_time(more);
}

Ns difference_of(const ComparedParts& parts)
{
    return (parts.b.end - parts.b.start) - (parts.a.end - parts.a.start);
}

}  // namespace

std::string note_text(const CauseOfChange& change, const Messages& messages)
{
    if (change.kind == CauseOfChange::moved) {
        return change.from + " → " + change.to;
    }
    // What is still called, only off the path, is not gone.
    const std::string_view key = change.note == CauseOfChange::gone && change.count_b > 0 ? "left"
        : change.note == CauseOfChange::came && change.count_a > 0                        ? "joined"
                                                                                          : name_of(change.note);
    const bool is_equal = change.note == CauseOfChange::equal;
    const auto note = is_equal ? std::string() : messages.text("change.note." + std::string(key));
    if (change.count_a + change.count_b == 0) {
        return note;
    }
    const auto counts = messages.format({change.count_a == change.count_b ? "change.as_many" : "change.counts",
        {{"a", std::to_string(change.count_a)}, {"b", std::to_string(change.count_b)}}});
    return is_equal ? counts : messages.format({"change.noted", {{"note", note}, {"counts", counts}}});
}

std::string changes_text(
    const ComparedParts& parts, const std::vector<CauseOfChange>& changes, const Messages& messages)
{
    if (changes.empty()) {
        return {};
    }
    std::string text = '\n' + changes_title(parts, messages) + '\n';
    TextTable table("lrrrl");
    auto kind = CauseOfChange::waterfall;
    const auto flush = [&] {
        if (!table.empty()) {
            if (kind == CauseOfChange::waterfall) {
                table.add({messages.text("change.part.sum"), shown_time(parts.a.end - parts.a.start),
                    shown_time(parts.b.end - parts.b.start), more_text(difference_of(parts)), ""});
            }
            text += messages.text("change.kind." + std::string(name_of(kind))) + '\n' + table.text();
        }
        table = TextTable("lrrrl");
    };
    for (const auto& change : changes) {
        if (change.kind != kind) {
            flush();
            kind = change.kind;
        }
        table.add({messages.format(change.what), shown_time(change.a), shown_time(change.b),
            more_text(change.b - change.a), note_text(change, messages)});
    }
    flush();
    return text;
}

std::string changes_markdown(
    const ComparedParts& parts, const std::vector<CauseOfChange>& changes, const Messages& messages)
{
    if (changes.empty()) {
        return {};
    }
    std::string text
        = '\n' + changes_title(parts, messages) + "\n\n| | | A | B | B − A | |\n|---|---|---:|---:|---:|---|\n";
    // Of names all that differ are found: a pull request needs those that matter, as of the other kinds.
    const Ns least = std::max(parts.a.end - parts.a.start, parts.b.end - parts.b.start) / 100;
    for (const auto& change : changes) {
        const bool is_by_name = change.kind == CauseOfChange::operation || change.kind == CauseOfChange::range;
        if (is_by_name && std::abs(change.b - change.a) < least) {
            continue;
        }
        text += "| " + messages.text("change.kind." + std::string(name_of(change.kind))) + " | "
            + markdown_cell(messages.format(change.what)) + " | " + shown_time(change.a) + " | " + shown_time(change.b)
            + " | " + more_text(change.b - change.a) + " | " + markdown_cell(note_text(change, messages)) + " |\n";
    }
    return text;
}

void write_changes(
    JsonWriter& json, const ComparedParts& parts, const std::vector<CauseOfChange>& changes, const Messages& messages)
{
    json.key("changes").begin_object().field("iterations", parts.iterations);
    json.key("a_ns").begin_array().value(parts.a.start).value(parts.a.end).end_array();
    json.key("b_ns").begin_array().value(parts.b.start).value(parts.b.end).end_array();
    if (parts.iterations) {
        json.key("iteration_counts").begin_array().value(std::uint64_t {parts.count_a});
        json.value(std::uint64_t {parts.count_b}).end_array();
        json.key("average_ns").begin_array().value(parts.average_a).value(parts.average_b).end_array();
    }
    json.key("all").begin_array();
    for (const auto& change : changes) {
        json.begin_object().field("kind", name_of(change.kind)).field("note", name_of(change.note));
        json.field("text", std::string_view(messages.format(change.what)));
        json.field("a_ns", change.a).field("b_ns", change.b);
        if (change.kind == CauseOfChange::moved) {
            json.field("from", std::string_view(change.from)).field("to", std::string_view(change.to));
        }
        if (change.count_a + change.count_b > 0) {
            json.field("a_count", change.count_a).field("b_count", change.count_b);
        }
        json.end_object();
    }
    json.end_array().end_object();
}

}  // namespace lanes
