// SPDX-License-Identifier: MIT
// Which changes do what a finding advises.
#pragma once

#include "engine/replay/change.h"

#include <string_view>
#include <vector>

namespace lanes::gui {

/// Those of which one cures what `rule` found (engine/analysis/findings), the most usual first; empty: a replay knows
/// none that does.
std::vector<std::vector<replay::ChangeKind>> advisedChanges(std::string_view rule);

}  // namespace lanes::gui
