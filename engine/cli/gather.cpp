// SPDX-License-Identifier: MIT
#include "engine/job/gather.h"
#include "engine/cli/commands.h"
#include "engine/input_error.h"
#include "engine/job/job_file.h"
#include "engine/job/job_report.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

namespace lanes {

namespace {

struct GatherArguments {
    std::vector<std::string> places;
    std::string out;
    bool send = false;
};

void gather_to(const GatherArguments& arguments, const Messages& messages)
{
    if (arguments.out.empty() && !arguments.send) {
        throw InputError("-o: found nothing, expected a name such as job.lanes");
    }
    auto gathered = gather(arguments.places);
    for (const auto& message : gathered.left_out) {
        std::fprintf(stderr, "%s\n", messages.format(message).c_str());
    }
    if (arguments.send) {
        send_gathered(gathered);
        return;
    }
    if (gathered.ranks.empty()) {
        throw InputError("no recording of a rank was found");
    }
    settle_ranks(gathered.ranks);
    const auto meetings = meet(gathered.ranks);
    save_ranks(gathered.ranks, &meetings, arguments.out);
    for (const auto& note : job_notes(gathered.ranks, meetings)) {
        std::fprintf(stderr, "%s\n", messages.format(note).c_str());
    }
}

}  // namespace

void add_gather(CLI::App& app, CommandContext& context)
{
    const auto arguments = std::make_shared<GatherArguments>();
    auto* const command = app.add_subcommand("gather", "Collect the summaries of a job's ranks from where they lie");
    command
        ->add_option("PLACE", arguments->places,
            "Folders with recordings, one a rank; recordings; FILE.sum; HOST:FOLDER, which lanes on that host reads "
            "(over ssh, with your configuration)")
        ->required();
    command->add_option("-o,--output", arguments->out, "The job, such as job.lanes")->type_name("JOB");
    command->add_flag("--send", arguments->send,
        "Write the summaries to standard output, as lanes gather on another host reads them");
    add_language(*command, context);
    command->footer("The recordings stay where they are; FILE.sum is written beside each, once. Files that are still\n"
                    "being written are left out.\n\n"
                    "  lanes gather run/ -o job.lanes\n"
                    "  lanes gather node01:/tmp/run node02:/tmp/run -o job.lanes");
    command->callback([arguments, &context] { gather_to(*arguments, context.messages()); });
}

}  // namespace lanes
