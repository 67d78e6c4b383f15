// SPDX-License-Identifier: MIT
#include "gui/timeline/tools/marks.h"

#include "gui/paint/over/mark_painter.h"

namespace lanes::gui {

bool MarksTool::press(const Pointer& pointer)
{
    const auto mark
        = pointer.button == Qt::LeftButton ? markAt(m_timeline.frame(), pointer.at, m_labels) : std::nullopt;
    if (mark) {
        m_timeline.marks().goTo(*mark);
    }
    return mark.has_value();
}

bool MarksTool::doubleClick(const Pointer& pointer)
{
    const auto mark
        = pointer.button == Qt::LeftButton ? markAt(m_timeline.frame(), pointer.at, m_labels) : std::nullopt;
    if (mark) {
        m_timeline.marks().edit(*mark, false);
    }
    return mark.has_value();
}

}  // namespace lanes::gui
