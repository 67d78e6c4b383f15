// SPDX-License-Identifier: MIT
// Applies a theme to the whole application: palette, style sheet and font.
#pragma once

#include <QString>

namespace lanes::gui {

enum class ThemeChoice { system, dark, light };

/// "dark" or "light": the choice, or what the desktop has.
QString themeName(ThemeChoice choice);

/// Applies it to the application, its text `textSize` times as large as usual; what is drawn by hand asks
/// Theme::named(themeName(choice)).
void applyStyle(ThemeChoice choice, double textSize = 1);

/// Takes the style sheet off until the next applyStyle(). For building a window: whatever goes into another widget is
/// polished anew with all that it holds, which takes twice as long as everything else.
void removeStyle();

}  // namespace lanes::gui
