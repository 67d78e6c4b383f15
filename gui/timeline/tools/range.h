// SPDX-License-Identifier: MIT
// A click selects an item, a drag a range of time: from edge to edge of items unless Alt is held. A drag that begins at
// an edge of the selected range moves that edge. A double click zooms to an item.
#pragma once

#include "gui/timeline/tools/tool.h"

namespace lanes::gui {

class RangeTool : public Tool {
public:
    using Tool::Tool;
    std::optional<Qt::CursorShape> hover(QPointF at) override;
    bool press(const Pointer& pointer) override;
    void move(const Pointer& pointer) override;
    void release(const Pointer& pointer) override;
    void cancel() override { m_overlay.snaps = {}; }
    bool doubleClick(const Pointer& pointer) override;

private:
    Ns snapped(const Pointer& pointer, std::optional<Snap>* snap) const;
    std::optional<Ns> gripAt(double x) const;

    QPointF m_pressed;
    std::optional<Ns> m_stays;  // the edge of the range that stays where it is; nothing: it is a click as yet
};

}  // namespace lanes::gui
