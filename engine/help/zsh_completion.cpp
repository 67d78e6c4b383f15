// SPDX-License-Identifier: MIT
#include "engine/help/command_words.h"

#include <sstream>

namespace lanes {

namespace {

/// Escapes text for '…' of the shell and for _arguments, where brackets and colons are special.
std::string in_zsh_quotes(const std::string& text)
{
    std::string out;
    for (const char letter : text) {
        if (letter == '\'') {
            out += "'\\''";
        } else {
            out += letter == '[' || letter == ']' || letter == ':' || letter == '\\' ? "\\" + std::string(1, letter)
                                                                                     : std::string(1, letter);
        }
    }
    return out;
}

std::string zsh_action(const std::string& value, const std::vector<std::string>& choices)
{
    if (!choices.empty()) {
        std::string words;
        for (const auto& choice : choices) {
            words += (words.empty() ? "" : " ") + choice;
        }
        return "(" + words + ")";
    }
    switch (value_kind(value)) {
    case ValueKind::file:
        return "_files";
    case ValueKind::folder:
        return "_files -/";
    case ValueKind::workload:
        return "_lanescope_workloads";
    case ValueKind::device:
        return "(auto model cuda)";
    case ValueKind::program:
        return "_normal";
    case ValueKind::none:
        break;
    }
    return " ";
}

/// The words of one _arguments call, one a line.
void add_arguments(std::ostringstream& out, const HelpCommand& command, const std::string& indent)
{
    for (const auto& option : command.options) {
        for (const auto& name : option.names) {
            out << " \\\n" << indent << "'*" << name << '[' << in_zsh_quotes(option.text) << ']';
            if (!option.value.empty()) {
                out << ':' << in_zsh_quotes(option.value) << ':' << zsh_action(option.value, option.choices);
            }
            out << '\'';
        }
    }
    for (const auto& word : command.words) {
        const auto& name = word.names.front();
        out << " \\\n"
            << indent << "'"
            << (value_kind(name) == ValueKind::program ? "*::"
                       : word.many                     ? "*:"
                                                       : ":")
            << in_zsh_quotes(name) << ':' << zsh_action(name, word.choices) << '\'';
    }
    out << '\n';
}

}  // namespace

std::string zsh_completion(const HelpCommand& program)
{
    std::ostringstream out;
    out << "#compdef " << program.name << "\n# made from the table of its options\n\n"
        << "_lanescope_workloads()\n{\n    local -a names\n    names=(${(f)\"$(lanes list 2>/dev/null | cut -d' ' "
           "-f1)\"})\n"
        << "    compadd -a names\n    _files -g '*.y(a|)ml'\n}\n\n"
        << '_' << program.name << "()\n{\n";
    if (!program.commands.empty()) {
        out << "    local -a commands\n    local command=\n    commands=(\n";
        for (const auto& command : program.commands) {
            out << "        '" << command.name << ':' << in_zsh_quotes(command.text) << "'\n";
        }
        out << "    )\n    local i\n    for ((i = 2; i < CURRENT; ++i)); do\n"
            << "        (( ${+commands[(r)${words[i]}:*]} )) && { command=${words[i]}; shift $((i - 1)) words; "
               "CURRENT=$((CURRENT - i + 1)); break }\n"
            << "    done\n    case $command in\n";
        for (const auto& command : program.commands) {
            out << "        " << command.name << ")\n            _arguments";
            add_arguments(out, command, "                ");
            out << "            return ;;\n";
        }
        out << "    esac\n    (( CURRENT == 2 )) && [[ ${words[CURRENT]} != -* ]] && _describe command commands\n";
    }
    out << "    _arguments";
    add_arguments(out, program, "        ");
    out << "}\n\n_" << program.name << " \"$@\"\n";
    return out.str();
}

}  // namespace lanes
