// SPDX-License-Identifier: MIT
#include "gui/paint/hatch_swatch.h"

#include <algorithm>

namespace lanes::gui {

void paintHatchSwatch(QPainter& painter, const Theme::Hatch& hatch, const QRectF& box)
{
    constexpr double period = 5;  // along x: half of the lanes'
    constexpr double corner = 2;
    painter.setPen(Qt::NoPen);
    painter.setBrush(hatch.ground);
    painter.drawRoundedRect(box, corner, corner);
    const double width = hatch.width * period / Theme::hatch_period;
    if (width > 0) {
        painter.setPen(QPen(hatch.line, width * 0.7, Qt::SolidLine, Qt::FlatCap));
        const QRectF inner = box.adjusted(width / 2, width / 2, -width / 2, -width / 2);
        for (double c = period / 2; c < inner.width() + inner.height(); c += period) {
            // From the box's left or upper side to its lower or right one, as it rises; falling lines are the mirror's.
            const double x0 = std::max(0.0, c - inner.height());
            const double x1 = std::min(c, inner.width());
            const auto at = [&](double x) {
                const double y = c - x;
                return QPointF(inner.left() + x, hatch.falls ? inner.bottom() - y : inner.top() + y);
            };
            painter.drawLine(at(x0), at(x1));
        }
    }
    painter.setPen(QPen(hatch.edge, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box, corner, corner);
}

}  // namespace lanes::gui
