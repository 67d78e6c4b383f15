// SPDX-License-Identifier: MIT
// Times, sizes and shares as people read them, and where a ruler's ticks go.
#pragma once

#include "engine/analysis/words/shown.h"

#include <QString>

namespace lanes::gui {

/// What is written before a figure below zero in the window: longer than a hyphen, as wide as a plus.
inline constexpr QChar minus_sign = u'\u2212';
/// A figure as the engine or a locale writes it, with that sign for its hyphen.
inline QString withMinusSign(QString figure)
{
    return figure.startsWith(u'-') ? figure.replace(0, 1, minus_sign) : figure;
}

/// See engine/analysis/words/shown.h.
inline QString formatTime(Ns t)
{
    return withMinusSign(QString::fromStdString(shown_time(t)));
}
/// A time since the start of a recording, to 10 ns and in the unit of `reference`: "6.66070695 s". Three digits would
/// say nothing of where in a long one it is.
QString formatMoment(Ns t, Ns reference);
/// With a sign: "+1.20 ms", "−944 µs"; "0 ms".
inline QString differenceText(Ns t)
{
    return t > 0 ? QLatin1Char('+') + formatTime(t) : formatTime(t);
}
inline QString formatBytes(std::uint64_t bytes)
{
    return QString::fromStdString(shown_bytes(bytes));
}
/// "12.4 GB/s"; "" where either is 0.
QString bandwidthText(std::uint64_t bytes, Ns ns);
inline QString formatValue(double value, CounterRecord::Unit unit)
{
    return withMinusSign(QString::fromStdString(shown_value(value, unit)));
}
/// "1.04", "1.3", "12": of "… times as fast", 1 or more.
inline QString ratioText(double ratio)
{
    return QString::number(ratio, 'f', ratio < 1.095 ? 2 : ratio < 9.95 ? 1 : 0);
}
/// The number with its sign as the window's language writes it: "88 %", in Chinese "88%".
QString withPercent(const QString& number);
/// "88 %", as withPercent().
QString formatShare(double fraction);

/// `t` in the unit of `reference`, rounded to the decimals that steps of `step` ns need: a ruler's labels.
QString formatTick(Ns t, Ns step, Ns reference);
/// The smallest of 1, 2, 5 · 10^k ns that is at least `least` ns.
Ns niceStep(double least);

}  // namespace lanes::gui
