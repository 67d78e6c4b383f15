// SPDX-License-Identifier: MIT
#include "gui/paint/staged_painter.h"

#include "gui/lanes/staged_copies.h"
#include "gui/paint/timeline_frame.h"

#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

constexpr double tooth_period = 9;  // logical pixels
constexpr double staged_corner = 3;

}  // namespace

std::optional<ItemRole> shownStaged(const TimelineFrame& frame)
{
    const double left = frame.geometry.labelWidth;
    const double right = frame.geometry.size.width();
    for (const PlacedLane& lane : frame.layout.lanes()) {
        for (const PlacedRow& placed : lane.rows) {
            const LaneRow& row = frame.model.lanes()[placed.lane].rows[placed.row];
            const int y = frame.yOf(lane, placed);
            if (row.kind != ItemKind::operation || y < frame.geometry.lanesTop() || y >= frame.geometry.size.height()) {
                continue;
            }
            for (std::size_t i = row.items.firstEndingAfter(frame.timeAt(left));
                 i < row.items.size() && frame.xOf(row.items.start(i)) < right;) {
                const double from = std::max(frame.xOf(row.items.start(i)), left);
                const double to = std::min(frame.xOf(row.items.end(i)), right);
                if (to - from >= StagedBar::least_width && isStaged(frame.model.trace(), row.items.place(i))) {
                    return row.items.role(i);
                }
                // One that is wide enough and begins after this one ends after that.
                i = std::max(i + 1, row.items.firstEndingAfter(frame.timeAt(from + StagedBar::least_width)));
            }
        }
    }
    return {};
}

void paintStaged(QPainter& painter, const Theme& theme, const StagedBar& bar)
{
    const Theme::Staged& look = theme.staged(bar.role);
    painter.setPen(Qt::NoPen);
    painter.fillRect(bar.box, theme.background);  // nothing of the plain bar shows at the corners
    painter.setBrush(look.ground);
    painter.drawRoundedRect(bar.box, staged_corner, staged_corner);
    painter.setBrush(theme.item(bar.role));
    if (bar.share >= 1) {  // teeth without gaps would have seams
        painter.drawRoundedRect(bar.box, staged_corner, staged_corner);
    }
    const double filled = tooth_period * bar.share;
    const double first = std::floor((bar.box.left() - bar.start) / tooth_period);
    for (double at = bar.start + first * tooth_period; at < bar.box.right() && bar.share < 1; at += tooth_period) {
        // In the middle of its part of the bar.
        const double left = std::max(at + (tooth_period - filled) / 2, bar.box.left() + 0.5);
        const double right = std::min(at + (tooth_period + filled) / 2, bar.box.right() - 0.5);
        if (right > left) {
            painter.drawRect(QRectF(left, bar.box.top() + 0.5, right - left, bar.box.height() - 1));
        }
    }
    painter.setPen(QPen(look.edge, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(bar.box.adjusted(0.5, 0.5, -0.5, -0.5), staged_corner, staged_corner);
}

void paintStagedSwatch(QPainter& painter, const Theme& theme, ItemRole role, const QRectF& box)
{
    paintStaged(painter, theme, {box, box.left() - tooth_period / 4, 0.35, role});
}

}  // namespace lanes::gui
