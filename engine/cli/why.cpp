// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/why.h"
#include "engine/analysis/facts/time_range.h"
#include "engine/analysis/figures/recording_bounds.h"
#include "engine/analysis/graph/why_not.h"
#include "engine/analysis/words/json_writer.h"
#include "engine/analysis/words/refused.h"
#include "engine/analysis/words/shown.h"

#include "engine/cli/commands.h"
#include "engine/cli/option_values.h"
#include "engine/input_error.h"

#include <algorithm>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

namespace lanes {

namespace {

constexpr std::size_t usual_lines = 40;

/// The operation with that correlation id; of a graph the last one.
PathStart operation_of(const Trace& trace, std::uint32_t correlation)
{
    PathStart found;
    const auto& ops = trace.operations;
    for (Row row = 0; row < ops.size(); ++row) {
        if (ops.correlation[row] == correlation && ops.end[row] > found.time) {
            found = {{EventTable::operations, row}, ops.end[row]};
        }
    }
    if (!found.event) {
        throw InputError("--operation: no operation of this recording has the correlation id "
            + std::to_string(correlation) + " (`lanes report --json` and the window's Details list them)");
    }
    return found;
}

/// Whether a way back can begin at it: an operation or a call; else it begins at the last work of its span.
bool is_path_start(EventRef event)
{
    return event.table == EventTable::operations || event.table == EventTable::calls;
}

Ns time_of(const std::string& text)
{
    try {
        return parse_time(text);
    } catch (const std::invalid_argument& error) {
        throw InputError(std::string("--at: ") + error.what());
    }
}

PathStart event_at(const Graph& graph, Row first_thread, Ns at)
{
    const Ns end = graph.trace().duration;
    if (at >= end) {
        throw InputError(
            "--at: found " + shown_time(at) + ", expected a time of the recording, which ends at " + shown_time(end));
    }
    return asked_at(graph, first_thread, at);
}

bool has_ranges(const Trace& trace, Interval range)
{
    for (Row row = 0; row < trace.ranges.size(); ++row) {
        const auto& each = trace.ranges[row];
        if (each.start < range.end && each.end >= range.start) {
            return true;
        }
    }
    return false;
}

void print_overlap(const Graph& graph, Interval range, const JsonForm& form, const Messages& messages)
{
    const WhyNot why_not(graph, range);
    const auto& ops = graph.trace().operations;
    bool has_operations = false;
    for (Row row = 0; row < ops.size() && !has_operations; ++row) {
        has_operations = ops.start[row] <= range.end && ops.end[row] >= range.start;
    }
    std::string text;
    if (form) {
        JsonWriter json;
        json.begin_object().field("schema", json_schema);
        write_why_not(json, graph, why_not);
        write_refused(json,
            why_not.best.busiest > 0 ? std::vector<Refused> {}
                : has_operations     ? std::vector {refused("missed_overlap", "no_gpu_time")}
                                     : std::vector {refused("missed_overlap", "no_gpu_work")},
            messages);
        text = form.line_of(json.end_object().take());
    } else {
        text = why_not_text(graph, why_not, messages, true);
        text = text.empty() ? messages.text(has_operations ? "refused.no_gpu_time" : "why_not.nothing") + '\n'
                            : text.substr(1);
    }
    print(text);
}

struct WhyArguments {
    std::string file, at, range, row;
    std::uint32_t operation = 0;  ///< a correlation id, from 1; 0: not asked for
    std::size_t steps = usual_lines;
    bool overlap = false;
    JsonForm json = {};
};

void explain(const WhyArguments& arguments, CommandContext& context)
{
    const auto trace = open_input(arguments.file);
    const auto blocking = find_blocking(trace);
    const RecordingBounds bounds(trace, blocking);
    const Graph graph(trace, blocking);
    const auto row = row_of(arguments.row, trace);
    const bool is_one = row && is_path_start(row->event);
    const auto range = is_one ? Interval {0, trace.duration}
                              : part_of(arguments.range, arguments.row, trace).value_or(Interval {0, trace.duration});
    const auto& messages = arguments.json ? context.json_messages() : context.messages();
    if (arguments.overlap) {
        print_overlap(graph, range, arguments.json, messages);
        return;
    }
    const auto start = is_one     ? PathStart {row->event, row->span.end}
        : arguments.operation > 0 ? operation_of(trace, arguments.operation)
        : arguments.at.empty()    ? last_of(graph, range)
                                  : event_at(graph, bounds.first_thread, time_of(arguments.at));
    if (arguments.json) {
        const auto parts = path_back(graph, start, range.start, arguments.steps);
        print(arguments.json.line_of(why_json(graph, parts, messages)));
        return;
    }
    auto lines = why_lines(graph, path_back(graph, start, range.start));
    const auto all = lines.size();  // each call of a thread is a step, but not a line
    lines.resize(std::min(all, arguments.steps));
    auto text = lines.empty() ? messages.text(has_ranges(trace, range) ? "why.only_ranges" : "why.nothing") + '\n'
                              : why_text(lines, messages);
    if (!arguments.at.empty() && !lines.empty() && start.event.table == EventTable::operations) {
        const Ns asked = time_of(arguments.at);
        if (trace.operations.start[start.event.row] > asked) {
            text = messages.format({"why.nothing_at", {{"time", exact_time(asked)}}}) + "\n\n" + text;
        }
    }
    if (lines.size() < all) {
        text += messages.format(
                    {"why.more", {{"count", std::to_string(all - lines.size())}, {"all", std::to_string(all)}}})
            + '\n';
    }
    print(text);
}

}  // namespace

void add_why(CLI::App& app, CommandContext& context)
{
    const auto arguments = std::make_shared<WhyArguments>();
    auto* const command
        = app.add_subcommand("why", "Explain why something took so long: what it waited for, step by step");
    add_recording(*command, arguments->file);
    auto* const at = command
                         ->add_option("--at", arguments->at,
                             "Explain the wait of a thread at this time, else the operation that runs then; for "
                             "example 2.5ms (numbers without a unit are ns)")
                         ->type_name("TIME")
                         ->check(not_empty());
    auto* const operation
        = command->add_option("--operation", arguments->operation, "Explain the operation with this correlation id")
              ->type_name("ID")
              ->check(whole_number(1, no_id - 1))
              ->excludes(at);
    command
        ->add_flag(
            "--overlap", arguments->overlap, "Explain instead why work did not overlap, and why streams were idle")
        ->excludes(at)
        ->excludes(operation);
    add_range(*command, arguments->range);
    add_row(*command, arguments->row);
    command->get_option("--row")->excludes(at)->excludes(operation);
    command->add_option("--steps", arguments->steps, "Number of steps to go back (default: 40)")
        ->type_name("N")
        ->check(whole_number(1, 1'000'000));
    add_json(*command, arguments->json, "Print JSON, with times in ns");
    add_language(*command, context);
    command->footer("Without --at and --operation: the critical path back from the end of the run, or of the range.\n\n"
                    "  lanes why run.sqlite\n"
                    "  lanes why run.sqlite --at 2.5ms\n"
                    "  lanes why run.sqlite --overlap --range 2ms:5.5ms");
    command->callback([arguments, &context] { explain(*arguments, context); });
}

}  // namespace lanes
