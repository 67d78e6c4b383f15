// SPDX-License-Identifier: MIT
#include "engine/ranks/merge_ranks.h"

#include "engine/analysis/words/shown.h"
#include "engine/cli/commands.h"
#include "engine/cli/progress_bar.h"
#include "engine/input_error.h"
#include "engine/store/recording_file.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

namespace lanes {

namespace {

/// How the clocks of the parts were brought together, and by how much that may be wrong.
void tell_clocks(const std::vector<MergedPart>& parts)
{
    const auto& first = parts.front().name;
    for (const auto& part : parts) {
        const auto moved
            = shown_time(part.moved < 0 ? -part.moved : part.moved) + (part.moved < 0 ? " earlier" : " later");
        const auto within = part.uncertainty ? shown_time(*part.uncertainty) : "";
        if (part.alignment == Alignment::collectives) {
            std::fprintf(
                stderr, "%s: its clock differs: shifted %s, ± %s\n", part.name.c_str(), moved.c_str(), within.c_str());
        } else if (part.alignment == Alignment::starts) {
            std::fprintf(stderr,
                "%s: has neither time nor matching collectives in common with %s: shifted %s, so that both begin "
                "together\n",
                part.name.c_str(), first.c_str(), moved.c_str());
        } else if (part.uncertainty) {
            std::fprintf(stderr, "%s: its clock agrees with that of %s, ± %s\n", part.name.c_str(), first.c_str(),
                within.c_str());
        }
    }
}

void merge(const std::vector<std::string>& files, const std::string& out)
{
    if (files.size() < 2) {
        throw InputError("FILE: found one recording, expected two or more, one per rank");
    }
    std::vector<MergedPart> parts;
    {
        ProgressBar bar("reading");
        for (const auto& file : files) {
            std::error_code none;
            if (std::filesystem::equivalent(file, out, none)) {
                throw InputError("'" + out + "' is one of the inputs; choose another name for -o");
            }
            for (const auto& before : parts) {
                if (std::filesystem::equivalent(file, before.name, none)) {
                    throw InputError("'" + file + "' is given twice: each rank has a file of its own");
                }
            }
            MergedPart part;
            part.name = file;
            part.trace = open_input(file);
            parts.push_back(std::move(part));
            bar.show(static_cast<double>(parts.size()) / static_cast<double>(files.size()));
        }
    }
    const Trace trace = merge_ranks(parts);
    {
        ProgressBar bar("writing");
        save_recording(trace, out, Progress([&](double fraction) { bar.show(fraction); }));
    }
    tell_clocks(parts);
}

}  // namespace

void add_merge(CLI::App& app, CommandContext&)
{
    struct Arguments {
        std::vector<std::string> files;
        std::string out;
    };
    const auto arguments = std::make_shared<Arguments>();
    auto* const command = app.add_subcommand("merge", "Merge the recordings of a run's ranks into one");
    command->add_option("FILE", arguments->files, "Two or more recordings or traces, as for report, one per rank")
        ->required();
    command
        ->add_option("-o,--output", arguments->out, "The merged recording; the ending gives the format, as for convert")
        ->required()
        ->type_name("OUT");
    command->footer(
        "Each file says which rank it is (distributedInfo); if some do not, the order of the files counts. If the\n"
        "clocks of hosts differ, ranks are shifted by what their collectives tell of them; how far that may be wrong\n"
        "is said.\n"
        "lanes convert ALL.sqlite 'rank%r.json.gz' splits a merged recording again.\n\n"
        "  lanes merge rank0.pt.trace.json.gz rank1.pt.trace.json.gz -o all.sqlite");
    command->callback([arguments] { merge(arguments->files, arguments->out); });
}

}  // namespace lanes
