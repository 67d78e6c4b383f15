// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/families.h"
#include "engine/analysis/facts/time_range.h"
#include "engine/cli/commands.h"
#include "engine/cli/option_values.h"
#include "engine/input_error.h"
#include "engine/store/formats.h"
#include "engine/store/recording_file.h"
#include "engine/workload/nearest.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace lanes {

const Messages& CommandContext::messages() const
{
    if (!language.empty()) {
        return Messages::of(language);
    }
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
        if (const char* locale = std::getenv(name); locale != nullptr && *locale != '\0') {
            return Messages::of(Messages::language_of_locale(locale));
        }
    }
    return Messages::english();
}

const Messages& CommandContext::json_messages() const
{
    return language.empty() ? Messages::english() : Messages::of(language);
}

void add_language(CLI::App& command, CommandContext& context)
{
    command.add_option("--lang", context.language, "Language of the output: en or zh_CN (default: the locale's)")
        ->check(one_of(Messages::languages()))
        ->type_name("LANG");
}

void add_recording(CLI::App& command, std::string& file)
{
    command.add_option("FILE", file, "What can be opened: " + formats_in_words("en"))->required();
}

void add_range(CLI::App& command, std::string& range)
{
    command
        .add_option("--range", range,
            "Only the time from A to B, for example 2ms:5.5ms. Either side may be empty; numbers without a unit are "
            "ns. steady: the part that repeats, such as the iterations of a training script")
        ->type_name("A:B")
        ->check(not_empty());
}

std::optional<Interval> range_of(const std::string& range, const Trace& trace)
{
    if (range.empty()) {
        return std::nullopt;
    }
    try {
        return parse_range_of(trace, range);
    } catch (const std::invalid_argument& error) {
        throw InputError(std::string("--range: ") + error.what());
    }
}

void add_row(CLI::App& command, std::string& row)
{
    auto* const option
        = command
              .add_option("--row", row,
                  "Only the row with this id, as lanes report gives it in JSON: operation:12, call:0, range:7, "
                  "wait:3, iteration:4 (number 4 of --iterations) or "
                  "finding:RULE; of several events the time from the first to the last")
              ->type_name("ID")
              ->check(not_empty());
    if (auto* const range = command.get_option_no_throw("--range")) {
        option->excludes(range);
    }
}

std::optional<FoundRow> row_of(const std::string& row, const Trace& trace)
{
    if (row.empty()) {
        return std::nullopt;
    }
    try {
        return find_row(trace, row);
    } catch (const std::invalid_argument& error) {
        throw InputError(std::string("--row: ") + error.what());
    }
}

std::optional<Interval> part_of(const std::string& range, const std::string& row, const Trace& trace)
{
    if (const auto found = row_of(row, trace)) {
        // A point is no range.
        return Interval {found->span.start, std::max(found->span.end, found->span.start + 1)};
    }
    return range_of(range, trace);
}

void print(std::string_view text)
{
    std::fwrite(text.data(), 1, text.size(), stdout);
}

namespace {

/// "; did you mean 'run.sqlite'?", a file beside the one that is missing; "": none is near.
std::string name_beside(const std::string& path)
{
    namespace files = std::filesystem;
    const files::path missing(path);
    std::error_code error;
    if (files::exists(missing, error)) {
        return {};
    }
    std::vector<std::string> names;
    const auto folder = missing.has_parent_path() ? missing.parent_path() : files::path(".");
    for (files::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        names.push_back(at->path().filename().string());
    }
    std::sort(names.begin(), names.end());
    const auto nearest = nearest_name(missing.filename().string(), names);
    return nearest.empty() ? "" : "; did you mean '" + (missing.parent_path() / nearest).string() + "'?";
}

}  // namespace

Trace open_input(const std::string& path, const Progress& progress)
{
    use_own_families(own_families_file());
    try {
        return open_recording(path, progress);
    } catch (const std::system_error& error) {
        throw InputError("cannot open '" + path + "': " + error.code().message() + name_beside(path));
    }
}

}  // namespace lanes
