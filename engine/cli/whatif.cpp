// SPDX-License-Identifier: MIT
#include "engine/replay/whatif.h"
#include "engine/ascii.h"

#include "engine/analysis/report.h"
#include "engine/cli/commands.h"
#include "engine/cli/option_values.h"
#include "engine/input_error.h"
#include "engine/replay/changes/changes.h"
#include "engine/store/recording_file.h"
#include "engine/workload/nearest.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>

namespace lanes {

namespace {

using replay::Change;
using replay::ChangeKind;

struct Arguments {
    std::string file, out, range, row;
    std::array<std::vector<std::string>, replay::change_kinds> values;  ///< by kind, in the order given
    std::vector<std::string> confirm, lift;
    JsonForm json = {};
};

Query parse_query(const std::string& option, const std::string& text)
{
    try {
        return Query::parse(text);
    } catch (const QueryError& error) {
        throw InputError(option + ": " + error.what());
    }
}

/// The number with which the value of a change begins, removed from it; 0: there is none.
double take_amount(const std::string& option, std::string& text, ChangeKind kind)
{
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, number);
    const bool begins_with_number = error == std::errc() && (last == end || *last == ' ');
    const bool is_factor = needs_amount(kind) && !is_number(kind);  // else it counts streams, pieces, iterations
    constexpr double most = 1e6;
    if (begins_with_number && number >= (is_factor ? 0.01 : 1) && number <= most
        && (is_factor || number == std::floor(number))) {
        text.erase(0, static_cast<std::size_t>(last - text.data()) + (last == end ? 0 : 1));
        return number;
    }
    if (begins_with_number || needs_amount(kind)) {
        throw InputError(option + ": found \"" + text + "\", expected a "
            + (is_factor ? "number from 0.01" : "whole number from 1") + " to 1000000, and a query behind it");
    }
    return 0;
}

/// The user's answers about assumptions.
replay::Answers answers_of(const Arguments& arguments)
{
    replay::Answers answers;
    const auto& known = replay::assumption_words();
    const auto take = [&](const char* option, const std::vector<std::string>& given, bool holds) {
        for (const auto& word : given) {
            if (std::find(known.begin(), known.end(), word) == known.end()) {
                const auto said = unknown_name("assumption", word, known);
                const bool is_listed = said.find("; did you mean") != std::string::npos;
                throw InputError(
                    std::string(option) + ": " + said + (is_listed ? "" : ", expected " + alternatives(known)));
            }
            if (!answers.emplace(word, holds).second && answers[word] != holds) {
                throw InputError("'" + word + "' cannot be both confirmed and lifted");
            }
        }
    };
    take("--confirm", arguments.confirm, true);
    take("--lift", arguments.lift, false);
    return answers;
}

/// The changes in the order of the command line.
std::vector<Change> changes_of(const CLI::App& command, const Arguments& arguments)
{
    std::vector<Change> changes;
    std::array<std::size_t, replay::change_kinds> given {};
    for (const CLI::Option* option : command.parse_order()) {
        const auto kind = replay::change_of(option->get_name().substr(2));
        if (!kind) {
            continue;
        }
        const auto name = "--" + std::string(name_of(*kind));
        const auto& values = arguments.values.at(static_cast<std::size_t>(*kind));
        const auto number = given.at(static_cast<std::size_t>(*kind))++;
        auto value = number < values.size() ? values[number] : std::string();
        Change change {*kind};
        change.amount = has_amount(*kind) ? take_amount(name, value, *kind) : 0;
        change.direction = has_direction(*kind) ? replay::take_direction(value) : replay::Direction::both;
        change.finding = replay::take_finding(value);
        change.on = parse_query(name, value);
        if (needs_limit(*kind) && change.on.empty() && change.finding.empty()) {
            throw InputError(name + ": expected a query, or finding:RULE of `lanes report`");
        }
        changes.push_back(std::move(change));
    }
    return changes;
}

/// Gives each change that a finding limits the rows of that finding in the reported part of the recording.
void find_rows(std::vector<Change>& changes, const Trace& trace, const Blocking& blocking, std::optional<Interval> part)
{
    const auto is_of_finding = [](const Change& change) { return !change.finding.empty(); };
    if (std::none_of(changes.begin(), changes.end(), is_of_finding)) {
        return;
    }
    const auto report = make_report(trace, blocking, part);
    for (auto& change : changes) {
        if (!is_of_finding(change)) {
            continue;
        }
        std::set<std::string> advising, all;  // findings that advise this change, and those with any
        for (const auto& finding : report.findings) {
            for (const auto& other : finding.changes) {
                change.rows = other.finding == change.finding ? other.rows : change.rows;
                if (!other.finding.empty()) {
                    (other.kind == change.kind ? advising : all).insert(other.finding);
                }
            }
        }
        const auto& offered = advising.empty() ? all : advising;
        const std::vector<std::string> known(offered.begin(), offered.end());
        if (change.rows == nullptr) {
            throw InputError("--" + std::string(name_of(change.kind)) + ": "
                + unknown_name("finding with such a change", change.finding, known));
        }
    }
}

void run(const CLI::App& command, const Arguments& arguments, CommandContext& context)
{
    const auto asked = changes_of(command, arguments);
    const auto answers = answers_of(arguments);
    if (asked.empty() && !arguments.out.empty()) {
        throw InputError("-o: expected a change to predict, such as --pin");
    }
    std::error_code error;
    if (!arguments.out.empty() && std::filesystem::equivalent(arguments.file, arguments.out, error)) {
        throw InputError("'" + arguments.out + "' is the input itself; choose another name for OUT");
    }
    const auto trace = open_input(arguments.file);
    const auto range = part_of(arguments.range, arguments.row, trace);
    const auto part = range.value_or(Interval {});
    const auto of_range = !range ? Query {} : replay::query_of(part);
    auto changes = asked;
    for (auto& change : changes) {
        if (!of_range.empty() && !can_be_limited(change.kind)) {
            throw InputError("--" + std::string(name_of(change.kind))
                + " changes all of a recording and cannot be limited by --range; leave one of them out");
        }
        if (!of_range.empty() && change.finding.empty()) {  // in parentheses: "or" binds least
            change.on = change.on.empty() ? of_range
                                          : parse_query("--range", '(' + change.on.text() + ") " + of_range.text());
        }
    }
    const auto blocking = find_blocking(trace);
    find_rows(changes, trace, blocking, range);
    const Graph graph(trace, blocking);
    const replay::WhatIf what_if(graph);
    std::vector<replay::Prediction> predictions;
    if (what_if.gate().is_open()) {
        predictions = changes.empty() ? what_if.offers({least_offer_of(what_if.gate(), part), of_range, part,
                                                           advised_by(make_report(trace, blocking, range).findings)},
                          answers)
                                      : std::vector {what_if.predict(changes, answers)};
    }
    for (auto& prediction : predictions) {
        prediction = of_part(what_if.gate(), std::move(prediction), part);
        for (std::size_t i = 0; i < prediction.changes.size(); ++i) {
            auto& on = prediction.changes[i].on;  // the range is printed once, for all
            on = !asked.empty() ? asked[i].on : on.text() == of_range.text() ? Query {} : on;
        }
    }
    const bool is_refused = !predictions.empty()
        && std::any_of(predictions.front().assumptions.begin(), predictions.front().assumptions.end(),
            [](const replay::Assumption& each) { return each.state == replay::Assumption::lifted; });
    if (!changes.empty() && !predictions.empty() && predictions.front().count == 0 && is_refused) {
        throw InputError("nothing is left to change: the change needs the assumption given to --lift");
    }
    if (!changes.empty() && !predictions.empty() && predictions.front().count == 0) {
        const bool has_joined_number = std::any_of(asked.begin(), asked.end(), [](const Change& change) {
            const auto text = change.on.text();
            return has_amount(change.kind) && !text.empty() && ascii::is_digit(text.front());
        });
        throw InputError("nothing in '" + arguments.file + "' matches this change"
            + (has_joined_number ? "; a number of a change has no unit, and a space before the query" : ""));
    }
    if (!arguments.out.empty() && what_if.gate().is_open()) {
        save_recording(what_if.predicted_trace(changes, answers), arguments.out);
    }
    const bool is_nothing_won = what_if.gate().is_open() && predictions.empty();
    const Message why = is_nothing_won ? what_if.why_nothing(part) : Message {};
    const auto& messages = arguments.json ? context.json_messages() : context.messages();
    const auto text = arguments.json ? arguments.json.line_of(to_json(what_if.gate(), predictions, messages, why, part))
                                     : to_text(what_if.gate(), predictions, messages, why, part);
    print(text);
    context.status = what_if.gate().is_open() || changes.empty() ? 0 : 1;
}

}  // namespace

void add_whatif(CLI::App& app, CommandContext& context)
{
    const auto arguments = std::make_shared<Arguments>();
    auto* const command
        = app.add_subcommand("whatif", "Predict what a change would gain, by replaying the recording with it");
    add_recording(*command, arguments->file);
    for (std::size_t index = 0; index < replay::change_kinds; ++index) {
        const auto& row = replay::change_rows()[index];
        const auto kind = row.kind;
        const auto name = "--" + std::string(row.word);
        auto& value = arguments->values.at(index);
        if (kind == ChangeKind::leave_legacy) {
            command->add_flag(name, row.help);
        } else {
            command->add_option(name, value, row.help)
                ->expected(needs_amount(kind) || needs_limit(kind) ? 1 : 0, 1)
                ->allow_extra_args(false)
                ->take_all()
                ->type_name(needs_amount(kind) ? "'N QUERY'"
                        : has_amount(kind)     ? "['N QUERY']"
                        : has_direction(kind)  ? "['uploads|downloads QUERY']"
                        : needs_limit(kind)    ? "QUERY|finding:RULE"
                                               : "[QUERY]");
        }
    }
    add_range(*command, arguments->range);
    add_row(*command, arguments->row);
    command->add_option("-o,--output", arguments->out, "Write the predicted run as a recording")
        ->type_name("FILE")
        ->check(not_empty());
    command->add_option("--confirm", arguments->confirm, "Confirm that this assumption holds; may be repeated")
        ->type_name("ASSUMPTION")
        ->allow_extra_args(false);
    command->add_option("--lift", arguments->lift, "This assumption does not hold: predict without it; may be repeated")
        ->type_name("ASSUMPTION")
        ->allow_extra_args(false);
    add_json(*command, arguments->json, "Print JSON, with times in ns");
    add_language(*command, context);
    command->footer(
        "Without a change, all changes that apply are listed with their predicted gain, best first. Changes are\n"
        "made in the order given. A QUERY, in the search language of the window, limits a change to what it\n"
        "matches. finding:RULE before it, or in its place, limits it to what that finding of `lanes report` found;\n"
        "'uploads' or 'downloads' first makes --pin and --non-blocking for these alone. Values that the host fetches\n"
        "(.item(): 64 KiB or less) are left alone by both.\n"
        "An ASSUMPTION is the name in brackets after an assumption in the output. If the replay does not reproduce\n"
        "the recorded times, nothing is predicted. With --range, only what begins there is changed, and figures are\n"
        "of that part.\n\n"
        "  lanes whatif run.sqlite\n"
        "  lanes whatif train.sqlite --range steady\n"
        "  lanes whatif run.sqlite --pin --non-blocking 'stream:7 at<5ms' -o predicted.sqlite\n"
        "  lanes whatif run.sqlite --faster '2 name:matmul' --drop-values 10");
    command->callback([arguments, command, &context] { run(*command, *arguments, context); });
}

}  // namespace lanes
