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
    attention,  ///< kernels by their families (engine/analysis/facts/families.h), as communication is
    matmul,
    convolution,
    norm,
    optimizer,
    index,
    elementwise,
    other,
    sideBySide,  ///< of a GPU's time: kernels compute, and something else runs as well
    computeAlone,  ///< of a GPU's time: only kernels that compute run
    exposedTime,  ///< of a GPU's time: something runs, and no kernel computes
    exposed,  ///< the part of communication or a copy in which no kernel computes on its GPU
    torchOperator,  ///< a range that is an operator of PyTorch
};
inline constexpr std::size_t itemRoleCount = 36;
/// The index of a row keeps a role in 6 bits.
inline constexpr std::size_t most_item_roles = 64;
static_assert(itemRoleCount <= most_item_roles);

/// A role's colour has this many shades; an item that is drawn on its own has one of them, by its name. `plain_shade`
/// is the colour itself. Only families look different in different shades.
inline constexpr std::size_t shade_count = 5, plain_shade = 2;

}  // namespace lanes::gui
