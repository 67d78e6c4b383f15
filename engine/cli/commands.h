// SPDX-License-Identifier: MIT
// The commands of `lanes`. Each is one file with one function that adds it to the command
// line; its callback does the work and sets CommandContext::status. The exit status is 0:
// done, 1: failed while running, 2: wrong input or arguments; run_command_line() returns
// 2 for the exceptions that mean it.
#pragma once

#include "engine/analysis/words/messages.h"
#include "engine/trace/trace.h"

#include <optional>
#include <stdexcept>
#include <string>

namespace CLI {
class App;
}

namespace lanes {

/// What the commands share.
struct CommandContext {
    int status = 0;
    std::string language;  ///< --lang; "": not given

    /// In the language asked for, else that of the locale.
    const Messages& messages() const;
    /// In the language asked for, else in English.
    const Messages& json_messages() const;
};

/// Something that the user named does not exist or is of the wrong kind: one line, exit status 2.
class InputError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// `--lang`, which every command that prints sentences takes.
void add_language(CLI::App& command, CommandContext& context);

/// Opens a recording that a command was given. Throws InputError if it is not there, StoreError if it is none.
Trace open_input(const std::string& path);

/// FILE, of commands that read one recording.
void add_recording(CLI::App& command, std::string& file);
/// `--range A:B`, for commands that can look at a part of a recording.
void add_range(CLI::App& command, std::string& range);
/// What it says of this recording; nothing where it was not given. Throws InputError.
std::optional<Interval> range_of(const std::string& range, const Trace& trace);

/// What `lanes` does with its words; the exit status.
int run_command_line(int argc, char** argv);

/// All that `lanes` can do: its options, its commands, its notes. What --help prints, man page and completions come
/// from it.
void add_all_commands(CLI::App& app, CommandContext& context);
void add_list(CLI::App& app, CommandContext& context);
void add_show(CLI::App& app, CommandContext& context);
void add_report(CLI::App& app, CommandContext& context);
void add_why(CLI::App& app, CommandContext& context);
void add_whatif(CLI::App& app, CommandContext& context);
void add_summary(CLI::App& app, CommandContext& context);
void add_compare(CLI::App& app, CommandContext& context);
void add_convert(CLI::App& app, CommandContext& context);
void add_merge(CLI::App& app);

}  // namespace lanes
