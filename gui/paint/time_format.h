// SPDX-License-Identifier: MIT
// Times, sizes and shares as people read them, and where a ruler's ticks go.
#pragma once

#include "engine/trace/units.h"

#include <QString>

namespace lanes::gui {

/// "48.8 ms": three significant digits or more, the unit by magnitude; "0 ms" for 0.
QString formatTime(Ns t);
/// `t` in the unit of `reference`, with the decimals that steps of `step` ns need: a ruler's labels.
QString formatTick(Ns t, Ns step, Ns reference);
/// "64 MiB", "1.5 KiB", "12 B".
QString formatBytes(std::uint64_t bytes);
/// "87 %"; "< 1 %" and "> 99 %" where rounding would tell a lie.
QString formatShare(double fraction);

/// The smallest of 1, 2, 5 · 10^k ns that is at least `least` ns.
Ns niceStep(double least);

}  // namespace lanes::gui
