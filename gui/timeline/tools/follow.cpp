// SPDX-License-Identifier: MIT
#include "gui/timeline/tools/follow.h"

#include "gui/paint/over/arrows.h"

namespace lanes::gui {

ItemRef FollowTool::edgeAt(QPointF at) const
{
    const auto links
        = linksOfSelected(*m_timeline.recording(), m_timeline.selection(), m_timeline.state().highlights.chains);
    return edgeItemAt(m_timeline.frame(), links, at, m_labels);
}

std::optional<Qt::CursorShape> FollowTool::hover(QPointF at)
{
    const ItemRef item = edgeAt(at);
    return item ? std::optional(Qt::PointingHandCursor) : std::nullopt;
}

bool FollowTool::press(const Pointer& pointer)
{
    const ItemRef item = pointer.button == Qt::LeftButton ? edgeAt(pointer.at) : ItemRef {};
    m_timeline.follow(item);
    return static_cast<bool>(item);
}

}  // namespace lanes::gui
