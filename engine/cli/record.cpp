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
    command->add_option("-o,--output", request->output, "The recording; PROGRAM.sqlite unless given")
        ->type_name("FILE");
    command->add_flag("--pytorch", request->pytorch,
        "Record PyTorch's operators, modules, backward passes and DataLoader batches as ranges above the API calls, "
        "with no change of the program (PyTorch 1.13 and later)");
    command->add_option("COMMAND", request->command, "The program and its words, after --")->required();
    command->callback([request, &status] { status = record_program(*request); });
}

}  // namespace lanes
