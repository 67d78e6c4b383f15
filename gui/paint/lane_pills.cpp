// SPDX-License-Identifier: MIT
#include "gui/paint/lane_pills.h"

#include <QCoreApplication>

namespace lanes::gui {

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(LanePills)
};

constexpr LabelPainter::Style style {11, TextStyle::semiBold};
constexpr LabelPainter::Style figure_over_style {11, TextStyle::regular};
constexpr double inset = 6;
constexpr double swatch = 9;

/// A little square of what blocked time looks like in the lanes.
void paintSwatch(QPainter& painter, const QRectF& box, const Theme& theme)
{
    const QColor& color = theme.item(ItemRole::blocked);
    painter.setPen(QPen(color, 1));
    painter.setBrush(theme.hatchGround);
    painter.drawRoundedRect(box, 2, 2);
    painter.setPen(QPen(color, 1.5, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(box.topLeft() + QPointF(1, 5), box.topLeft() + QPointF(5, 1));
    painter.drawLine(box.topLeft() + QPointF(3, 8), box.topLeft() + QPointF(8, 3));
}

/// Right of the names that stand over their lanes: as plain text.
void paintFiguresOver(
    const TimelineFrame& frame, std::optional<Interval> selected, QPainter& painter, LabelPainter& labels, bool vector)
{
    const Interval visible {frame.scale.timeAt(0), frame.scale.timeAt(frame.columns())};
    for (const PlacedLane& lane : frame.layout.lanes()) {
        const QRectF name = compactNameBox(frame, lane, labels);
        const auto figure = name.isEmpty() || !frame.geometry.pills
            ? std::nullopt
            : figureOf(frame.model, lane.lane, visible, selected);
        if (!figure) {
            continue;
        }
        const bool blocked = figure->what == LaneFigure::What::blocked;
        const QString text = figure->what == LaneFigure::What::value ? Texts::tr("up to %1").arg(figure->text())
            : blocked                                                ? Texts::tr("%1 blocked").arg(figure->text())
                                                                     : Texts::tr("%1 busy").arg(figure->text());
        const double x = name.right() + 8;
        const double width = labels.width(text, figure_over_style);
        if (x + width > frame.geometry.size.width() - frame.geometry.labelWidth) {
            continue;
        }
        painter.fillRect(QRectF(x - 3, name.top() + 1, width + 6, name.height() - 2), frame.theme.background);
        const bool warm = blocked && figure->time > 0;
        labels.draw(painter, x, name.center().y(), text, figure_over_style,
            warm ? frame.theme.pillBlockingText : frame.theme.muted, vector);
    }
}

}  // namespace

void paintLanePills(
    const TimelineFrame& frame, std::optional<Interval> selected, QPainter& painter, LabelPainter& labels, bool vector)
{
    if (frame.geometry.compact()) {
        paintFiguresOver(frame, selected, painter, labels, vector);
        return;
    }
    const Interval visible {frame.scale.timeAt(0), frame.scale.timeAt(frame.columns())};
    const Theme& theme = frame.theme;
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const PlacedLane& lane : frame.layout.lanes()) {
        const auto room = pillBoxOf(frame, lane);
        const auto figure = room ? figureOf(frame.model, lane.lane, visible, selected) : std::nullopt;
        if (!figure) {
            continue;
        }
        const bool blocked = figure->what == LaneFigure::What::blocked;
        const bool warm = blocked && figure->time > 0;
        const QString text = figure->what == LaneFigure::What::value
            ? labels.elided(figure->text(), room->width() - 2 * inset + 1, style)
            : figure->text();  // a share is never wider than its pill becomes
        const double width
            = std::min(labels.width(text, style) + 2 * inset + (blocked ? swatch + 4 : 0), room->width());
        const QRectF pill(room->right() - width, room->top(), width, room->height());
        painter.setPen(selected ? QPen(theme.accent, 1.2) : QPen(Qt::NoPen));
        const QColor& ground = warm ? theme.pillBlocking : theme.pillNeutral;
        painter.setBrush(ground);
        painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);
        double x = pill.left() + inset;
        if (blocked) {
            paintSwatch(painter, QRectF(x - 1, pill.center().y() - swatch / 2, swatch, swatch), theme);
            x += swatch + 3;
        }
        labels.drawOn(painter, x, pill.center().y(), text, style, warm ? theme.pillBlockingText : theme.pillNeutralText,
            ground, vector);
    }
}

}  // namespace lanes::gui
