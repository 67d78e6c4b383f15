// SPDX-License-Identifier: MIT
// The part of the open recordings that figures, paths and tables are of. TimelinePair::scope() chooses it.
#pragma once

#include "engine/trace/trace.h"

#include <array>
#include <cstdint>

namespace lanes::gui {

/// Ranges of A and of B, each in its own time.
using Ranges = std::array<Interval, 2>;

struct Scope {
    enum class Of : std::uint8_t {
        selected,  ///< the selected range
        repeated,  ///< what repeats: see repeatedPart()
        visible,  ///< what is in view, where that is less than everything
        all,
    };
    Of of = Of::all;
    Ranges ranges {};  ///< empty where it is all

    friend bool operator==(const Scope&, const Scope&) = default;
};

}  // namespace lanes::gui
