// SPDX-License-Identifier: MIT
#include "engine/cli/option_values.h"

#include "engine/analysis/words/bounded_json.h"
#include "engine/formatted.h"
#include "engine/workload/nearest.h"

#include <algorithm>
#include <charconv>

namespace lanes {

namespace {

constexpr auto json_option = "--json";
constexpr auto full_json = "full";

}  // namespace

CLI::Validator one_of(std::vector<std::string> values)
{
    std::string all;  // for --help and completions
    for (const auto& value : values) {
        all += (all.empty() ? "" : ",") + value;
    }
    return {[values = std::move(values)](const std::string& found) -> std::string {
                if (std::find(values.begin(), values.end(), found) != values.end()) {
                    return "";
                }
                const auto nearest = nearest_name(found, values);
                return formatted("found \"{}\", expected {}{}", found, alternatives(values),
                    nearest.empty() ? "" : "; did you mean '" + nearest + "'?");
            },
        "{" + all + "}"};
}

CLI::Validator whole_number(std::int64_t least, std::int64_t most)
{
    return {[least, most](const std::string& found) -> std::string {
                std::int64_t number = 0;
                const char* const end = found.data() + found.size();
                const auto [last, error] = std::from_chars(found.data(), end, number);
                return error == std::errc() && last == end && number >= least && number <= most
                    ? ""
                    : formatted("found \"{}\", expected a whole number from {} to {}", found, least, most);
            },
        ""};
}

CLI::Validator not_empty()
{
    return {
        [](const std::string& found) { return std::string(found.empty() ? "found \"\", expected a value" : ""); }, ""};
}

CLI::Validator amount_of(Dimension dimension, const char* example)
{
    return {[dimension, example](const std::string& found) -> std::string {
                return amount(found, dimension) ? "" : formatted("found \"{}\", expected {}", found, example);
            },
        ""};
}

double multiple(const std::string& at)
{
    return at.starts_with('/') ? amount(at.substr(1), Dimension::time).value_or(0) : 0;
}

void add_at(CLI::App& command, std::string& at, const std::string& does)
{
    command
        .add_option("--at", at,
            does
                + " when the clock next shows a multiple of this, so that programs on several hosts begin together: "
                  "with "
                  "/10s at second 0, 10, 20, ... of a minute. The clocks of the hosts should agree (NTP)")
        ->type_name("/TIME")
        ->check(CLI::Validator(
            [](const std::string& found) {
                return multiple(found) > 0
                    ? std::string()
                    : formatted("found \"{}\", expected a slash and a time, such as /10s", found);
            },
            ""));
}

void add_progress(CLI::App& command, RunProgress::Form& form)
{
    form = RunProgress::bar_if_terminal(stderr);
    command
        .add_option_function<std::string>(
            "--progress",
            [&form](const std::string& value) {
                form = value == "json" ? RunProgress::Form::json
                    : value == "none"  ? RunProgress::Form::none
                                       : RunProgress::bar_if_terminal(stderr);
            },
            "How to show progress: bar, json (one object per line) or none")
        ->check(one_of({"bar", "json", "none"}));
}

std::string JsonForm::line_of(std::string json) const
{
    return (m_word == full_json ? std::move(json) : bounded_json(json)) + '\n';
}

std::string JsonForm::line_of(std::string json, std::size_t rows) const
{
    JsonBounds bounds;
    if (rows > bounds.rows) {
        bounds = {rows, std::string::npos, bounds.name};
    }
    return (m_word == full_json ? std::move(json) : bounded_json(json, bounds)) + '\n';
}

CLI::Option* add_json(CLI::App& command, JsonForm& form, const std::string& help)
{
    return command
        .add_flag(json_option, form.m_word,
            help + ". At most 20 rows of a list, those with the most time, and 16 kB; --json=full: all of it")
        ->check(CLI::Validator(
            [](const std::string& found) {  // the flag alone gives "true"
                return found == full_json || found == "true"
                    ? std::string()
                    : formatted("found \"{}\", expected nothing or full", found);
            },
            ""));
}

CLI::Option* add_json(CLI::App& command, bool& json, const std::string& help)
{
    return command.add_flag(json_option, json, help)
        ->transform(CLI::Validator(
            [](std::string& found) {
                if (found != full_json && found != "true") {
                    return formatted("found \"{}\", expected nothing or full", found);
                }
                found = "true";
                return std::string();
            },
            ""));
}

void refuse_values_of_flags(CLI::App& app)
{
    for (auto* option : app.get_options([](const CLI::Option* each) { return each->get_expected_max() == 0; })) {
        const auto& name = option->get_name();
        if (name != json_option && name != "--stacks" && name != "--pytorch") {
            option->disable_flag_override();
        }
    }
    for (auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        refuse_values_of_flags(*command);
    }
}

void refuse_options_as_values(CLI::App& app)
{
    const auto takes_value
        = [](const CLI::Option* each) { return !each->get_positional() && each->get_expected_min() > 0; };
    for (auto* option : app.get_options(takes_value)) {
        const auto is_option = [&app](const std::string& word) {
            return word == "--" || (word.size() > 1 && word.front() == '-' && app.get_option_no_throw(word) != nullptr);
        };
        // Before the checks of the value, which would complain that "--json" is no time.
        option->transform(CLI::Validator(
            [is_option](std::string& found) {
                return is_option(found) ? formatted("found \"{}\", which is no value, expected a value", found)
                                        : std::string();
            },
            ""));
    }
    for (auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        refuse_options_as_values(*command);
    }
}

}  // namespace lanes
