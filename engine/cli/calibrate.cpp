// SPDX-License-Identifier: MIT
#include "engine/calibrate/calibrate.h"

#include "engine/cli/option_values.h"
#include "engine/cli/run_commands.h"

#include <memory>

namespace lanes {

void add_calibrate_command(CLI::App& app, int& status)
{
    struct Words {
        CalibrateRequest request;
        std::string progress = "bar";
    };
    const auto words = std::make_shared<Words>();
    auto& request = words->request;
    auto* const command = app.add_subcommand("calibrate", "Measure this machine's GPU and make a model device of it");
    auto* const device = command
                             ->add_option("--device", request.device,
                                 "The GPU to measure: cuda[:N]; model[:NAME] is for trying the command")
                             ->type_name("DEVICE")
                             ->capture_default_str();
    command->add_option("-o,--output", request.output, "The device file to write, NAME.yaml")
        ->type_name("FILE")
        ->required();
    command
        ->add_option(
            "--from", request.from, "Fit to the recordings in this folder instead of measuring; may be repeated")
        ->type_name("FOLDER")
        ->allow_extra_args(false)
        ->excludes(device);
    command->add_option("--recordings", request.recordings, "Keep the recordings in this folder")->type_name("FOLDER");
    command
        ->add_option("--defaults", request.defaults,
            "Model device, by name or file, for the constants that cannot be measured here")
        ->type_name("DEVICE")
        ->capture_default_str();
    command->add_option("--name", request.name, "Name of the GPU to show in recordings");
    command->add_option("--rounds", request.rounds, "How often to run the calibration workloads")
        ->check(whole_number(1, 100))
        ->capture_default_str();
    command->add_flag("--json", request.json, "Print the constants as JSON");
    command->add_option("--progress", words->progress, "How to show progress: bar, json (one object per line) or none")
        ->check(one_of({"bar", "json", "none"}));
    command->callback([words, &status] {
        words->request.progress = words->progress == "json" ? RunProgress::Form::json
            : words->progress == "bar"                      ? RunProgress::bar_if_terminal(stderr)
                                                            : RunProgress::Form::none;
        status = calibrate(words->request);
    });
}

}  // namespace lanes
