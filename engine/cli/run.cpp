// SPDX-License-Identifier: MIT
#include "engine/cli/option_values.h"
#include "engine/cli/run_commands.h"

#include "engine/run/run_child.h"
#include "engine/run/run_workload.h"

#include <memory>

namespace lanes {

namespace {

Settings settings_of(const std::vector<std::string>& words)
{
    Settings settings;
    for (const auto& word : words) {
        const auto equals = word.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw CLI::ValidationError("--set", "expected key=value, found \"" + word + "\"");
        }
        settings[word.substr(0, equals)] = word.substr(equals + 1);
    }
    return settings;
}

void add_child(CLI::App& app, int& status)
{
    struct Words {
        RunChildRequest request;
        std::vector<std::string> set;
    };
    const auto words = std::make_shared<Words>();
    auto* const command = app.add_subcommand("run-child", "")->group("");
    command->add_option("file", words->request.workload_file)->required();
    command->add_option("--variant", words->request.variant);
    command->add_option("--set", words->set)->allow_extra_args(false);
    command->add_option("--gpu", words->request.gpu);
    command->add_option("--repeat", words->request.repeat);
    command->add_option("--spool", words->request.spool);
    command->callback([words, &status] {
        words->request.settings = settings_of(words->set);
        status = run_child(words->request);
    });
}

}  // namespace

void add_run_command(CLI::App& app, int& status)
{
    struct Words {
        RunRequest request;
        std::vector<std::string> set;
        std::string progress = "bar";
        bool no_probe = false;
    };
    const auto words = std::make_shared<Words>();
    auto* const command = app.add_subcommand("run", "Run a workload and record each of its variants");
    command->add_option("WORKLOAD", words->request.workload, "A name from `lanes list`, or the path of a YAML file")
        ->required();
    command->add_option("--variant", words->request.variants, "Run only this variant; may be repeated")
        ->type_name("VARIANT")
        ->allow_extra_args(false);
    command->add_option("--set", words->set, "Set a parameter; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    command
        ->add_option("--device", words->request.device,
            "auto (a GPU if one works, else the model device), model[:NAME] or cuda[:N]")
        ->type_name("DEVICE")
        ->capture_default_str();
    command->add_option("-o,--output", words->request.output, "Output folder, or the file of a single variant")
        ->type_name("FILE_OR_FOLDER");
    command->add_flag("--no-probe", words->no_probe, "Do not record: only measure wall times");
    command
        ->add_option(
            "--repeat", words->request.repeat, "On a GPU: number of runs; the median run is kept, with the spread")
        ->check(whole_number(1, 1'000'000));
    command->add_flag("--json", words->request.json, "Print times and file names as JSON");
    command->add_option("--progress", words->progress, "How to show progress: bar, json (one object per line) or none")
        ->check(one_of({"bar", "json", "none"}));
    command->callback([words, &status] {
        auto& request = words->request;
        request.settings = settings_of(words->set);
        request.probe = !words->no_probe;
        request.progress = words->progress == "json" ? RunProgress::Form::json
            : words->progress == "bar"               ? RunProgress::bar_if_terminal(stderr)
                                                     : RunProgress::Form::none;
        status = run_workload(request);
    });
    add_child(app, status);
}

}  // namespace lanes
