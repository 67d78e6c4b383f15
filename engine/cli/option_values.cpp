// SPDX-License-Identifier: MIT
#include "engine/cli/option_values.h"

#include "engine/formatted.h"
#include "engine/workload/nearest.h"

#include <algorithm>
#include <charconv>

namespace lanes {

CLI::Validator one_of(std::vector<std::string> words)
{
    std::string all;  // what --help shows, and completions offer
    for (const auto& word : words) {
        all += (all.empty() ? "" : ",") + word;
    }
    return {[words = std::move(words)](const std::string& found) -> std::string {
                if (std::find(words.begin(), words.end(), found) != words.end()) {
                    return "";
                }
                const auto nearest = nearest_name(found, words);
                return formatted("found \"{}\", expected {}{}", found, alternatives(words),
                    nearest.empty() ? "" : "; did you mean '" + nearest + "'?");
            },
        "{" + all + "}"};
}

CLI::Validator whole_number(int least, int most)
{
    return {[least, most](const std::string& found) -> std::string {
                int number = 0;
                const char* const end = found.data() + found.size();
                const auto [last, error] = std::from_chars(found.data(), end, number);
                return error == std::errc() && last == end && number >= least && number <= most
                    ? ""
                    : formatted("found \"{}\", expected a whole number from {} to {}", found, least, most);
            },
        ""};
}

void refuse_values_of_flags(CLI::App& app)
{
    for (auto* option : app.get_options([](const CLI::Option* each) { return each->get_expected_max() == 0; })) {
        option->disable_flag_override();
    }
    for (auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        refuse_values_of_flags(*command);
    }
}

}  // namespace lanes
