// SPDX-License-Identifier: MIT
#include "engine/help/command_words.h"

#include <sstream>

namespace lanes {

namespace {

std::string in_fish_quotes(const std::string& text)
{
    std::string out = "'";
    for (const char letter : text) {
        out += letter == '\'' || letter == '\\' ? "\\" + std::string(1, letter) : std::string(1, letter);
    }
    return out + "'";
}

/// What fish offers for a value: words, or files; "": there is no list.
std::string fish_offer(const std::string& value, const std::vector<std::string>& choices)
{
    if (!choices.empty()) {
        std::string words;
        for (const auto& choice : choices) {
            words += (words.empty() ? "" : " ") + choice;
        }
        return " -f -a " + in_fish_quotes(words);
    }
    switch (value_kind(value)) {
    case ValueKind::file:
        return " -F";
    case ValueKind::folder:
        return " -f -a '(__fish_complete_directories)'";
    case ValueKind::workload:
        return " -F -k -a '(lanes list 2>/dev/null | string replace -r \" .*\" \"\")'";
    case ValueKind::device:
        return " -f -a 'auto model cuda'";
    case ValueKind::program:
        return " -F -a '(__fish_complete_subcommand)'";
    case ValueKind::none:
        break;
    }
    return " -f";
}

void add_fish_command(std::ostringstream& out, const HelpCommand& command, const std::string& start)
{
    for (const auto& option : command.options) {
        out << start;
        for (const auto& name : option.names) {
            out << (name.rfind("--", 0) == 0 ? " -l " + name.substr(2) : " -s " + name.substr(1));
        }
        out << (option.value.empty() ? " -f" : " -r" + fish_offer(option.value, option.choices)) << " -d "
            << in_fish_quotes(option.text) << '\n';
    }
    if (command.words.empty()) {
        out << start << " -f\n";
    } else {
        out << start << fish_offer(command.words.front().names.front(), command.words.front().choices) << '\n';
    }
}

}  // namespace

std::string fish_completion(const HelpCommand& program)
{
    std::string names;
    for (const auto& command : program.commands) {
        names += ' ' + command.name;
    }
    const auto start = "complete -c " + program.name;
    const auto none = names.empty() ? start : start + " -n 'not __fish_seen_subcommand_from" + names + "'";
    std::ostringstream out;
    out << "# fish completion of " << program.name << ", made from the table of its options\n";
    for (const auto& command : program.commands) {
        out << none << " -f -a " << command.name << " -d " << in_fish_quotes(command.text) << '\n';
    }
    add_fish_command(out, program, none);
    for (const auto& command : program.commands) {
        add_fish_command(out, command, start + " -n '__fish_seen_subcommand_from " + command.name + "'");
    }
    return out.str();
}

}  // namespace lanes
