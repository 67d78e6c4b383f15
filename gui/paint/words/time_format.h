// SPDX-License-Identifier: MIT
// Times, sizes and shares as people read them, and where a ruler's ticks go.
#pragma once

#include "engine/analysis/words/shown.h"

#include <QString>

namespace lanes::gui {

/// See engine/analysis/words/shown.h.
inline QString formatTime(Ns t)
{
    return QString::fromStdString(shown_time(t));
}
inline QString formatBytes(std::uint64_t bytes)
{
    return QString::fromStdString(shown_bytes(bytes));
}
inline QString formatValue(double value, CounterRecord::Unit unit)
{
    return QString::fromStdString(shown_value(value, unit));
}
inline QString formatShare(double fraction)
{
    return QString::fromStdString(shown_share(fraction));
}

/// `t` in the unit of `reference`, with the decimals that steps of `step` ns need: a ruler's labels.
QString formatTick(Ns t, Ns step, Ns reference);
/// The smallest of 1, 2, 5 · 10^k ns that is at least `least` ns.
Ns niceStep(double least);

}  // namespace lanes::gui
