// SPDX-License-Identifier: MIT
#include "engine/cli/commands.h"
#include "engine/cli/option_values.h"

#include <CLI/CLI.hpp>

// One row for each command, in the order of `lanes --help`. `run` also adds the hidden `run-child` that it starts.
#define LANES_COMMANDS(row)                                                                                            \
    row(list) row(show) row(run) row(record) row(trigger) row(calibrate) row(doctor) row(report) row(why) row(whatif)  \
        row(summary) row(compare) row(convert) row(merge) row(env) row(gather) row(summarize) row(ranks) row(rows)     \
            row(schema) row(skill)

namespace lanes {

#define LANES_DECLARE(name) void add_##name(CLI::App& app, CommandContext& context);
LANES_COMMANDS(LANES_DECLARE)
#undef LANES_DECLARE

void add_all_commands(CLI::App& app, CommandContext& context)
{
    app.require_subcommand(0, 1);  // a word after a command is none: lanes schema report
    app.set_version_flag("--version", "lanes " LANES_VERSION);
#define LANES_ADD(name) add_##name(app, context);
    LANES_COMMANDS(LANES_ADD)
#undef LANES_ADD
    app.footer("Exit status: 0 success, 1 failed while running, 2 wrong input or arguments,\n"
               "3 a limit of compare --gate was exceeded.\n\n"
               "  lanes run copy-results-back          record all variants, on a GPU or on the model device\n"
               "  lanes compare copy-results-back.blocking.sqlite copy-results-back.overlapped.sqlite");
    refuse_values_of_flags(app);
    refuse_options_as_values(app);
}

}  // namespace lanes
