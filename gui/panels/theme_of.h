// SPDX-License-Identifier: MIT
#pragma once

#include "gui/paint/theme.h"

#include <QPalette>

namespace lanes::gui {

/// The theme that goes with a widget's palette: the dark one on a dark ground.
inline const Theme& themeOf(const QPalette& palette)
{
    const bool dark = palette.color(QPalette::Base).lightness() < 128;
    return Theme::named(dark ? QStringLiteral("dark") : QStringLiteral("light"));
}

}  // namespace lanes::gui
