// SPDX-License-Identifier: MIT
#include "engine/cli/commands.h"
#include "engine/cli/option_values.h"

#include <CLI/CLI.hpp>

namespace lanes {

void add_all_commands(CLI::App& app, CommandContext& context)
{
    app.set_version_flag("--version", "lanes " LANES_VERSION);
    add_list(app, context);
    add_show(app, context);
    add_run(app, context);
    add_record(app, context);
    add_calibrate(app, context);
    add_doctor(app, context);
    add_report(app, context);
    add_why(app, context);
    add_whatif(app, context);
    add_summary(app, context);
    add_compare(app, context);
    add_convert(app, context);
    add_merge(app, context);
    app.footer("Exit status: 0 success, 1 failed while running, 2 wrong input or arguments,\n"
               "3 a limit of compare --gate was exceeded.\n\n"
               "  lanes run copy-results-back          record all variants, on a GPU or on the model device\n"
               "  lanes compare copy-results-back.blocking.sqlite copy-results-back.overlapped.sqlite");
    refuse_values_of_flags(app);
    refuse_options_as_values(app);
}

}  // namespace lanes
