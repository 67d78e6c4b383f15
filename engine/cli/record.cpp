// SPDX-License-Identifier: MIT
#include "engine/cli/option_values.h"
#include "engine/cli/run_commands.h"

#include "engine/formatted.h"
#include "engine/run/exit_status.h"
#include "engine/run/record_program.h"
#include "engine/run/record_words.h"

#include <CLI/CLI.hpp>
#include <memory>

namespace lanes {

namespace {

CLI::Validator amount_of(Dimension dimension, const char* example)
{
    return {[dimension, example](const std::string& found) -> std::string {
                return amount(found, dimension) ? "" : formatted("found \"{}\", expected {}", found, example);
            },
        ""};
}

struct RecordWords {
    RecordRequest request;
    std::string delay, duration, capture, steps, max_size;
};

int record(RecordWords words)
{
    auto& control = words.request.control;
    const auto number
        = [](const std::string& text, Dimension dimension) { return amount(text, dimension).value_or(0); };
    control.delay = static_cast<Ns>(number(words.delay, Dimension::time));
    control.duration = static_cast<Ns>(number(words.duration, Dimension::time));
    control.max_bytes = static_cast<std::uint64_t>(number(words.max_size, Dimension::bytes));
    control.profiler = !words.capture.empty();
    words.request.steps = steps_of(words.steps);
    control.steps_end = words.request.steps ? words.request.steps->end : 0;
    return exit_status_of(RunProgress::Form::none, [&] { return record_program(words.request); });
}

}  // namespace

void add_record_command(CLI::App& app, int& status)
{
    const auto words = std::make_shared<RecordWords>();
    auto* const command = app.add_subcommand("record", "Record any CUDA program");
    command
        ->add_option("-o,--output", words->request.output,
            "The recording; PROGRAM.sqlite unless given. One file has all processes of the program; with %r (rank) or "
            "%p (process id) in its name each rank or process gets its own. %h is the host, %% a percent")
        ->type_name("FILE");
    command->add_flag("--pytorch", words->request.pytorch,
        "Record PyTorch's operators, modules, backward passes and DataLoader batches as ranges above the API calls, "
        "and the memory of its allocator as curves, with no change of the program (PyTorch 1.13 and later)");
    command->add_flag("--live", words->request.live,
        "While the program runs, say on stderr how busy the GPU was in the last second, how much of it overlapped and "
        "how long the CPU was blocked: one line that is written over on a terminal, else a line a second");
    command
        ->add_option("--delay", words->delay,
            "Record nothing until this much time has passed since the program was started, such as 2s")
        ->type_name("TIME")
        ->check(amount_of(Dimension::time, "a time such as 2s or 500ms"));
    command
        ->add_option(
            "--duration", words->duration, "Stop recording after this time; it counts from where recording begins")
        ->type_name("TIME")
        ->check(amount_of(Dimension::time, "a time such as 2s or 500ms"));
    auto* const range
        = command
              ->add_option("--range", words->request.control.range,
                  "Record only while an NVTX range (or a lanescope.range) of this name is open, in each process the "
                  "first one that opens (after the delay)")
              ->type_name("NAME");
    command
        ->add_option("--capture-range", words->capture,
            "Record only from the first cudaProfilerStart (torch.cuda.profiler.start) to cudaProfilerStop")
        ->check(one_of({"cudaProfilerApi"}))
        ->excludes(range);
    command
        ->add_option("--steps", words->steps,
            "Keep iterations A up to, but without, B: those in ranges ProfilerStep#A to #B-1, after which recording "
            "stops; else those that are found once the program has ended, counted from 0, by ranges whose names "
            "differ in a number or by launches that repeat")
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
        ->excludes("--capture-range");
    command
        ->add_option("--max-size", words->max_size,
            "Stop recording when the records of all processes have this size, such as 2GiB; the program runs on. "
            "Looked at eight times a second")
        ->type_name("SIZE")
        ->check(amount_of(Dimension::bytes, "a size such as 500MB or 2GiB"));
    command->add_flag("--all-api", words->request.control.all_api,
        "Record every API call, also those that only ask for a state (cudaGetDevice, cuKernelGetName), of which a "
        "program makes several for each launch");
    command->add_option("COMMAND", words->request.command, "The program and its words, after --")->required();
    command->footer(
        "Of a process one part is recorded: it ends with whatever comes first. Work that was issued before it\n"
        "is not in the recording, and how long calls waited for such work is unknown, not 0.\n\n"
        "  lanes record -o run.sqlite -- python train.py\n"
        "  lanes record -o 'run.%r.sqlite' --delay 30s --duration 2s -- torchrun --nproc_per_node 2 ddp.py\n"
        "  lanes record --range 'step 100' -- python train.py");
    command->callback([words, &status] { status = record(*words); });
}

}  // namespace lanes
