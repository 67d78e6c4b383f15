// SPDX-License-Identifier: MIT
#include "engine/cli/run_commands.h"

#include "engine/run/record_program.h"

#include <CLI/CLI.hpp>
#include <memory>

namespace lanes {

void add_record_command(CLI::App& app, int& status)
{
    const auto request = std::make_shared<RecordRequest>();
    auto* const command = app.add_subcommand("record", "Record any CUDA program");
    command->add_option("-o,--output", request->output, "The recording; PROGRAM.sqlite unless given");
    // What follows the first word of the command is the command's, also where it looks like an option of ours.
    command->prefix_command();
    command->callback([command, request, &status] {
        request->command = command->remaining();
        if (!request->command.empty() && request->command.front() == "--") {
            request->command.erase(request->command.begin());
        }
        if (request->command.empty()) {
            throw CLI::RequiredError("COMMAND");
        }
        status = record_program(*request);
    });
}

}  // namespace lanes
