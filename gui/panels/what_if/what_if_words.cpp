// SPDX-License-Identifier: MIT
#include "gui/panels/what_if/what_if_words.h"

#include "gui/panels/what_if/what_if_panel.h"
#include "gui/session/format.h"
#include "gui/session/open_recording.h"

#include <cmath>

namespace lanes::gui {

using replay::Prediction;
using replay::Reliability;

namespace {

/// With a sign that is a minus, and none where all its digits are 0.
QString percentText(double percent, int decimals)
{
    const QString number = QString::number(std::abs(percent), 'f', decimals);
    const bool isNothing = number.toDouble() == 0;
    const QString sign = isNothing ? QString() : percent < 0 ? QString(minus_sign) : QStringLiteral("+");
    return sign + withPercent(number);
}

/// "−63 %", "+1.2 %".
QString partText(Ns difference, Ns whole)
{
    const double percent = whole > 0 ? 100.0 * static_cast<double>(difference) / static_cast<double>(whole) : 0;
    return percentText(percent, std::abs(percent) < 9.95 ? 1 : 0);
}

QString gainText(Ns total, Ns recorded)
{
    const Ns difference = total - recorded;
    const QString time = formatTime(std::abs(difference));
    const QString sign = difference < 0 ? QString(minus_sign) : difference > 0 ? QStringLiteral("+") : QString();
    return QStringLiteral("%1%2  %3").arg(sign, time, partText(difference, recorded));
}

}  // namespace

QString gainText(const Prediction& prediction, Ns recorded)
{
    return prediction.is_wide()
        ? QStringLiteral("%1 \u2026 %2")
              .arg(partText(prediction.low - recorded, recorded), partText(prediction.high - recorded, recorded))
        : gainText(prediction.total, recorded);
}

QString classText(Reliability reliability)
{
    return text(engineMessages().text("whatif.class." + std::string(name_of(reliability))));
}

QString classSentence(Reliability reliability)
{
    switch (reliability) {
    case Reliability::reliable:
        return WhatIfPanel::tr("Reliable: it only moves recorded work.");
    case Reliability::good:
        return WhatIfPanel::tr(
            "Good: it also leaves out, cuts or reorders work, which the recording cannot prove to be allowed.");
    case Reliability::conditional:
        return WhatIfPanel::tr("Conditional: launches limit the result, and recording slows them down.");
    case Reliability::bound:
        return WhatIfPanel::tr("A bound: what else would change is unknown.");
    case Reliability::unsafe:
        return WhatIfPanel::tr("The host reads data before anything has waited for it.");
    }
    return {};
}

QString sentenceText(const Prediction& prediction, Ns recorded)
{
    const Ns gain = recorded - prediction.total;
    const QString total = formatTime(prediction.total);
    const QString was = formatTime(recorded);
    const QString part = partText(-gain, recorded);
    constexpr Ns as_good_as = 1000;  // an unseen part of the total
    QString first = std::abs(gain) < recorded / as_good_as ? WhatIfPanel::tr("%1, as recorded.").arg(total)
        : gain > 0 ? WhatIfPanel::tr("%1 instead of %2: %3 less (%4).").arg(total, was, formatTime(gain), part)
                   : WhatIfPanel::tr("%1 instead of %2: %3 more (%4).").arg(total, was, formatTime(-gain), part);
    if (!isWhole(prediction)) {
        return first;
    }
    if (prediction.is_wide()) {
        const QString range = prediction.is_undecided
            ? WhatIfPanel::tr(
                "90 % interval: %1 to %2, instead of %3. One figure needs an answer: does the work ahead come "
                "behind an iteration's launches?")
            : WhatIfPanel::tr("90 % interval: %1 to %2, instead of %3. Too wide for a single figure.");
        return QStringList {range.arg(formatTime(prediction.low), formatTime(prediction.high), was),
            classSentence(prediction.reliability)}
            .join(QLatin1Char(' '));
    }
    return QStringList {first,
        WhatIfPanel::tr("90 % interval: %1 to %2.").arg(formatTime(prediction.low), formatTime(prediction.high)),
        classSentence(prediction.reliability)}
        .join(QLatin1Char(' '));
}

QString gateText(const replay::Gate& gate, Ns seen, bool whole)
{
    constexpr double noticed = 0.01;
    const Messages& messages = engineMessages();
    const QString all = formatTime(gate.recorded);
    const QString time = seen == gate.recorded ? all : WhatIfPanel::tr("%1 of %2").arg(formatTime(seen), all);
    QString said = text(messages.format({"whatif.recorded", {{"time", time.toStdString()}}}));
    if (gate.measured > 0
        && (whole || std::max(std::abs(gate.off_measured()), std::abs(gate.off_constants())) >= noticed)) {
        const auto off = [](double part) { return percentText(100 * part, 2).toStdString(); };
        said += QStringLiteral("  \u00B7  ")
            + text(messages.format({"whatif.replayed",
                {{"measured", off(gate.off_measured())}, {"constants", off(gate.off_constants())}}}));
    }
    return said;
}

}  // namespace lanes::gui
