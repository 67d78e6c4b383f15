// SPDX-License-Identifier: MIT
#include "engine/cli/commands.h"
#include "engine/cli/option_values.h"
#include "engine/job/gather.h"
#include "engine/job/job_report.h"

#include <CLI/CLI.hpp>
#include <limits>
#include <memory>

namespace lanes {

void add_ranks(CLI::App& app, CommandContext& context)
{
    struct Arguments {
        std::vector<std::string> files;
        bool all = false;
        JsonForm json = {};
    };
    constexpr std::size_t shown_rows = 32;
    const auto arguments = std::make_shared<Arguments>();
    auto* const command = app.add_subcommand("ranks", "Say which rank of a job the others wait for, and why");
    command
        ->add_option(
            "JOB", arguments->files, "job.lanes of lanes gather; or recordings, traces and FILE.sum, one a rank")
        ->required();
    add_json(*command, arguments->json, "Print JSON");
    command->add_flag("--all", arguments->all, "All ranks in the table, not only the first 32");
    add_language(*command, context);
    command->footer("  lanes ranks job.lanes\n"
                    "  lanes ranks rank*.pt.trace.json.gz");
    command->callback([arguments, &context] {
        auto gathered = gather(arguments->files);
        expect_ranks(gathered, context.messages());
        settle_ranks(gathered.ranks);
        const auto meetings = meet(gathered.ranks);
        const auto report = report_of(gathered.ranks, meetings);
        print(arguments->json
                ? arguments->json.line_of(job_json(gathered.ranks, meetings, report, context.json_messages()))
                : job_text(gathered.ranks, meetings, report, context.messages(),
                    arguments->all ? std::numeric_limits<std::size_t>::max() : shown_rows));
    });
}

}  // namespace lanes
