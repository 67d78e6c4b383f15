// SPDX-License-Identifier: MIT
#include "engine/cli/commands.h"
#include "engine/cli/option_values.h"
#include "engine/input_error.h"
#include "engine/workload/resources.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <system_error>

namespace lanes {

namespace {

constexpr auto skill_folder = "lanescope";

/// Writes DIR/lanescope/SKILL.md and its pages; an older copy is replaced.
void install(const std::string& folder)
{
    std::error_code error;
    const auto to = std::filesystem::path(folder) / skill_folder;
    std::filesystem::create_directories(to, error);
    if (!error) {
        std::filesystem::copy(resource("agent"), to,
            std::filesystem::copy_options::overwrite_existing | std::filesystem::copy_options::recursive, error);
    }
    if (error) {
        throw InputError("cannot write to '" + to.string() + "': " + error.message());
    }
    print(to.string() + '\n');
}

}  // namespace

void add_skill(CLI::App& app, CommandContext&)
{
    const auto folder = std::make_shared<std::string>();
    auto* const command = app.add_subcommand("skill", "Print what an agent must know to use lanes, or install it");
    command->add_option("--install", *folder, "Write it as a skill, DIR/lanescope, and print that path")
        ->type_name("DIR")
        ->check(not_empty());
    command->footer("  lanes skill\n"
                    "  lanes skill --install ~/skills");
    command->callback([folder] {
        if (!folder->empty()) {
            install(*folder);
            return;
        }
        std::ifstream file(resource("agent/SKILL.md"), std::ios::binary);
        print(std::string(std::istreambuf_iterator<char>(file), {}));
    });
}

}  // namespace lanes
