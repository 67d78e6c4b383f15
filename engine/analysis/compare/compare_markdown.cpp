// SPDX-License-Identifier: MIT
#include "engine/analysis/compare/gate.h"
#include "engine/analysis/words/json_writer.h"
#include "engine/analysis/words/shown.h"
#include "engine/analysis/words/text_table.h"

#include <algorithm>
#include <cmath>

namespace lanes {

namespace {

std::string side_cell(const std::optional<Spread>& figure)
{
    if (!figure) {
        return "–";
    }
    auto text = shown_time(figure->median);
    if (figure->least != figure->most) {
        text += " (" + shown_time(figure->least) + " … " + shown_time(figure->most) + ")";
    }
    return text;
}

std::string change_cell(const std::optional<Spread>& a, const std::optional<Spread>& b)
{
    if (!a || !b) {
        return "–";
    }
    const Ns change = b->median - a->median;
    auto text = (change > 0 ? "+" : "") + shown_time(change);
    if (a->median != 0 && change != 0) {
        text += " (" + shown_change(100. * static_cast<double>(change) / static_cast<double>(a->median), 1) + ")";
    }
    return text;
}

void write_side(JsonWriter& json, const ComparedSide& side)
{
    json.begin_object().field("recordings", std::uint64_t {side.runs.size()}).key("figures").begin_object();
    for (std::size_t figure = 0; figure < side_figures; ++figure) {
        json.key(side_figure_name(figure));
        if (const auto& of = side.figures[figure]) {
            json.begin_array().value(of->least).value(of->median).value(of->most).end_array();
        } else {
            json.null();
        }
    }
    json.end_object().end_object();
}

}  // namespace

void write_sides(JsonWriter& json, const ComparedSide& a, const ComparedSide& b, const std::vector<Judged>& judged)
{
    json.key("sides").begin_object().key("a");
    write_side(json, a);
    json.key("b");
    write_side(json, b);
    json.end_object();
    if (judged.empty()) {
        return;
    }
    bool holds = true;
    for (const auto& each : judged) {
        holds = holds && each.holds;
    }
    json.key("gate").begin_object().field("holds", holds).key("limits").begin_array();
    for (const auto& each : judged) {
        json.begin_object().field("limit", std::string_view(each.limit.text)).field("a_ns", each.a);
        json.field("b_ns", each.b).field("holds", each.holds).field("within_spread", each.within_spread).end_object();
    }
    json.end_array().end_object();
}

std::vector<Message> side_messages(const ComparedSide& a, const ComparedSide& b)
{
    std::vector<Message> all;
    for (const auto* side : {&a, &b}) {
        if (side->runs.size() > 1 && side->figures[0]) {
            all.push_back({"compare.runs",
                {{"side", side == &a ? "A" : "B"}, {"count", std::to_string(side->runs.size())},
                    {"least", shown_time(side->figures[0]->least)}, {"most", shown_time(side->figures[0]->most)}}});
        }
    }
    if (within_spread(a, b, 0)) {
        all.push_back({"compare.within_spread", {}});
    }
    return all;
}

std::string sides_to_markdown(const ComparedSide& a, const ComparedSide& b, const std::vector<Judged>& judged,
    const Messages& messages, const ComparedParts& parts)
{
    const auto gpus = std::max(a.runs[a.shown].report.gpus.size(), b.runs[b.shown].report.gpus.size());
    const std::array<const char*, side_figures> words {"report.wall", "compare.iteration", busy_label(gpus),
        "compare.idle", overlap_label(gpus), "report.copy_hidden", "report.copy_exposed", "compare.cpu_blocked",
        "compare.cpu_held", "compare.cpu_held_cost", "report.cpu_free"};
    const auto heading = [](const ComparedSide& side, const char* letter) {
        return std::string(letter) + ": " + markdown_cell(side.name.empty() ? side.runs[side.shown].name : side.name)
            + (side.runs.size() > 1 ? " × " + std::to_string(side.runs.size()) : "");
    };
    std::string text = "| | " + heading(a, "A") + " | " + heading(b, "B") + " | B − A |\n|---|---:|---:|---:|\n";
    for (std::size_t figure = 0; figure < side_figures; ++figure) {
        if (a.figures[figure] || b.figures[figure]) {
            text += "| " + messages.text(words[figure]) + " | " + side_cell(a.figures[figure]) + " | "
                + side_cell(b.figures[figure]) + " | " + change_cell(a.figures[figure], b.figures[figure]) + " |\n";
        }
    }
    std::string notes;
    for (const auto& difference : work_differences(a.runs[a.shown].report, b.runs[b.shown].report, parts)) {
        notes += "\n- "
            + markdown_cell(messages.format({"compare.different_work", {{"what", messages.format(difference)}}}));
    }
    if (const auto counts = other_iteration_counts(a.runs[a.shown].report, b.runs[b.shown].report, parts)) {
        notes += "\n- " + messages.format(*counts);
    }
    for (const auto& message : side_messages(a, b)) {
        notes += "\n- " + messages.format(message);
    }
    for (const auto& each : judged) {
        notes += std::string("\n- ") + (each.holds ? "" : "**") + markdown_cell(messages.format(judged_message(each)))
            + (each.holds ? "" : "**");
    }
    return text + notes + (notes.empty() ? "" : "\n");
}

}  // namespace lanes
