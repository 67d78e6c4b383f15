// SPDX-License-Identifier: MIT
#include "gui/paint/lane_pills.h"

#include <QCoreApplication>

namespace lanes::gui {

namespace {

struct LanePillsTexts {
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

struct FigureOver {
    QString text;
    QRectF box;  // of text and swatch
    bool warm;
    bool swatch = false;  // in place of the word
};

/// Right of a name that is over its lane: as plain text. In a tight frame without words: what is blocked has a
/// swatch, and a thread that never was has no figure.
std::optional<FigureOver> figureOver(
    const TimelineFrame& frame, const PlacedLane& lane, std::optional<Interval> selected, LabelPainter& labels)
{
    const Interval visible {frame.scale.timeAt(0), frame.scale.timeAt(frame.columns())};
    const QRectF name = compactNameBox(frame, lane, labels);
    const auto figure
        = name.isEmpty() || !frame.geometry.pills ? std::nullopt : figureOf(frame.model, lane.lane, visible, selected);
    if (!figure) {
        return {};
    }
    const bool blocked = figure->what == LaneFigure::What::blocked;
    if (frame.geometry.density == LaneDensity::tight) {
        const double width = labels.width(figure->text(), figure_over_style) + (blocked ? swatch + 3 : 0);
        const double right = frame.geometry.labelWidth - 4;
        if ((blocked && figure->time == 0) || right - width < name.right() + 3) {
            return {};
        }
        return FigureOver {figure->text(), QRectF(right - width, name.top(), width, name.height()), blocked, blocked};
    }
    const QString text = figure->what == LaneFigure::What::value ? LanePillsTexts::tr("up to %1").arg(figure->text())
        : blocked                                                ? LanePillsTexts::tr("%1 blocked").arg(figure->text())
                                                                 : LanePillsTexts::tr("%1 busy").arg(figure->text());
    const QRectF box(name.right() + 8, name.top(), labels.width(text, figure_over_style), name.height());
    if (box.right() > frame.geometry.size.width() - frame.geometry.labelWidth) {
        return {};
    }
    return FigureOver {text, box, blocked && figure->time > 0};
}

void paintFiguresOver(
    const TimelineFrame& frame, std::optional<Interval> selected, QPainter& painter, LabelPainter& labels, bool vector)
{
    for (const PlacedLane& lane : frame.layout.lanes()) {
        if (const auto figure = figureOver(frame, lane, selected, labels)) {
            const QRectF& box = figure->box;
            painter.fillRect(box.adjusted(-3, 1, 3, -1), frame.theme.background);
            if (figure->swatch) {
                paintSwatch(painter, QRectF(box.left(), box.center().y() - swatch / 2, swatch, swatch), frame.theme);
            }
            labels.draw(painter, box.left() + (figure->swatch ? swatch + 3 : 0), box.center().y(), figure->text,
                figure_over_style, figure->warm ? frame.theme.pillBlockingText : frame.theme.muted, vector);
        }
    }
}

}  // namespace

QRectF compactTextBox(const TimelineFrame& frame, const PlacedLane& lane, LabelPainter& labels)
{
    const QRectF name = compactNameBox(frame, lane, labels);
    const auto figure = figureOver(frame, lane, {}, labels);
    return figure ? name.united(figure->box) : name;
}

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
