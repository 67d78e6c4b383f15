// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/graph.h"
#include "engine/analysis/iterations.h"
#include "engine/analysis/recording.h"
#include "engine/analysis/words/json_writer.h"

#include "engine/cli/commands.h"
#include "engine/cli/option_values.h"
#include "engine/cli/report_brief.h"
#include "engine/replay/change.h"
#include "engine/shell_quoted.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

namespace lanes {

void add_report(CLI::App& app, CommandContext& context)
{
    struct Arguments {
        std::string file, range, row;
        bool iterations = false, brief = false;
        JsonForm json = {};
    };
    const auto arguments = std::make_shared<Arguments>();
    auto* const command
        = app.add_subcommand("report", "Print the figures of a recording: busy, overlap, blocked, findings");
    add_recording(*command, arguments->file);
    add_range(*command, arguments->range);
    add_row(*command, arguments->row);
    command->add_flag("--iterations", arguments->iterations,
        "Also print the iterations: the figures of each, the typical one, and why others were slower or faster");
    command
        ->add_flag("--brief", arguments->brief,
            "At most 4 kB, to be pasted into an issue: verdict, main figures, three findings, three changes, caveats")
        ->excludes("--iterations");
    add_json(*command, arguments->json, "Print JSON, with times in ns; null if the recording does not say");
    add_language(*command, context);
    command->footer(
        "Busy time is the length of the union of intervals, never their sum. A thread is blocked while an API\n"
        "call holds it until GPU work, or the staging of the call's own copy, is done.\n\n"
        "  lanes report copy-results-back.blocking.sqlite\n"
        "  lanes report run.sqlite --brief\n"
        "  lanes report run.sqlite --range 2ms:5.5ms --json");
    command->callback([arguments, &context] {
        auto trace = open_input(arguments->file);
        const auto range = part_of(arguments->range, arguments->row, trace);
        auto recording = reported(std::move(trace), range);
        const bool is_all
            = !arguments->range.empty() && recording.report->range == Interval {0, recording.trace->duration};
        if (is_all && recording.report->parts) {  // all of it was asked for, not first what repeats
            recording.report = std::shared_ptr<const Report>(recording.report->parts, &recording.report->parts->whole);
        }
        const Graph graph(*recording.trace, *recording.blocking);
        if (arguments->brief) {
            print((arguments->json ? brief_json(recording, graph, range, context.json_messages()) + '\n'
                                   : brief_text(recording, graph, range, context.messages())));
            return;
        }
        std::optional<Iterations> iterations;
        if (arguments->iterations) {
            iterations = iterations_of(graph, RecordingBounds(*recording.trace, *recording.blocking));
        }
        const auto& trace_of = *recording.trace;
        std::string text;
        if (arguments->json) {
            text = arguments->json.line_of(
                to_json(trace_of, *recording.report, context.json_messages(), &graph, [&](JsonWriter& json) {
                    if (iterations) {
                        write_iterations(json, trace_of, *iterations);
                    } else if (arguments->iterations) {
                        json.key("iterations").null();
                    }
                }));
        } else {
            const auto& messages = context.messages();
            const auto trial = "lanes whatif " + shell_quoted(arguments->file)
                + (arguments->range.empty() ? "" : " --range " + shell_quoted(arguments->range));
            text = to_text(trace_of, *recording.report, messages, &graph, trial);
            if (iterations) {
                text += iterations_text(trace_of, *iterations, messages);
            } else if (arguments->iterations) {
                text += '\n' + messages.text("iteration.none") + '\n';
            }
        }
        print(text);
    });
}

}  // namespace lanes
