// SPDX-License-Identifier: MIT
#include "gui/timeline/tools/follow.h"

#include "gui/paint/over/arrows.h"

namespace lanes::gui {

std::optional<Qt::CursorShape> FollowTool::hover(QPointF at)
{
    const ItemRef item = edgeItemAt(m_timeline.frame(), m_timeline.state().highlights.links, at, m_labels);
    return item ? std::optional(Qt::PointingHandCursor) : std::nullopt;
}

bool FollowTool::press(const Pointer& pointer)
{
    const ItemRef item = pointer.button == Qt::LeftButton
        ? edgeItemAt(m_timeline.frame(), m_timeline.state().highlights.links, pointer.at, m_labels)
        : ItemRef {};
    m_timeline.follow(item);
    return static_cast<bool>(item);
}

}  // namespace lanes::gui
