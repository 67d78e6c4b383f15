// SPDX-License-Identifier: MIT
// The icons of the buttons that have no room for a word: drawn in lines, in the colour that text on a button has now,
// so that they follow the theme.
#pragma once

#include <QIcon>

namespace lanes::gui {

enum class ToolIcon { search, filter, arrows, measure, step, fullScreen };

QIcon toolIcon(ToolIcon icon);

}  // namespace lanes::gui
