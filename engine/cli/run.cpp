// SPDX-License-Identifier: MIT
#include "engine/cli/commands.h"
#include "engine/cli/option_values.h"

#include "engine/analysis/exercise.h"
#include "engine/analysis/recording.h"
#include "engine/run/exit_status.h"
#include "engine/run/run_child.h"
#include "engine/run/run_workload.h"
#include "engine/store/recording_file.h"

#include <memory>

namespace lanes {

namespace {

Settings settings_of(const std::vector<std::string>& assignments)
{
    Settings settings;
    for (const auto& assignment : assignments) {
        const auto equals = assignment.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw CLI::ValidationError("--set", "expected key=value, found \"" + assignment + "\"");
        }
        settings[assignment.substr(0, equals)] = assignment.substr(equals + 1);
    }
    return settings;
}

/// Says for each limit of the exercise whether it holds, as in "mine.slow: total<20ms holds: 17.2 ms".
bool is_solved_by(CommandContext& context, const Workload& workload, const std::string& name,
    const std::string& variant, const std::string& file)
{
    const Recording recording = reported(open_recording(file));
    const auto checked = check_exercise(workload.exercise, {variant, recording.trace.get(), recording.report.get()});
    for (const auto& each : checked) {
        say(name + ": " + context.messages().format(checked_message(each)));
    }
    return is_solved(checked);
}

void add_child(CLI::App& app, CommandContext& context)
{
    struct Arguments {
        RunChildRequest request;
        std::vector<std::string> set;
    };
    const auto arguments = std::make_shared<Arguments>();
    auto* const command = app.add_subcommand("run-child", "")->group("");
    command->add_option("file", arguments->request.workload_file)->required();
    command->add_option("--variant", arguments->request.variant);
    command->add_option("--set", arguments->set)->allow_extra_args(false);
    command->add_option("--gpu", arguments->request.gpu);
    command->add_option("--repeat", arguments->request.repeat);
    command->add_option("--spool", arguments->request.spool);
    command->callback([arguments, &context] {
        arguments->request.settings = settings_of(arguments->set);
        context.status = run_child(arguments->request);
    });
}

}  // namespace

void add_run(CLI::App& app, CommandContext& context)
{
    struct Arguments {
        RunRequest request;
        std::vector<std::string> set;
        bool no_probe = false, check = false;
    };
    const auto arguments = std::make_shared<Arguments>();
    auto* const command = app.add_subcommand("run", "Run a workload and record each of its variants");
    command->add_option("WORKLOAD", arguments->request.workload, "A name from `lanes list`, or the path of a YAML file")
        ->required();
    command->add_option("--variant", arguments->request.variants, "Run only this variant; may be repeated")
        ->type_name("VARIANT")
        ->allow_extra_args(false);
    command->add_option("--set", arguments->set, "Set a parameter; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    command
        ->add_option("--device", arguments->request.device,
            "auto (a GPU if one works, else the model device), model[:NAME or :FILE.yaml] or cuda[:N]")
        ->type_name("DEVICE")
        ->check(not_empty())
        ->capture_default_str();
    command->add_option("-o,--output", arguments->request.output, "Output folder, or the file of a single variant")
        ->type_name("FILE_OR_FOLDER")
        ->check(not_empty());
    command->add_flag("--no-probe", arguments->no_probe, "Do not record: only measure wall times");
    command
        ->add_option(
            "--repeat", arguments->request.repeat, "On a GPU: number of runs; the median run is kept, with the spread")
        ->check(whole_number(1, 1'000'000));
    command->add_flag("--check", arguments->check,
        "Check what the workload's exercise asks for, of its variant unless --variant names others. Exit status 3 if a "
        "limit does not hold");
    add_json(*command, arguments->request.json, "Print times and file names as JSON");
    add_progress(*command, arguments->request.progress);
    command->callback([arguments, &context] {
        auto& request = arguments->request;
        request.settings = settings_of(arguments->set);
        request.probe = !arguments->no_probe;
        if (arguments->check) {
            request.check = [&context](const auto&... run) { return is_solved_by(context, run...); };
        }
        context.status = run_workload(request);
    });
    add_child(app, context);
}

}  // namespace lanes
