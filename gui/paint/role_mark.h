// SPDX-License-Identifier: MIT
// What tells apart, on paper without colours, roles of nearly the same grey: copies carry an arrow to where they go (up
// to the GPU, down to the host), memsets a square, the host's waits two bars, its reads a dot; of the families of
// kernels index and sort two lines, the optimizer a diamond, other kernels a cross. The bars of a picture and the
// swatches of its legend carry the same.
#pragma once

#include "gui/lanes/item_role.h"
#include "gui/paint/theme.h"

#include <QPainter>

namespace lanes::gui {

/// Logical pixels: a mark lies in a square of this side.
inline constexpr double role_mark_size = 7;

bool hasRoleMark(ItemRole role);
/// Nothing for a role without one. `color` is that of texts on `ground`.
void paintRoleMark(QPainter& painter, ItemRole role, QPointF center, const QColor& color, const QColor& ground);

}  // namespace lanes::gui
