// SPDX-License-Identifier: MIT
#include "engine/analysis/compare/compare.h"
#include "engine/analysis/compare/changes.h"
#include "engine/analysis/compare/gate.h"
#include "engine/analysis/recording.h"
#include "engine/analysis/words/json_writer.h"
#include "engine/analysis/words/refused.h"
#include "engine/cli/commands.h"
#include "engine/cli/option_values.h"
#include "engine/input_error.h"
#include "engine/trace/meta_keys.h"

#include <algorithm>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <memory>

namespace lanes {

namespace {

constexpr int limit_exceeded = 3;

/// "copy-results-back · overlapped", or the file's name.
std::string name_of_recording(const Trace& trace, const std::string& path)
{
    const std::string workload(meta::text_of(trace.meta, meta::workload));
    if (workload.empty()) {
        return std::filesystem::path(path).filename().string();
    }
    const std::string variant(meta::text_of(trace.meta, meta::variant));
    return variant.empty() ? workload : workload + " · " + variant;
}

/// The recording, or all in a folder.
std::vector<std::string> files_of(const std::string& path)
{
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) {
        return {path};
    }
    std::vector<std::string> files;
    for (std::filesystem::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
        if (at->path().extension() == ".sqlite") {
            files.push_back(at->path().string());
        }
    }
    if (error) {
        throw InputError("cannot read the folder '" + path + "': " + error.message());
    }
    if (files.empty()) {
        throw InputError(
            "'" + path + "': found a folder without any .sqlite, expected a file or a folder of recordings");
    }
    std::sort(files.begin(), files.end());
    return files;
}

constexpr const char* steady_part = "steady";

struct OpenedSide {
    OpenedSide(const std::string& path, const std::string& range)
    {
        std::error_code none;
        if (std::filesystem::is_directory(path, none)) {
            const auto named = std::filesystem::path(path).lexically_normal();
            folder = (named.has_filename() ? named : named.parent_path()).filename().string();
        }
        for (const auto& file : files_of(path)) {
            auto trace = open_input(file);
            const auto part = part_in(trace, range, file);
            recordings.push_back(reported(std::move(trace), part));
            const auto& recording = recordings.back();
            names.push_back(name_of_recording(*recording.trace, file));
            bounds.emplace_back(*recording.trace, *recording.blocking);
            iterations.push_back(iterations_of(*recording.graph, bounds.back()));
        }
    }
    static std::optional<Interval> part_in(const Trace& trace, const std::string& range, const std::string& file)
    {
        try {
            return range_of(range, trace);
        } catch (const InputError& error) {
            throw InputError(file + ": " + error.what());
        }
    }
    ComparedSide side(bool has_iterations) const
    {
        std::vector<ReportedRecording> runs;
        for (std::size_t i = 0; i < recordings.size(); ++i) {
            runs.push_back({*recordings[i].trace, *recordings[i].report, names[i],
                has_iterations ? MaybeNs(average_wall(*iterations[i])) : std::nullopt,
                has_iterations ? iterations[i]->all.size() : 0});
        }
        ComparedSide of_all(std::move(runs));
        of_all.name = folder;
        return of_all;
    }
    /// What is compared where no iterations are.
    Interval all(std::size_t shown) const
    {
        const auto& recording = recordings[shown];
        const auto range = recording.report->range;
        return {range.start, std::min(range.end, recording.graph->last_end())};
    }
    std::uint64_t copied_bytes(std::size_t shown, Interval span) const
    {
        const auto& recording = recordings[shown];
        return make_figures(*recording.trace, *recording.blocking, bounds[shown], span).copied_bytes;
    }
    ChangedPart part(std::size_t shown, Interval span) const { return {*recordings[shown].graph, bounds[shown], span}; }
    std::vector<Recording> recordings;
    std::vector<std::string> names;
    std::string folder;  ///< its name; "": it is one recording
    std::deque<RecordingBounds> bounds;
    std::vector<std::optional<Iterations>> iterations;
};

/// Whether all of both sides have iterations of one kind, so that their lengths can be compared.
bool have_iterations(const OpenedSide& a, const OpenedSide& b)
{
    const auto& first = a.iterations.front();
    const auto is_alike = [&](const std::optional<Iterations>& each) {
        return each && iterations_to_compare(*first, first->typical, *each, each->typical);
    };
    return first && std::all_of(a.iterations.begin(), a.iterations.end(), is_alike)
        && std::all_of(b.iterations.begin(), b.iterations.end(), is_alike);
}

/// Throws InputError if the sides cannot be compared.
std::vector<Judged> judged_sides(
    const std::vector<Limit>& limits, const ComparedSide& a, const ComparedSide& b, const Messages& messages)
{
    if (limits.empty()) {
        return {};
    }
    if (const auto why = cannot_compare(a, b)) {
        throw InputError("--gate: cannot compare these: " + messages.format(*why));
    }
    try {
        return judge(limits, a, b);
    } catch (const GateError& error) {
        throw InputError(std::string("--gate: cannot compare these: ") + error.what());
    }
}

std::vector<Limit> limits_of(const std::string& gate)
{
    try {
        return parse_gate(gate);
    } catch (const GateError& error) {
        throw InputError(std::string("--gate: ") + error.what());
    }
}

/// Before all figures: why their difference is no verdict on a change.
std::string not_alike(const ComparedSide& a, const ComparedSide& b, const Messages& messages)
{
    const auto why = cannot_compare(a, b);
    return why ? messages.format({"compare.not_alike", {}, {{"why", *why}}}) + "\n\n" : "";
}

std::string to_text(const ComparedSide& a, const ComparedSide& b, const std::vector<Judged>& judged,
    const ComparedParts& parts, const std::string& changes, const Messages& messages)
{
    auto text = comparison_to_text(a.runs[a.shown], b.runs[b.shown], messages, parts);
    for (const auto& message : side_messages(a, b)) {
        text += messages.format(message) + '\n';
    }
    const bool two_empty_lines = text.ends_with("\n\n") && changes.starts_with('\n');
    text += two_empty_lines ? changes.substr(1) : changes;
    text += judged.empty() || changes.empty() ? "" : "\n";
    for (const auto& each : judged) {
        text += messages.format(judged_message(each)) + '\n';
    }
    return text;
}

}  // namespace

void add_compare(CLI::App& app, CommandContext& context)
{
    struct Arguments {
        std::string a, b, gate, range;
        bool markdown = false;
        JsonForm json = {};
    };
    const auto arguments = std::make_shared<Arguments>();
    auto* const command = app.add_subcommand("compare", "Compare two recordings, or the medians of two folders");
    command
        ->add_option("A", arguments->a,
            "A recording or a trace, as for report; or a folder: the median of all .sqlite files in it")
        ->required();
    command->add_option("B", arguments->b, "The recording, trace or folder to compare with A")->required();
    auto* const gate = command
                           ->add_option("--gate", arguments->gate,
                               "Limits on the change from A to B, for example 'wall<5%, blocked<2ms, overlap>-5%'. "
                               "Exit status 3 if one is exceeded, 2 if the two cannot be compared")
                           ->type_name("LIMITS");
    command
        ->add_option("--range", arguments->range,
            "steady: figures and limits are of the part of each that repeats, such as the iterations of a training "
            "script. Other times of two runs hold other work")
        ->check(one_of({steady_part}));
    auto* const json
        = add_json(*command, arguments->json, "Print {\"a\": report, \"b\": report, \"delta\": B minus A} as JSON");
    command->add_flag("--markdown", arguments->markdown, "Print a Markdown table, for a pull request")->excludes(json);
    add_language(*command, context);
    command->footer(
        "A limit is on B minus A, in percent of A or as a time. Figures: wall, iteration (the average of those\n"
        "after the warm-up), busy (any GPU), idle (no GPU busy), overlap, hidden and exposed (copies), blocked, held\n"
        "and held_cost (of the first thread), free (the CPU while a GPU is busy).\n\n"
        "  lanes compare copy-results-back.blocking.sqlite copy-results-back.overlapped.sqlite\n"
        "  lanes compare base/ new/ --gate 'iteration<5%, blocked<10%, overlap>-5%'\n"
        "  lanes compare base/ new/ --range steady --gate 'wall<5%'");
    command->callback([arguments, gate, &context] {
        const auto limits = gate->count() > 0 ? limits_of(arguments->gate) : std::vector<Limit> {};
        const OpenedSide of_a(arguments->a, arguments->range);
        const OpenedSide of_b(arguments->b, arguments->range);
        const bool has_iterations = have_iterations(of_a, of_b);
        const auto a = of_a.side(has_iterations);
        const auto b = of_b.side(has_iterations);
        const auto& messages = arguments->json ? context.json_messages() : context.messages();
        const auto judged = judged_sides(limits, a, b, messages);
        auto parts = parts_to_compare(
            of_a.iterations[a.shown], of_a.all(a.shown), of_b.iterations[b.shown], of_b.all(b.shown));
        parts.is_one_program = is_one_program(a.runs[a.shown], b.runs[b.shown]);
        if (parts.iterations) {
            parts.bytes_a = of_a.copied_bytes(a.shown, parts.a);
            parts.bytes_b = of_b.copied_bytes(b.shown, parts.b);
        }
        const auto changes = changes_between(of_a.part(a.shown, parts.a), of_b.part(b.shown, parts.b));
        std::string text;
        if (arguments->json) {
            text = arguments->json.line_of(
                comparison_to_json(a.runs[a.shown], b.runs[b.shown], messages, parts, [&](JsonWriter& writer) {
                    write_sides(writer, a, b, judged);
                    write_changes(writer, parts, changes, messages);
                    std::vector<Refused> all;
                    if (const auto why = cannot_compare(a, b)) {
                        all.push_back({"delta", why->id.substr(why->id.rfind('.') + 1), *why});
                    }
                    if (changes.empty()) {
                        all.push_back(refused("changes", "nothing_changed"));
                    }
                    write_refused(writer, all, messages);
                }));
        } else if (arguments->markdown) {
            text = not_alike(a, b, messages) + sides_to_markdown(a, b, judged, messages, parts)
                + changes_markdown(parts, changes, messages);
        } else {
            text = not_alike(a, b, messages)
                + to_text(a, b, judged, parts, changes_text(parts, changes, messages), messages);
        }
        print(text);
        if (std::any_of(judged.begin(), judged.end(), [](const Judged& each) { return !each.holds; })) {
            context.status = limit_exceeded;
        }
    });
}

}  // namespace lanes
