// SPDX-License-Identifier: MIT
#include "gui/timeline/tools/pan.h"

#include <cmath>

namespace lanes::gui {

bool PanTool::press(const Pointer& pointer)
{
    if (pointer.button != Qt::LeftButton || !pointer.modifiers.testFlag(Qt::ShiftModifier)) {
        return false;
    }
    m_pressed = pointer.at.x();
    m_pressedScale = m_timeline.timeScale();
    return true;
}

void PanTool::move(const Pointer& pointer)
{
    m_timeline.show(m_pressedScale.panned(std::lround((m_pressed - pointer.at.x()) * m_timeline.frame().ratio)));
}

}  // namespace lanes::gui
