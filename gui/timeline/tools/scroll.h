// SPDX-License-Identifier: MIT
// Drags the bar at the right edge, which scrolls the lanes; a press beside its thumb brings the thumb there.
#pragma once

#include "gui/timeline/tools/tool.h"

namespace lanes::gui {

class ScrollTool : public Tool {
public:
    using Tool::Tool;
    bool press(const Pointer& pointer) override;
    void move(const Pointer& pointer) override;

private:
    double m_pressed = 0;  // y
    int m_pressedScroll = 0;
};

}  // namespace lanes::gui
