// SPDX-License-Identifier: MIT
// Shift and drag: what lies under the mouse stays there. Moves by whole columns.
#pragma once

#include "gui/timeline/tools/tool.h"

namespace lanes::gui {

class PanTool : public Tool {
public:
    using Tool::Tool;
    bool press(const Pointer& pointer) override;
    void move(const Pointer& pointer) override;
    std::optional<Qt::CursorShape> shape() const override { return Qt::ClosedHandCursor; }

private:
    double m_pressed = 0;  // x
    TimeScale m_pressedScale;
};

}  // namespace lanes::gui
