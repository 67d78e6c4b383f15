// SPDX-License-Identifier: MIT
// A click on a label at the edge of the view follows the arrow to what is out of sight.
#pragma once

#include "gui/timeline/tools/tool.h"

namespace lanes::gui {

class FollowTool : public Tool {
public:
    FollowTool(Timeline& timeline, TimelineOverlay& overlay, LabelPainter& labels)
        : Tool(timeline, overlay)
        , m_labels(labels)
    {
    }
    std::optional<Qt::CursorShape> hover(QPointF at) override;
    bool press(const Pointer& pointer) override;

private:
    ItemRef edgeAt(QPointF at) const;

    LabelPainter& m_labels;
};

}  // namespace lanes::gui
