// SPDX-License-Identifier: MIT
#include "engine/job/summarize.h"
#include "engine/cli/commands.h"
#include "engine/cli/progress_bar.h"
#include "engine/job/gather.h"
#include "engine/job/job_file.h"

#include <CLI/CLI.hpp>
#include <memory>

namespace lanes {

void add_summarize(CLI::App& app, CommandContext&)
{
    const auto files = std::make_shared<std::vector<std::string>>();
    auto* const command
        = app.add_subcommand("summarize", "Make the summary of a rank, from which lanes ranks judges a job");
    command->add_option("FILE", *files, "Recordings or traces, as for report, one or more ranks each")->required();
    command->footer(
        "Writes FILE.sum, about 80 bytes a collective. It depends on FILE alone, so anything may run it on\n"
        "the host where the file lies: xargs, srun, mpirun, Ray, Dask. lanes gather does it, too.\n\n"
        "  lanes summarize rank3.sqlite\n"
        "  ls run/*.sqlite | xargs -P 8 -n 4 lanes summarize");
    command->callback([files] {
        ProgressBar bar("summarizing");
        std::size_t done = 0;
        for (const auto& file : *files) {
            save_ranks(summarize(kept_steps(open_input(file), file), file), nullptr, file + ".sum");
            bar.show(static_cast<double>(++done) / static_cast<double>(files->size()));
        }
    });
}

}  // namespace lanes
