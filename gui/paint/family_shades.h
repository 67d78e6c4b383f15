// SPDX-License-Identifier: MIT
// The colours of a family of kernels: one for each shade of a name, around the family's colour.
#pragma once

#include "engine/analysis/facts/families.h"
#include "gui/lanes/item_role.h"

#include <QColor>

#include <array>

namespace lanes::gui {

/// By OKLCH: lightness within the family's band, and a hue of up to 9 degrees more or less. On a dark ground all
/// families are darker and closer to one another in lightness, and a little more saturated. What sRGB does not have is
/// made paler until it does.
std::array<QColor, shade_count> familyShades(const FamilyColour& colour, bool dark);

}  // namespace lanes::gui
