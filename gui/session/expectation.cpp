// SPDX-License-Identifier: MIT
#include "gui/session/expectation.h"

#include "engine/analysis/compare/compare.h"
#include "gui/paint/words/time_format.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <random>

namespace lanes::gui {

namespace {

struct ExpectationTexts {
    Q_DECLARE_TR_FUNCTIONS(Expectation)
};

constexpr std::size_t most_choices = 4;
constexpr double apart = 1.2;  // a smaller difference cannot be guessed
constexpr double same = 1.02;  // and what a percentage tells: both as beside a title (title_verdict)
constexpr double in_percent = 1.1;
constexpr Ns furthest = 8;  // times as long, or as short, as it is: further off nobody would choose it
constexpr double odd_shares[] = {1, 0.63, 1.58, 0.41, 2.37};

bool near(Ns a, Ns b)
{
    const auto [less, more] = std::minmax(a, b);
    return static_cast<double>(more) < static_cast<double>(less) * apart;
}

/// What one would expect by one rule or another, the likeliest first.
std::vector<Ns> guesses(const Report& first, const Report& second)
{
    Ns serial = 0, longest = 0, copies = 0, kernels = 0;
    for (const auto& gpu : second.gpus) {
        serial += gpu.kernel + gpu.copy;
        longest = std::max({longest, gpu.kernel, gpu.copy});
        copies += gpu.copy;
        kernels += gpu.kernel;
    }
    const ThreadFigures* thread = first.first_thread();
    const Ns blocked = thread != nullptr ? thread->blocked.value_or(0) : 0;
    std::vector<Ns> all {first.wall, serial, longest, first.wall - copies, first.gpu_busy, first.wall - blocked / 2,
        first.wall - kernels, first.wall + copies, second.gpu_busy + blocked};
    // Where these are all one: between and beyond the two totals, as odd as they are.
    const auto mean = static_cast<Ns>(std::sqrt(
        static_cast<double>(std::max<Ns>(first.wall, 1)) * static_cast<double>(std::max<Ns>(second.wall, 1))));
    for (const double share : odd_shares) {
        all.push_back(static_cast<Ns>(static_cast<double>(mean) * share));
        all.push_back(static_cast<Ns>(static_cast<double>(second.wall) * share));
    }
    return all;
}

}  // namespace

Expectation Expectation::of(const Report& first, const Report& second, std::uint32_t seed)
{
    const Ns truth = std::max<Ns>(second.wall, 1);
    Expectation expectation;
    expectation.known = may_be_ranked(first, second) ? first.wall : 0;
    expectation.choices = {truth};
    for (const Ns candidate : guesses(first, second)) {
        const bool likely = candidate > 0 && candidate < truth * furthest && truth < candidate * furthest;
        const bool fresh = likely
            && std::none_of(expectation.choices.begin(), expectation.choices.end(),
                [&](Ns other) { return near(candidate, other); });
        if (fresh && expectation.choices.size() < most_choices) {
            expectation.choices.push_back(candidate);
        }
    }
    std::mt19937 random(seed);
    for (std::size_t i = expectation.choices.size(); i > 1; --i) {  // not std::shuffle: the same order everywhere
        std::swap(expectation.choices[i - 1], expectation.choices[random() % i]);
    }
    expectation.right = static_cast<std::size_t>(
        std::find(expectation.choices.begin(), expectation.choices.end(), truth) - expectation.choices.begin());
    return expectation;
}

QString Expectation::question(const QString& a, const QString& b) const
{
    return known > 0 ? ExpectationTexts::tr("“%1” took %2. How long does “%3” take?").arg(a, formatTime(known), b)
                     : ExpectationTexts::tr("How long does “%1” take?").arg(b);
}

QString Expectation::text(std::size_t choice) const
{
    const Ns total = choices[choice];
    if (known <= 0) {
        return formatTime(total);
    }
    const double times = static_cast<double>(known) / static_cast<double>(total);
    if (times < same && times > 1 / same) {
        return ExpectationTexts::tr("%1, the same").arg(formatTime(total));
    }
    if (times < in_percent && times > 0.9) {
        const QString share = formatShare(std::abs(times - 1));
        return times > 1 ? ExpectationTexts::tr("%1, %2 faster").arg(formatTime(total), share)
                         : ExpectationTexts::tr("%1, %2 slower").arg(formatTime(total), share);
    }
    return times > 1 ? ExpectationTexts::tr("%1, %2 times as fast").arg(formatTime(total), ratioText(times))
                     : ExpectationTexts::tr("%1, %2 times as long").arg(formatTime(total), ratioText(1 / times));
}

QString Expectation::outcome(std::size_t chosen) const
{
    return chosen == right ? ExpectationTexts::tr("You were right: %1").arg(text(right))
                           : ExpectationTexts::tr("You expected %1; it took %2").arg(text(chosen), text(right));
}

QString Expectation::outcome(const std::vector<int>& hands) const
{
    if (std::all_of(hands.begin(), hands.end(), [](int count) { return count == 0; })) {
        return text(right);
    }
    QStringList all;
    for (std::size_t i = 0; i < std::min(hands.size(), choices.size()); ++i) {
        all += ExpectationTexts::tr("%1: %2").arg(formatTime(choices[i])).arg(hands[i]);
    }
    return ExpectationTexts::tr("Hands for %1; it took %2").arg(all.join(QStringLiteral(" \u00B7 ")), text(right));
}

}  // namespace lanes::gui
