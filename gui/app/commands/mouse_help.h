// SPDX-License-Identifier: MIT
// What the mouse does in the timeline, for the page of keys.
#pragma once

#include <QString>

#include <vector>

namespace lanes::gui {

struct MouseHelp {
    QString gesture;
    QString effect;
};
std::vector<MouseHelp> mouseHelp();

}  // namespace lanes::gui
