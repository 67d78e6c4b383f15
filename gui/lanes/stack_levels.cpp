// SPDX-License-Identifier: MIT
#include "gui/lanes/stack_levels.h"

#include <algorithm>
#include <array>

namespace lanes::gui {

namespace {

StackPart stackPartOf(RangeKind kind)
{
    switch (kind) {
    case RangeKind::module:
        return StackPart::module;
    case RangeKind::torch_operator:
        return StackPart::torchOperator;
    case RangeKind::sampled:
        return StackPart::sampled;
    case RangeKind::plumbing:
        return StackPart::plumbing;
    case RangeKind::range:
    case RangeKind::frame:
        break;
    }
    return StackPart::frame;
}

}  // namespace

std::vector<StackLevel> stackLevels(const std::vector<Row>& places, const TimeColumn& start, const TimeColumn& end,
    const std::function<RangeKind(Row)>& kindOf)
{
    struct Open {
        Ns until;
        std::uint16_t level;
    };
    std::array<std::vector<Open>, 5> open;  // by part, the levels ascending
    std::vector<StackLevel> levels;
    levels.reserve(places.size());
    for (const Row place : places) {
        const StackPart part = stackPartOf(kindOf(place));
        std::vector<Open>& around = open[static_cast<std::size_t>(part)];
        std::erase_if(around, [&](const Open& one) { return one.until <= start[place]; });
        const int level = around.empty() ? 0 : around.back().level + 1;
        levels.push_back({part, static_cast<std::uint16_t>(std::min(level, 0xFFFF))});
        around.push_back({std::max(end[place], start[place] + 1), levels.back().level});
    }
    return levels;
}

}  // namespace lanes::gui
