// SPDX-License-Identifier: MIT
#include "engine/run/doctor.h"
#include "engine/cli/commands.h"
#include "engine/cli/option_values.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

namespace lanes {

void add_doctor(CLI::App& app, CommandContext& context)
{
    const auto json = std::make_shared<bool>(false);
    auto* const command
        = app.add_subcommand("doctor", "Check this machine: GPUs, driver, CUPTI, NCCL, and what works with them");
    add_json(*command, *json, "Print JSON");
    command->callback([json, &context] {
        const auto report = examine_machine();
        const auto text = *json ? doctor_json(report) + "\n" : doctor_text(report);
        print(text);
        context.status = 0;
    });
}

}  // namespace lanes
