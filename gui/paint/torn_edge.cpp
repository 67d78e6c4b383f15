// SPDX-License-Identifier: MIT
#include "gui/paint/torn_edge.h"

#include "gui/paint/words/time_format.h"

#include <algorithm>
#include <QCoreApplication>
#include <QPolygonF>

namespace lanes::gui {

namespace {

struct TornEdgeTexts {
    Q_DECLARE_TR_FUNCTIONS(TornEdge)
};

constexpr double depth = 5, tooth = 6;  // logical pixels

/// Teeth of the background from `edge` to `edge` + `by`, with a line along them.
void paintTeeth(QPainter& painter, const Theme& theme, double edge, double by, double top, double bottom)
{
    QPolygonF line;
    bool isIn = false;
    for (double y = top; y < bottom; y += tooth / 2, isIn = !isIn) {
        line << QPointF(isIn ? edge + by : edge + by / 5, y);
    }
    line << QPointF(isIn ? edge + by : edge + by / 5, bottom);
    QPolygonF outside = line;
    outside << QPointF(edge - by / 5, bottom) << QPointF(edge - by / 5, top);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.background);
    painter.drawPolygon(outside);
    painter.setPen(QPen(theme.muted, 0.8));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
}

}  // namespace

CutSides cutSides(const TimelineFrame& frame)
{
    const auto column = static_cast<Ns>(frame.scale.nsPerColumn()) + 1;
    return {frame.scale.timeAt(0) > column, frame.scale.timeAt(frame.columns()) < frame.model.duration() - column};
}

QString shownPartText(const TimelineFrame& frame)
{
    const auto [left, right] = cutSides(frame);
    if (!left && !right) {
        return {};
    }
    const Ns from = std::max<Ns>(frame.scale.timeAt(0), 0);
    const Ns to = std::max(std::min(frame.scale.timeAt(frame.columns()), frame.model.duration()), from);
    return (frame.geometry.pills ? TornEdgeTexts::tr("shown, with percentages: %1 to %2")
                                 : TornEdgeTexts::tr("shown: %1 to %2"))
        .arg(formatTime(from), formatTime(to));
}

void paintTornEdges(const TimelineFrame& frame, QPainter& painter)
{
    const FrameGeometry& g = frame.geometry;
    const double top = g.lanesTop();
    const double bottom = std::min(frame.footerTop(), g.size.height());
    const auto [left, right] = cutSides(frame);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    if (right) {
        paintTeeth(painter, frame.theme, g.size.width(), -depth, top, bottom);
    }
    if (left) {
        // Names over their lanes begin where the lanes do: there the teeth lie in the margin.
        paintTeeth(painter, frame.theme, g.density == LaneDensity::compact ? g.labelWidth - depth : g.labelWidth, depth,
            top, bottom);
    }
    painter.restore();
}

}  // namespace lanes::gui
