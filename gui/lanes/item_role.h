// SPDX-License-Identifier: MIT
// What an item of a lane is drawn as: its colour is a theme's, see theme.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lanes::gui {

enum class ItemRole : std::uint8_t {
    none,
    kernel,
    h2d,
    d2h,
    d2d,
    p2p,
    h2h,
    memset,
    call,
    range,
    hostWork,
    hostWait,
    read,
    staleRead,
    blocked,
    overlap1,
    overlap2,
    overlap3,
    communication,  ///< a kernel that communicates with other GPUs: NCCL's
    cpuFree,  ///< the band under the ribbon: what the first thread does while a GPU works
    cpuWorking,
    cpuHeld,
};
inline constexpr std::size_t itemRoleCount = 22;

}  // namespace lanes::gui
