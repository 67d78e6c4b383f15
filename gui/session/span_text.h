// SPDX-License-Identifier: MIT
// Texts for both ends of a time span, with enough decimals to distinguish them.
#pragma once

#include "engine/trace/units.h"

#include <QString>

#include <utility>

namespace lanes::gui {

/// The ends in the unit of the later one, with the decimals that a hundredth of their distance needs:
/// {"8.34134 s", "8.35404 s"}.
std::pair<QString, QString> endTexts(Interval span);

}  // namespace lanes::gui
