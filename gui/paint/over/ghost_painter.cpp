// SPDX-License-Identifier: MIT
#include "gui/paint/over/ghost_painter.h"

#include "gui/paint/item_box.h"

#include <algorithm>
#include <cmath>
#include <QPainter>

namespace lanes::gui {

namespace {

constexpr LabelPainter::Style said_style {12, TextStyle::regular};
constexpr LabelPainter::Style said_head_style {12, TextStyle::semiBold};
constexpr double said_line = 17;
constexpr double least_box = 3;  // of a box
constexpr double short_box = 8;  // up to which the dashes of boxes beside one another cannot be told apart

QColor ghostColor(const Theme& theme)
{
    return theme.isDark() ? theme.text : theme.accent;
}

QPen ghostPen(const Theme& theme, double width)
{
    QPen pen(ghostColor(theme), width);
    pen.setDashPattern({3, 2});
    pen.setJoinStyle(Qt::MiterJoin);
    return pen;
}

/// Where the ghost may be drawn: over the lanes.
QRectF ghostArea(const TimelineFrame& frame)
{
    const FrameGeometry& g = frame.geometry;
    return {double(g.labelWidth), double(g.lanesTop()), double(g.plotWidth()), double(g.lanesHeight())};
}

/// Where a lane's operations are drawn, cut to what of it is in sight; nothing: it has none there.
std::optional<std::pair<double, double>> ghostHeight(const TimelineFrame& frame, const PlacedLane& lane)
{
    if (lane.rows.empty()) {
        return {};
    }
    const PlacedRow& row = lane.rows.front();
    const double top = frame.yOf(lane, row);
    const double under = frame.isSticky(lane) ? frame.geometry.lanesTop() : frame.scrollTop();
    if (top < under || top + row.height > frame.geometry.size.height()) {
        return {};
    }
    return std::pair(top, double(row.height));
}

/// `spans` are in turn, so that starts and ends are in one order.
void addGhostBoxes(const TimelineFrame& frame, const std::vector<Interval>& spans, std::pair<double, double> height,
    std::vector<QRectF>& boxes)
{
    const double left = frame.geometry.labelWidth, right = frame.geometry.size.width();
    auto next = std::lower_bound(
        spans.begin(), spans.end(), frame.timeAt(left), [](const Interval& span, Ns time) { return span.end < time; });
    bool isCluster = false;  // the last box is of short operations close together
    while (next != spans.end() && frame.xOf(next->start) < right) {
        const double x0 = std::max(frame.xOf(next->start), left);
        double x1 = std::max(frame.xOf(next->end), x0 + least_box);
        // Those that begin in so narrow a box have none of their own, however many there are.
        const auto after = std::lower_bound(
            next + 1, spans.end(), frame.timeAt(x1), [](const Interval& span, Ns time) { return span.start < time; });
        x1 = std::max(x1, frame.xOf((after - 1)->end));
        next = after;
        const double end = std::min(x1, right);
        const bool isShort = end - x0 <= short_box;
        if (isCluster && isShort && x0 - boxes.back().right() <= least_box) {
            boxes.back().setRight(end);
        } else {
            boxes.emplace_back(x0, height.first, end - x0, height.second);
        }
        isCluster = isShort;
    }
}

/// What a lane would show; null: it is of no stream or engine that does anything.
const std::vector<Interval>* spansOf(const GhostRun& run, const Lane& lane)
{
    if (lane.key.kind == LaneKind::stream && lane.row < run.streams.size()) {
        return &run.streams[lane.row][static_cast<std::size_t>(lane.key.part)];
    }
    const auto engine = lane.key.kind == LaneKind::engine
        ? run.engines.find({lane.key.device, static_cast<Engine>(lane.key.id)})
        : run.engines.end();
    return engine == run.engines.end() ? nullptr : &engine->second;
}

void paintAccepting(const TimelineFrame& frame, const Ghost& ghost, QPainter& painter)
{
    for (const PlacedLane& placed : frame.layout.lanes()) {
        const Lane& lane = frame.model.lanes()[placed.lane];
        if (lane.key.kind != LaneKind::stream
            || std::find(ghost.accepting.begin(), ghost.accepting.end(), lane.row) == ghost.accepting.end()) {
            continue;
        }
        const bool isTarget = lane.row == ghost.target;
        const QRectF box(
            frame.geometry.labelWidth + 1, frame.yOf(placed) + 1, frame.geometry.plotWidth() - 2, placed.height - 2);
        painter.setPen(isTarget ? QPen(ghostColor(frame.theme), 2) : ghostPen(frame.theme, 1));
        painter.drawRect(box);
    }
}

struct SaidLayout {
    QStringList lines;
    QRectF box;
};

/// Where a plate of that size hides least of the lanes and of the ghost: in the middle or at a side, at the top or at
/// the bottom.
QPointF leastInTheWay(const TimelineFrame& frame, const Ghost& ghost, QSizeF size)
{
    constexpr double margin = 6;
    const FrameGeometry& g = frame.geometry;
    const double left = g.labelWidth + margin, right = g.size.width() - size.width() - margin;
    const double top = g.lanesTop() + margin, bottom = g.size.height() - size.height() - margin;
    const std::vector<QRectF> boxes = ghost.run ? ghostBoxes(frame, *ghost.run) : std::vector<QRectF>();
    std::optional<std::pair<double, QPointF>> best;
    for (const double x : {(left + right) / 2, left, right}) {
        for (const double y : {top, bottom}) {
            const QRectF plate({x, y}, size);
            double hidden = barsUnder(frame, plate);
            for (const QRectF& box : boxes) {
                const QRectF part = box.intersected(plate);
                hidden += part.width() * part.height();
            }
            if (!best || hidden < best->first) {
                best = {hidden, {x, y}};
            }
        }
    }
    return best->second;
}

SaidLayout layoutSaid(const TimelineFrame& frame, const Ghost& ghost, LabelPainter& labels)
{
    SaidLayout layout;
    double width = 0;
    const FrameGeometry& g = frame.geometry;
    const double most = std::max(g.size.width() - g.labelWidth - 40.0, 120.0);
    for (const QString& line : ghost.said) {
        const LabelPainter::Style& style = layout.lines.isEmpty() ? said_head_style : said_style;
        layout.lines << labels.elided(line, most, style);
        width = std::max(width, labels.width(layout.lines.back(), style));
    }
    const QSizeF size(width + 20, static_cast<double>(layout.lines.size()) * said_line + 10);
    const auto box = ghost.of ? boxOf(frame, ghost.of) : std::nullopt;
    QPointF at;
    double over = 0;  // where the plate ends if it does not fit below
    if (ghost.at) {
        at = *ghost.at + QPointF(14, 18);
        over = ghost.at->y() - 8;
    } else if (box) {
        at = QPointF(box->left(), box->bottom() + 6);
        over = box->top() - 6;
    } else {
        at = leastInTheWay(frame, ghost, size);
        over = at.y() + size.height();
    }
    at.setX(std::clamp(at.x(), g.labelWidth + 4.0, std::max(g.labelWidth + 4.0, g.size.width() - size.width() - 4)));
    if (at.y() + size.height() > g.size.height() - 2) {
        at.setY(over - size.height());
    }
    at.setY(std::clamp(at.y(), g.lanesTop() + 2.0, std::max(g.lanesTop() + 2.0, g.size.height() - size.height() - 2)));
    layout.box = QRectF(at, size);
    return layout;
}

}  // namespace

std::vector<Interval> inTurn(std::vector<Interval> spans)
{
    std::sort(spans.begin(), spans.end(), [](Interval a, Interval b) { return a.start < b.start; });
    std::vector<Interval> turns;
    turns.reserve(spans.size());
    for (const Interval& span : spans) {
        const Ns start = turns.empty() ? span.start : std::max(span.start, turns.back().end);
        if (turns.empty() || span.end > turns.back().end) {
            turns.push_back({start, span.end});
        }
    }
    return turns;
}

std::vector<QRectF> ghostBoxes(const TimelineFrame& frame, const GhostRun& run)
{
    std::vector<QRectF> boxes;
    for (const PlacedLane& placed : frame.layout.lanes()) {
        const Lane& lane = frame.model.lanes()[placed.lane];
        const std::vector<Interval>* spans = spansOf(run, lane);
        const auto height = spans != nullptr ? ghostHeight(frame, placed) : std::nullopt;
        if (height) {
            addGhostBoxes(frame, *spans, *height, boxes);
        }
    }
    return boxes;
}

std::optional<QRectF> ghostPlate(const TimelineFrame& frame, const Ghost& ghost, LabelPainter& labels)
{
    return ghost.said.isEmpty() ? std::nullopt : std::optional(layoutSaid(frame, ghost, labels).box);
}

void paintGhost(const TimelineFrame& frame, const Ghost& ghost, QPainter& painter, LabelPainter& labels)
{
    const QRectF lanes = ghostArea(frame);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    painter.setClipRect(lanes);
    paintAccepting(frame, ghost, painter);
    if (ghost.run) {
        painter.setPen(ghostPen(frame.theme, 1));
        for (const QRectF& box : ghostBoxes(frame, *ghost.run)) {
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
        }
        const double end = std::round(frame.xOf(ghost.run->end));
        if (end >= lanes.left() && end < lanes.right()) {
            painter.setPen(ghostPen(frame.theme, 2));
            painter.drawLine(QPointF(end, lanes.top()), QPointF(end, lanes.bottom()));
        }
    }
    if (const auto box = ghost.pulled ? boxOf(frame, ghost.of) : std::nullopt) {
        const double x0 = frame.xOf(ghost.pulled->start);
        const double x1 = std::max(frame.xOf(ghost.pulled->end), x0 + least_box);
        painter.setPen(ghostPen(frame.theme, 2));
        painter.drawRect(QRectF(x0, box->top() - 1, x1 - x0, box->height() + 2));
    }
    painter.restore();
    if (ghost.said.isEmpty()) {
        return;
    }
    const auto [lines, box] = layoutSaid(frame, ghost, labels);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(ghostColor(frame.theme), 1));
    painter.setBrush(frame.theme.chip);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    double y = box.top() + 5 + said_line / 2;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        labels.draw(painter, box.left() + 10, y, lines[i], i == 0 ? said_head_style : said_style,
            i + 1 < lines.size() ? frame.theme.text : frame.theme.muted, false);
        y += said_line;
    }
}

}  // namespace lanes::gui
