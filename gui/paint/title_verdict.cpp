// SPDX-License-Identifier: MIT
#include "gui/paint/title_verdict.h"

#include "engine/analysis/compare/compare.h"
#include "gui/paint/words/time_format.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <cmath>

namespace lanes::gui {

namespace {

struct TitleVerdictTexts {
    Q_DECLARE_TR_FUNCTIONS(TitleVerdict)
};

ComparedParts partsOf(const ComparedIterations& iterations)
{
    if (!iterations.own || !iterations.reference) {
        return {};
    }
    const ShownIteration &a = *iterations.reference, &b = *iterations.own;
    return {a.span, b.span, true, a.number, b.number, a.count, b.count, a.average, b.average, a.kernels, b.kernels};
}

bool isAsFast(Ns wall, Ns reference)
{
    const double times = static_cast<double>(reference) / static_cast<double>(wall);
    return times > 0.98 && times < 1.02;
}

QString speedText(Ns wall, Ns reference, QChar letter)
{
    const double times = static_cast<double>(reference) / static_cast<double>(wall);
    if (isAsFast(wall, reference)) {
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

/// What is bad or good is said after how busy the GPU is: what waits cost last, or after a colon and before what else
/// is said.
QString reasonIn(const QString& text, TitleVerdict::Tone tone)
{
    using Tone = TitleVerdict::Tone;
    static const QRegularExpression after_comma(QStringLiteral("[,\uFF0C]\\s*(.+)$"));
    static const QRegularExpression last_part(QStringLiteral("[;\uFF1B]\\s*([^;\uFF1B]+)$"));
    static const QRegularExpression after_colon(QStringLiteral("^.*[:\uFF1A]\\s*([^,\uFF0C]+)"));
    if (tone == Tone::overlapped) {
        return after_comma.match(text).captured(1);
    }
    if (tone != Tone::blocking) {
        return {};
    }
    const auto cost = last_part.match(text);
    return (cost.hasMatch() ? cost : after_colon.match(text)).captured(1);
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
    verdict.reason = reasonIn(verdict.text, verdict.tone);
    if (reference == nullptr || reference->wall <= 0 || report.wall <= 0) {
        return verdict;
    }
    const auto speed = compared_speed(*reference, report, partsOf(iterations));
    const bool isFaster = speed.is_ranked && speed.b < speed.a;
    const bool isSlower = speed.is_ranked && !isAsFast(speed.b, speed.a) && speed.b > speed.a;
    if ((isFaster && verdict.tone == Tone::blocking) || (isSlower && verdict.tone == Tone::overlapped)) {
        verdict.tone = Tone::neutral;  // what became better is no alarm, what became worse no praise
        verdict.reason.clear();
    }
    QString compared = speed.is_ranked ? speedText(speed.b, speed.a, letter)
        : speed.is_same_work           ? QString()  // one read wrong bytes or was cut short
                                       : TitleVerdictTexts::tr("not the same work as %1").arg(letter);
    if (speed.of != ComparedSpeed::all && !compared.isEmpty()) {
        compared = speed.is_ranked && speed.of == ComparedSpeed::average
            ? TitleVerdictTexts::tr("iterations on average: %1").arg(compared)
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
