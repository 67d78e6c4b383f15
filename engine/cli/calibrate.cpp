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
    auto* const command = app.add_subcommand("calibrate", "Measure this machine and make a model device of it");
    auto* const device = command->add_option("--device", request.device, "cuda[:N], or model[:NAME] to try it")
                             ->type_name("DEVICE")
                             ->capture_default_str();
    command->add_option("-o,--output", request.output, "The device file, NAME.yaml")->type_name("FILE")->required();
    command->add_option("--from", request.from, "Fit to the recordings in this folder; may be given again")
        ->type_name("FOLDER")
        ->allow_extra_args(false)
        ->excludes(device);
    command->add_option("--recordings", request.recordings, "Keep the recordings in this folder")->type_name("FOLDER");
    command
        ->add_option(
            "--defaults", request.defaults, "Model device, or its file, that gives what cannot be measured here")
        ->type_name("DEVICE")
        ->capture_default_str();
    command->add_option("--name", request.name, "Name of the GPU that recordings show");
    command->add_option("--rounds", request.rounds, "Run the calibration workloads so many times")
        ->check(whole_number(1, 100))
        ->capture_default_str();
    command->add_flag("--json", request.json, "Print the constants as JSON");
    command->add_option("--progress", words->progress, "bar, json (one object a line) or none")
        ->check(one_of({"bar", "json", "none"}));
    command->callback([words, &status] {
        words->request.progress = words->progress == "json" ? RunProgress::Form::json
            : words->progress == "bar"                      ? RunProgress::bar_if_terminal(stderr)
                                                            : RunProgress::Form::none;
        status = calibrate(words->request);
    });
}

}  // namespace lanes
