// SPDX-License-Identifier: MIT
// Types that all parts of the program share: times, ids, kinds of memory and of copies.
//
// Enumerators have CUPTI's values (cupti_activity.h, 13.0); they are part of the spool's format.
#pragma once

#include <cstdint>

namespace lanes {

using Ns = std::int64_t;
using StringId = std::uint32_t;  ///< 0: no text

inline constexpr std::uint32_t no_id = 0xFFFFFFFFU;  ///< no stream, no event, no device

enum class MemoryKind : std::uint8_t {
    unknown = 0,
    pageable = 1,
    pinned = 2,
    device = 3,
    array = 4,
    managed = 5,
    device_static = 6,
    managed_static = 7,
};

enum class CopyKind : std::uint8_t {
    unknown = 0,
    h2d = 1,
    d2h = 2,
    h2a = 3,
    a2h = 4,
    a2a = 5,
    a2d = 6,
    d2a = 7,
    d2d = 8,
    h2h = 9,
    p2p = 10,
};

}  // namespace lanes
