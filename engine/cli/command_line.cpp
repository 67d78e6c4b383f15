// SPDX-License-Identifier: MIT
#include "engine/analysis/words/text_table.h"
#include "engine/cli/commands.h"
#include "engine/input_error.h"
#include "engine/standard_output.h"
#include "engine/trace/progress.h"
#include "engine/workload/nearest.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int failed = 1, wrong_arguments = 2, interrupted = 130;

/// One line on stderr, whatever the message holds.
int complain(const CLI::App& app, std::string_view message, int status)
{
    std::string command = "lanes";
    for (const auto* part : app.get_subcommands()) {
        command += ' ' + part->get_name();
    }
    std::fprintf(stderr, "%s: %s\n", command.c_str(), lanes::printable(message).c_str());
    return status;
}

std::vector<std::string> option_names(const CLI::App& command)
{
    std::vector<std::string> names;
    for (const auto* option : command.get_options()) {
        for (const auto& name : option->get_lnames()) {
            names.push_back("--" + name);
        }
        for (const auto& name : option->get_snames()) {
            names.push_back("-" + name);
        }
    }
    return names;
}

/// An error for arguments that no command takes, with the nearest known name.
std::string unexpected(const CLI::App& app)
{
    const auto chosen = app.get_subcommands();
    const auto rest = app.remaining(true);
    const std::string word = rest.empty() ? "" : rest.front();
    const bool option = word.size() > 1 && word.front() == '-';
    std::vector<std::string> known;
    if (option) {
        known = option_names(chosen.empty() ? app : *chosen.front());
    } else if (chosen.empty()) {
        for (const auto* command :
            app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); })) {
            known.push_back(command->get_name());
        }
    }
    std::string message = option ? "unknown option '" : chosen.empty() ? "unknown command '" : "unexpected argument '";
    message += word + "'";
    const auto name = option ? word.substr(0, word.find('=')) : word;
    if (const auto nearest = lanes::nearest_name(name, known); !nearest.empty()) {
        message += "; did you mean '" + nearest + "'?";
    } else {
        message += std::string("; see lanes ") + (chosen.empty() ? "" : chosen.front()->get_name() + " ") + "--help";
    }
    return message;
}

/// CLI11 says "json was given a disallowed flag override" and "--pin: At Most 1 required but received 3".
std::string said_plainly(const CLI::ArgumentMismatch& error)
{
    std::string message = error.what();
    if (const auto end = message.find(" was given a disallowed flag override"); end != std::string::npos) {
        return "--" + message.substr(0, end) + " takes no value";
    }
    constexpr std::string_view most = ": At Most 1 required but received ";
    if (const auto end = message.find(most); end != std::string::npos) {
        return message.substr(0, end) + " is given " + message.substr(end + most.size()) + " times, expected once";
    }
    return message;
}

/// The command's status, or that of a failure if what it printed did not arrive.
int ended(const CLI::App& app, int status)
{
    const bool arrived = lanes::standard_output_arrived();
    return arrived || status != 0 ? status : complain(app, "cannot write to standard output", failed);
}

}  // namespace

int lanes::run_command_line(int argc, char** argv)
{
    std::signal(SIGXFSZ, SIG_IGN);  // a full disk is an error to report, not a signal that ends lanes
    lanes::CommandContext context;
    CLI::App app(
        "Lanescope records what the CPU and the GPU do, and shows whether they do it at the same time.", "lanes");
    lanes::add_all_commands(app, context);
    try {
        app.parse(argc, argv);
        if (app.get_subcommands().empty()) {
            return complain(app, "no command given; see lanes --help", wrong_arguments);
        }
        return ended(app, context.status);
    } catch (const CLI::ExtrasError&) {
        return complain(app, unexpected(app), wrong_arguments);
    } catch (const CLI::Success& help) {
        return ended(app, app.exit(help));
    } catch (const CLI::ArgumentMismatch& error) {
        return complain(app, said_plainly(error), wrong_arguments);
    } catch (const CLI::ParseError& error) {
        return complain(app, error.what(), wrong_arguments);
    } catch (const lanes::InputError& error) {
        return complain(app, error.what(), wrong_arguments);
    } catch (const lanes::Cancelled& error) {
        return complain(app, error.what(), interrupted);
    } catch (const std::exception& error) {
        return complain(app, error.what(), failed);
    }
}
