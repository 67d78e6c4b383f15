// SPDX-License-Identifier: MIT
#include "engine/analysis/compare.h"

#include "engine/analysis/recording.h"
#include "engine/cli/commands.h"
#include "engine/trace/meta_keys.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>

namespace lanes {

namespace {

/// "copy-results-back · overlapped", or the file's name.
std::string name_of_recording(const Trace& trace, const std::string& path)
{
    const auto workload = trace.meta.find(meta::workload);
    if (workload == trace.meta.end() || workload->second.empty()) {
        return std::filesystem::path(path).filename().string();
    }
    const auto variant = trace.meta.find(meta::variant);
    return variant == trace.meta.end() || variant->second.empty() ? workload->second
                                                                  : workload->second + " · " + variant->second;
}

}  // namespace

void add_compare(CLI::App& app, CommandContext& context)
{
    struct Words {
        std::string a, b;
        bool json = false;
    };
    const auto words = std::make_shared<Words>();
    auto* const command = app.add_subcommand("compare", "Two recordings side by side, and what changed");
    command->add_option("A", words->a, "A recording, or a trace as of report")->required();
    command->add_option("B", words->b, "Another one")->required();
    command->add_flag("--json", words->json, "Print {\"a\": report, \"b\": report, \"delta\": B less A}");
    add_language(*command, context);
    command->footer("  lanes compare copy-results-back.blocking.sqlite copy-results-back.overlapped.sqlite");
    command->callback([words, &context] {
        const auto recording_a = reported(open_input(words->a));
        const auto recording_b = reported(open_input(words->b));
        const ReportedRecording a {
            *recording_a.trace, *recording_a.report, name_of_recording(*recording_a.trace, words->a)};
        const ReportedRecording b {
            *recording_b.trace, *recording_b.report, name_of_recording(*recording_b.trace, words->b)};
        const auto text = words->json ? comparison_to_json(a, b, context.json_messages()) + '\n'
                                      : comparison_to_text(a, b, context.messages());
        std::fputs(text.c_str(), stdout);
    });
}

}  // namespace lanes
