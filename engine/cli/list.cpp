// SPDX-License-Identifier: MIT
#include "engine/analysis/words/json_writer.h"
#include "engine/analysis/words/text_table.h"
#include "engine/cli/commands.h"
#include "engine/cli/option_values.h"
#include "engine/workload/catalogue.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

namespace lanes {

namespace {

std::string as_json(const std::vector<Workload>& workloads, const std::string& language)
{
    JsonWriter json;
    json.begin_array();
    for (const auto& workload : workloads) {
        json.begin_object().field("name", std::string_view(workload.name));
        json.field("title", std::string_view(in_language(workload.title, language)));
        json.key("variants").begin_array();
        for (const auto& variant : workload.variants) {
            json.value(std::string_view(variant.name));
        }
        json.end_array().field("gpus", workload.gpus).end_object();
    }
    return json.end_array().take() + '\n';
}

std::string as_text(const std::vector<Workload>& workloads, const std::string& language)
{
    TextTable table("l");
    for (const auto& workload : workloads) {
        std::string variants;
        for (const auto& variant : workload.variants) {
            variants += (variants.empty() ? "" : ", ") + variant.name;
        }
        table.add({workload.name, in_language(workload.title, language), variants});
    }
    return table.text("");
}

}  // namespace

void add_list(CLI::App& app, CommandContext& context)
{
    const auto json = std::make_shared<bool>(false);
    auto* const command = app.add_subcommand("list", "List the workloads that come with Lanescope, and their variants");
    add_json(*command, *json, "Print JSON");
    add_language(*command, context);
    command->callback([json, &context] {
        std::vector<Workload> workloads;
        for (const auto& name : catalogue_names()) {
            workloads.push_back(find_workload(name));
        }
        const auto text = *json ? as_json(workloads, context.json_messages().language())
                                : as_text(workloads, context.messages().language());
        print(text);
    });
}

}  // namespace lanes
