// SPDX-License-Identifier: MIT
#include "engine/cli/commands.h"
#include "engine/cli/option_values.h"

#include "engine/formatted.h"
#include "engine/run/exit_status.h"
#include "engine/run/trigger.h"

#include <CLI/CLI.hpp>
#include <ctime>
#include <memory>

namespace lanes {

namespace {

/// "14:05:10", local time.
std::string time_of_day(Ns time)
{
    const auto seconds = static_cast<std::time_t>(time / 1'000'000'000);
    std::tm parts {};
    localtime_r(&seconds, &parts);
    char text[16];
    std::strftime(text, sizeof text, "%H:%M:%S", &parts);
    return text;
}

}  // namespace

void add_trigger(CLI::App& app, CommandContext& context)
{
    struct Arguments {
        TriggerRequest request;
        std::string duration = "2s", at;
    };
    const auto arguments = std::make_shared<Arguments>();
    auto* const command
        = app.add_subcommand("trigger", "Record a part of a program that runs under lanes record --idle");
    command
        ->add_option("PID", arguments->request.process,
            "A process of the program, or the lanes record that started it. All processes of that lanes record are "
            "recorded, from the same moment on")
        ->required();
    command->add_option("--duration", arguments->duration, "How long (default: 2s)")
        ->type_name("TIME")
        ->check(amount_of(Dimension::time, "a time such as 2s or 500ms"));
    add_at(*command, arguments->at, "Begin");
    command->footer("It returns at once. When the part is over, lanes record writes it, PROGRAM.part1.sqlite the first "
                    "time,\nand says so.\n\n"
                    "  lanes record --idle -- python serve.py &\n"
                    "  lanes trigger $! --duration 2s\n"
                    "  lanes trigger 4711 --at /10s          on each host of a job: all begin at the same second");
    command->callback([arguments, &context] {
        context.status = exit_status_of(RunProgress::Form::none, [&] {
            arguments->request.duration = static_cast<Ns>(amount(arguments->duration, Dimension::time).value_or(0));
            arguments->request.at = static_cast<Ns>(multiple(arguments->at));
            const Ns begin = trigger(arguments->request);
            print(formatted("recorded from {} on, for {}\n", time_of_day(begin), arguments->duration));
            return 0;
        });
    });
}

}  // namespace lanes
