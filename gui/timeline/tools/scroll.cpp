// SPDX-License-Identifier: MIT
#include "gui/timeline/tools/scroll.h"

#include "gui/timeline/lane_scroll.h"

namespace lanes::gui {

bool ScrollTool::press(const Pointer& pointer)
{
    const auto bar = ScrollBar::of(m_timeline.frame());
    if (pointer.button != Qt::LeftButton || !bar || !bar->track.adjusted(-3, 0, 3, 0).contains(pointer.at)) {
        return false;
    }
    m_pressed = pointer.at.y();
    if (m_pressed < bar->thumb.top() || m_pressed > bar->thumb.bottom()) {
        m_timeline.scrollTo(bar->scrolled(m_timeline.state().scroll, m_pressed - bar->thumb.center().y()));
    }
    m_pressedScroll = m_timeline.state().scroll;
    return true;
}

void ScrollTool::move(const Pointer& pointer)
{
    if (const auto bar = ScrollBar::of(m_timeline.frame())) {
        m_timeline.scrollTo(bar->scrolled(m_pressedScroll, pointer.at.y() - m_pressed));
    }
}

}  // namespace lanes::gui
