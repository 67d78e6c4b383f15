// SPDX-License-Identifier: MIT
#include "engine/analysis/lesson_texts.h"

#include "engine/analysis/lesson_figures.h"
#include "engine/analysis/told_run.h"
#include "engine/analysis/usual.h"
#include "engine/analysis/words/seams.h"
#include "engine/analysis/words/shown.h"
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

class Filling {
public:
    Filling(const Workload& workload, const std::string& language, std::span<const LessonRun> runs, int own)
        : m_workload(workload)
        , m_language(language)
        , m_runs(runs)
        , m_own(own)
    {
    }

    /// Nothing if the recordings do not say.
    std::optional<std::string> text_of(const LessonPiece& piece) const
    {
        if (piece.side == Side::a_by_b || piece.side == Side::b_by_a) {
            const bool forward = piece.side == Side::a_by_b;
            const LessonRun* over = run(forward ? 0 : 1);
            const LessonRun* under = run(forward ? 1 : 0);
            if (over == nullptr || under == nullptr) {
                return {};
            }
            const MaybeNumber a = lesson_figure(*over, piece.figure);
            const MaybeNumber b = lesson_figure(*under, piece.figure);
            return a && b && *b > 0 ? std::optional(shown_ratio(*a / *b)) : std::nullopt;
        }
        const LessonRun* of = run(piece.side == Side::own ? m_own : piece.side == Side::a ? 0 : 1);
        if (of == nullptr) {
            return {};
        }
        if (piece.figure == Figure::title) {
            return variant_title(m_workload, of->variant, m_language);
        }
        return lesson_figure_text(*of, piece.figure, piece.share);
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

RecordedTitles recorded_titles(const Trace& trace, const std::string& language)
{
    const auto told = trace.meta.contains(meta::variant) ? told_run(trace) : std::nullopt;
    if (!told) {
        return {};  // of no workload, or of another version of the language
    }
    return {in_language(told->workload->title, language), variant_title(*told->workload, told->variant, language)};
}

std::optional<FirstView> recorded_view(const Trace& trace)
{
    const auto told = told_run(trace);
    return told && (told->settings.empty() || !told->is_newest) ? told->workload->view : std::nullopt;
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
    std::size_t optional = 0;  // where the optional part began in `result`
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
    return language == "zh_CN" ? tight_percents(std::move(result)) : result;
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
    for (const auto& message : unusual(workload, language, runs)) {
        texts.look += (texts.look.empty() ? "" : "\n") + Messages::of(language).format(message);
    }
    return texts;
}

}  // namespace lanes
