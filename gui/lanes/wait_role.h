// SPDX-License-Identifier: MIT
// What a wait of a thread is drawn as, by its kind (engine/analysis/graph/wait_costs.h). Theme::hatch() has the look of
// each role; nothing else decides between vermilion and grey.
#pragma once

#include "engine/analysis/recording.h"
#include "gui/lanes/item_role.h"

namespace lanes::gui {

/// In the order in which they are drawn over one another.
inline constexpr std::array wait_roles {ItemRole::unknownWait, ItemRole::freeWait, ItemRole::held};

/// Of a blocked stretch (into Blocking::calls): held, freeWait where it costs nothing, unknownWait where the recording
/// does not say.
ItemRole waitRole(const Recording& recording, Row stretch);

/// By how much a blocked stretch delayed its thread, ns; 0 unless it is held.
Ns heldCost(const Recording& recording, Row stretch);

}  // namespace lanes::gui
