// SPDX-License-Identifier: MIT
#include "engine/analysis/lesson_figures.h"

#include "engine/analysis/words/seams.h"
#include "engine/analysis/words/shown.h"
#include "engine/workload/workload.h"

#include <algorithm>

namespace lanes {

namespace {

using Figure = LessonFigure;
using MaybeNumber = std::optional<double>;

MaybeNumber number(MaybeNs ns)
{
    return ns ? MaybeNumber(static_cast<double>(*ns)) : std::nullopt;
}

template <class Wanted> Ns sum_of(const Report& report, const Wanted& wanted)
{
    Ns sum = 0;
    for (const GpuFigures& gpu : report.gpus) {
        sum += wanted(gpu);
    }
    return sum;
}

/// The end of the last call that issued a kernel, or launched a graph of them.
MaybeNs launched(const Trace& trace)
{
    MaybeNs last;
    for (Row row = 0; row < trace.operations.size(); ++row) {
        if (trace.operations.kind[row] == OperationKind::kernel && trace.operations.call[row] != no_row) {
            last = std::max(last.value_or(0), trace.calls.end[trace.operations.call[row]]);
        }
    }
    return last;
}

MaybeNs longest_copy_call(const Trace& trace)
{
    MaybeNs longest;
    for (Row row = 0; row < trace.operations.size(); ++row) {
        if (const Row call = trace.operations.call[row]; is_copy(trace.operations.kind[row]) && call != no_row) {
            longest = std::max(longest.value_or(0), trace.calls.end[call] - trace.calls.start[call]);
        }
    }
    return longest;
}

MaybeNs longest_range(const Trace& trace, Row thread)
{
    MaybeNs longest;
    for (const Range& range : trace.ranges) {
        if (range.thread == thread) {
            longest = std::max(longest.value_or(0), range.end - range.start);
        }
    }
    return longest;
}

double read_bytes(const LessonRun& run, std::uint64_t Read::*which)
{
    double sum = 0;
    for (const Row row : run.report->reads) {
        sum += static_cast<double>(run.trace->reads[row].*which);
    }
    return sum;
}

}  // namespace

std::optional<double> lesson_figure(const LessonRun& run, LessonFigure figure)
{
    if (run.report == nullptr) {
        return {};
    }
    const Report& report = *run.report;
    const ThreadFigures* first = report.first_thread();
    const auto gpus = [&](Ns GpuFigures::*which) {
        return number(sum_of(report, [&](const GpuFigures& gpu) { return gpu.*which; }));
    };
    switch (figure) {
    case Figure::title:
        break;
    case Figure::total:
        return number(report.wall);
    case Figure::busy:
        return number(report.gpu_busy);
    case Figure::idle:
        return number(std::max<Ns>(report.wall - report.gpu_busy, 0));
    case Figure::kernels:
        return gpus(&GpuFigures::kernel);
    case Figure::copies:
        return gpus(&GpuFigures::copy);
    case Figure::hidden:
        return gpus(&GpuFigures::copy_hidden);
    case Figure::exposed:
        return gpus(&GpuFigures::copy_exposed);
    case Figure::overlap:
        return number(report.overlap);
    case Figure::communication:
    case Figure::uncovered: {
        const GpuFigures none;
        const GpuFigures* const found = report.communicating_gpu();
        const GpuFigures& of = found != nullptr ? *found : none;
        return report.gpus.empty()            ? std::nullopt
            : figure == Figure::communication ? number(of.communication)
                                              : number(of.communication_exposed);
    }
    case Figure::blocked:
        return first != nullptr ? number(first->blocked) : std::nullopt;
    case Figure::free:
        return number(report.cpu_free);
    case Figure::waiting:
        return first != nullptr ? number(first->host_wait) : std::nullopt;
    case Figure::launched:
        return number(launched(*run.trace));
    case Figure::copy_call:
        return number(longest_copy_call(*run.trace));
    case Figure::longest_range:
        return first != nullptr ? number(longest_range(*run.trace, first->thread)) : std::nullopt;
    case Figure::kernel_count:
        return static_cast<double>(report.counts.kernels);
    case Figure::copy_count:
        return static_cast<double>(report.counts.copies);
    case Figure::call_count:
        return static_cast<double>(report.counts.api_calls);
    case Figure::wrong:
        return report.reads.empty() ? std::nullopt : MaybeNumber(read_bytes(run, &Read::wrong_bytes));
    }
    return std::nullopt;
}

std::optional<double> whole_of_lesson_figure(const LessonRun& run, LessonFigure figure)
{
    if (figure == Figure::hidden || figure == Figure::exposed) {
        return lesson_figure(run, Figure::copies);
    }
    return figure == Figure::wrong ? read_bytes(run, &Read::bytes) : lesson_figure(run, Figure::total);
}

std::optional<std::string> lesson_figure_text(const LessonRun& run, LessonFigure figure, bool share)
{
    const MaybeNumber value = lesson_figure(run, figure);
    if (!value) {
        return {};
    }
    if (share) {
        const MaybeNumber whole = whole_of_lesson_figure(run, figure);
        return whole && *whole > 0 ? std::optional(shown_share(*value / *whole)) : std::nullopt;
    }
    const LessonFigureKind kind = kind_of(figure);
    return kind.number ? std::to_string(static_cast<std::uint64_t>(*value))
        : kind.bytes   ? shown_bytes(static_cast<std::uint64_t>(*value))
                       : shown_time(static_cast<Ns>(*value));
}

std::optional<ComparedValue> compared_value(const Workload& workload, const LessonRun& run, const std::string& language)
{
    if (!workload.compared || run.report == nullptr) {
        return {};
    }
    const auto& [figure, share, label] = *workload.compared;
    const auto text = lesson_figure_text(run, figure, share);
    if (!text) {
        return {};
    }
    const LessonFigureKind kind = kind_of(figure);
    const auto amount = share ? std::nullopt : std::optional(static_cast<Ns>(lesson_figure(run, figure).value_or(0)));
    return ComparedValue {in_language(label, language), language == "zh_CN" ? tight_percents(*text) : *text, amount,
        !share && !kind.bytes && !kind.number};
}

}  // namespace lanes
