// SPDX-License-Identifier: MIT
#include "gui/timeline/stack_heights.h"

#include <algorithm>
#include <cmath>

namespace lanes::gui {

LaneLayout leastLanes(const Timeline& timeline)
{
    const LaneModel* model = timeline.model();
    return model == nullptr ? LaneLayout() : LaneLayout(model->lanes(), timeline.state().arranged(model->lanes()), 0);
}

int leastHeight(const Timeline& timeline)
{
    return FrameGeometry::title_height + FrameGeometry::ruler_height + leastLanes(timeline).height();
}

int tightestHeight(const Timeline& timeline)
{
    const LaneModel* model = timeline.model();
    return FrameGeometry::title_height + FrameGeometry::ruler_height
        + (model == nullptr ? 0
                            : LaneLayout::tightestHeight(model->lanes(), timeline.state().arranged(model->lanes())));
}

double fittingMagnification(double wanted, int least, int height)
{
    constexpr int handles = 9;  // of the splitter, and what is lost to whole pixels
    const double fitting = std::clamp(static_cast<double>(height - handles) / std::max(least, 1), wanted / 2, wanted);
    return fitting == 1 ? std::nextafter(1.0, 0.0) : fitting;
}

std::array<int, 2> divided(int room, std::array<double, 2> least, std::array<double, 2> liked)
{
    const double more[] {std::max(liked[0] - least[0], 1.0), std::max(liked[1] - least[1], 1.0)};
    const double spare = std::max(room - least[0] - least[1], 0.0);
    const auto heightOf = [&](std::size_t i) {
        return static_cast<int>(std::lround((least[i] + spare * more[i] / (more[0] + more[1])) * 100));
    };
    return {heightOf(0), heightOf(1)};
}

}  // namespace lanes::gui
