// SPDX-License-Identifier: MIT
// How high one or two timelines, one above the other, have to be and would like to be, and what each gets of a height.
// Logical pixels.
#pragma once

#include "gui/lanes/lane_layout.h"
#include "gui/timeline/timeline.h"

#include <array>

namespace lanes::gui {

struct StackHeights {
    int tightest = 0;  ///< with all lanes in sight, lower than is good to read, without the overview
    int least = 0;  ///< with all lanes in sight as low as they are good to read, without the overview
    int needed = 0;  ///< the same with the overview
    int liked = 0;  ///< with all lanes in sight as high as they become; the overview too
};

/// Its lanes as low as they are good to read.
LaneLayout leastLanes(const Timeline& timeline);
/// At which no lane of it is out of sight, before magnification, as low as they are good to read.
int leastHeight(const Timeline& timeline);
/// The same, as low as they become.
int tightestHeight(const Timeline& timeline);

/// The largest magnification up to `wanted` at which what needs `least` is not out of sight where there is that height
/// for it; never less than `wanted` halved, and never 1, which is the usual view with its overview.
double fittingMagnification(double wanted, int least, int height);

/// Two views in `room`: each gets what it needs at least, and of what remains as much as it would like. In hundredths
/// of a pixel.
std::array<int, 2> divided(int room, std::array<double, 2> least, std::array<double, 2> liked);

}  // namespace lanes::gui
