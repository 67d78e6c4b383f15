// SPDX-License-Identifier: MIT
// lanes-help-pages FOLDER: writes man page and completions of `lanes` from the table that --help is printed from.
// Run by the build.
#include "engine/cli/commands.h"
#include "engine/help/command_words.h"

#include <algorithm>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

namespace {

using lanes::HelpCommand;
using lanes::HelpOption;

/// "TABLE:{kernel,copy}" -> TABLE, and its choices.
void read_type(const std::string& type, HelpOption& option)
{
    const auto open = type.find('{'), close = type.find('}');
    if (open != std::string::npos && close != std::string::npos) {
        for (auto at = open + 1; at < close;) {
            const auto end = std::min(type.find(',', at), close);
            option.choices.push_back(type.substr(at, end - at));
            at = end + 1;
        }
    }
    option.value = type.substr(0, std::min(type.find(':') == 1 ? std::string::npos : type.find(":{"), type.size()));
}

HelpOption read(const CLI::Option& from)
{
    HelpOption option;
    option.text = from.get_description();
    option.required = from.get_required();
    if (from.get_positional()) {
        option.names = {from.get_name(true, false)};
        option.many = from.get_expected_max() > 1;
        return option;
    }
    for (const auto& name : from.get_snames()) {
        option.names.push_back("-" + name);
    }
    for (const auto& name : from.get_lnames()) {
        option.names.push_back("--" + name);
    }
    if (from.get_expected_max() > 0) {
        read_type(from.get_type_name(), option);
    }
    return option;
}

HelpCommand read(const CLI::App& from)
{
    HelpCommand command {.name = from.get_name(),
        .text = from.get_description(),
        .notes = from.get_footer(),
        .options = {},
        .words = {},
        .commands = {}};
    for (const auto* option : from.get_options()) {
        (option->get_positional() ? command.words : command.options).push_back(read(*option));
    }
    for (const auto* each : from.get_subcommands([](const CLI::App* child) { return !child->get_group().empty(); })) {
        command.commands.push_back(read(*each));
    }
    return command;
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fputs("lanes-help-pages: expected a folder to write to\n", stderr);
        return 2;
    }
    try {
        lanes::CommandContext context;
        CLI::App app(
            "Lanescope records what the CPU and the GPU do, and shows whether they do it at the same time.", "lanes");
        lanes::add_all_commands(app, context);
        lanes::write_help_pages(read(app), LANES_VERSION, argv[1]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "lanes-help-pages: %s\n", error.what());
        return 1;
    }
    return 0;
}
