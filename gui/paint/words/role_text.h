// SPDX-License-Identifier: MIT
// What a colour or pattern of the lanes means, in the window's language: one set of words for the legends of the
// window, of pictures and of HTML pages, in one order.
#pragma once

#include "engine/analysis/facts/families.h"
#include "gui/lanes/item_role.h"

#include <QString>

#include <bitset>
#include <vector>

namespace lanes::gui {

/// "kernel", "copy H2D", "waits, costs time", …; empty for ItemRole::none.
QString roleText(ItemRole role);

/// What one GPU operation of the family is: "matmul", "copy", "kernel" for one that has no family.
QString familyText(Family family);

/// Those of `shown` as a legend lists them: what the GPU does, then the CPU, then the ribbon. Never none.
std::vector<ItemRole> rolesOfLegend(std::bitset<itemRoleCount> shown);

}  // namespace lanes::gui
