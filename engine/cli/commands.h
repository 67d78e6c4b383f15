// SPDX-License-Identifier: MIT
// The commands of `lanes`. Each has a file with a function that adds it to the command line (`add_report` in
// report.cpp), and a row in all_commands.cpp; its callback does the work and sets CommandContext::status. Exit status:
// 0 done, 1 failed while running, 2 wrong input or arguments (InputError).
#pragma once

#include "engine/analysis/row_id.h"
#include "engine/analysis/words/messages.h"
#include "engine/trace/progress.h"
#include "engine/trace/trace.h"

#include <optional>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace lanes {

/// What the commands share.
struct CommandContext {
    int status = 0;
    std::string language;  ///< --lang; "": not given

    /// In the requested language, else in that of the locale.
    const Messages& messages() const;
    /// In the requested language, else in English.
    const Messages& json_messages() const;
};

/// Adds `--lang`, for commands that print sentences.
void add_language(CLI::App& command, CommandContext& context);

/// Writes it to standard output, including NULs, which names in a file may have.
void print(std::string_view text);

struct Gathered;
/// Says on standard error what was left out. Throws InputError where there is no rank.
void expect_ranks(const Gathered& gathered, const Messages& messages);

/// Opens the recording that the user named. Throws InputError if it cannot be read or is no recording.
Trace open_input(const std::string& path, const Progress& progress = {});

/// Adds the argument FILE, for commands that read one recording.
void add_recording(CLI::App& command, std::string& file);
/// Adds `--range A:B`, for commands that can look at a part of a recording.
void add_range(CLI::App& command, std::string& range);
/// The value of `--range` as times of this recording; nothing if it was not given. Throws InputError.
std::optional<Interval> range_of(const std::string& range, const Trace& trace);

/// Adds `--row ID`, for commands that take the id of a row instead of a range.
void add_row(CLI::App& command, std::string& row);
/// The row of `--row`; nothing if it was not given. Throws InputError.
std::optional<FoundRow> row_of(const std::string& row, const Trace& trace);
/// The part that `--row` or `--range` gives.
std::optional<Interval> part_of(const std::string& range, const std::string& row, const Trace& trace);

/// Runs `lanes` with these arguments. Returns the exit status.
int run_command_line(int argc, char** argv);

/// Adds all commands and options. --help, the man page and the completions are made from them.
void add_all_commands(CLI::App& app, CommandContext& context);

}  // namespace lanes
