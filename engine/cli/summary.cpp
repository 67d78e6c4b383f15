// SPDX-License-Identifier: MIT
#include "engine/analysis/summary/summary.h"

#include "engine/cli/commands.h"
#include "engine/cli/option_values.h"

#include <algorithm>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

namespace lanes {

namespace {

constexpr std::string_view counter_table = "counter";

}  // namespace

void add_summary(CLI::App& app, CommandContext& context)
{
    struct Arguments {
        std::string file, range;
        std::vector<std::string> by;
        bool csv = false;
        JsonForm json = {};
    };
    const auto arguments = std::make_shared<Arguments>();
    auto* const command = app.add_subcommand("summary",
        "Print what took the time: kernels, copies, API calls and ranges by name, and counters; "
        "with --by family what GPU operations are for, with --by owner, module or line whose they are");
    add_recording(*command, arguments->file);
    std::vector<std::string> known;
    known.reserve(summary_tables.size() + 1);
    for (const SummaryBy by : summary_tables) {
        known.emplace_back(name_of(by));
    }
    known.emplace_back(counter_table);
    command->add_option("--by", arguments->by, "Print only this table; may be repeated")
        ->type_name("TABLE")
        ->check(one_of(known))
        ->allow_extra_args(false);
    add_range(*command, arguments->range);
    auto* const json = add_json(*command, arguments->json, "Print JSON, with times in ns");
    command->add_flag("--csv", arguments->csv, "Print comma-separated values, with times in ns")->excludes(json);
    add_language(*command, context);
    command->footer("Totals are sums of durations; a share is relative to the total of its table.\n\n"
                    "  lanes summary run.sqlite\n"
                    "  lanes summary run.sqlite --by kernel --csv > kernels.csv\n"
                    "  lanes summary run.sqlite --by family\n"
                    "  lanes summary run.sqlite --by module");
    command->callback([arguments, &context] {
        auto trace = open_input(arguments->file);
        const auto range = range_of(arguments->range, trace);
        const auto recording = reported(std::move(trace), range);
        const auto wanted = [&](std::string_view table) {
            const auto again = [table](SummaryBy by) { return regroups(by) && name_of(by) == table; };
            return (arguments->by.empty() && std::none_of(summary_tables.begin(), summary_tables.end(), again))
                || std::find(arguments->by.begin(), arguments->by.end(), table) != arguments->by.end();
        };
        std::vector<Summary> summaries;
        for (const SummaryBy by : summary_tables) {
            if (wanted(name_of(by))) {
                summaries.push_back(summarise(recording, by, {range, {}}));
            }
        }
        const auto& of = *recording.trace;
        const auto counted = wanted(counter_table) ? std::optional(summarise_counters(of, range)) : std::nullopt;
        const auto* counters = counted ? &*counted : nullptr;
        const auto text = arguments->json ? arguments->json.line_of(to_json(
                              summaries, range.value_or(Interval {0, of.duration}), counters, context.json_messages()))
            : arguments->csv              ? to_csv(summaries, counters)
                                          : to_text(summaries, context.messages(), counters);
        print(text);
    });
}

}  // namespace lanes
