// SPDX-License-Identifier: MIT
#include "engine/analysis/cut_out.h"
#include "engine/analysis/words/shown.h"
#include "engine/cli/commands.h"
#include "engine/cli/progress_bar.h"
#include "engine/input_error.h"
#include "engine/ranks/merge_ranks.h"
#include "engine/store/recording_file.h"

#include <algorithm>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

namespace lanes {

namespace {

void refuse_input(const std::string& in, const std::string& out)
{
    std::error_code none;
    if (std::filesystem::equivalent(in, out, none)) {
        throw InputError("'" + out + "' is the input itself; choose another name for OUT");
    }
}

constexpr std::string_view rank_place = "%r";

/// When its first call, operation or range begins.
Ns first_start(const Trace& trace)
{
    Ns first = trace.duration;
    for (const auto* starts : {&trace.calls.start, &trace.operations.start}) {
        for (const Ns start : *starts) {
            first = std::min(first, start);
        }
    }
    for (const auto& range : trace.ranges) {
        first = std::min(first, range.start);
    }
    return first;
}

/// Writes a recording; each rank to a separate file if the name has a place for its number. Returns how much later than
/// the first rank the last one begins.
Ns write(const Trace& trace, const std::string& in, const std::string& out, ProgressBar& bar)
{
    const auto place = out.find(rank_place);
    if (place == std::string::npos) {
        save_recording(trace, out, Progress([&](double fraction) { bar.show(fraction); }));
        return 0;
    }
    auto ranks = ranks_of(trace);
    if (ranks.empty()) {
        ranks.push_back({trace.processes.empty() ? 0 : trace.processes.front().id, 0, 1});
    }
    Ns earliest = trace.duration, latest = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        auto name = out;
        name.replace(place, rank_place.size(), std::to_string(ranks[i].rank));
        refuse_input(in, name);
        const auto part = part_of(trace, ranks, i);
        const Ns start = first_start(part);
        earliest = std::min(earliest, start);
        latest = std::max(latest, start);
        save_recording(part, name);
        bar.show(static_cast<double>(i + 1) / static_cast<double>(ranks.size()));
    }
    return latest - earliest;
}

void convert(const std::string& in, const std::string& out, const std::string& range, const std::string& row)
{
    refuse_input(in, out);
    Trace trace;
    {
        ProgressBar bar("reading");
        trace = open_input(in, Progress([&](double fraction) { bar.show(fraction); }));
    }
    if (const auto part = part_of(range, row, trace)) {
        trace = cut_out(trace, *part);
    }
    Ns later = 0;
    {
        ProgressBar bar("writing");
        later = write(trace, in, out, bar);
    }
    if (later > 0) {
        std::fprintf(stderr,
            "%s: each file begins where the first rank does, so that times of ranks compare: the last one begins %s "
            "later, which counts as idle in its file\n",
            out.c_str(), shown_time(later).c_str());
    }
}

}  // namespace

void add_convert(CLI::App& app, CommandContext&)
{
    struct Arguments {
        std::string in, out, range, row;
    };
    const auto arguments = std::make_shared<Arguments>();
    auto* const command = app.add_subcommand("convert", "Convert a recording or a trace to another format");
    command
        ->add_option("IN", arguments->in,
            "A recording, or a trace from PyTorch's profiler, Chrome, Perfetto or Nsight Systems (its SQLite export). "
            "The "
            "content decides, not the name")
        ->required();
    command
        ->add_option("OUT", arguments->out,
            "The ending gives the format: .sqlite, .json or .json.gz (Chrome trace, for Perfetto) or .csv. With %r in "
            "the name, one file per rank, with its number")
        ->required();
    add_range(*command, arguments->range);
    add_row(*command, arguments->row);
    command->footer(
        "OUT is written completely or not at all. With --range, what reaches over an end of it is cut there.\n"
        "\n"
        "  lanes convert run.sqlite run.json.gz\n"
        "  lanes convert run.spool run.sqlite         recover what a killed run left behind\n"
        "  lanes convert ddp.sqlite 'rank%r.json.gz'  for HTA, which needs one file per rank\n"
        "  lanes convert rank0.pt.trace.json.gz rank0.sqlite\n"
        "  lanes convert run.sqlite iterations.sqlite --range steady");
    command->callback([arguments] { convert(arguments->in, arguments->out, arguments->range, arguments->row); });
}

}  // namespace lanes
