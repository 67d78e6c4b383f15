// SPDX-License-Identifier: MIT
// The column of names: a click takes a lane in hand, collapses it at its triangle, folds its stack at that of its path,
// or shows the hidden lanes; a drag moves a lane; a double click collapses it.
#pragma once

#include "gui/timeline/tools/tool.h"

namespace lanes::gui {

class LaneHandTool : public Tool {
public:
    using Tool::Tool;
    std::optional<Qt::CursorShape> hover(QPointF at) override;
    bool press(const Pointer& pointer) override;
    void move(const Pointer& pointer) override;
    void release(const Pointer& pointer) override;
    void cancel() override;
    bool doubleClick(const Pointer& pointer) override;
    std::optional<Qt::CursorShape> shape() const override
    {
        return m_dragging ? std::optional(Qt::ClosedHandCursor) : std::nullopt;
    }

private:
    /// Where a lane that is dragged would go: before or after another one, `y` in the frame.
    struct Drop {
        std::size_t beside;
        bool behind;
        double y;
    };
    std::optional<Drop> dropAt(double y) const;

    QPointF m_pressed;
    bool m_dragging = false;
    std::optional<Drop> m_drop;
};

}  // namespace lanes::gui
