// SPDX-License-Identifier: MIT
// How far a progress bar is, without a pause: QProgressBar draws itself at once when its value changes, and with it all
// of the window that waits to be drawn, lanes included. Here the bar waits for the next paint event as well.
#pragma once

#include <QProgressBar>

namespace lanes::gui {

/// `fraction` of the work is done, 0 to 1.
inline void setProgress(QProgressBar& bar, double fraction)
{
    constexpr int steps = 1000;
    bar.setUpdatesEnabled(false);
    bar.setRange(0, steps);
    bar.setValue(static_cast<int>(fraction * steps));
    bar.setUpdatesEnabled(true);
}

}  // namespace lanes::gui
