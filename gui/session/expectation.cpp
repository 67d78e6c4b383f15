// SPDX-License-Identifier: MIT
#include "gui/session/expectation.h"

#include "engine/analysis/compare.h"
#include "gui/paint/words/time_format.h"

#include <QCoreApplication>

#include <algorithm>

namespace lanes::gui {

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(Expectation)
};

constexpr std::size_t most_choices = 4;
constexpr double apart = 1.2;  // a smaller difference cannot be guessed
constexpr double same = 1.1;

bool near(Ns a, Ns b)
{
    const auto [less, more] = std::minmax(a, b);
    return static_cast<double>(more) < static_cast<double>(less) * apart;
}

QString ratioText(double ratio)
{
    return QString::number(ratio, 'f', ratio < 9.95 ? 1 : 0);
}

}  // namespace

Expectation Expectation::of(const Report& first, const Report& second)
{
    const auto share = [](Ns total, double factor) { return static_cast<Ns>(static_cast<double>(total) * factor); };
    Ns serial = 0;
    Ns longest = 0;
    for (const auto& gpu : second.gpus) {
        const Ns kernels = gpu.kernel;
        const Ns copies = gpu.copy;
        serial += kernels + copies;
        longest = std::max({longest, kernels, copies});
    }
    const Ns truth = std::max<Ns>(second.wall, 1);
    Expectation expectation;
    expectation.known = may_be_ranked(first, second) ? first.wall : 0;
    expectation.choices = {truth};
    // Likely guesses, the likeliest first; one too near to another is left out.
    for (const Ns candidate : {first.wall, serial, longest, share(first.wall, 0.5), share(first.wall, 2),
             share(truth, 0.5), share(truth, 2)}) {
        const bool fresh = candidate > 0
            && std::none_of(expectation.choices.begin(), expectation.choices.end(),
                [&](Ns other) { return near(candidate, other); });
        if (fresh && expectation.choices.size() < most_choices) {
            expectation.choices.push_back(candidate);
        }
    }
    std::sort(expectation.choices.begin(), expectation.choices.end());
    expectation.right = static_cast<std::size_t>(
        std::find(expectation.choices.begin(), expectation.choices.end(), truth) - expectation.choices.begin());
    return expectation;
}

QString Expectation::text(std::size_t choice) const
{
    const Ns total = choices[choice];
    if (known <= 0) {
        return formatTime(total);
    }
    const double times = static_cast<double>(known) / static_cast<double>(total);
    if (times < same && times > 1 / same) {
        return Texts::tr("%1, the same").arg(formatTime(total));
    }
    return times > 1 ? Texts::tr("%1, %2 × faster").arg(formatTime(total), ratioText(times))
                     : Texts::tr("%1, %2 × slower").arg(formatTime(total), ratioText(1 / times));
}

QString Expectation::outcome(std::size_t chosen) const
{
    return chosen == right ? Texts::tr("You expected it: %1").arg(text(right))
                           : Texts::tr("You expected %1; it took %2").arg(text(chosen), text(right));
}

}  // namespace lanes::gui
