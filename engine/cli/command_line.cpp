// SPDX-License-Identifier: MIT
#include "engine/analysis/words/text_table.h"
#include "engine/ascii.h"
#include "engine/cli/commands.h"
#include "engine/input_error.h"
#include "engine/standard_output.h"
#include "engine/trace/progress.h"
#include "engine/workload/nearest.h"

#include <algorithm>
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int failed = 1, wrong_arguments = 2, interrupted = 130;

/// Prints one line on stderr, whatever the message contains.
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

std::vector<const CLI::App*> commands_of(const CLI::App& app)
{
    return app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); });
}

bool is_option(std::string_view word)
{
    return word.size() > 1 && word.front() == '-' && word != "--";
}

/// The option that was probably meant by one that `known` does not have. A single letter is near only to its other
/// case.
std::string nearest_option(const std::string& name, const std::vector<std::string>& known)
{
    if (name.size() > 2) {
        return lanes::nearest_name(name, known);
    }
    const auto same = std::find_if(known.begin(), known.end(), [&](const std::string& each) {
        return each.size() == 2 && lanes::ascii::to_lower(each[1]) == lanes::ascii::to_lower(name[1]);
    });
    return same == known.end() ? "" : *same;
}

/// "lanes run or lanes calibrate": the commands that have this option.
std::string takers_of(const std::string& name, const CLI::App& app)
{
    std::vector<std::string> takers;
    for (const auto* command : commands_of(app)) {
        const auto known = option_names(*command);
        if (std::find(known.begin(), known.end(), name) != known.end()) {
            takers.push_back("lanes " + command->get_name());
        }
    }
    return lanes::alternatives(takers);
}

/// The first word that no command takes; after a command, options come before other words, which may have been meant as
/// their values. Words after -- are no options. "": there is none.
std::string unexpected_word(const CLI::App& app, const std::vector<std::string>& words)
{
    const auto rest = app.remaining(true);
    const auto is_left = [&](const std::string& word) {
        return word != "--" && std::find(rest.begin(), rest.end(), word) != rest.end();
    };
    const auto separator = std::find(words.begin(), words.end(), "--");
    const auto option = std::find_if(
        words.begin(), separator, [&](const std::string& word) { return is_option(word) && is_left(word); });
    if (option != separator && !app.get_subcommands().empty()) {
        return *option;
    }
    const auto word = std::find_if(words.begin(), words.end(), is_left);
    return word == words.end() ? "" : *word;
}

/// Advice about an option that the command does not have.
std::string advice(const std::string& name, const CLI::App& app, const CLI::App& command)
{
    const auto known = option_names(command);
    if (std::find(known.begin(), known.end(), name) != known.end()) {
        return "it comes after the command: lanes " + command.get_name() + ' ' + name;
    }
    if (const auto nearest = nearest_option(name, known); !nearest.empty()) {
        return "did you mean '" + nearest + "'?";
    }
    const auto takers = &command == &app ? std::string() : takers_of(name, app);
    return (takers.empty() ? "" : "it is an option of " + takers + "; ") + "see lanes "
        + (&command == &app ? "" : command.get_name() + ' ') + "--help";
}

/// An error for a word that no command takes, with the nearest known name.
std::string unexpected(const CLI::App& app, const std::vector<std::string>& words, const std::string& word)
{
    const auto chosen = app.get_subcommands();
    const CLI::App& command = chosen.empty() ? app : *chosen.front();
    const auto at = std::find(words.begin(), words.end(), word);
    if (is_option(word) && std::find(words.begin(), at, "--") == at) {
        std::string message = "unknown option '" + word + "'; ";
        const auto* const program = command.get_option_no_throw("COMMAND");
        if (program != nullptr && program->count() > 0) {
            const auto begun = std::find(words.begin(), at, program->results().front());
            if (begun != at) {
                message += "options of the program come after --: lanes " + command.get_name() + " --";
                std::for_each(begun, words.end(), [&](const std::string& each) { message += ' ' + each; });
                return message;
            }
        }
        return message + advice(word.substr(0, word.find('=')), app, command);
    }
    if (!chosen.empty()) {
        return "unexpected argument '" + word + "'; see lanes " + command.get_name() + " --help";
    }
    std::vector<std::string> known;
    for (const auto* each : commands_of(app)) {
        known.push_back(each->get_name());
    }
    const auto nearest = lanes::nearest_name(word, known);
    return "unknown command '" + word + "'; "
        + (nearest.empty() ? "see lanes --help" : "did you mean '" + nearest + "'?");
}

/// CLI11 says "json was given a disallowed flag override", "--pin: At Most 1 required but received 3" and "--lang: 1
/// required LANG:{en,zh_CN} missing".
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
    constexpr std::string_view needed = ": 1 required ", missing = " missing";
    if (const auto end = message.find(needed); end != std::string::npos && message.ends_with(missing)) {
        const auto at = end + needed.size();
        return message.substr(0, end) + ": found nothing, expected "
            + message.substr(at, message.size() - missing.size() - at);
    }
    return message;
}

/// The command's status, or that of a failure if its output could not be written.
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
    const std::vector<std::string> words(argv + 1, argv + argc);
    try {
        app.parse(argc, argv);
        if (app.get_subcommands().empty()) {
            return complain(app, "no command given; see lanes --help", wrong_arguments);
        }
        return ended(app, context.status);
    } catch (const CLI::Success& help) {
        return ended(app, app.exit(help));
    } catch (const CLI::ParseError& error) {
        // Other errors may follow from an unknown word: "--outptu" names no output.
        const auto word = unexpected_word(app, words);
        if (!word.empty()) {
            return complain(app, unexpected(app, words, word), wrong_arguments);
        }
        const auto* const mismatch = dynamic_cast<const CLI::ArgumentMismatch*>(&error);
        return complain(app, mismatch == nullptr ? error.what() : said_plainly(*mismatch), wrong_arguments);
    } catch (const lanes::InputError& error) {
        return complain(app, error.what(), wrong_arguments);
    } catch (const lanes::Cancelled& error) {
        return complain(app, error.what(), interrupted);
    } catch (const std::exception& error) {
        return complain(app, error.what(), failed);
    }
}
