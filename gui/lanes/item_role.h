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
    held,  ///< a thread waits for a GPU, at a cost
    overlap1,
    overlap2,
    overlap3,
    communication,  ///< a kernel that communicates with other GPUs: NCCL's
    cpuFree,  ///< the band under the ribbon: what the first thread does while a GPU works
    cpuWorking,
    freeWait,  ///< a thread waits for a GPU, and loses nothing: for its result, or for one that is busy
    unknownWait,  ///< a thread waits for a GPU; what that costs is not recorded
};
inline constexpr std::size_t itemRoleCount = 23;

}  // namespace lanes::gui
