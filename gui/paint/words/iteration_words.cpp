// SPDX-License-Identifier: MIT
#include "gui/paint/words/iteration_words.h"

#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/time_format.h"
#include "gui/paint/words/utf8_text.h"

#include <cstdlib>
#include <QCoreApplication>
#include <QStringList>

namespace lanes::gui {

namespace {

struct IterationWords {
    Q_DECLARE_TR_FUNCTIONS(IterationWords)
};

constexpr std::size_t most_causes_said = 3;

QString outlierText(Iteration::Outlier outlier)
{
    switch (outlier) {
    case Iteration::Outlier::warm_up:
        return IterationWords::tr("warm-up");
    case Iteration::Outlier::slow:
        return IterationWords::tr("slow");
    case Iteration::Outlier::fast:
        return IterationWords::tr("fast");
    case Iteration::Outlier::none:
        break;
    }
    return {};
}

}  // namespace

QString whyText(const Trace& trace, const Iteration& typical, const Iteration& iteration)
{
    QStringList causes;
    Ns rest = iteration.wall() - typical.wall();
    for (const auto& [cause, time] : differences_of(typical, iteration)) {
        if (static_cast<std::size_t>(causes.size()) == most_causes_said) {
            break;
        }
        causes << QStringLiteral("%1 %2").arg(
            differenceText(time), text(engineMessages().format(cause_message(trace, cause))));
        rest -= time;
    }
    if (!causes.isEmpty() && std::abs(rest) >= typical.wall() / 100) {
        causes << IterationWords::tr("%1 all else").arg(differenceText(rest));  // so that they add up
    }
    const QString what = outlierText(iteration.outlier);
    const QString why = causes.join(QStringLiteral(", "));
    return what.isEmpty() || why.isEmpty() ? what + why : IterationWords::tr("%1: %2").arg(what, why);
}

QString iterationLine(const Trace& trace, const Iterations& iterations, std::size_t at)
{
    const Iteration& one = iterations.all[at];
    const QString why = at == iterations.typical ? IterationWords::tr("typical")
                                                 : whyText(trace, iterations.all[iterations.typical], one);
    const QString line = IterationWords::tr("iteration %L1: %2").arg(at + 1).arg(formatTime(one.wall()));
    return why.isEmpty() ? line : IterationWords::tr("%1, %2").arg(line, why);
}

}  // namespace lanes::gui
