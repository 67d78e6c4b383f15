// SPDX-License-Identifier: MIT
// What happened in a selected range, in words: what is written beside it while it is dragged.
#pragma once

#include "gui/lanes/scope_figures.h"

#include <QStringList>

namespace lanes::gui {

/// "ΔT 12.3 ms · GPU busy 87 % · overlap 40 % · CPU blocked 1.20 ms", then
/// "128 MiB D2H at 53.1 GB/s · 12 kernels · 8 copies", each only where there is something to say.
///
/// The bytes are those that were copied inside the range: of a copy that reaches out of it, the share of its time that
/// lies inside. The bandwidth is these bytes by the time in the range in which at least one copy of that direction ran:
/// what the link carried while it was used. Two directions with the most bytes are named, the others are summed.
/// The counts are of what touches the range.
QStringList linesOf(const ScopeFigures& figures);

}  // namespace lanes::gui
