// SPDX-License-Identifier: MIT
#include "gui/paint/lane_pills.h"

#include "gui/paint/hatch_swatch.h"
#include "gui/paint/over/gpu_time_painter.h"

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

/// What a thread's pill shows: waits that cost something, or a good run's, which cost nothing. Null: there are none.
const Theme::Hatch* hatchOf(const LaneFigure& figure, const Theme& theme)
{
    const bool waits = figure.what == LaneFigure::What::blocked && figure.time > 0;
    return waits ? theme.hatch(figure.isHeld() ? ItemRole::held : ItemRole::freeWait) : nullptr;
}

struct FigureOver {
    QString text;
    QRectF box;  // of text and swatch
    bool warm;
    const Theme::Hatch* swatch = nullptr;  // in place of the word
};

/// Right of a name that is over its lane: as plain text. In a tight frame without words: what is blocked has a
/// swatch.
std::optional<FigureOver> figureOver(const TimelineFrame& frame, const PlacedLane& lane, LabelPainter& labels)
{
    const QRectF name = compactNameBox(frame, lane, labels);
    const auto figure = name.isEmpty() || !frame.geometry.pills ? std::nullopt : figureOf(frame, lane.lane);
    if (!figure || figure->isNothing()) {
        return {};
    }
    const bool blocked = figure->what == LaneFigure::What::blocked;
    if (frame.geometry.density == LaneDensity::tight) {
        const double width = labels.width(figure->text(), figure_over_style) + (blocked ? swatch + 3 : 0);
        const double right = frame.geometry.labelWidth - 4;
        if (right - width < name.right() + 3) {
            return {};
        }
        return FigureOver {figure->text(), QRectF(right - width, name.top(), width, name.height()), figure->isHeld(),
            hatchOf(*figure, frame.theme)};
    }
    const QString text = figure->what == LaneFigure::What::value ? LanePillsTexts::tr("up to %1").arg(figure->text())
        : figure->isHeld()                                       ? LanePillsTexts::tr("%1 held").arg(figure->text())
        : blocked                                                ? LanePillsTexts::tr("waits %1").arg(figure->text())
                                                                 : LanePillsTexts::tr("%1 busy").arg(figure->text());
    const QRectF box(name.right() + 8, name.top(), labels.width(text, figure_over_style), name.height());
    if (box.right() > frame.geometry.size.width() - frame.geometry.labelWidth) {
        return {};
    }
    return FigureOver {text, box, figure->isHeld()};
}

void paintFiguresOver(const TimelineFrame& frame, QPainter& painter, LabelPainter& labels, bool vector)
{
    for (const PlacedLane& lane : frame.layout.lanes()) {
        if (const auto figure = figureOver(frame, lane, labels)) {
            const QRectF& box = figure->box;
            painter.fillRect(box.adjusted(-3, 1, 3, -1), frame.theme.background);
            if (figure->swatch != nullptr) {
                paintHatchSwatch(
                    painter, *figure->swatch, QRectF(box.left(), box.center().y() - swatch / 2, swatch, swatch));
            }
            labels.draw(painter, box.left() + (figure->swatch != nullptr ? swatch + 3 : 0), box.center().y(),
                figure->text, figure_over_style, figure->warm ? frame.theme.pillBlockingText : frame.theme.muted,
                vector);
        }
    }
}

}  // namespace

QRectF compactTextBox(const TimelineFrame& frame, const PlacedLane& lane, LabelPainter& labels)
{
    const QRectF name = compactNameBox(frame, lane, labels);
    const auto figure = figureOver(frame, lane, labels);
    return figure ? name.united(figure->box) : name;
}

void paintLanePills(const TimelineFrame& frame, QPainter& painter, LabelPainter& labels, bool vector)
{
    if (frame.geometry.compact()) {
        paintFiguresOver(frame, painter, labels, vector);
        return;
    }
    const Theme& theme = frame.theme;
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const PlacedLane& lane : frame.layout.lanes()) {
        const auto room = pillBoxOf(frame, lane);
        const auto figure = room ? figureOf(frame, lane.lane) : std::nullopt;
        if (!figure || figure->isNothing()) {
            continue;
        }
        if (figure->what == LaneFigure::What::gpuTime) {
            paintGpuTimeFigures(frame, lane, figure->parts, painter, labels, vector);
        }
        const Theme::Hatch* hatch = hatchOf(*figure, theme);
        const bool warm = figure->isHeld();
        const QString text = figure->what == LaneFigure::What::value
            ? labels.elided(figure->text(), room->width() - 2 * inset + 1, style)
            : figure->text();  // a share is never wider than its pill becomes
        const double width
            = std::min(labels.width(text, style) + 2 * inset + (hatch != nullptr ? swatch + 4 : 0), room->width());
        const QRectF pill(room->right() - width, room->top(), width, room->height());
        painter.setPen(frame.scope.of == Scope::Of::selected ? QPen(theme.accent, 1.2) : QPen(Qt::NoPen));
        const QColor& ground = warm ? theme.pillBlocking : theme.pillNeutral;
        painter.setBrush(ground);
        painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);
        double x = pill.left() + inset;
        if (hatch != nullptr) {
            paintHatchSwatch(painter, *hatch, QRectF(x - 1, pill.center().y() - swatch / 2, swatch, swatch));
            x += swatch + 3;
        }
        labels.drawOn(painter, x, pill.center().y(), text, style, warm ? theme.pillBlockingText : theme.pillNeutralText,
            ground, vector);
    }
}

}  // namespace lanes::gui
