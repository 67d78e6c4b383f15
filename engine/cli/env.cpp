// SPDX-License-Identifier: MIT
#include "engine/cli/commands.h"
#include "engine/cli/option_values.h"
#include "engine/input_error.h"
#include "engine/job/job_environment.h"
#include "engine/run/own_program.h"
#include "engine/run/record_arguments.h"
#include "probes/inject/process_identity.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

namespace lanes {

void add_env(CLI::App& app, CommandContext&)
{
    struct Arguments {
        JobEnvironment job;
        std::string steps, at, format = "shell";
    };
    const auto arguments = std::make_shared<Arguments>();
    auto* const command = app.add_subcommand("env", "Print what a launcher must forward to have a job recorded");
    command
        ->add_option("-o,--output", arguments->job.folder,
            "The folder for the files, on each host: HOST.PROCESS.spool. It may have %h (host), %r (rank), %p "
            "(process) "
            "and %q{NAME} (a variable) in it, which each process fills in")
        ->required()
        ->type_name("DIR")
        ->check(not_empty());
    command
        ->add_option("--steps", arguments->steps,
            "Record up to the begin of iteration B, and keep those from A on, for example 10:15")
        ->type_name("A:B")
        ->check(CLI::Validator(
            [](const std::string& found) {
                return steps_of(found) ? std::string() : "found \"" + found + "\", expected two numbers such as 10:15";
            },
            ""));
    command
        ->add_option(
            "--ranks", arguments->job.ranks, "Only these, for example 0-7,12 or every:64; the others do nothing at all")
        ->type_name("RANKS")
        ->check(CLI::Validator(
            [](const std::string& found) {
                return is_rank_list(found) ? std::string()
                                           : "found \"" + found + "\", expected all, every:64, or ranks such as 0-7,12";
            },
            ""));
    add_at(*command, arguments->at, "Begin recording");
    command->add_flag("--pytorch", arguments->job.pytorch, "Also record PyTorch's operators, as lanes record does");
    command
        ->add_option("--format", arguments->format,
            "shell (default), torchrun and srun: lines for a shell, since both forward it; mpirun: options of Open "
            "MPI; "
            "ray: JSON for runtime_env; k8s: the env of a container; dask: YAML for distributed.nanny.environ")
        ->check(one_of(environment_formats()));
    command->footer("The probe must lie at the same path on all hosts. Nothing else is started, and a recording that\n"
                    "fails leaves the program alone.\n\n"
                    "  eval \"$(lanes env -o /tmp/run --steps 10:15)\" && torchrun --nproc-per-node 8 train.py\n"
                    "  eval mpirun -n 2 \"$(lanes env -o /tmp/run --format mpirun)\" ./program\n"
                    "  lanes gather /tmp/run -o job.lanes && lanes ranks job.lanes");
    command->callback([arguments] {
        auto& job = arguments->job;
        job.probe = find_probe(own_folder());
        if (job.probe.empty()) {
            throw InputError(
                "liblanes-probe.so was not found beside lanes; it is in the package, and in builds with CUDA");
        }
        job.probe = std::filesystem::weakly_canonical(job.probe).string();
        job.folder = std::filesystem::absolute(job.folder).lexically_normal().string();
        while (job.folder.size() > 1 && job.folder.ends_with('/')) {
            job.folder.pop_back();
        }
        job.python = job.pytorch ? find_python_hook(job.probe) : "";
        job.steps = steps_of(arguments->steps);
        job.at = static_cast<Ns>(multiple(arguments->at));
        print(environment_text(environment_of(job), arguments->format));
    });
}

}  // namespace lanes
