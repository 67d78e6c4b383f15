// SPDX-License-Identifier: MIT
#include "engine/analysis/lesson_texts.h"
#include "engine/analysis/words/json_writer.h"
#include "engine/cli/commands.h"
#include "engine/cli/option_values.h"
#include "engine/workload/catalogue.h"
#include "engine/workload/listing.h"

#include <array>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <utility>

namespace lanes {

namespace {

std::string as_json(const Workload& workload, const std::string& language)
{
    constexpr std::array<const char*, 5> types {"number", "bytes", "time", "boolean", "choice"};
    JsonWriter json;
    json.begin_object().field("name", std::string_view(workload.name));
    json.field("title", std::string_view(in_language(workload.title, language))).field("gpus", workload.gpus);
    const LessonTexts texts = lesson_texts(workload, language, {});
    json.field("description", std::string_view(in_language(workload.description, language)));
    json.field("look", std::string_view(texts.look)).field("why", std::string_view(texts.why));
    json.field("rule", std::string_view(texts.rule));
    json.key("view_ns");
    if (workload.view) {
        json.begin_array().value(workload.view->start).value(workload.view->end).end_array();
    } else {
        json.null();
    }
    json.key("parameters").begin_array();
    for (const auto& parameter : workload.parameters) {
        json.begin_object().field("name", std::string_view(parameter.name));
        json.field("type", types[static_cast<std::size_t>(parameter.type)]);
        json.field("default", std::string_view(parameter.default_value));
        json.key("min");
        parameter.min.empty() ? json.null() : json.value(std::string_view(parameter.min));
        json.key("max");
        parameter.max.empty() ? json.null() : json.value(std::string_view(parameter.max));
        json.key("one_of").begin_array();
        for (const auto& word : parameter.one_of) {
            json.value(std::string_view(word));
        }
        json.end_array().end_object();
    }
    json.end_array().key("variants").begin_array();
    for (const auto& variant : workload.variants) {
        json.begin_object().field("name", std::string_view(variant.name));
        json.field("title", std::string_view(variant_title(workload, variant.name, language)));
        json.key("values").begin_object();
        for (const auto& [name, value] : variant.values) {
            json.field(name, std::string_view(value));
        }
        json.end_object().end_object();
    }
    json.end_array().key("code").begin_object().field("pytorch", std::string_view(workload.code_pytorch));
    json.field("cuda", std::string_view(workload.code_cuda)).end_object();
    json.field("text", std::string_view(workload.source));
    return json.end_object().take() + '\n';
}

}  // namespace

namespace {

struct ShowArguments {
    std::string name, listing, variant;
    bool json = false;
};

std::string listing_of(const ShowArguments& arguments, const Workload& workload)
{
    std::string variant = arguments.variant;
    if (variant.empty() && !workload.variants.empty()) {
        variant = workload.variants.front().name;
    }
    compile(workload, variant);  // says so if there is no such variant
    return runnable_listing(
        workload, variant, arguments.listing == "cuda" ? ListingLanguage::cuda : ListingLanguage::pytorch);
}

}  // namespace

void add_show(CLI::App& app, CommandContext& context)
{
    const auto arguments = std::make_shared<ShowArguments>();
    auto* const command = app.add_subcommand("show", "Print the YAML of a workload");
    command
        ->add_option(
            "WORKLOAD", arguments->name, "A name from `lanes list`, or a path if it contains '/' or ends in .yaml")
        ->required();
    auto* const listing = command
                              ->add_option("--listing", arguments->listing,
                                  "Print its code as a program that runs, with what it takes as given: pytorch or cuda")
                              ->type_name("LANGUAGE")
                              ->check(one_of({"pytorch", "cuda"}));
    command->add_option("--variant", arguments->variant, "With --listing: of this variant (default: the first)")
        ->type_name("VARIANT")
        ->needs(listing);
    add_json(*command, arguments->json, "Print parameters, variants and the YAML as JSON");
    add_language(*command, context);
    command->footer(
        "To make your own workload: lanes show copy-results-back > mine.yaml, edit it, lanes run mine.yaml\n\n"
        "  lanes show prefetcher --listing pytorch --variant own-stream > x.py");
    command->callback([arguments, &context] {
        const auto workload = find_workload(arguments->name);
        if (!arguments->listing.empty()) {
            print(listing_of(*arguments, workload));
            return;
        }
        const auto text = arguments->json ? as_json(workload, context.json_messages().language()) : workload.source;
        std::fwrite(text.data(), 1, text.size(), stdout);
    });
}

}  // namespace lanes
