// SPDX-License-Identifier: MIT
#include "engine/cli/report_brief.h"

#include "engine/analysis/caveats.h"
#include "engine/analysis/refused.h"
#include "engine/analysis/row_id.h"
#include "engine/analysis/words/bounded_json.h"
#include "engine/analysis/words/json_writer.h"
#include "engine/analysis/words/names.h"
#include "engine/analysis/words/shown.h"
#include "engine/replay/refused_changes.h"

#include <algorithm>
#include <chrono>

namespace lanes {

namespace {

constexpr std::size_t most_bytes = 4000, most_items = 3, most_lists = 8;
constexpr auto patience = std::chrono::seconds(20);

/// What What if offers, and why it does not, for what the verdict is about.
struct BriefChanges {
    std::vector<replay::Prediction> offers;
    std::vector<Refused> refused;
    Interval part;  ///< empty: all
    bool is_steady = false;  ///< `part` is what repeats
    Ns recorded = 0;  ///< the length of `part`, or of the run

    std::string options_of(const replay::Prediction& offer) const
    {
        return is_steady ? replay::options_of(replay::without_part(offer.changes, part)) + steady_option
                         : replay::options_of(offer.changes);
    }
};

BriefChanges best_changes(const Recording& recording, const Graph& graph, std::optional<Interval> asked)
{
    if (!asked && recording.report->parts) {
        asked = recording.report->parts->steady.range;
    }
    const auto part = asked.value_or(Interval {});
    const auto& report = *recording.report;
    const auto advised = advised_by((report.parts ? report.parts->steady : report).findings);
    const replay::WhatIf what_if(graph);
    BriefChanges changes {{}, {}, part, asked && graph.repetition() && graph.repetition()->steady.span == part,
        replay::recorded_in(what_if.gate(), part)};
    if (what_if.gate().is_open()) {
        changes.offers = what_if.offers({replay::least_offer_of(what_if.gate(), part),
            asked ? replay::query_of(part) : Query {}, part, advised, patience});
        for (auto& offer : changes.offers) {
            offer = replay::of_part(what_if.gate(), std::move(offer), part);
        }
    }
    changes.refused = replay::refused_changes(
        what_if.gate(), changes.offers, what_if.gate().is_open() ? what_if.pace(part) : Message {});
    changes.offers.resize(std::min(changes.offers.size(), most_items));
    return changes;
}

std::string or_unknown(const MaybeNs& time, const Messages& messages)
{
    return time ? shown_time(*time) : messages.text("brief.unknown");
}

MaybeNs of_first(const Report& report, MaybeNs ThreadFigures::*figure)
{
    const auto* const first = report.first_thread();
    return first == nullptr ? std::nullopt : first->*figure;
}

void write_items(JsonWriter& json, const Report& report, const BriefChanges& changes, const Messages& messages)
{
    json.key("findings").begin_array();
    for (std::size_t i = 0; i < std::min(report.findings.size(), most_items); ++i) {
        const auto& finding = report.findings[i];
        json.begin_object().field("id", std::string_view(finding_id(finding)));
        json.field("title", std::string_view(messages.format(finding.title))).field("cost_ns", finding.cost);
        json.key("cost_range_ns").begin_array().value(std::min(finding.cost, finding.otherwise));
        json.value(std::max(finding.cost, finding.otherwise)).end_array().key("what_if");
        finding.changes.empty() ? json.null() : json.value(std::string_view(replay::options_of(finding.changes)));
        json.end_object();
    }
    json.end_array().key("changes").begin_array();
    for (const auto& offer : changes.offers) {
        json.begin_object().field("what_if", std::string_view(changes.options_of(offer)));
        json.field("predicted_total_ns", offer.total).field("low_ns", offer.low).field("high_ns", offer.high);
        json.field("class", name_of(offer.reliability)).end_object();
    }
    json.end_array();
}

}  // namespace

std::string brief_json(
    const Recording& recording, const Graph& graph, std::optional<Interval> part, const Messages& messages)
{
    const auto& trace = *recording.trace;
    const auto& report = *recording.report;
    const auto changes = best_changes(recording, graph, part);
    JsonWriter json;
    json.begin_object().field("schema", json_schema).field("source", name_of(trace.source)).key("devices");
    json.begin_array();
    for (const auto& gpu : report.gpus) {
        json.value(device_name(trace, gpu.device));
    }
    json.end_array().key("range_ns").begin_array().value(report.range.start).value(report.range.end).end_array();
    json.key("verdict").begin_object().field("kind", name_of(report.verdict.kind));
    json.field("text", std::string_view(messages.format(report.verdict.message))).key("more").begin_array();
    for (const auto& message : report.verdict.more) {
        json.value(std::string_view(messages.format(message)));
    }
    json.end_array().end_object();
    json.field("wall_ns", report.wall).field("gpu_busy_ns", report.of_gpus(report.gpu_busy));
    json.field("overlap_ns", report.of_gpus(report.overlap));
    json.field("held_ns", of_first(report, &ThreadFigures::held));
    json.field("held_cost_ns", of_first(report, &ThreadFigures::held_cost)).key("steady");
    if (const auto& steady = report.steady) {
        json.begin_object().field("name", std::string_view(steady->name)).field("count", std::uint64_t {steady->count});
        json.key("range_ns").begin_array().value(steady->span.start).value(steady->span.end).end_array();
        write_length_step(json, report.length_step);
        json.end_object();
    } else {
        json.null();
    }
    write_items(json, report, changes, messages);
    json.key("caveats").begin_array();
    for (const auto& caveat : caveats_of(trace)) {
        json.begin_object().field("id", std::string_view(caveat.id));
        json.field("text", std::string_view(messages.format(caveat))).end_object();
    }
    json.end_array();
    auto refused = refused_by(trace, report);
    refused.insert(refused.end(), changes.refused.begin(), changes.refused.end());
    write_refused(json, refused, messages);
    write_not_recorded(json, trace, messages);
    return bounded_json(json.end_object().take(), {most_lists, most_bytes - 1, 160});
}

std::string brief_text(
    const Recording& recording, const Graph& graph, std::optional<Interval> part, const Messages& messages)
{
    const auto& trace = *recording.trace;
    const auto& report = *recording.report;
    const auto changes = best_changes(recording, graph, part);
    std::vector<std::string> lines {messages.format(report.verdict.message),
        messages.format({"brief.times",
            {{"wall", shown_time(report.wall)}, {"busy", or_unknown(report.of_gpus(report.gpu_busy), messages)},
                {"overlap", or_unknown(report.of_gpus(report.overlap), messages)},
                {"held", or_unknown(of_first(report, &ThreadFigures::held), messages)},
                {"cost", or_unknown(of_first(report, &ThreadFigures::held_cost), messages)}}})};
    for (const auto& message : report.verdict.more) {
        lines.insert(lines.end() - 1, messages.format(message));
    }
    if (report.steady) {
        lines.push_back(messages.format(steady_message(*report.steady)));
    }
    if (report.length_step) {
        lines.push_back(messages.format(length_step_message(*report.length_step)));
    }
    const auto title = [&](const char* id, bool any) {
        if (any) {
            lines.push_back(messages.text(id));
        }
    };
    title("brief.findings", !report.findings.empty());
    for (std::size_t i = 0; i < std::min(report.findings.size(), most_items); ++i) {
        const auto& finding = report.findings[i];
        const auto least = shown_time(std::min(finding.cost, finding.otherwise));
        const auto most = shown_time(std::max(finding.cost, finding.otherwise));
        auto title_of = messages.format(finding.title);
        if (!finding.on_top_of.empty()) {
            title_of = messages.format(
                {"brief.on_top", {{"title", title_of}, {"without", replay::options_of(finding.on_top_of)}}});
        }
        lines.push_back("  "
            + messages.format({least == most ? "brief.finding" : "brief.finding_between",
                {{"title", title_of}, {"id", finding_id(finding)}, {"least", least}, {"most", most}}}));
    }
    if (changes.is_steady && !changes.offers.empty()) {
        lines.push_back(
            messages.format({"brief.changes_of_part", {{"time", shown_time(changes.part.end - changes.part.start)}}}));
    } else {
        title("brief.changes", !changes.offers.empty());
    }
    for (const auto& offer : changes.offers) {
        lines.push_back("  "
            + messages.format({offer.high > changes.recorded ? "brief.change_may_cost"
                    : offer.is_wide()                        ? "brief.change_wide"
                                                             : "brief.change",
                {{"change", "lanes whatif FILE " + changes.options_of(offer)}, {"total", shown_time(offer.total)},
                    {"low", shown_time(offer.low)}, {"high", shown_time(offer.high)},
                    {"class", messages.text("whatif.class." + std::string(name_of(offer.reliability)))}}}));
    }
    title("brief.no_change", !changes.refused.empty());
    for (const auto& each : changes.refused) {
        lines.push_back("  " + messages.format(each.why));
    }
    const auto caveats = caveats_of(trace);
    title("brief.caveats", !caveats.empty());
    for (const auto& caveat : caveats) {
        lines.push_back("  " + messages.format(caveat));
    }
    const auto missing = not_recorded(trace);
    title("brief.missing", !missing.empty());
    for (const auto& each : missing) {
        lines.push_back("  " + messages.format(each));
    }
    std::string text;
    for (const auto& line : lines) {
        if (text.size() + line.size() + 1 <= most_bytes) {
            text += line + '\n';
        }
    }
    return text;
}

}  // namespace lanes
