// SPDX-License-Identifier: MIT
// Needs only bash, not the package bash-completion.
#include "engine/help/command_words.h"

#include <sstream>

namespace lanes {

namespace {

std::string joined(const std::vector<std::string>& words, const char* between)
{
    std::string all;
    for (const auto& word : words) {
        all += (all.empty() ? "" : between) + word;
    }
    return all;
}

std::vector<std::string> option_names(const HelpCommand& command)
{
    std::vector<std::string> names;
    for (const auto& option : command.options) {
        names.insert(names.end(), option.names.begin(), option.names.end());
    }
    return names;
}

/// The lines that offer a value.
std::string bash_offer(const std::string& value, const std::vector<std::string>& choices)
{
    if (!choices.empty()) {
        return "_lanescope_offer -W '" + joined(choices, " ") + "'";
    }
    switch (value_kind(value)) {
    case ValueKind::file:
        return "_lanescope_files -f";
    case ValueKind::folder:
        return "_lanescope_files -d";
    case ValueKind::workload:
        return "_lanescope_files -f; _lanescope_offer -W \"$(lanes list 2>/dev/null | cut -d' ' -f1)\"";
    case ValueKind::device:
        return "_lanescope_offer -W 'auto model cuda'";
    case ValueKind::program:
        return "_lanescope_files -c";
    case ValueKind::none:
        break;
    }
    return ":";
}

void add_bash_command(std::ostringstream& out, const HelpCommand& command, const std::string& indent)
{
    out << indent << "case $before in\n";
    for (const auto& option : command.options) {
        if (!option.value.empty()) {
            out << indent << "    " << joined(option.names, " | ") << ") " << bash_offer(option.value, option.choices)
                << "; return ;;\n";
        }
    }
    out << indent << "esac\n" << indent << "if [[ $word == -* ]]; then\n";
    out << indent << "    _lanescope_offer -W '" << joined(option_names(command), " ") << "'\n" << indent << "else\n";
    for (const auto& word : command.words) {  // two in a row are of one kind
        out << indent << "    " << bash_offer(word.names.front(), word.choices) << '\n';
        break;
    }
    if (command.words.empty()) {
        out << indent << "    :\n";
    }
    out << indent << "fi\n";
}

}  // namespace

std::string bash_completion(const HelpCommand& program)
{
    std::vector<std::string> names;
    for (const auto& command : program.commands) {
        names.push_back(command.name);
    }
    const auto function = "_" + program.name;
    std::ostringstream out;
    out << "# bash completion of " << program.name << ", made from the table of its options\n";
    out << function << "()\n{\n"
        << "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= i\n"
        << "    COMPREPLY=()\n"
        << "    _lanescope_offer() { mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen \"$@\" -- \"$word\"); }\n"
        << "    _lanescope_files() { compopt -o filenames 2>/dev/null; _lanescope_offer \"$@\"; }\n";
    if (!names.empty()) {
        out << "    for ((i = 1; i < COMP_CWORD; ++i)); do\n"
            << "        case ${COMP_WORDS[i]} in " << joined(names, " | ")
            << ") command=${COMP_WORDS[i]}; break ;; esac\n"
            << "    done\n";
    }
    out << "    case $command in\n";
    for (const auto& command : program.commands) {
        out << "        " << command.name << ")\n";
        add_bash_command(out, command, "            ");
        out << "            ;;\n";
    }
    out << "        *)\n";
    if (!names.empty()) {
        out << "            [[ $word == -* ]] || { [ $COMP_CWORD -eq 1 ] && _lanescope_offer -W '" << joined(names, " ")
            << "'; }\n";
    }
    add_bash_command(out, program, "            ");
    out << "            ;;\n    esac\n}\n";
    out << "complete -F " << function << ' ' << program.name << '\n';
    return out.str();
}

}  // namespace lanes
