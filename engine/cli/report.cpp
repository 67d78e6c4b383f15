// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/graph.h"
#include "engine/analysis/recording.h"

#include "engine/cli/commands.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

namespace lanes {

void add_report(CLI::App& app, CommandContext& context)
{
    struct Words {
        std::string file, range;
        bool json = false;
    };
    const auto words = std::make_shared<Words>();
    auto* const command = app.add_subcommand("report", "Figures of a recording: busy, overlap, blocked, findings");
    add_recording(*command, words->file);
    add_range(*command, words->range);
    command->add_flag("--json", words->json, "Print it as JSON: times in ns, null where the recording cannot tell");
    add_language(*command, context);
    command->footer(
        "Busy time is the length of a union of intervals, never their sum. A thread is blocked while it is\n"
        "held in an API call until GPU work, or the staging of its own copy, is done.\n\n"
        "  lanes report copy-results-back.blocking.sqlite\n"
        "  lanes report run.sqlite --range 2ms:5.5ms --json");
    command->callback([words, &context] {
        auto trace = open_input(words->file);
        const auto range = range_of(words->range, trace);
        const auto recording = reported(std::move(trace), range);
        const Graph graph(*recording.trace, *recording.blocking);
        const auto text = words->json
            ? to_json(*recording.trace, *recording.report, context.json_messages(), &graph) + '\n'
            : to_text(*recording.trace, *recording.report, context.messages(), &graph);
        std::fputs(text.c_str(), stdout);
    });
}

}  // namespace lanes
