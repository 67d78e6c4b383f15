// SPDX-License-Identifier: MIT
#include "engine/analysis/lesson_texts.h"

#include "engine/analysis/shown.h"
#include "engine/trace/meta_keys.h"
#include "engine/workload/expression.h"
#include "engine/workload/lesson_text.h"

#include <algorithm>
#include <optional>

namespace lanes {

namespace {

using Figure = LessonFigure;
using Side = LessonPiece::Side;
using MaybeNumber = std::optional<double>;

constexpr auto unknown = "\u2013";

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

double read_bytes(const LessonRun& run, std::uint64_t Read::*which)
{
    double sum = 0;
    for (const Row row : run.report->reads) {
        sum += static_cast<double>(run.trace->reads[row].*which);
    }
    return sum;
}

MaybeNumber value_of(const LessonRun& run, Figure figure)
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
        // Each GPU has its own side of one communication.
        const auto most = std::ranges::max_element(report.gpus, {}, &GpuFigures::communication_exposed);
        return most == report.gpus.end()      ? std::nullopt
            : figure == Figure::communication ? number(most->communication)
                                              : number(most->communication_exposed);
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

MaybeNumber whole_of(const LessonRun& run, Figure figure)
{
    if (figure == Figure::hidden || figure == Figure::exposed) {
        return value_of(run, Figure::copies);
    }
    return figure == Figure::wrong ? read_bytes(run, &Read::bytes) : value_of(run, Figure::total);
}

class Filling {
public:
    Filling(const Workload& workload, const std::string& language, std::span<const LessonRun> runs, int own)
        : m_workload(workload)
        , m_language(language)
        , m_runs(runs)
        , m_own(own)
    {
    }

    /// Nothing where the recordings cannot tell it.
    std::optional<std::string> text_of(const LessonPiece& piece) const
    {
        if (piece.side == Side::a_by_b || piece.side == Side::b_by_a) {
            const bool forward = piece.side == Side::a_by_b;
            const LessonRun* over = run(forward ? 0 : 1);
            const LessonRun* under = run(forward ? 1 : 0);
            if (over == nullptr || under == nullptr) {
                return {};
            }
            const MaybeNumber a = value_of(*over, piece.figure);
            const MaybeNumber b = value_of(*under, piece.figure);
            return a && b && *b > 0 ? std::optional(shown_ratio(*a / *b)) : std::nullopt;
        }
        const LessonRun* of = run(piece.side == Side::own ? m_own : piece.side == Side::a ? 0 : 1);
        if (of == nullptr) {
            return {};
        }
        if (piece.figure == Figure::title) {
            return variant_title(m_workload, of->variant, m_language);
        }
        const MaybeNumber value = value_of(*of, piece.figure);
        if (!value) {
            return {};
        }
        if (piece.share) {
            const MaybeNumber whole = whole_of(*of, piece.figure);
            return whole && *whole > 0 ? std::optional(shown_share(*value / *whole)) : std::nullopt;
        }
        switch (piece.figure) {
        case Figure::kernel_count:
        case Figure::copy_count:
        case Figure::call_count:
            return std::to_string(static_cast<std::uint64_t>(*value));
        case Figure::wrong:
            return shown_bytes(static_cast<std::uint64_t>(*value));
        default:
            return shown_time(static_cast<Ns>(*value));
        }
    }

private:
    const LessonRun* run(int side) const
    {
        return side >= 0 && static_cast<std::size_t>(side) < m_runs.size() ? &m_runs[static_cast<std::size_t>(side)]
                                                                           : nullptr;
    }

    const Workload& m_workload;
    const std::string& m_language;
    std::span<const LessonRun> m_runs;
    int m_own;
};

}  // namespace

std::string variant_title(const Workload& workload, const std::string& variant, const std::string& language)
{
    for (const Variant& each : workload.variants) {
        if (each.name == variant) {
            const std::string& title = in_language(each.title, language);
            return title.empty() ? variant : title;
        }
    }
    return variant;
}

std::string variant_heading(const Workload& workload, const std::string& variant, const std::string& language)
{
    return language.starts_with("zh") ? variant_title(workload, variant, language) : variant;
}

RecordedTitles recorded_titles(const Trace& trace, const std::string& language)
{
    const auto text = trace.meta.find(meta::workload_text);
    const auto variant = trace.meta.find(meta::variant);
    if (text == trace.meta.end() || variant == trace.meta.end()) {
        return {};
    }
    try {
        const Workload workload = parse_workload(text->second, "");
        return {in_language(workload.title, language), variant_heading(workload, variant->second, language)};
    } catch (const WorkloadError&) {
        return {};  // of another version of the language
    }
}

std::string filled(const std::string& text, const Workload& workload, const std::string& language,
    std::span<const LessonRun> runs, int own)
{
    std::vector<LessonPiece> pieces;
    try {
        pieces = parse_lesson_text(text, own >= 0);
    } catch (const ExpressionError&) {
        return text;
    }
    const Filling filling(workload, language, runs, own);
    std::string result;
    std::size_t optional = 0;  // where it began in `result`
    bool within = false, known = true;
    for (const LessonPiece& piece : pieces) {
        switch (piece.kind) {
        case LessonPiece::Kind::text:
            result += piece.text;
            break;
        case LessonPiece::Kind::figure: {
            const auto figure = filling.text_of(piece);
            known = known && (figure || !within);
            result += figure.value_or(unknown);
            break;
        }
        case LessonPiece::Kind::begin_optional:
            optional = result.size();
            within = known = true;
            break;
        case LessonPiece::Kind::end_optional:
            if (!known) {
                result.resize(optional);
            }
            within = false;
            known = true;
            break;
        }
    }
    return result;
}

LessonTexts lesson_texts(const Workload& workload, const std::string& language, std::span<const LessonRun> runs)
{
    LessonTexts texts;
    texts.look = filled(in_language(workload.look, language), workload, language, runs);
    texts.why = filled(in_language(workload.why, language), workload, language, runs);
    texts.rule = filled(in_language(workload.rule, language), workload, language, runs);
    for (std::size_t side = 0; side < runs.size(); ++side) {
        const std::string& variant = runs[side].variant;
        const bool again = side > 0 && variant == runs[0].variant;
        for (const Variant& each : workload.variants) {
            if (each.name == variant && !again && !each.look.empty()) {
                texts.look += (texts.look.empty() ? "" : "\n")
                    + (runs.size() < 2  ? std::string()
                            : side == 0 ? "A \u00B7 "
                                        : "B \u00B7 ")
                    + variant_title(workload, variant, language) + (language.starts_with("zh") ? "：" : ": ")
                    + filled(in_language(each.look, language), workload, language, runs, static_cast<int>(side));
            }
        }
    }
    return texts;
}

}  // namespace lanes
