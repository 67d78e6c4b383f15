// SPDX-License-Identifier: MIT
#pragma once

#include "gui/lanes/wait_role.h"

#include <algorithm>

namespace lanes::gui {

inline bool isWait(ItemRole role)
{
    return std::find(wait_roles.begin(), wait_roles.end(), role) != wait_roles.end();
}

}  // namespace lanes::gui
