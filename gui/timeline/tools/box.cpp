// SPDX-License-Identifier: MIT
#include "gui/timeline/tools/box.h"

#include "gui/timeline/time_moves.h"

#include <algorithm>
#include <utility>

namespace lanes::gui {

bool BoxTool::press(const Pointer& pointer)
{
    const bool ctrl = pointer.button == Qt::LeftButton && pointer.modifiers.testFlag(Qt::ControlModifier);
    m_pressed = pointer.at.x();
    return ctrl || pointer.button == Qt::MiddleButton;
}

void BoxTool::move(const Pointer& pointer)
{
    const FrameGeometry geometry = m_timeline.frame().geometry;
    const auto inPlot = [&](double x) { return std::clamp<double>(x, geometry.labelWidth, geometry.size.width()); };
    m_overlay.zoomBox = QRectF(
        QPointF(inPlot(m_pressed), geometry.rulerTop()), QPointF(inPlot(pointer.at.x()), geometry.size.height() - 1.0))
                            .normalized();
}

void BoxTool::release(const Pointer&)
{
    if (const auto box = std::exchange(m_overlay.zoomBox, std::nullopt); box && box->width() >= least_zoom_box) {
        const TimelineFrame frame = m_timeline.frame();
        m_timeline.showRange({frame.timeAt(box->left()), frame.timeAt(box->right())});
    }
}

}  // namespace lanes::gui
