// SPDX-License-Identifier: MIT
#include "engine/cli/commands.h"
#include "engine/cli/option_values.h"

#include "engine/formatted.h"
#include "engine/run/exit_status.h"
#include "engine/run/record_arguments.h"
#include "engine/run/record_program.h"
#include "engine/trace/meta_keys.h"

#include <CLI/CLI.hpp>
#include <memory>

namespace lanes {

namespace {

constexpr std::uint32_t node_launches_of_auto = 10;

/// Of the samples of --stacks, ns; 0: the option was not given, or what it was given is no time. By itself it means a
/// thousand a second, which cost the program nothing that can be measured (docs/performance.md).
Ns interval_of(const std::string& stacks)
{
    constexpr Ns usual = 1'000'000;
    return stacks == "true" ? usual : static_cast<Ns>(amount(stacks, Dimension::time).value_or(0));
}

struct RecordArguments {
    RecordRequest request;
    std::string delay, duration, at, every, detach, capture, steps, max_size, graphs, stacks, pytorch;
};

int record(RecordArguments arguments)
{
    auto& control = arguments.request.control;
    const auto number
        = [](const std::string& text, Dimension dimension) { return amount(text, dimension).value_or(0); };
    control.delay = static_cast<Ns>(number(arguments.delay, Dimension::time));
    control.duration = static_cast<Ns>(number(arguments.duration, Dimension::time));
    control.at = static_cast<Ns>(multiple(arguments.at));
    control.every = static_cast<Ns>(number(arguments.every, Dimension::time));
    control.detach = arguments.detach == "always" ? Detach::always
        : arguments.detach == "never"             ? Detach::never
                                                  : Detach::automatic;
    control.max_bytes = static_cast<std::uint64_t>(number(arguments.max_size, Dimension::bytes));
    control.profiler = !arguments.capture.empty();
    control.whole_graphs = arguments.graphs == whole_graphs || arguments.graphs == some_whole_graphs;
    control.node_launches = arguments.graphs == some_whole_graphs ? node_launches_of_auto : 0;
    if (control.whole_graphs && control.has_parts()) {
        throw CLI::ValidationError("--graphs",
            formatted("found \"{}\", expected nodes with {}: CUPTI 13.0 has ended programs where whole graphs were "
                      "recorded in a second part",
                arguments.graphs, control.idle ? "--idle" : "--every"));
    }
    arguments.request.pytorch = !arguments.pytorch.empty();
    arguments.request.shapes = arguments.pytorch == "shapes";
    arguments.request.stacks = interval_of(arguments.stacks);
    arguments.request.steps = steps_of(arguments.steps);
    control.steps_end = arguments.request.steps ? arguments.request.steps->end : 0;
    if (control.every > 0 && control.duration == 0) {
        throw CLI::ValidationError("--every", "expected --duration as well: how long each part lasts");
    }
    if (control.every > 0 && control.duration >= control.every) {
        throw CLI::ValidationError("--every",
            formatted("found \"{}\", expected more than --duration ({})", arguments.every, arguments.duration));
    }
    return exit_status_of(RunProgress::Form::none, [&] { return record_program(arguments.request); });
}

/// What is recorded.
void add_what(CLI::App& command, RecordArguments& arguments)
{
    command
        .add_flag("--pytorch", arguments.pytorch,
            "Also record PyTorch's operators, modules, backward passes and DataLoader batches as ranges above the API "
            "calls, and the memory of its allocator as curves; with --pytorch=shapes also the shapes of the operators' "
            "inputs. The program is not changed (PyTorch 1.13 and later)")
        ->check(CLI::IsMember({"true", "shapes"}));
    command
        .add_flag("--stacks", arguments.stacks,
            "Also sample where Python is (function and line), once a millisecond or at the interval that is given, "
            "for example --stacks=500us, from the first CUDA call on. The program is not changed and waits for "
            "nothing (CPython 3.9 to 3.13)")
        ->check(CLI::Validator(
            [](const std::string& found) {
                constexpr Ns least = 100'000, most = 1'000'000'000;
                const Ns interval = interval_of(found);
                return interval >= least && interval <= most
                    ? std::string()
                    : formatted("found \"{}\", expected a time from 100us to 1s, such as 500us", found);
            },
            ""));
    command
        .add_option("--max-size", arguments.max_size,
            "Stop recording when the records of all processes reach this size, for example 2GiB; the program runs on. "
            "Checked eight times a second")
        ->type_name("SIZE")
        ->check(amount_of(Dimension::bytes, "a size such as 500MB or 2GiB"));
    command
        .add_option("--graphs", arguments.graphs,
            "nodes: each kernel and copy that runs in a CUDA graph; whole: each launch of a graph as one operation, "
            "which slows the program down far less, but says nothing of what runs in it; auto: the first 10 launches "
            "of each graph by nodes, the others as a whole. The last two not with --every and --idle")
        ->check(one_of({"nodes", "whole", "auto"}));
    command.add_flag("--all-api", arguments.request.control.all_api,
        "Record every API call, also those that only query state (cudaGetDevice, cuKernelGetName); programs make "
        "several of these per launch");
    command.add_flag("--live", arguments.request.live,
        "While the program runs, print on stderr how busy the GPU was in the last second, how much of that overlapped, "
        "and how long a CPU thread waited for it: on a terminal one line that is rewritten, else one line per second");
}

/// Which part of the program is recorded, or which parts.
void add_when(CLI::App& command, RecordArguments& arguments)
{
    command
        .add_option("--delay", arguments.delay, "Start recording this long after the program started, for example 2s")
        ->type_name("TIME")
        ->check(amount_of(Dimension::time, "a time such as 2s or 500ms"));
    command
        .add_option(
            "--duration", arguments.duration, "Stop recording after this time, counted from where recording begins")
        ->type_name("TIME")
        ->check(amount_of(Dimension::time, "a time such as 2s or 500ms"));
    add_at(command, arguments.at, "Begin recording");
    auto* const every
        = command
              .add_option("--every", arguments.every,
                  "Record again and again, this long from the beginning of one part to that of the next, for example "
                  "--every 60s --duration 2s. Each part becomes a recording of its own as soon as it is over: "
                  "PROGRAM.part1.sqlite, PROGRAM.part2.sqlite, ...; a file that exists is kept, and the next number "
                  "used")
              ->type_name("TIME")
              ->check(amount_of(Dimension::time, "a time such as 60s"));
    auto* const idle = command.add_flag("--idle", arguments.request.control.idle,
        "Record nothing until lanes trigger asks for a part, as often as it does. Each part becomes a recording of its "
        "own, as with --every");
    idle->excludes(every)->excludes("--delay")->excludes("--duration")->excludes("--at");
    command
        .add_option("--detach", arguments.detach,
            "Detach CUPTI from the program after a part, so that the program then runs as fast as without it. auto: "
            "unless "
            "it has CUDA graphs, since programs with graphs have crashed after it; always; never: what follows the "
            "part "
            "stays a little slower")
        ->check(one_of({"auto", "always", "never"}));
    auto* const range = command
                            .add_option("--range", arguments.request.control.range,
                                "Record only while an NVTX range (or a lanescope.range) of this name is open: in each "
                                "process, the first one after the delay")
                            ->type_name("NAME")
                            ->check(not_empty())
                            ->excludes(idle)
                            ->excludes(every);
    command
        .add_option("--capture-range", arguments.capture,
            "Record only from the first cudaProfilerStart (torch.cuda.profiler.start) to cudaProfilerStop")
        ->check(one_of({"cudaProfilerApi"}))
        ->excludes(range)
        ->excludes(idle)
        ->excludes(every);
    command
        .add_option("--steps", arguments.steps,
            "Keep iterations A to B-1. With ranges ProfilerStep#N, recording stops after #B-1. Otherwise iterations "
            "are found when the program has ended, counted from 0, by ranges whose names differ only in a number or by "
            "repeating launches")
        ->type_name("A:B")
        ->check(CLI::Validator(
            [](const std::string& found) {
                return steps_of(found) ? std::string()
                                       : formatted("found \"{}\", expected two whole numbers, the second one larger, "
                                                   "such as 10:20",
                                           found);
            },
            ""))
        ->excludes("--range")
        ->excludes("--capture-range")
        ->excludes(idle)
        ->excludes(every);
}

}  // namespace

void add_record(CLI::App& app, CommandContext& context)
{
    const auto arguments = std::make_shared<RecordArguments>();
    auto* const command = app.add_subcommand("record", "Record any CUDA program");
    command
        ->add_option("-o,--output", arguments->request.output,
            "The recording (default: PROGRAM.sqlite). One file holds all processes of the program; with %r (rank) or "
            "%p (process id) in the name, each rank or process gets its own. %h is the host name, %% a percent sign")
        ->type_name("FILE")
        ->check(not_empty());
    add_what(*command, *arguments);
    add_when(*command, *arguments);
    command->add_option("COMMAND", arguments->request.command, "The program and its arguments, after --")->required();
    command->footer(
        "One part of each process is recorded, or several with --every and --idle. If several options end it, the "
        "first one to do so counts. Work\n"
        "issued before the part is not recorded, and how long calls waited for such work is unknown, not 0.\n\n"
        "Exit status: that of the program, or 128 + the signal that killed it; 125 if nothing could be recorded\n"
        "or written, 126 or 127 if the program could not be started, 2 if an option is wrong.\n\n"
        "  lanes record -o run.sqlite -- python train.py\n"
        "  lanes record -o 'run.%r.sqlite' --delay 30s --duration 2s -- torchrun --nproc_per_node 2 ddp.py\n"
        "  lanes record --range 'step 100' -- python train.py");
    command->callback([arguments, &context] { context.status = record(*arguments); });
}

}  // namespace lanes
