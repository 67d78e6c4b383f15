// SPDX-License-Identifier: MIT
#include "engine/analysis/caveats.h"

#include "engine/analysis/blocking/gpu_clock.h"
#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/facts/record_ends.h"
#include "engine/analysis/facts/recorded_part.h"
#include "engine/analysis/figures/operators.h"
#include "engine/analysis/figures/recording_bounds.h"
#include "engine/analysis/record_gaps.h"
#include "engine/analysis/told_run.h"
#include "engine/analysis/words/shown.h"
#include "engine/analysis/words/text_table.h"
#include "engine/trace/context_failure.h"
#include "engine/trace/cut.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/sampled_range.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <sstream>

namespace lanes {

namespace {

std::string meta_of(const Trace& trace, const char* key)
{
    return printable(meta::text_of(trace.meta, key));
}

/// Functions of the host that streams ran: those on record, and those with only their call on record.
Message host_functions_message(const Trace& trace)
{
    std::set<Row> told;
    std::size_t untimed = 0;
    for (const auto& function : trace.host_functions) {
        told.insert(outermost(trace.calls, function.call));
        untimed += function.timed ? 0 : 1;
    }
    std::size_t count = trace.host_functions.size();
    std::vector<bool> puts_one(trace.strings.size());
    bool any = false;
    for (StringId name = 0; name < puts_one.size(); ++name) {
        const auto text = trace.text(name);
        puts_one[name] = text.starts_with("cudaLaunchHostFunc") || text.starts_with("cuLaunchHostFunc")
            || text.starts_with("cudaStreamAddCallback") || text.starts_with("cuStreamAddCallback");
        any = any || puts_one[name];
    }
    for (Row call = 0; any && call < trace.calls.size(); ++call) {
        if (puts_one[trace.calls.name[call]] && trace.calls.outer[call] == no_row && trace.calls.result[call] == 0
            && !told.contains(call)) {
            ++count;
            ++untimed;
        }
    }
    return count == 0 ? Message {}
                      : Message {untimed == 0 ? "caveat.host_functions" : "caveat.host_functions_untimed",
                          {{"count", std::to_string(count)}, {"untimed", std::to_string(untimed)}}};
}

/// Of meta::unflushed; empty where every process wrote all. With several, the earliest time is that of all.
Message unflushed_message(const Trace& trace)
{
    std::istringstream lines {std::string(meta::text_of(trace.meta, meta::unflushed))};
    std::size_t count = 0;
    std::string process;
    std::string time;
    Ns earliest = std::numeric_limits<Ns>::max();
    for (std::string id, end; lines >> id >> end; ++count) {
        Ns last = 0;
        std::from_chars(end.data(), end.data() + end.size(), last);
        if (last < earliest) {
            earliest = last;
            process = id;
            time = end;
        }
    }
    if (count == 0) {
        return {};
    }
    const std::string id = trace.processes.size() < 2 ? "caveat.unflushed"
        : count > 1                                   ? "caveat.unflushed_several"
        : time == "-"                                 ? "caveat.unflushed_process_nothing"
                                                      : "caveat.unflushed_process";
    return {id, {{"count", std::to_string(count)}, {"process", process}, {"time", shown_time(earliest)}}};
}

/// The first call that returned an error after which its context runs nothing more; empty if there is none.
Message context_failure_message(const Trace& trace)
{
    Row first = no_row;
    for (Row call = 0; call < trace.calls.size(); ++call) {
        if (context_failure_name(trace.calls.result[call]) != nullptr
            && (first == no_row || trace.calls.end[call] < trace.calls.end[first])) {
            first = call;
        }
    }
    if (first == no_row) {
        return {};
    }
    const auto result = trace.calls.result[first];
    return {"caveat.context_failed",
        {{"error", context_failure_name(result)}, {"code", std::to_string(result)},
            {"call", std::string(trace.text(trace.calls.name[first]))}, {"time", shown_time(trace.calls.end[first])}}};
}

}  // namespace

Message cut_short_message(const Trace& trace)
{
    if (is_complete(trace)) {
        return {};
    }
    if (auto message = unflushed_message(trace); !message.empty()) {
        return message;
    }
    const auto ends = ends_of(trace);
    const bool no_calls = trace.calls.size() == 0;
    const bool no_operations = trace.operations.size() == 0;
    return {std::string("caveat.cut_short")
            + (no_calls && no_operations ? "_nothing"
                    : no_calls           ? "_no_calls"
                    : no_operations      ? "_no_operations"
                                         : ""),
        {{"calls", shown_time(ends.calls)}, {"gpu", shown_time(ends.gpu)}}};
}

namespace {

/// "12 flows, 3 counter values" of the lines of meta "not_shown"; empty where there are none.
Message list_of(std::string_view lines)
{
    Message list;
    while (!lines.empty()) {
        const auto line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(std::min(lines.size(), line.size() + 1));
        const auto space = line.find(' ');
        if (space == std::string_view::npos) {
            continue;
        }
        const std::string what(line.substr(space + 1));
        Message item {"not_shown." + std::string(line.substr(0, space)), {{"count", what}, {"which", what}}};
        list = list.empty() ? std::move(item)
                            : Message {"not_shown.list", {}, {{"first", std::move(list)}, {"next", std::move(item)}}};
    }
    return list;
}

/// Successful launches of CUDA graphs: all, and those without an operation.
struct GraphLaunches {
    std::size_t all = 0, unseen = 0;
};

GraphLaunches graph_launches(const Trace& trace)
{
    std::vector<bool> issued(trace.calls.size());
    for (const Row call : trace.operations.call) {
        if (call != no_row) {
            issued[outermost(trace.calls, call)] = true;
        }
    }
    const auto classes = call_classes(trace);
    GraphLaunches found;
    for (Row call = 0; call < trace.calls.size(); ++call) {
        if (classes[trace.calls.name[call]] == CallClass::graph_launch && trace.calls.result[call] == 0
            && trace.calls.outer[call] == no_row) {
            ++found.all;
            found.unseen += issued[call] ? 0 : 1;
        }
    }
    return found;
}

/// In parts after the first, CUPTI 13.0 gives neither calls nor operations a correlation if it stayed attached, as it
/// does in programs with graphs. Of any other recording that has operations: whether no launch of a graph has one. A
/// graph may be empty, so one launch says nothing.
Message unseen_graphs_message(const Trace& trace)
{
    constexpr std::size_t no_accident = 3;
    const auto launches = graph_launches(trace);
    const auto parts = recorded_parts(trace);
    const bool of_parts = std::any_of(parts.begin(), parts.end(),
        [](const RecordedPart& part) { return part.begun_by == "trigger" || part.begun_by == "clock"; });
    if (of_parts && launches.unseen > 0) {
        return {"caveat.unseen_graphs", {{"count", std::to_string(launches.unseen)}}};
    }
    if (!of_parts && launches.unseen == launches.all && launches.all >= no_accident && trace.operations.size() > 0) {
        return {"caveat.graphs_without_operations", {{"count", std::to_string(launches.all)}}};
    }
    return {};
}

/// Once for all processes whose parts began and ended for the same reason.
std::vector<Message> part_messages(const Trace& trace)
{
    std::vector<Message> messages;
    std::set<std::pair<std::string, std::string>> told;
    for (const auto& part : recorded_parts(trace)) {
        const auto known = [](const std::string& word, std::initializer_list<const char*> words) {
            return std::find(words.begin(), words.end(), word) != words.end();
        };
        if (!known(part.begun_by, {"program", "delay", "range", "profiler", "steps", "start", "clock", "trigger"})
            || !known(part.ended_by, {"program", "duration", "range", "profiler", "steps", "size", "stop"})) {
            continue;
        }
        if (told.insert({part.begun_by, part.ended_by}).second) {
            messages.push_back({"caveat.part", {},
                {{"begun", {"caveat.part_begun." + part.begun_by, {}}},
                    {"ended", {"caveat.part_ended." + part.ended_by, {}}}}});
        }
    }
    return messages;
}

/// Copies over a link that are recorded as faster than any: the driver moves a copy between GPUs without peer access in
/// pieces, and CUPTI has the times of the last one alone (256 MiB in 22 us, two H200).
Message impossible_copies_message(const Trace& trace)
{
    constexpr double most = 2e12;  // bytes a second: twice one way of NVLink 5 or NVLink-C2C
    constexpr std::uint64_t least = 1U << 20U;  // below, the clock's steps say more than the link
    const auto& ops = trace.operations;
    if (trace.source == Source::predicted || !meta_of(trace, meta::overlong).empty()) {  // some were cut
        return {};
    }
    std::size_t count = 0;
    std::uint64_t bytes = 0;
    Ns time = 0;
    for (Row row = 0; row < ops.size(); ++row) {
        const auto kind = ops.kind[row];
        if (kind != OperationKind::h2d && kind != OperationKind::d2h && kind != OperationKind::p2p) {
            continue;
        }
        const auto copied = trace.bytes_of(row);
        const Ns takes = ops.end[row] - ops.start[row];
        if (copied >= least && takes > 0 && static_cast<double>(copied) > most * 1e-9 * static_cast<double>(takes)) {
            ++count;
            time = copied > bytes ? takes : time;
            bytes = std::max(bytes, copied);
        }
    }
    return count == 0
        ? Message {}
        : Message {"caveat.impossible_copies",
            {{"count", std::to_string(count)}, {"bytes", shown_bytes(bytes)}, {"time", shown_time(time)}}};
}

Message first_damage_message(const Trace& trace)
{
    std::istringstream words {std::string(meta::text_of(trace.meta, meta::first_damage))};
    std::string byte, line, column, what, file;
    if (!(words >> byte >> line >> column >> std::ws)) {
        return {};
    }
    std::getline(words, what);
    std::getline(words, file);
    return {file.empty() ? "caveat.first_damage" : "caveat.first_damage_of_file",
        {{"byte", byte}, {"line", line}, {"column", column}, {"what", what}, {"file", file}}};
}

/// What failed and why. Both devices write 'step "LABEL" (FILE:LINE) failed: REASON'; who learns from a lesson does not
/// see its file, so the lines are those of the listings.
Message failure_message(const Trace& trace, const std::string& text)
{
    constexpr std::string_view middle = ") failed: ";
    const auto end = text.find(middle);
    if (!trace.errors.empty() && end != std::string::npos) {
        const auto told = told_run(trace);
        const auto step = trace.errors.front().step;
        if (told && told->is_newest && step < told->steps.size() && told->steps[step].pytorch_line > 0
            && told->steps[step].cuda_line > 0) {
            const StepInfo& info = told->steps[step];
            return {"caveat.error_in_code",
                {{"pytorch", std::to_string(info.pytorch_line)}, {"cuda", std::to_string(info.cuda_line)},
                    {"step", printable(info.label)}, {"reason", text.substr(end + middle.size())}}};
        }
    }
    return {"caveat.error", {{"text", text}}};
}

}  // namespace

std::vector<Message> caveats_of(const Trace& trace)
{
    std::vector<Message> caveats;
    if (const auto changes = trace.meta.find(meta::changes);
        changes != trace.meta.end() && trace.source == Source::predicted) {
        std::string list;
        for (const char letter : changes->second) {
            list += letter == '\n' ? ", " : std::string(1, letter);
        }
        caveats.push_back({"caveat.changes", {{"changes", list}}});
    }
    if (const auto text = meta_of(trace, meta::error); !text.empty()) {
        caveats.push_back(failure_message(trace, text));
    }
    if (const auto text = meta_of(trace, meta::recovered); !text.empty()) {
        caveats.push_back({"caveat.recovered", {{"text", text}}});
    }
    if (auto message = cut_short_message(trace); !message.empty()) {
        caveats.push_back(std::move(message));
    }
    if (auto message = context_failure_message(trace); !message.empty()) {
        caveats.push_back(std::move(message));
    }
    if (const auto cut = cut_of(trace)) {
        caveats.push_back({"caveat.cut",
            {{"begin", shown_time(cut->begin)}, {"end", shown_time(cut->begin + cut->length)},
                {"calls", std::to_string(cut->calls)}, {"operations", std::to_string(cut->operations)},
                {"ranges", std::to_string(cut->ranges)}}});
    }
    for (auto& message : part_messages(trace)) {
        caveats.push_back(std::move(message));
    }
    if (const auto graphs = meta_of(trace, meta::graphs); graphs == whole_graphs) {
        caveats.push_back({"caveat.whole_graphs", {}});
    } else if (graphs.starts_with(some_whole_graphs)) {
        caveats.push_back(
            {"caveat.some_whole_graphs", {{"count", graphs.substr(std::string_view(some_whole_graphs).size() + 1)}}});
    }
    if (auto message = unseen_graphs_message(trace); !message.empty()) {
        caveats.push_back(std::move(message));
    }
    if (auto message = gaps_message(meta_of(trace, meta::not_recorded)); !message.empty()) {
        caveats.push_back(std::move(message));
    }
    if (trace.dropped > 0) {
        caveats.push_back({"caveat.dropped", {{"count", std::to_string(trace.dropped)}}});
    }
    for (const auto* key :
        {meta::clock_violations, meta::migrations, meta::skipped_rows, meta::without_length, meta::threadless_rows}) {
        if (const auto count = meta_of(trace, key); !count.empty() && count != "0") {
            caveats.push_back({std::string("caveat.") + key, {{"count", count}}});
        }
    }
    if (const auto count = meta_of(trace, meta::overlong); !count.empty() && count != "0") {
        const Ns most = meta::number_of(trace.meta, meta::overlong_ns);
        caveats.push_back({"caveat.overlong", {{"count", count}, {"time", shown_time(most)}}});
    }
    if (const auto apart = meta::number_of(trace.meta, meta::clock_uncertainty_ns); apart > 0) {
        caveats.push_back({"caveat.clock_uncertainty", {{"time", shown_time(apart)}}});
    }
    if (const Ns late = gpu_clock_late(trace); late > 0) {
        caveats.push_back({"caveat.gpu_clock_late", {{"time", shown_time(late)}}});
    }
    if (auto message = impossible_copies_message(trace); !message.empty()) {
        caveats.push_back(std::move(message));
    }
    if (auto message = host_functions_message(trace); !message.empty()) {
        caveats.push_back(std::move(message));
    }
    if (auto list = list_of(meta::text_of(trace.meta, meta::not_shown)); !list.empty()) {
        caveats.push_back({"caveat.not_shown", {}, {{"list", std::move(list)}}});
    }
    if (auto message = first_damage_message(trace); !message.empty()) {
        caveats.push_back(std::move(message));
    }
    if (const auto text = meta_of(trace, meta::notice); !text.empty()) {
        caveats.push_back({"caveat.notice", {{"text", text}}});
    }
    return caveats;
}

Message unrecorded_message(const Trace& trace)
{
    // Times of two clocks that have nothing in common: what lies between them is no time.
    if (const auto before = meta::number_of(trace.meta, meta::clock_violations);
        before > 0 && 2 * static_cast<std::size_t>(before) >= trace.operations.size()) {
        return {};
    }
    // A stretch of more than half of the recording contains its middle.
    const Ns wall = end_of_work(trace);
    const Ns middle = wall / 2;
    Ns start = 0;
    Ns end = wall;
    std::vector<Row> around;
    const auto take = [&](Ns from, Ns to) {
        (from < middle ? start : end) = from < middle ? std::max(start, to) : std::min(end, from);
    };
    for (Row row = 0; row < trace.operations.size(); ++row) {
        take(trace.operations.start[row], trace.operations.end[row]);
    }
    for (Row row = 0; row < trace.calls.size(); ++row) {
        take(trace.calls.start[row], trace.calls.end[row]);
    }
    for (const auto& span : trace.host_spans) {
        take(span.start, span.end);
    }
    for (Row row = 0; row < trace.ranges.size(); ++row) {
        const auto& range = trace.ranges[row];
        // A range around most of the run does not say what was done in it; an operator of PyTorch does, however long.
        if (range.mark || range.open || is_sampled(trace, row)) {
            continue;
        }
        if (range.end - range.start <= middle || is_operator(trace, row)) {
            take(range.start, range.end);
        } else {
            around.push_back(row);
        }
    }
    if (end - start <= middle) {
        return {};
    }
    Message message {"steady.unrecorded",
        {{"start", shown_time(start)}, {"end", shown_time(end)},
            {"share", shown_share(static_cast<double>(end - start) / static_cast<double>(wall))}}};
    const auto length_of = [&](Row row) { return trace.ranges[row].end - trace.ranges[row].start; };
    const auto shorter = [&](Row a, Row b) { return length_of(a) < length_of(b); };
    std::erase_if(around, [&](Row row) {
        const auto& range = trace.ranges[row];
        return 2 * (std::min(range.end, end) - std::max(range.start, start)) < end - start;
    });
    if (const auto shortest = std::min_element(around.begin(), around.end(), shorter); shortest != around.end()) {
        message.id = "steady.unrecorded_in_range";
        message.arguments.emplace_back("name", std::string(trace.text(trace.ranges[*shortest].name)));
    }
    return message;
}

}  // namespace lanes
