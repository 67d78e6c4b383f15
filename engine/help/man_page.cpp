// SPDX-License-Identifier: MIT
// Only man macros of groff(7) that both man-db and mandoc read.
#include "engine/ascii.h"
#include "engine/help/command_words.h"

#include <algorithm>
#include <sstream>

namespace lanes {

namespace {

/// Escapes text for roff: backslashes and hyphens of options show unchanged, and no line is taken for a request.
std::string roff(const std::string& text)
{
    std::string out;
    for (const char letter : text) {
        out += letter == '\\' ? "\\e" : letter == '-' ? "\\-" : letter == '`' ? "\\(ga" : std::string(1, letter);
    }
    return !out.empty() && (out.front() == '.' || out.front() == '\'') ? "\\&" + out : out;
}

std::string bold(const std::string& text)
{
    return "\\fB" + roff(text) + "\\fP";
}
std::string italic(const std::string& text)
{
    return "\\fI" + roff(text) + "\\fP";
}

std::string value_of(const HelpOption& option)
{
    if (option.value.empty()) {
        return "";
    }
    std::string words;
    for (const auto& choice : option.choices) {
        words += (words.empty() ? "" : "|") + bold(choice);
    }
    return " " + (words.empty() ? italic(option.value) : words);
}

void add_options(std::ostringstream& out, const std::vector<HelpOption>& options)
{
    for (const auto& option : options) {
        out << ".TP\n";
        for (std::size_t i = 0; i < option.names.size(); ++i) {
            out << (i == 0 ? "" : ", ") << bold(option.names[i])
                << (i + 1 == option.names.size() ? value_of(option) : "");
        }
        out << '\n' << roff(option.text) << (option.required ? " (required)" : "") << '\n';
    }
}

std::string synopsis(const HelpCommand& command, const std::string& name)
{
    std::string line = bold(name);
    for (const auto& option : command.options) {
        if (option.required) {
            line += " " + bold(option.names.front()) + value_of(option);
        }
    }
    if (std::any_of(command.options.begin(), command.options.end(), [](const auto& each) { return !each.required; })) {
        line += " [" + italic("options") + "]";
    }
    for (const auto& word : command.words) {
        const auto shown = italic(word.names.front()) + (word.many ? "..." : "");
        line += word.required ? " " + shown : " [" + shown + "]";
    }
    return line;
}

/// Adds paragraphs, and examples unchanged.
void add_notes(std::ostringstream& out, const std::string& notes)
{
    std::istringstream lines(notes);
    bool example = false, fresh = true;
    for (std::string line; std::getline(lines, line);) {
        const bool now = line.rfind("  ", 0) == 0;
        if (example && !now) {
            out << ".EE\n";
        }
        if (line.empty()) {
            fresh = true;
        } else if (now) {
            out << (example ? "" : ".PP\n.EX\n") << roff(line) << '\n';
        } else {
            out << (fresh || example ? ".PP\n" : "") << roff(line) << '\n';
            fresh = false;
        }
        example = now;
    }
    out << (example ? ".EE\n" : "");
}

}  // namespace

std::string man_page(const HelpCommand& program, const std::string& version)
{
    std::ostringstream out;
    out << ".TH " << ascii::in_upper_case(program.name) << " 1 \"\" \"Lanescope " << version
        << "\" \"User commands\"\n";
    std::string what = program.text;
    if (!what.empty() && what.back() == '.') {
        what.pop_back();
    }
    out << ".SH NAME\n" << roff(program.name) << " \\- " << roff(what) << '\n';
    out << ".SH SYNOPSIS\n.nf\n";
    if (program.commands.empty() || !program.words.empty()) {
        out << synopsis(program, program.name) << '\n';
    }
    for (const auto& command : program.commands) {
        out << synopsis(command, program.name + " " + command.name) << '\n';
    }
    out << ".fi\n.SH OPTIONS\n";
    add_options(out, program.words);
    add_options(out, program.options);
    if (!program.commands.empty()) {
        out << ".SH COMMANDS\n";
    }
    for (const auto& command : program.commands) {
        out << ".SS \"" << roff(program.name + " " + command.name) << "\"\n" << roff(command.text) << '\n';
        add_options(out, command.words);
        add_options(out, command.options);
        add_notes(out, command.notes);
    }
    out << ".SH NOTES\n";
    add_notes(out, program.notes);
    out << ".SH SEE ALSO\n" << (program.name == "lanes" ? "\\fBlanescope\\fP(1)" : "\\fBlanes\\fP(1)") << '\n';
    return out.str();
}

}  // namespace lanes
