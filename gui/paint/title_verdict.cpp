// SPDX-License-Identifier: MIT
#include "gui/paint/title_verdict.h"

#include "engine/analysis/compare/changes.h"
#include "engine/analysis/compare/compare.h"

#include <QCoreApplication>

#include <algorithm>

namespace lanes::gui {

namespace {

struct TitleVerdictTexts {
    Q_DECLARE_TR_FUNCTIONS(TitleVerdict)
};

QString ratioText(double ratio)
{
    return QString::number(ratio, 'f', ratio < 9.95 ? 1 : 0);
}

bool isSameCount(std::uint64_t a, std::uint64_t b)
{
    const auto [least, most] = std::minmax(a, b);
    return static_cast<double>(most - least) <= same_work_share * static_cast<double>(most);
}

/// What is compared of two recordings.
struct ComparedWalls {
    Ns own, reference;
    bool isSameWork, isRanked;
};

ComparedWalls comparedWalls(const Report& report, const Report& reference, const ComparedIterations& iterations)
{
    if (!iterations.own || !iterations.reference) {
        return {
            report.wall, reference.wall, work_differences(reference, report).empty(), may_be_ranked(reference, report)};
    }
    const ShownIteration &a = *iterations.reference, &b = *iterations.own;
    const bool same = isSameCount(a.kernels, b.kernels);
    const auto isWhole = [](const Report& of) { return of.wrong_bytes == 0 && of.complete; };
    return {b.length(), a.length(), same, same && a.kernels > 0 && isWhole(report) && isWhole(reference)};
}

QString speedText(Ns wall, Ns reference, QChar letter)
{
    const double times = static_cast<double>(reference) / static_cast<double>(wall);
    if (times > 0.98 && times < 1.02) {
        return TitleVerdictTexts::tr("as fast as %1").arg(letter);
    }
    if (times > 0.9 && times < 1.1) {
        const auto percent = QString::number(std::abs(times - 1) * 100, 'f', 0);
        return times > 1 ? TitleVerdictTexts::tr("%1 % faster").arg(percent)
                         : TitleVerdictTexts::tr("%1 % slower").arg(percent);
    }
    return times >= 1 ? TitleVerdictTexts::tr("%1 times as fast").arg(ratioText(times))
                      : TitleVerdictTexts::tr("%1 times as long").arg(ratioText(1 / times));
}

}  // namespace

TitleVerdict TitleVerdict::of(const Report& report, const Report* reference, const QString& language, QChar letter,
    const ComparedIterations& iterations)
{
    TitleVerdict verdict;
    using Kind = lanes::Verdict::Kind;
    const auto kind = report.verdict.kind;
    verdict.tone = kind == Kind::stale                        ? Tone::wrong
        : report.verdict.is_held                              ? Tone::blocking
        : kind == Kind::overlapped || kind == Kind::cpu_works ? Tone::overlapped
                                                              : Tone::neutral;
    if (!report.verdict.message.empty()) {
        const auto& messages = Messages::of(language.isEmpty() ? std::string("en") : language.toStdString());
        verdict.text = QString::fromStdString(messages.format(report.verdict.message));
    }
    if (reference == nullptr || reference->wall <= 0 || report.wall <= 0) {
        return verdict;
    }
    const ComparedWalls walls = comparedWalls(report, *reference, iterations);
    if (walls.isRanked && walls.own < walls.reference && verdict.tone == Tone::blocking) {
        verdict.tone = Tone::neutral;  // what became better is no alarm
    }
    QString compared = walls.isRanked ? speedText(walls.own, walls.reference, letter)
        : walls.isSameWork            ? QString()  // one read wrong bytes or was cut short
                                      : TitleVerdictTexts::tr("not the same work as %1").arg(letter);
    if (iterations.own && iterations.reference && !compared.isEmpty()) {
        const ShownIteration &a = *iterations.reference, &b = *iterations.own;
        const ComparedParts parts {a.span, b.span, true, a.number, b.number, a.count, b.count, a.average, b.average};
        compared = walls.isRanked && parts.hides_the_average()
            ? TitleVerdictTexts::tr("iterations on average: %1").arg(speedText(b.average, a.average, letter))
            : TitleVerdictTexts::tr("iteration: %1").arg(compared);
    }
    if (!compared.isEmpty()) {
        verdict.text += (verdict.text.isEmpty() ? QString() : QStringLiteral(" \u00B7 ")) + compared;
    }
    return verdict;
}

QString TitleVerdict::textBesideFilter() const
{
    return text.isEmpty() ? QString() : TitleVerdictTexts::tr("not filtered: %1").arg(text);
}

}  // namespace lanes::gui
