// SPDX-License-Identifier: MIT
#include "gui/paint/title_verdict.h"

#include "engine/analysis/compare/compare.h"
#include "gui/paint/words/time_format.h"

#include <QCoreApplication>

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
        const QString share = formatShare(std::abs(times - 1));
        return times > 1 ? TitleVerdictTexts::tr("%1 faster").arg(share)
                         : TitleVerdictTexts::tr("%1 slower").arg(share);
    }
    return times >= 1 ? TitleVerdictTexts::tr("%1 times as fast").arg(ratioText(times))
                      : TitleVerdictTexts::tr("%1 times as long").arg(ratioText(1 / times));
}

}  // namespace

TitleVerdict TitleVerdict::of(const Report& report, const Report* reference, const QString& language, QChar letter,
    const ComparedIterations& iterations)
{
    TitleVerdict verdict;
    verdict.tone = report.verdict.kind == lanes::Verdict::Kind::stale ? Tone::wrong
        : report.verdict.is_held                                      ? Tone::blocking
        : !report.verdict.reason.empty()                              ? Tone::overlapped
                                                                      : Tone::neutral;
    const auto& messages = Messages::of(language.isEmpty() ? std::string("en") : language.toStdString());
    const auto said = [&](const Message& message) {
        return message.empty() ? QString() : QString::fromStdString(messages.format(message));
    };
    verdict.text = said(report.verdict.message);
    verdict.reason = said(report.verdict.reason);
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
