// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/why_not.h"

#include "engine/analysis/graph/why.h"
#include "engine/analysis/words/json_writer.h"
#include "engine/analysis/words/shown.h"
#include "engine/analysis/words/text_table.h"
#include "engine/trace/event.h"

#include <algorithm>
#include <numeric>

namespace lanes {

namespace {

constexpr std::size_t examples = 10, most_pairs = 100;
constexpr Ns told_apart = 10'000;  // parts of a range: the resolution of its times
constexpr Ns worth_a_line = 1'000;  // ns; less is rounding

Ns sum_of(const ReasonTimes& times)
{
    return std::accumulate(times.begin(), times.end(), Ns {0});
}

std::string reason_text(const Messages& messages, IdleReason reason)
{
    return messages.text("reason." + std::string(name_of(reason)));
}

std::string share_text(Ns part, Ns whole)
{
    return whole > 0 ? shown_share(static_cast<double>(part) / static_cast<double>(whole)) : "";
}

std::string best_text(const BestTime& best, const Messages& messages)
{
    TextTable table("lrr");
    table.add({messages.text("report.wall"), shown_time(best.wall), share_text(best.wall, best.wall)});
    table.add({messages.text("why_not.chain"), shown_time(best.chain), share_text(best.chain, best.wall)});
    Message busiest {"why_not.busiest", {}};
    busiest.parts.push_back({"engine", engine_message(best)});
    table.add({messages.format(busiest), shown_time(best.busiest), share_text(best.busiest, best.wall)});
    return messages.text("why_not.best") + '\n' + table.text();
}

std::string missed_text(const MissedOverlap& missed, Ns wall, const Messages& messages)
{
    TextTable table("lrrl");
    ReasonTimes sums {};
    for (const auto& times : missed.time) {
        for (std::size_t i = 0; i < idle_reason_count; ++i) {
            sums[i] += times[i];
        }
    }
    for (const auto reason : reasons_by_time(sums, worth_a_line)) {
        std::string kinds;
        for (std::size_t what = 0; what < neighbours_count; ++what) {
            const Ns time = missed.time[what][static_cast<std::size_t>(reason)];
            if (time >= worth_a_line) {
                kinds += (kinds.empty() ? "" : ", ")
                    + messages.text("neighbours." + std::string(name_of(static_cast<Neighbours>(what)))) + ' '
                    + shown_time(time);
            }
        }
        const Ns time = sums[static_cast<std::size_t>(reason)];
        table.add({reason_text(messages, reason), shown_time(time), share_text(time, wall), kinds});
    }
    return table.empty() ? "" : messages.text("why_not.missed") + '\n' + table.text();
}

std::string idle_text(const Graph& graph, const IdleReasons& idle, const Messages& messages)
{
    const auto& trace = graph.trace();
    TextTable table("lrrl");
    const Ns wall = idle.range.end - idle.range.start;
    for (const auto& lane : idle.lanes) {
        const Ns time = wall - lane.busy;
        if (time < worth_a_line || lane.busy == 0) {
            continue;
        }
        std::string reasons;
        for (const auto reason : reasons_by_time(lane.idle, worth_a_line)) {
            if (lane.of(reason) < time / 100) {
                break;
            }
            reasons
                += (reasons.empty() ? "" : ", ") + reason_text(messages, reason) + ' ' + shown_time(lane.of(reason));
        }
        table.add({stream_label(trace, lane.stream), shown_time(time), share_text(time, wall), reasons});
    }
    return table.empty() ? "" : messages.text("why_not.idle") + '\n' + table.text();
}

std::string examples_text(const Graph& graph, const WhyNot& why_not, const Messages& messages)
{
    const auto& trace = graph.trace();
    std::string text;
    const auto range = why_not.idle.range;
    const auto moment = [&](Ns time) {
        return shown_moment(time, range.end, std::max<Ns>(1, (range.end - range.start) / told_apart));
    };
    TextTable pairs("rrl");
    for (std::size_t i = 0; i < std::min(why_not.missed.pairs.size(), examples); ++i) {
        const auto& pair = why_not.missed.pairs[i];
        Message message {"why_not.pair", {}};
        message.parts
            = {{"first", operation_message(trace, pair.first)}, {"second", operation_message(trace, pair.second)},
                {"reason", {"reason." + std::string(name_of(pair.reason)), {}}}};
        pairs.add({moment(trace.operations.start[pair.second]), shown_time(pair.time), messages.format(message)});
    }
    if (!pairs.empty()) {
        text += messages.text("why_not.pairs") + '\n' + pairs.text();
    }
    std::vector<const IdlePart*> parts;
    for (const auto& lane : why_not.idle.lanes) {
        for (const auto& part : lane.parts) {
            if (lane.busy > 0 && part.reason != IdleReason::nothing) {
                parts.push_back(&part);
            }
        }
    }
    const auto length = [](const IdlePart* part) { return part->span.end - part->span.start; };
    const auto shown = std::min(parts.size(), examples);
    std::partial_sort(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(shown), parts.end(),
        [&](const IdlePart* a, const IdlePart* b) { return length(a) > length(b); });
    parts.resize(shown);
    TextTable gaps("rrl");
    for (const auto* part : parts) {
        Message message {"why_not.gap", {}};
        message.parts = {{"what", operation_message(trace, part->operation)},
            {"reason", {"reason." + std::string(name_of(part->reason)), {}}}};
        std::string line = messages.format(message);
        if (part->because) {
            line += part->because.table == EventTable::operations
                ? " (" + messages.format(operation_message(trace, part->because.row)) + ")"
                : " (" + printable(trace.text(name_of(trace, part->because))) + ")";
        }
        gaps.add({moment(part->span.start), shown_time(length(part)), line});
    }
    if (!gaps.empty()) {
        text += messages.text("why_not.gaps") + '\n' + gaps.text();
    }
    return text;
}

void write_reasons(JsonWriter& json, const ReasonTimes& times)
{
    json.key("reasons").begin_object();
    for (std::size_t i = 0; i < idle_reason_count; ++i) {
        json.field(name_of(static_cast<IdleReason>(i)), times[i]);
    }
    json.end_object();
}

void write_missed(JsonWriter& json, const Graph& graph, const MissedOverlap& missed)
{
    const auto& trace = graph.trace();
    ReasonTimes sums {};
    for (const auto& times : missed.time) {
        for (std::size_t i = 0; i < idle_reason_count; ++i) {
            sums[i] += times[i];
        }
    }
    json.key("missed_overlap").begin_object().field("time_ns", sum_of(sums)).field("count", missed.count);
    write_reasons(json, sums);
    json.key("kinds").begin_object();
    for (std::size_t what = 0; what < neighbours_count; ++what) {
        json.field(name_of(static_cast<Neighbours>(what)), sum_of(missed.time[what]));
    }
    json.end_object().key("pairs").begin_array();
    for (std::size_t i = 0; i < std::min(missed.pairs.size(), most_pairs); ++i) {
        const auto& pair = missed.pairs[i];
        json.begin_object().field("kind", name_of(pair.what)).field("reason", name_of(pair.reason));
        json.field("time_ns", pair.time).key("first");
        write_event(json, trace, {EventTable::operations, pair.first});
        json.key("second");
        write_event(json, trace, {EventTable::operations, pair.second});
        json.key("because");
        write_event(json, trace, pair.because);
        json.end_object();
    }
    json.end_array();
    if (const auto shown = std::min(missed.pairs.size(), most_pairs); shown < missed.count) {
        write_cut(json, "pairs", shown, missed.count, "lanes rows FILE operations");
    }
    json.end_object();
}

}  // namespace

WhyNot::WhyNot(const Graph& graph, Interval range)
    : idle(idle_reasons(graph, range))
    , missed(missed_overlap(graph, range))
    , best(best_time(graph, range))
{
}

Message engine_message(const BestTime& best)
{
    if (best.engine == BestTime::Engine::none) {
        return {};
    }
    return {"why_not.engine." + std::string(name_of(best.engine)), {{"device", std::to_string(best.device)}}};
}

std::string why_not_text(const Graph& graph, const WhyNot& why_not, const Messages& messages, bool with_examples)
{
    if (why_not.best.busiest == 0) {
        return {};
    }
    return '\n' + best_text(why_not.best, messages) + missed_text(why_not.missed, why_not.best.wall, messages)
        + idle_text(graph, why_not.idle, messages)
        + (with_examples ? examples_text(graph, why_not, messages) : std::string());
}

void write_why_not(JsonWriter& json, const Graph& graph, const WhyNot& why_not)
{
    const auto& trace = graph.trace();
    const auto& best = why_not.best;
    json.key("best").begin_object().field("wall_ns", best.wall).field("chain_ns", best.chain);
    json.field("busiest_ns", best.busiest).field("engine", name_of(best.engine)).key("device");
    best.engine == BestTime::Engine::none ? json.null() : json.value(best.device);
    json.end_object();
    write_missed(json, graph, why_not.missed);
    json.key("idle").begin_array();
    for (const auto& lane : why_not.idle.lanes) {
        const auto& stream = trace.streams[lane.stream];
        json.begin_object().field("stream", stream.id).field("process", stream.process);
        json.field("context", stream.context).field("idle_ns", sum_of(lane.idle));
        write_reasons(json, lane.idle);
        json.end_object();
    }
    json.end_array();
}

}  // namespace lanes
