// SPDX-License-Identifier: MIT
// Ctrl and drag, or drag with the middle button: zooms to the box.
#pragma once

#include "gui/timeline/tools/tool.h"

namespace lanes::gui {

class BoxTool : public Tool {
public:
    using Tool::Tool;
    bool press(const Pointer& pointer) override;
    void move(const Pointer& pointer) override;
    void release(const Pointer& pointer) override;
    void cancel() override { m_overlay.zoomBox.reset(); }

private:
    double m_pressed = 0;  // x
};

}  // namespace lanes::gui
