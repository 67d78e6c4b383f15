// SPDX-License-Identifier: MIT
// The words that a program takes, from its table of options. Man page and shell completions are written from this, so
// that neither can differ from --help.
#pragma once

#include <string>
#include <vector>

namespace lanes {

/// An option, or a word without a name (a positional).
struct HelpOption {
    std::vector<std::string> names;  ///< "-o", "--output"; for a positional only its placeholder: FILE
    std::string value;  ///< its value, such as NAME, A:B or FILE; "" for a flag and for a positional
    std::vector<std::string> choices;  ///< all values that it may have; empty if they cannot be listed
    std::string text;  ///< one sentence
    bool required = false;
    bool many = false;  ///< of a positional: may be given again
};

/// A program, or one of its subcommands.
struct HelpCommand {
    std::string name;  ///< "lanes", "report"
    std::string text;  ///< one sentence
    std::string notes;  ///< paragraphs with empty lines between; lines that begin with two blanks are examples
    std::vector<HelpOption> options, words;
    std::vector<HelpCommand> commands;
};

/// What a shell can offer for a value, by its placeholder.
enum class ValueKind { none, file, folder, workload, device, program };
ValueKind value_kind(const std::string& value);

/// The program's page of section 1 of the manual, in the man macros. `version` is shown in its foot.
std::string man_page(const HelpCommand& program, const std::string& version);

/// Completions of bash, of zsh and of fish. Names of workloads come from `lanes list` when completing.
std::string bash_completion(const HelpCommand& program);
std::string zsh_completion(const HelpCommand& program);
std::string fish_completion(const HelpCommand& program);

/// Writes PROGRAM's page and completions to their places under a prefix: FOLDER/man/man1/lanes.1,
/// bash-completion/completions/lanes, zsh/site-functions/_lanes and fish/vendor_completions.d/lanes.fish.
/// Throws std::runtime_error if one cannot be written.
void write_help_pages(const HelpCommand& program, const std::string& version, const std::string& folder);

}  // namespace lanes
