// SPDX-License-Identifier: MIT
#include "engine/calibrate/calibrate.h"

#include "engine/cli/commands.h"
#include "engine/cli/option_values.h"

#include <memory>

namespace lanes {

void add_calibrate(CLI::App& app, CommandContext& context)
{
    const auto request = std::make_shared<CalibrateRequest>();
    auto* const command = app.add_subcommand("calibrate", "Measure this machine's GPU and make a model device of it");
    auto* const device = command
                             ->add_option("--device", request->device,
                                 "The GPU to measure: cuda[:N]; model[:NAME or :FILE.yaml] is for trying the command")
                             ->type_name("DEVICE")
                             ->capture_default_str();
    command->add_option("-o,--output", request->output, "The device file to write, NAME.yaml")
        ->type_name("FILE")
        ->required();
    command
        ->add_option(
            "--from", request->from, "Fit to the recordings in this folder instead of measuring; may be repeated")
        ->type_name("FOLDER")
        ->allow_extra_args(false)
        ->excludes(device);
    command->add_option("--recordings", request->recordings, "Keep the recordings in this folder")->type_name("FOLDER");
    command
        ->add_option("--defaults", request->defaults,
            "Model device, by name or file, for the constants that cannot be measured here")
        ->type_name("DEVICE")
        ->capture_default_str();
    command->add_option("--name", request->name, "Name of the GPU to show in recordings");
    command->add_option("--rounds", request->rounds, "How often to run the calibration workloads")
        ->check(whole_number(1, 100))
        ->capture_default_str();
    add_json(*command, request->json, "Print the constants as JSON");
    add_progress(*command, request->progress);
    command->callback([request, &context] { context.status = calibrate(*request); });
}

}  // namespace lanes
