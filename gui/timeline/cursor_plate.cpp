// SPDX-License-Identifier: MIT
#include "gui/timeline/cursor_plate.h"

#include "gui/paint/ruler_ticks.h"
#include "gui/paint/words/time_format.h"

#include <algorithm>

namespace lanes::gui {

namespace {

constexpr LabelPainter::Style plate_style {11, TextStyle::medium};
constexpr double plate_padding = 5;
constexpr double plate_height = 16;

}  // namespace

QString timeInView(const TimelineFrame& frame, Ns time)
{
    const Ns pixel
        = std::max<Ns>(frame.timeAt(frame.geometry.labelWidth + 1.0) - frame.timeAt(frame.geometry.labelWidth), 1);
    return formatTick(time - frame.origin(), niceStep(static_cast<double>(pixel)),
        frame.timeAt(frame.geometry.size.width()) - frame.origin());
}

std::optional<QRectF> cursorPlate(const TimelineFrame& frame, Ns cursor, LabelPainter& labels)
{
    const FrameGeometry& geometry = frame.geometry;
    const double x = frame.xOf(cursor);
    if (!geometry.ruler || x < geometry.labelWidth || x >= geometry.size.width()) {
        return {};
    }
    const double width = labels.width(timeInView(frame, cursor), plate_style) + 2 * plate_padding;
    const double left = std::clamp(x - width / 2, double(geometry.labelWidth),
        std::max<double>(geometry.size.width() - width, geometry.labelWidth));
    return QRectF(left, geometry.lanesTop() - plate_height - 3, width, plate_height);
}

void paintCursorPlate(const TimelineFrame& frame, Ns cursor, QPainter& painter, LabelPainter& labels)
{
    if (const auto plate = cursorPlate(frame, cursor, labels)) {
        painter.fillRect(overFigures(frame, *plate, labels), frame.theme.background);
        painter.setPen(Qt::NoPen);
        painter.setBrush(frame.theme.text);
        painter.drawRoundedRect(*plate, 3, 3);
        labels.draw(painter, plate->left() + plate_padding, plate->center().y(), timeInView(frame, cursor), plate_style,
            frame.theme.background, false);
    }
}

}  // namespace lanes::gui
