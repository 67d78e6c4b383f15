// SPDX-License-Identifier: MIT
// The part of the open recordings that everything which is said of them is of: figures, verdicts, findings, tables,
// paths. There is one for all of a window; TimelinePair keeps it.
#pragma once

#include "engine/trace/trace.h"

#include <array>
#include <cstdint>

namespace lanes::gui {

/// Ranges of A and of B, each in its own time.
using Ranges = std::array<Interval, 2>;

struct Scope {
    enum class Of : std::uint8_t {
        repeated,  ///< what repeats: see steadyPart()
        visible,  ///< what is in view
        selected,  ///< the selected range
        all,
    };
    static constexpr std::size_t count = 4;
    Of of = Of::all;
    Ranges ranges {};  ///< within the recordings
    bool isIteration = false;  ///< of what repeats, one iteration of each

    friend bool operator==(const Scope&, const Scope&) = default;
};

/// Of one recording, as whoever draws it is told: what is in view is known there.
struct DrawnScope {
    Scope::Of of = Scope::Of::visible;
    Interval range {0, 0};  ///< not of what is visible
    bool isIteration = false;
};

}  // namespace lanes::gui
