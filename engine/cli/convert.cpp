// SPDX-License-Identifier: MIT
#include "engine/cli/commands.h"
#include "engine/cli/progress_bar.h"
#include "engine/store/recording_file.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <system_error>

namespace lanes {

namespace {

void convert(const std::string& in, const std::string& out)
{
    std::error_code none;
    if (std::filesystem::equivalent(in, out, none)) {
        throw InputError("'" + out + "' is the input itself; give OUT another name");
    }
    Trace trace;
    try {
        ProgressBar bar("reading");
        trace = open_recording(in, Progress([&](double fraction) { bar.show(fraction); }));
    } catch (const std::system_error& error) {
        throw InputError("cannot open '" + in + "': " + error.code().message());
    }
    ProgressBar bar("writing");
    save_recording(trace, out, Progress([&](double fraction) { bar.show(fraction); }));
}

}  // namespace

void add_convert(CLI::App& app, CommandContext&)
{
    struct Words {
        std::string in, out;
    };
    const auto words = std::make_shared<Words>();
    auto* const command = app.add_subcommand("convert", "Write a recording in another form");
    command
        ->add_option("IN", words->in,
            "A recording, or a trace of PyTorch's profiler, Chrome or Nsight Systems (its SQLite export); its content "
            "decides, not its name")
        ->required();
    command->add_option("OUT", words->out, "Ends in .sqlite, .json, .json.gz (Chrome trace: Perfetto opens it) or .csv")
        ->required();
    command->footer("OUT is there as a whole or not at all.\n\n"
                    "  lanes convert run.sqlite run.json.gz\n"
                    "  lanes convert run.spool run.sqlite       what a killed run left behind\n"
                    "  lanes convert rank0.pt.trace.json.gz rank0.sqlite");
    command->callback([words] { convert(words->in, words->out); });
}

}  // namespace lanes
