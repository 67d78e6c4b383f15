// SPDX-License-Identifier: MIT
#include "gui/timeline/timeline_overlay.h"

#include "gui/paint/over/arrows.h"
#include "gui/paint/over/chain_painter.h"
#include "gui/paint/over/counter_painter.h"
#include "gui/paint/over/mark_painter.h"
#include "gui/paint/ruler_ticks.h"
#include "gui/paint/title_pills.h"
#include "gui/paint/words/range_figures.h"
#include "gui/paint/words/time_format.h"
#include "gui/timeline/cursor_plate.h"

#include <algorithm>
#include <cmath>
#include <QCoreApplication>

namespace lanes::gui {

namespace {

struct TimelineOverlayTexts {
    Q_DECLARE_TR_FUNCTIONS(TimelineOverlay)
};

constexpr std::size_t most_links = 16;  // arrows of one item
constexpr std::size_t most_with_arrows = 300;  // events in sight: beyond them arrows are a tangle
constexpr LabelPainter::Style tip_style {12, TextStyle::regular};
constexpr LabelPainter::Style tip_head_style {12, TextStyle::semiBold};
constexpr LabelPainter::Style time_style {11, TextStyle::semiBold};

QRectF plotOf(const TimelineFrame& frame)
{
    const FrameGeometry& g = frame.geometry;
    return {double(g.labelWidth), double(g.lanesTop()), double(g.plotWidth()), double(g.lanesHeight())};
}

void paintOutline(const TimelineFrame& frame, ItemRef item, QPainter& painter, const QColor& color, double width)
{
    const auto box = boxOf(frame, item);
    if (!box) {
        return;
    }
    const QRectF shown
        = box->adjusted(-width / 2, -width / 2, width / 2, width / 2).intersected(plotOf(frame).adjusted(-4, 0, 4, 0));
    if (shown.isEmpty()) {
        return;
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, width));
    painter.drawRoundedRect(shown, 3, 3);
}

constexpr double range_line = 18;

struct RangePlate {
    QStringList lines;
    QRectF box;
};

/// The first figures of a line, as many as fit; one at least.
QString firstThatFit(QString line, double most, LabelPainter& labels)
{
    for (qsizetype end = 0;
         labels.width(line, tip_head_style) > most && (end = line.lastIndexOf(QStringLiteral(" \u00B7 "))) > 0;) {
        line.truncate(end);
    }
    return line;
}

/// In the row of the title, after what is written there: its first figures, or nothing where not even one has room.
std::optional<RangePlate> plateInTitle(
    const TimelineFrame& frame, const QString& line, double middle, LabelPainter& labels)
{
    const FrameGeometry& g = frame.geometry;
    if (!g.title || g.compact()) {
        return {};
    }
    constexpr double around = 8, inset = 10, height = range_line + 4;
    const double from = std::max<double>(titleRow(frame, labels).end + 2 * around, g.labelWidth);
    const double to = g.size.width() - around;
    const QString said = firstThatFit(line, to - from - 2 * inset, labels);
    const double width = labels.width(said, tip_head_style) + 2 * inset;
    if (width > to - from) {
        return {};
    }
    const double x = std::clamp(middle - width / 2, from, to - width);
    return RangePlate {{said}, QRectF(x, (FrameGeometry::title_height - height) / 2, width, height)};
}

/// What a range says of itself: under the lanes, in one line if it fits, else one below the other. In a window where
/// that would hide the last lane its first figures are beside the title, and where there is no room either on the
/// ruler, as wide as the range itself, so that the ruler can be read beside it: the status line has them all.
std::optional<RangePlate> rangePlate(
    const TimelineFrame& frame, Interval range, const QStringList& figures, LabelPainter& labels)
{
    const FrameGeometry& g = frame.geometry;
    const double left = frame.xOf(range.start);
    const double right = frame.xOf(range.end);
    if (figures.isEmpty() || right < g.labelWidth || left > g.size.width()) {
        return {};
    }
    const double most = g.size.width() - 8.0;
    QStringList lines {figures.join(QStringLiteral(" \u00B7 "))};
    if (labels.width(lines.front(), tip_head_style) + 20 > most) {
        lines = figures;
    }
    const auto heightOf = [&] { return static_cast<double>(lines.size()) * range_line + 4; };
    double top = std::min(frame.footerTop() + 2.0, g.size.height() - heightOf() - 2);
    const bool onRuler = top < frame.footerTop() && g.ruler;
    const double middle = (std::max<double>(left, g.labelWidth) + std::min<double>(right, g.size.width())) / 2;
    if (onRuler) {
        if (auto plate = plateInTitle(frame, figures.join(QStringLiteral(" \u00B7 ")), middle, labels)) {
            return plate;
        }
        const double inside = std::min<double>(right, g.size.width()) - std::max<double>(left, g.labelWidth);
        lines = {firstThatFit(lines.front(), inside - 20, labels)};
        top = std::max(g.lanesTop() - heightOf() - 1, 0.0);
    }
    double width = 0;
    for (QString& line : lines) {
        line = labels.elided(line, most - 20, tip_head_style);
        width = std::max(width, labels.width(line, tip_head_style) + 20);
    }
    const double x = std::clamp(middle - width / 2, 4.0, std::max(4.0, g.size.width() - width - 4.0));
    QRectF box(x, top, width, heightOf());
    if (onRuler) {
        box.moveLeft(besideFlags(flagsOf(frame, labels), box, 4, g.size.width() - 4));
    }
    return RangePlate {lines, box};
}

bool isRangeInSight(const TimelineFrame& frame, Interval range)
{
    const QRectF plot = plotOf(frame);
    return range.end >= frame.timeAt(plot.left()) && range.start <= frame.timeAt(plot.right());
}

void paintRange(const TimelineFrame& frame, Interval range, QPainter& painter)
{
    const QRectF plot = plotOf(frame);
    const double x0 = std::clamp(frame.xOf(range.start), plot.left(), plot.right());
    const double x1 = std::clamp(frame.xOf(range.end), plot.left(), plot.right());
    QColor veil = frame.theme.background;  // over what is not selected: what is keeps its colours
    veil.setAlpha(150);
    const double top = frame.geometry.rulerTop();
    const double bottom = frame.geometry.size.height();
    painter.fillRect(QRectF(QPointF(plot.left(), top), QPointF(x0, bottom)), veil);
    painter.fillRect(QRectF(QPointF(x1, top), QPointF(plot.right(), bottom)), veil);
    for (const double x : {x0, x1}) {
        painter.fillRect(QRectF(x - 0.5, top, 1, frame.geometry.size.height() - top), frame.theme.accent);
    }
}

void paintRangePlate(
    const TimelineFrame& frame, Interval range, const QStringList& figures, QPainter& painter, LabelPainter& labels)
{
    if (const auto plate = rangePlate(frame, range, figures, labels)) {
        if (plate->box.bottom() < frame.geometry.lanesTop() && plate->box.bottom() > frame.geometry.rulerTop()) {
            painter.fillRect(overFigures(frame, plate->box, labels), frame.theme.background);
        }
        painter.setPen(Qt::NoPen);
        painter.setBrush(frame.theme.accent);
        painter.drawRoundedRect(plate->box, 4, 4);
        double middle = plate->box.top() + 2 + range_line / 2;
        for (const QString& line : plate->lines) {
            labels.draw(painter, plate->box.left() + 10, middle, line, tip_head_style,
                frame.theme.isDark() ? frame.theme.ink : QColor(Qt::white), false);
            middle += range_line;
        }
    }
}

/// A wash over the name of the lane that commands concern, and a line where it would go if it were dropped.
void paintLaneInHand(const TimelineFrame& frame, const TimelineOverlay& overlay, QPainter& painter)
{
    if (const PlacedLane* lane = overlay.lane ? frame.layout.find(*overlay.lane) : nullptr) {
        QColor wash = frame.theme.accent;
        wash.setAlpha(overlay.dropLine ? 60 : 34);
        const double top
            = std::max<double>(frame.yOf(*lane), frame.isSticky(*lane) ? frame.geometry.lanesTop() : frame.scrollTop());
        const double bottom = std::min<double>(frame.yOf(*lane) + lane->height, frame.geometry.size.height());
        painter.fillRect(QRectF(0, top, frame.geometry.labelWidth, std::max(bottom - top, 0.0)), wash);
    }
    if (overlay.dropLine) {
        painter.fillRect(QRectF(0, *overlay.dropLine - 1, frame.geometry.size.width(), 2), frame.theme.accent);
    }
}

constexpr double tip_line = 17;

struct TipLayout {
    QStringList lines;
    QRectF box;
};

TipLayout layoutTip(const TimelineFrame& frame, const TimelineOverlay& overlay, LabelPainter& labels)
{
    TipLayout layout;
    double width = 0;
    const double most = std::max(frame.geometry.size.width() - 60.0, 80.0);
    for (const QString& line : overlay.tip) {
        const LabelPainter::Style& style = layout.lines.isEmpty() ? tip_head_style : tip_style;
        layout.lines << labels.elided(line, most, style);
        width = std::max(width, labels.width(layout.lines.back(), style));
    }
    const QSizeF size(width + 20, static_cast<double>(layout.lines.size()) * tip_line + 10);
    QPointF at = overlay.tipAt + QPointF(14, 18);
    if (at.x() + size.width() > frame.geometry.size.width() - 4) {
        at.setX(std::max(4.0, frame.geometry.size.width() - size.width() - 4));
    }
    if (at.y() + size.height() > frame.geometry.size.height() - 2) {
        at.setY(std::max(2.0, overlay.tipAt.y() - size.height() - 8));
    }
    layout.box = QRectF(at, size);
    return layout;
}

void paintTip(const TimelineFrame& frame, const TimelineOverlay& overlay, QPainter& painter, LabelPainter& labels)
{
    const auto [lines, box] = layoutTip(frame, overlay, labels);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(frame.theme.line, 1));
    painter.setBrush(frame.theme.chip);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    double y = box.top() + 5 + tip_line / 2;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        labels.draw(painter, box.left() + 10, y, lines[i], i == 0 ? tip_head_style : tip_style,
            i == 0 ? frame.theme.text : frame.theme.muted, false);
        y += tip_line;
    }
}

void paintSnaps(const TimelineFrame& frame, const TimelineOverlay& overlay, QPainter& painter)
{
    for (const auto& snap : overlay.snaps) {
        const PlacedLane* lane = snap ? frame.layout.find(snap->lane) : nullptr;
        const double x = snap ? frame.xOf(snap->time) : 0;
        if (lane == nullptr || x < frame.geometry.labelWidth || x > frame.geometry.size.width()) {
            continue;
        }
        const double top = frame.yOf(*lane) + 1;
        const double bottom = top + lane->height - 2;
        painter.fillRect(QRectF(x - 1.5, top, 3, bottom - top), frame.theme.accent);
        painter.setPen(Qt::NoPen);
        painter.setBrush(frame.theme.accent);
        painter.drawPolygon(QPolygonF {{x - 5, top}, {x + 5, top}, {x, top + 6}});
        painter.drawPolygon(QPolygonF {{x - 5, bottom}, {x + 5, bottom}, {x, bottom - 6}});
    }
}

/// A note at the bottom: there are too many arrows to draw.
void paintTooMany(const TimelineFrame& frame, std::size_t count, QPainter& painter, LabelPainter& labels)
{
    const QString text = TimelineOverlayTexts::tr("%L1 events in sight: zoom in to see their arrows").arg(count);
    const double width = labels.width(text, tip_style) + 20;
    const QRectF box(frame.geometry.size.width() - width - 10, frame.geometry.size.height() - 30, width, 22);
    painter.setPen(QPen(frame.theme.line, 1));
    painter.setBrush(frame.theme.chip);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    labels.draw(painter, box.left() + 10, box.center().y(), text, tip_style, frame.theme.text, false);
}

/// A dashed line through the lanes under a small flag in the ruler, which takes the place of the ruler's own figure
/// there. In parts of one run, where it is a moment of both, its time is beside it.
void paintAnchor(const TimelineFrame& frame, Ns anchor, QPainter& painter, LabelPainter& labels)
{
    const double x = std::round(frame.xOf(anchor)) + 0.5;
    if (x < frame.geometry.labelWidth || x >= frame.geometry.size.width()) {
        return;
    }
    const double top = frame.geometry.lanesTop();
    constexpr double half = 5, gap = 4;
    const QString text = frame.part ? timeInView(frame, anchor) : QString();
    const double width = text.isEmpty() ? 0 : labels.width(text, time_style) + gap;
    const bool isRight = x + half + width <= frame.geometry.size.width();
    const QRectF place(
        isRight ? x - half : x - half - width, frame.geometry.rulerTop(), 2 * half + width, frame.geometry.rulerHeight);
    painter.fillRect(overFigures(frame, place, labels), frame.theme.background);
    painter.setPen(QPen(frame.theme.accent, 1, Qt::DashLine));
    painter.drawLine(QPointF(x, top), QPointF(x, frame.geometry.size.height()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(frame.theme.accent);
    painter.drawPolygon(QPolygonF({{x - half, top - 7}, {x + half, top - 7}, {x, top}}));
    if (!text.isEmpty()) {
        labels.draw(painter, isRight ? x + half + gap : place.left(), place.center().y(), text, time_style,
            frame.theme.accent, false);
    }
}

/// A line of two pixels under its time in the ruler, which takes the place of the ruler's own figure there.
void paintStep(const TimelineFrame& frame, Ns time, QPainter& painter, LabelPainter& labels)
{
    const double x = std::round(frame.xOf(time));
    if (x < frame.geometry.labelWidth || x >= frame.geometry.size.width()) {
        return;
    }
    const double top = frame.geometry.lanesTop();
    const QColor color = frame.theme.text;
    painter.fillRect(QRectF(x - 1, top - 4, 2, frame.geometry.size.height() - top + 4), color);
    const QString text = formatTime(time);
    const double width = labels.width(text, time_style) + 10;
    const double left = std::clamp(x - width / 2, double(frame.geometry.labelWidth),
        std::max<double>(frame.geometry.labelWidth, frame.geometry.size.width() - width));
    const QRectF box(left, frame.geometry.rulerTop() + 2, width, FrameGeometry::ruler_height - 6);
    painter.fillRect(overFigures(frame, box, labels), frame.theme.background);
    painter.fillRect(QRectF(x - 1, box.bottom(), 2, top - box.bottom()), color);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(box, 3, 3);
    labels.draw(painter, box.left() + 5, box.center().y(), text, time_style, frame.theme.background, false);
}

}  // namespace

std::vector<QRectF> passingBoxes(const TimelineFrame& frame, const TimelineOverlay& overlay, LabelPainter& labels)
{
    std::vector<QRectF> boxes;
    if (const auto item = overlay.hovered ? boxOf(frame, overlay.hovered) : std::nullopt) {
        boxes.push_back(item->adjusted(-2, -2, 2, 2));
    }
    if (overlay.cursor) {
        boxes.emplace_back(std::round(frame.xOf(*overlay.cursor)) - 1, frame.geometry.rulerTop(), 3,
            frame.geometry.size.height() - frame.geometry.rulerTop());
        if (const auto plate = cursorPlate(frame, *overlay.cursor, labels)) {
            boxes.push_back(overFigures(frame, *plate, labels));
        }
        for (const CounterPlate& plate : counterPlates(frame, *overlay.cursor, labels)) {
            boxes.push_back(plate.box);
            boxes.emplace_back(plate.dot - QPointF(5, 5), QSizeF(10, 10));
        }
    }
    if (!overlay.tip.isEmpty()) {
        boxes.push_back(layoutTip(frame, overlay, labels).box);
    }
    return boxes;
}

QStringList rangeLinesOf(const LaneModel& model, Interval range)
{
    QStringList lines = linesOf(figuresOf(model, range));
    if (model.choice().filter) {
        lines << TimelineOverlayTexts::tr("of all events, not only those that the filter shows");
    }
    return lines;
}

std::vector<Link> linksOfSelected(const Recording& recording, ItemRef selected, bool chains)
{
    if (!selected || chains) {
        return selected ? linksOf(recording, selected, most_links) : std::vector<Link>();
    }
    const auto link = linkToWaiter(recording, selected);
    return link ? std::vector<Link> {*link} : std::vector<Link>();
}

void HighlightDetails::follow(const LaneModel& model, const TimelineHighlights& highlights)
{
    const bool other = &model != m_model;
    m_model = &model;
    if (other || highlights.selected != m_selected || highlights.chains != m_chains) {
        m_selected = highlights.selected;
        m_chains = highlights.chains;
        m_links = linksOfSelected(model.recording(), m_selected, m_chains);
        m_chain = m_selected && m_chains ? chainOf(model.recording(), m_selected) : std::vector<ChainStep>();
    }
    if (other || highlights.range != m_range) {
        m_range = highlights.range;
        m_rangeLines = m_range ? rangeLinesOf(model, *m_range) : QStringList();
    }
}

void paintOverlay(const TimelineFrame& frame, const TimelineHighlights& highlights, const HighlightDetails& details,
    const TimelineOverlay& overlay, QPainter& painter, LabelPainter& labels, const std::vector<QRectF>& texts)
{
    painter.setRenderHint(QPainter::Antialiasing, true);
    const bool hasRange = highlights.range && isRangeInSight(frame, *highlights.range);
    if (hasRange) {
        paintRange(frame, *highlights.range, painter);
    }
    if (highlights.anchor) {
        paintAnchor(frame, *highlights.anchor, painter, labels);
    }
    if (overlay.cursor) {
        const double x = std::round(frame.xOf(*overlay.cursor));
        if (x >= frame.geometry.labelWidth && x < frame.geometry.size.width()) {
            const auto range
                = highlights.range ? rangePlate(frame, *highlights.range, details.rangeLines(), labels) : std::nullopt;
            const auto plate = cursorPlate(frame, *overlay.cursor, labels);
            const auto flags = plate ? flagsOf(frame, labels) : std::vector<MarkFlag>();
            const bool covered = plate  // its time is in the status line
                && ((range && range->box.intersects(*plate))
                    || std::any_of(
                        flags.begin(), flags.end(), [&](const MarkFlag& flag) { return flag.box.intersects(*plate); }));
            const double top = covered ? frame.geometry.lanesTop() : frame.geometry.rulerTop();
            painter.fillRect(QRectF(x, top, 1, frame.geometry.size.height() - top), frame.theme.muted);
            if (!covered) {
                paintCursorPlate(frame, *overlay.cursor, painter, labels);
            }
            paintCounterPlates(frame, *overlay.cursor, painter, labels);
        }
    }
    if (hasRange) {  // no line crosses its figures
        paintRangePlate(frame, *highlights.range, details.rangeLines(), painter, labels);
    }
    if (overlay.step) {
        paintStep(frame, *overlay.step, painter, labels);
    }
    if (overlay.hovered && overlay.hovered != highlights.selected) {
        paintOutline(frame, overlay.hovered, painter, frame.theme.text, 1);
    }
    if (highlights.allArrows) {
        std::size_t inSight = 0;
        const auto links = linksInSight(frame, most_with_arrows, &inSight);
        paintArrows(frame, layoutArrows(frame, links, false, labels), painter, labels, true);
        if (inSight > most_with_arrows) {
            paintTooMany(frame, inSight, painter, labels);
        }
    }
    if (highlights.selected) {
        for (const Link& link : details.links()) {
            paintOutline(frame, link.from == highlights.selected ? link.to : link.from, painter, frame.theme.text, 1);
        }
        std::vector<Arrow> arrows = layoutArrows(frame, details.links(), true, labels);
        for (Arrow& arrow : arrows) {  // the only one needs no colour of its kind
            arrow.color = highlights.chains ? arrow.color : frame.theme.text;
        }
        paintArrows(frame, arrows, painter, labels, false);
        paintOutline(
            frame, highlights.selected, painter, frame.theme.isDark() ? QColor(Qt::white) : frame.theme.accent, 2);
        std::vector<QRectF> tags;
        for (const Arrow& arrow : arrows) {
            for (const auto& edge : {arrow.from, arrow.to}) {
                if (edge) {
                    tags.push_back(edge->box);
                }
            }
        }
        paintChain(frame, details.chain(), details.links(), painter, labels, texts, std::move(tags));
    }
    paintLaneInHand(frame, overlay, painter);
    paintSnaps(frame, overlay, painter);
    if (overlay.zoomBox) {
        painter.setPen(QPen(frame.theme.accent, 1.4, Qt::DashLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(*overlay.zoomBox);
    }
    if (!overlay.tip.isEmpty()) {
        paintTip(frame, overlay, painter, labels);
    }
}

}  // namespace lanes::gui
