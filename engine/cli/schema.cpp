// SPDX-License-Identifier: MIT
#include "engine/cli/commands.h"
#include "engine/cli/option_values.h"
#include "engine/input_error.h"
#include "engine/workload/nearest.h"
#include "engine/workload/resources.h"

#include <algorithm>
#include <CLI/CLI.hpp>
#include <fstream>
#include <iterator>
#include <memory>

namespace lanes {

void add_schema(CLI::App& app, CommandContext&)
{
    const auto name = std::make_shared<std::string>();
    auto* const command = app.add_subcommand("schema", "Print the JSON Schema of what a command prints as JSON");
    command->add_option("NAME", *name, "A command, or report-brief, why-overlap; without it, all names are listed");
    command->footer("  lanes schema report");
    command->callback([name] {
        const auto known = stems_in(resource("schema"), ".json");
        if (name->empty()) {
            std::string list;
            for (const auto& each : known) {
                list += each + '\n';
            }
            print(list);
            return;
        }
        if (std::find(known.begin(), known.end(), *name) == known.end()) {
            throw InputError(unknown_name("command with a schema", *name, known));
        }
        std::ifstream file(resource("schema/" + *name + ".json"), std::ios::binary);
        print(std::string(std::istreambuf_iterator<char>(file), {}));
    });
}

}  // namespace lanes
