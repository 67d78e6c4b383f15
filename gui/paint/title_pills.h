// SPDX-License-Identifier: MIT
// What the pills beside a recording's title say: what it was not measured by, where it is cut, its verdict, the
// filter.
#pragma once

#include "gui/paint/timeline_frame.h"

#include <vector>

namespace lanes::gui {

struct TitlePill {
    QString text;
    QColor ground, color;
};

/// In their order; none is empty.
std::vector<TitlePill> titlePills(const TimelineFrame& frame);

}  // namespace lanes::gui
