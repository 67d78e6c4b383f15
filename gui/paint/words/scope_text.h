// SPDX-License-Identifier: MIT
// Of which part of the recordings figures are, said beside them.
#pragma once

#include "gui/lanes/scope.h"

#include <QString>

#include <cstddef>

namespace lanes::gui {

/// "selection", "repeating part", …: as the switch calls it.
QString scopeName(Scope::Of of);
/// "In the repeating part, 2.13 s", "In the selection, A 1.20 ms, B 2.00 ms", "Of all, 7.20 s": how long it is, of both
/// where two `recordings` are open.
QString scopeText(const Scope& scope, std::size_t recordings);
/// "50.1 ms", of two recordings whose parts differ "50.1 ms | 35.2 ms".
QString scopeLengths(const Ranges& ranges, std::size_t recordings);
/// The same of the one of that side.
QString scopeTextOf(const Scope& scope, int side);

}  // namespace lanes::gui
