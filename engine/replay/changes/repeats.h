// SPDX-License-Identifier: MIT
// The sequences that come again in what a thread does. Private to engine/replay.
#pragma once

#include "engine/trace/units.h"

#include <cstdint>
#include <vector>

namespace lanes::replay::changes {

/// A sequence of `length` things, and where it begins each time: in order, without overlap.
struct Repeats {
    std::uint32_t length = 0;
    std::vector<std::uint32_t> begins;
};

/// Finds what comes three times or more in a row, up to 32,768 things long, and then everywhere else where it comes. A
/// sequence shorter than `least` counts as several of it, if these come twice. Equal numbers are the same thing;
/// `idle` is how long the thread did not do such things before each: a sequence begins where that is longest. First the
/// one that most things belong to. Cost: linear, for each sequence anew.
std::vector<Repeats> find_repeats(std::vector<std::uint32_t> things, const std::vector<Ns>& idle, std::uint32_t least);

}  // namespace lanes::replay::changes
