// SPDX-License-Identifier: MIT
#include "engine/analysis/compare/compare_sides.h"

#include "engine/analysis/facts/record_ends.h"
#include "engine/analysis/words/names.h"
#include "engine/analysis/words/shown.h"
#include "engine/analysis/words/text_table.h"

#include <algorithm>
#include <numeric>

namespace lanes {

namespace {

std::array<MaybeNs, side_figures> figures_of(const ReportedRecording& run)
{
    const auto of = differences_of(run.report, run.report);
    const auto idle = of.busy.a ? MaybeNs(run.report.wall - *of.busy.a) : std::nullopt;
    return {of.total.a, run.iteration, of.busy.a, idle, of.overlap.a, of.copy_hidden.a, of.copy_exposed.a, of.blocked.a,
        of.held.a, of.held_cost.a, of.cpu_free.a};
}

std::string devices_of(const ReportedRecording& run)
{
    std::vector<std::string> names;
    for (const auto& gpu : run.report.gpus) {
        names.push_back(printable(device_name(run.trace, gpu.device)));
    }
    std::sort(names.begin(), names.end());
    std::string all;
    for (const auto& name : names) {
        all += (all.empty() ? "" : ", ") + name;
    }
    return all;
}

bool is_measured(Source source)
{
    return source != Source::model && source != Source::predicted;
}

std::optional<Message> unfit(const ReportedRecording& run)
{
    const auto of = [&](const char* id) { return Message(id, {{"name", run.name}}); };
    if (!run.report.gpu_recorded) {
        return of("gate.gpu_not_recorded");
    }
    if (run.report.gpus.empty()) {
        return of("gate.no_gpu_work");
    }
    if (!is_complete(run.trace)) {
        return of("gate.cut_short");
    }
    if (run.report.counts.dropped > 0) {
        return of("gate.lost_records");
    }
    if (run.report.wrong_bytes > 0) {
        return of("gate.wrong_bytes");
    }
    return std::nullopt;
}

std::optional<Message> differ(const ReportedRecording& a, const ReportedRecording& b)
{
    Message message {"", {{"a", a.name}, {"b", b.name}}};
    if (is_measured(a.trace.source) != is_measured(b.trace.source)) {
        message.id = "gate.model";
        return message;
    }
    if (const auto from = devices_of(a), to = devices_of(b); from != to) {
        message.id = "gate.devices";
        message.arguments.emplace_back("from", from);
        message.arguments.emplace_back("to", to);
        return message;
    }
    return std::nullopt;
}

/// Those of one side are runs of the same.
std::optional<Message> other_work(const ReportedRecording& a, const ReportedRecording& b)
{
    const auto work = work_differences(a.report, b.report);
    return work.empty()
        ? std::nullopt
        : std::optional(Message {"gate.work", {{"a", a.name}, {"b", b.name}}, {{"what", work.front()}}});
}

std::optional<Message> other_program(const ReportedRecording& a, const ReportedRecording& b)
{
    if (is_one_program(a, b)) {
        return std::nullopt;
    }
    if (a.report.workload != b.report.workload) {
        return other_work(a, b);
    }
    return Message {"gate.little_in_common",
        {{"a", a.name}, {"b", b.name}, {"share", shown_share(kernel_time_in_common(a.trace, b.trace))}}};
}

}  // namespace

std::string_view side_figure_name(std::size_t figure)
{
    constexpr std::array<std::string_view, side_figures> names {
        "wall", "iteration", "busy", "idle", "overlap", "hidden", "exposed", "blocked", "held", "held_cost", "free"};
    return names[figure];
}

ComparedSide::ComparedSide(std::vector<ReportedRecording> of_side)
    : runs(std::move(of_side))
{
    std::vector<std::size_t> order(runs.size());
    std::iota(order.begin(), order.end(), std::size_t {0});
    std::stable_sort(order.begin(), order.end(),
        [&](std::size_t a, std::size_t b) { return runs[a].report.wall < runs[b].report.wall; });
    shown = order[(order.size() - 1) / 2];
    std::array<std::vector<Ns>, side_figures> times;
    for (const auto& run : runs) {
        const auto of_run = figures_of(run);
        for (std::size_t figure = 0; figure < side_figures; ++figure) {
            if (of_run[figure]) {
                times[figure].push_back(*of_run[figure]);
            }
        }
    }
    for (std::size_t figure = 0; figure < side_figures; ++figure) {
        if (times[figure].size() == runs.size()) {
            figures[figure] = spread_of(times[figure]);
        }
    }
    if (runs.size() == 1 && is_whole(runs.front())) {
        if (const auto repeats = repeats_of(runs.front().trace); repeats && figures[0]) {
            figures[0] = {std::min(repeats->wall.least, figures[0]->median), figures[0]->median,
                std::max(repeats->wall.most, figures[0]->median)};
        }
    }
}

bool within_spread(const ComparedSide& a, const ComparedSide& b, std::size_t figure)
{
    const auto& from = a.figures[figure];
    const auto& to = b.figures[figure];
    const auto is_one = [](const Spread& spread) { return spread.least == spread.most; };
    return from && to && !(is_one(*from) && is_one(*to)) && from->least <= to->most && to->least <= from->most;
}

std::optional<Message> cannot_compare(const ComparedSide& a, const ComparedSide& b)
{
    for (const auto* side : {&a, &b}) {
        for (const auto& run : side->runs) {
            if (auto why = unfit(run)) {
                return why;
            }
            if (auto why = differ(a.runs.front(), run)) {
                return why;
            }
            if (auto why = other_work(side->runs.front(), run)) {
                return why;
            }
        }
    }
    return other_program(a.runs.front(), b.runs.front());
}

}  // namespace lanes
