// SPDX-License-Identifier: MIT
// What a wait looks like in the lanes, in small: for legends and pills.
#pragma once

#include "gui/paint/theme.h"

#include <QPainter>

namespace lanes::gui {

/// Draws ground, lines and edge; lines are cut to the box, so that nothing is clipped.
void paintHatchSwatch(QPainter& painter, const Theme::Hatch& hatch, const QRectF& box);

}  // namespace lanes::gui
