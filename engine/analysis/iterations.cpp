// SPDX-License-Identifier: MIT
#include "engine/analysis/iterations.h"
#include "engine/analysis/row_id.h"

#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/facts/iteration_spans.h"
#include "engine/analysis/graph/why.h"
#include "engine/analysis/words/json_writer.h"
#include "engine/analysis/words/names.h"
#include "engine/analysis/words/shown.h"
#include "engine/analysis/words/text_table.h"
#include "engine/trace/median.h"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

namespace lanes {

namespace {

constexpr std::size_t most_lines = 30, most_causes = 3, most_in_json = 10'000;

void find_outliers(Iterations& iterations, std::size_t warm_up)
{
    constexpr double deviations = 3 * 1.4826;  // of a normal distribution, given the median of the differences
    auto& all = iterations.all;
    std::vector<Ns> walls;
    for (std::size_t i = warm_up; i + 1 < all.size(); ++i) {
        walls.push_back(all[i].wall());
    }
    const Ns median = median_of(walls);
    std::vector<Ns> away;
    away.reserve(walls.size());
    for (const Ns wall : walls) {
        away.push_back(std::abs(wall - median));
    }
    const auto limit = std::max({static_cast<Ns>(deviations * static_cast<double>(median_of(away))),
        static_cast<Ns>(outlier_share * static_cast<double>(median)), ordinary_call});
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Ns more = all[i].wall() - median;
        all[i].outlier = i < warm_up              ? Iteration::Outlier::warm_up
            : more > limit                        ? Iteration::Outlier::slow
            : more < -limit && i + 1 < all.size() ? Iteration::Outlier::fast
                                                  : Iteration::Outlier::none;
    }
    const auto at = std::find(walls.begin(), walls.end(), median);
    iterations.typical = warm_up + static_cast<std::size_t>(at - walls.begin());
}

std::string causes_text(const Trace& trace, const Iterations& iterations, std::size_t i, const Messages& messages)
{
    std::string text;
    const auto& typical = iterations.all[iterations.typical];
    const auto differences = differences_of(typical, iterations.all[i]);
    Ns rest = iterations.all[i].wall() - typical.wall();
    const auto signed_time = [](Ns time) { return (time > 0 ? "+" : "") + shown_time(time); };
    for (std::size_t at = 0; at < std::min(differences.size(), most_causes); ++at) {
        const auto& [cause, time] = differences[at];
        text += (text.empty() ? "" : ", ") + messages.format(cause_message(trace, cause)) + ' ' + signed_time(time);
        rest -= time;
    }
    if (!text.empty() && std::abs(rest) >= typical.wall() / 100) {  // so that they add up
        text += ", " + messages.text("iteration.all_else") + ' ' + signed_time(rest);
    }
    return text;
}

/// The names of the ranges at whose starts iterations begin, as far as they have numbers of their own.
std::vector<StringId> labels_of(const Trace& trace, const SteadyState& steady, const std::vector<Interval>& spans)
{
    std::vector<StringId> labels(spans.size(), 0);
    if (steady.found != SteadyState::Found::ranges) {
        return labels;
    }
    std::unordered_map<Ns, std::size_t> places;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        places.emplace(spans[i].start, i);
    }
    for (const Range& range : trace.ranges) {
        const auto place = range.mark || range.thread != steady.thread ? places.end() : places.find(range.start);
        const std::string_view name = place != places.end() ? trace.text(range.name) : "";
        if (without_number(name) != name && without_number(name) == steady.begins_with) {
            labels[place->second] = range.name;
        }
    }
    return labels;
}

}  // namespace

PathTimes path_times(const Graph& graph, Interval span, Row thread)
{
    PathTimes times;
    const auto add = [&](const std::vector<PathPart>& parts) {
        Ns sum = 0;
        for (const auto& part : parts) {
            const bool named = part.kind == PathPart::operation || part.kind == PathPart::call
                || part.kind == PathPart::work || part.kind == PathPart::handover;
            const PathCause cause = named ? PathCause {part.kind, part.event.table, graph.ranges().name_of(part.event)}
                                          : PathCause {part.kind, EventTable::none, 0};
            times[cause] += part.span.end - part.span.start;
            sum += part.span.end - part.span.start;
        }
        return sum;
    };
    const auto last = last_of(graph, span);
    add(path_back(graph, last, span.start));
    if (const Interval after {std::max(last.time, span.start), span.end}; after.start < after.end) {
        const EventRef before = thread == no_row ? EventRef {} : graph.before(thread, after.end);
        const Ns known = before ? add(path_back(graph, {before, after.end}, after.start)) : 0;
        if (const Ns rest = after.end - after.start - known; rest > 0) {
            times[{PathPart::between, EventTable::none, 0}] += rest;
        }
    }
    return times;
}

std::string_view name_of(Iteration::Outlier outlier)
{
    constexpr std::array<std::string_view, 4> names {"none", "warm_up", "slow", "fast"};
    return names[static_cast<std::size_t>(outlier)];
}

std::optional<Iterations> iterations_of(const Graph& graph, const RecordingBounds& bounds)
{
    const auto& trace = graph.trace();
    const auto& found = graph.repetition();
    if (!found) {
        return std::nullopt;
    }
    const auto& steady = found->steady;
    const auto labels = labels_of(trace, steady, found->iterations);
    const auto [spans, done] = iteration_spans(trace, *found);
    Iterations iterations {
        steady.found, steady.name, steady.thread == no_row ? bounds.first_thread : steady.thread, {}, 0};
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const auto figures = make_figures(trace, graph.blocking(), bounds, spans[i]);
        auto& iteration = iterations.all.emplace_back();
        iteration.span = spans[i];
        iteration.label = labels[i];
        iteration.after_work = std::max<Ns>(0, spans[i].end - done[i]);
        iteration.busy = figures.gpu_busy;
        iteration.overlap = figures.overlap;
        for (const auto& gpu : figures.gpus) {
            iteration.exposed = std::max(iteration.exposed, gpu.communication_exposed + gpu.copy_exposed);
        }
        const auto of_thread = std::find_if(figures.threads.begin(), figures.threads.end(),
            [&](const ThreadFigures& thread) { return thread.thread == iterations.thread; });
        iteration.blocked = of_thread == figures.threads.end() ? std::nullopt : of_thread->blocked;
        iteration.kernels = figures.counts.kernels;
        iteration.copies = figures.counts.copies;
        iteration.path = path_times(graph, spans[i], iterations.thread);
    }
    find_outliers(iterations, spans.size() - std::min(spans.size(), steady.count));
    return iterations;
}

Ns average_wall(const Iterations& iterations)
{
    Ns sum = 0, count = 0;
    for (const Iteration& each : iterations.all) {
        if (each.outlier != Iteration::Outlier::warm_up && &each != &iterations.all.back()) {
            sum += each.wall();
            ++count;
        }
    }
    return count == 0 ? iterations.all[iterations.typical].wall() : sum / count;
}

std::vector<std::pair<PathCause, Ns>> differences_of(const Iteration& typical, const Iteration& iteration)
{
    PathTimes sums = iteration.path;
    for (const auto& [cause, time] : typical.path) {
        sums[cause] -= time;
    }
    std::vector<std::pair<PathCause, Ns>> all;
    for (const auto& [cause, time] : sums) {
        if (time != 0 && std::abs(time) >= typical.wall() / 100) {
            all.emplace_back(cause, time);
        }
    }
    std::stable_sort(
        all.begin(), all.end(), [](const auto& a, const auto& b) { return std::abs(a.second) > std::abs(b.second); });
    return all;
}

Message cause_message(PathPart::Kind kind, EventTable table, std::string_view name)
{
    const bool in_range = table == EventTable::ranges;
    Message message {"iteration.cause." + std::string(in_range ? "range" : name_of(kind)), {}};
    if (table != EventTable::none) {
        message.arguments.emplace_back("name", name);
    }
    return message;
}

Message cause_message(const Trace& trace, const PathCause& cause)
{
    return cause_message(cause.kind, cause.table, shown_name(trace, cause.table, cause.name));
}

std::string iterations_text(const Trace& trace, const Iterations& iterations, const Messages& messages)
{
    const auto& typical = iterations.all[iterations.typical];
    Ns least = typical.wall(), most = least;
    std::size_t warm_up = 0;
    for (const auto& iteration : iterations.all) {
        if (iteration.outlier == Iteration::Outlier::warm_up) {
            ++warm_up;
            continue;
        }
        most = std::max(most, iteration.wall());
        if (&iteration != &iterations.all.back()) {
            least = std::min(least, iteration.wall());
        }
    }
    const Ns mean = average_wall(iterations);
    const bool several_processes = iterations.thread != no_row
        && std::any_of(trace.streams.begin(), trace.streams.end(),
            [&](const Stream& stream) { return stream.process != trace.threads[iterations.thread].process; });
    std::string text = '\n'
        + messages.format({iterations.name.empty() ? "iteration.title_of_launches" : "iteration.title",
            {{"count", std::to_string(iterations.all.size())}, {"name", iterations.name},
                {"number", std::to_string(iterations.typical + 1)}, {"time", shown_time(typical.wall())},
                {"least", shown_time(least)}, {"most", shown_time(most)}, {"mean", shown_time(mean)}}})
        + (warm_up == 0 ? "" : messages.format({"iteration.with_warm_up", {{"count", std::to_string(warm_up)}}}))
        + (!several_processes
                ? ""
                : messages.format({"iteration.of_thread", {}, {{"thread", thread_message(trace, iterations.thread)}}}))
        + '\n';
    TextTable table("rrrrrrrl");
    table.add({"", messages.text("iteration.start"), messages.text("iteration.wall"), messages.text("iteration.busy"),
        messages.text("iteration.overlap"), messages.text("iteration.blocked"), messages.text("iteration.after_work"),
        ""});
    const bool all = iterations.all.size() <= most_lines;
    std::size_t lines = 0;
    std::size_t left_out = 0;
    for (std::size_t i = 0; i < iterations.all.size(); ++i) {
        const auto& of = iterations.all[i];
        if (!all && of.outlier == Iteration::Outlier::none && i != iterations.typical) {
            continue;
        }
        if (++lines > most_lines && i != iterations.typical) {
            ++left_out;
            continue;
        }
        std::string note = i == iterations.typical ? messages.text("iteration.typical") : std::string();
        if (of.outlier != Iteration::Outlier::none) {
            const auto causes = causes_text(trace, iterations, i, messages);
            note = messages.text("iteration." + std::string(name_of(of.outlier)))
                + (causes.empty() ? "" : ": " + causes);
        }
        table.add({std::to_string(i + 1), shown_time(of.span.start), shown_time(of.wall()), shown_time(of.busy),
            shown_time(of.overlap), of.blocked ? shown_time(*of.blocked) : "–", shown_time(of.after_work), note});
    }
    text += table.text();
    if (left_out > 0) {
        text += "  " + messages.format({"report.more", {{"count", std::to_string(left_out)}}}) + '\n';
    }
    return text;
}

void write_iterations(JsonWriter& json, const Trace& trace, const Iterations& iterations)
{
    json.key("iterations").begin_object();
    json.field("found", iterations.found == SteadyState::Found::ranges ? "ranges" : "launches");
    json.field("name", std::string_view(iterations.name)).field("count", std::uint64_t {iterations.all.size()});
    json.field("typical", std::uint64_t {iterations.typical}).key("all").begin_array();
    for (std::size_t i = 0; i < std::min(iterations.all.size(), most_in_json); ++i) {
        const auto& of = iterations.all[i];
        json.begin_object().field("id", std::string_view(iteration_id(i))).key("label");
        of.label == 0 ? json.null() : json.value(trace.text(of.label));
        json.field("start_ns", of.span.start).field("end_ns", of.span.end).field("after_work_ns", of.after_work);
        json.field("gpu_busy_ns", of.busy).field("overlap_ns", of.overlap).field("exposed_ns", of.exposed);
        json.field("blocked_ns", of.blocked);
        json.field("kernels", of.kernels).field("copies", of.copies).field("outlier", name_of(of.outlier));
        json.key("differences").begin_array();
        if (i != iterations.typical) {
            for (const auto& [cause, time] : differences_of(iterations.all[iterations.typical], of)) {
                json.begin_object().field("kind", name_of(cause.kind)).key("name");
                cause.table == EventTable::none ? json.null() : json.value(shown_name(trace, cause.table, cause.name));
                json.field("time_ns", time).end_object();
            }
        }
        json.end_array().end_object();
    }
    json.end_array().end_object();
}

}  // namespace lanes
