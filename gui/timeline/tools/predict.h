// SPDX-License-Identifier: MIT
// Pulls at what is selected to ask what would be: the right edge of a kernel or copy for another length of all of its
// name, a copy up or down to the lane of another stream of its context. What is no pull is the range tool's gesture: a
// click, a drag sideways. A press elsewhere takes the ghost back. See PredictHand.
#pragma once

#include "gui/timeline/tools/range.h"

namespace lanes::gui {

class PredictTool : public Tool {
public:
    PredictTool(Timeline& timeline, TimelineOverlay& overlay)
        : Tool(timeline, overlay)
        , m_range(timeline, overlay)
    {
    }
    std::optional<Qt::CursorShape> hover(QPointF at) override;
    bool press(const Pointer& pointer) override;
    void move(const Pointer& pointer) override;
    void release(const Pointer& pointer) override;
    void cancel() override;
    std::optional<Qt::CursorShape> shape() const override;

private:
    enum class Drag : std::uint8_t { none, length, stream };
    enum class Grip : std::uint8_t { none, edge, body };
    Grip gripAt(QPointF at) const;
    std::optional<Row> streamAt(QPointF at) const;
    void pull(QPointF at);
    void moveTo(QPointF at);

    RangeTool m_range;
    Grip m_grip = Grip::none;
    Drag m_drag = Drag::none;
    bool m_isRange = false;  // it went sideways
    QPointF m_pressed;
    double m_beside = 0;  // how far right of the edge it was gripped
    std::vector<Row> m_streams;  // that the copy could go to
};

}  // namespace lanes::gui
