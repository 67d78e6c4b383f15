// SPDX-License-Identifier: MIT
#include "gui/lanes/shown_recording.h"

#include "engine/trace/meta_keys.h"

#include <limits>

namespace lanes::gui {

namespace {

std::string titleOf(const Trace& trace, const std::string& fallback)
{
    const auto variant = meta::text_of(trace.meta, meta::variant);
    return std::string(!variant.empty() ? variant
            : !fallback.empty()         ? fallback
                                        : meta::text_of(trace.meta, meta::command));
}

/// Of all GPUs. Kernels: a model's weights take longer to copy than many iterations of it, and nobody looks for them.
Ns workOf(const Report& report, bool ofKernels)
{
    Ns sum = 0;
    for (const GpuFigures& gpu : report.gpus) {
        sum += ofKernels ? gpu.kernel : gpu.busy;
    }
    return sum;
}

/// A loop beside most of the work: what is said of it says nothing of the recording.
bool repeatsLittle(const Recording& recording)
{
    if (!recording.report || !recording.report->parts) {
        return false;
    }
    const Report& part = recording.report->parts->steady;
    const Report& whole = recording.report->parts->whole;
    const auto isLittle = [&](bool ofKernels) { return 2 * workOf(part, ofKernels) < workOf(whole, ofKernels); };
    return isLittle(false) && (isLittle(true) || workOf(whole, true) == 0);
}

}  // namespace

std::shared_ptr<const ShownRecording> ShownRecording::of(
    Trace trace, const std::string& title, const Progress& progress)
{
    auto shown = std::make_shared<ShownRecording>();
    shown->Recording::operator=(lanes::analysed(std::move(trace), progress));
    shown->marks = std::make_shared<Marks>(shown->trace->marks);
    shown->ranks = told_ranks(*shown->trace);
    shown->title = titleOf(*shown->trace, title);
    return shown;
}

std::optional<Ns> ShownRecording::awaitedUntil(Row operation) const
{
    if (const auto told = awaited->find(operation); told != awaited->end()) {
        return told->second.until;
    }
    const Row last = graph == nullptr ? no_row : graph->partner_of(operation);
    return last == no_row ? std::nullopt : std::optional(trace->operations.start[last]);
}

std::optional<Interval> steadyPart(const Recording& recording)
{
    return recording.report && recording.report->steady ? std::optional(recording.report->steady->span) : std::nullopt;
}

std::optional<Interval> repeatedPart(const Recording& recording)
{
    const bool isShort = recording.report && recording.report->parts;
    return isShort && !repeatsLittle(recording) ? steadyPart(recording) : std::nullopt;
}

Interval openedPart(const Recording& recording)
{
    return repeatedPart(recording).value_or(Interval {std::numeric_limits<Ns>::min(), std::numeric_limits<Ns>::max()});
}

std::optional<Interval> workingPart(const Recording& recording)
{
    constexpr Ns least_of_whole = 4;
    const auto& trace = *recording.trace;
    const auto& ops = trace.operations;
    if ((steadyPart(recording) && !repeatsLittle(recording)) || ops.size() == 0) {
        return {};
    }
    Interval part {trace.duration, 0};
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        if (const RowSpan rows = trace.operations_of(stream); rows.begin < rows.end) {
            const Row call = ops.call[rows.begin];
            part.start = std::min(part.start, call == no_row ? ops.start[rows.begin] : trace.calls.start[call]);
        }
    }
    for (const Ns end : ops.end) {  // not only the last of each stream: nodes of a graph overlap in theirs
        part.end = std::max(part.end, end);
    }
    return part.end > part.start && least_of_whole * (part.end - part.start) < trace.duration ? std::optional(part)
                                                                                              : std::nullopt;
}

std::shared_ptr<const Report> knownReport(const Recording& recording, Scope::Of of)
{
    const auto& parts = recording.report ? recording.report->parts : nullptr;
    if (of == Scope::Of::all) {
        return parts ? std::shared_ptr<const Report>(parts, &parts->whole) : recording.report;
    }
    return of == Scope::Of::repeated && parts ? std::shared_ptr<const Report>(parts, &parts->steady) : nullptr;
}

Interval wholePart(const Recording& recording)
{
    const auto report = knownReport(recording, Scope::Of::all);
    return {0, report && report->wall > 0 ? report->wall : recording.trace->duration};
}

std::shared_ptr<const Report> reportOf(const Recording& recording, const DrawnScope& scope, const Progress& progress)
{
    const Interval all = wholePart(recording);
    const bool isAll = scope.of == Scope::Of::all || (scope.range.start <= all.start && scope.range.end >= all.end);
    if (auto known = knownReport(recording, isAll ? Scope::Of::all : scope.of);
        known && (scope.of != Scope::Of::repeated || isAll || known->range == scope.range)) {
        return known;  // else what repeats is one iteration
    }
    return recording.graph && recording.waits && recording.ranges ? std::make_shared<const Report>(
               make_report({*recording.graph, *recording.waits}, recording.ranges->bounds(), scope.range, progress))
                                                                  : nullptr;
}

}  // namespace lanes::gui
