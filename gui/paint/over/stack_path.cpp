// SPDX-License-Identifier: MIT
#include "gui/paint/over/stack_path.h"

#include "gui/paint/words/item_text.h"
#include "gui/paint/words/printable_text.h"

#include <QCoreApplication>

#include <cmath>

namespace lanes::gui {

namespace {

struct StackPathTexts {
    Q_DECLARE_TR_FUNCTIONS(StackPath)
};

constexpr LabelPainter::Style path_style {11, TextStyle::regular};
constexpr double triangle_room = 16;
constexpr double path_inset = 4;
constexpr double name_edge = 5, triangle_reach = 7;  // of a triangle beside the names: from their right edge, around it

/// As they are written on bars.
QStringList namesOf(const TimelineFrame& frame, const PlacedLane& lane)
{
    QStringList names;
    for (const ItemRef item : lane.path) {
        const QStringList labels = labelsOf(frame.model.recording(), item);
        names << (labels.isEmpty() ? QString() : labels.front());
    }
    return names;
}

QRectF lineOf(const TimelineFrame& frame, const PlacedLane& lane)
{
    return {double(frame.geometry.labelWidth), double(frame.yOf(lane) + lane.pathY - lane.y),
        double(frame.geometry.plotWidth()), double(lane.pathHeight)};
}

/// Where the triangle of a stack is.
QPointF stackTriangle(const TimelineFrame& frame, const PlacedLane& lane)
{
    if (lane.pathHeight > 0) {
        const QRectF line = lineOf(frame, lane);
        return {line.left() + path_inset + 4, line.center().y()};
    }
    const double y = lane.rows.empty() ? frame.yOf(lane) + lane.height / 2.0
                                       : frame.yOf(lane, lane.rows.front()) + lane.rows.front().height / 2.0;
    return {frame.geometry.labelWidth - name_edge, y};
}

QString foldedText(const PlacedLane& lane)
{
    return lane.allDepths ? StackPathTexts::tr("all depths of the stack")
                          : StackPathTexts::tr("the stack is folded to %1 rows").arg(lane.levelRows.size());
}

void paintStackTriangle(QPainter& painter, QPointF at, bool isOpen, const QColor& color)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(isOpen ? QPolygonF {at + QPointF(-4, -2), at + QPointF(4, -2), at + QPointF(0, 3)}
                               : QPolygonF {at + QPointF(-2, -4), at + QPointF(3, 0), at + QPointF(-2, 4)});
}

}  // namespace

QString stackPath(const QStringList& names, const std::function<bool(const QString&)>& fits)
{
    const QString arrow = QStringLiteral(" \u203A ");
    QString path = names.join(arrow);
    // The last names say most, then the first: one of those for two of these.
    for (qsizetype kept = names.size() - 1; kept > 0 && !fits(path); --kept) {
        const qsizetype first = kept / 3;
        QStringList some = names.first(first);
        some << QStringLiteral("\u2026");
        some += names.last(kept - first);
        path = some.join(arrow);
    }
    return path;
}

const PlacedLane* stackTriangleAt(const TimelineFrame& frame, QPointF at)
{
    const double x = at.x() - frame.geometry.labelWidth;
    if (!frame.geometry.handles || x < -name_edge - triangle_reach || x >= triangle_room
        || at.y() < frame.geometry.lanesTop()) {
        return nullptr;
    }
    if (x >= 0) {
        return frame.layout.pathAt(frame.layoutY(at.y()));
    }
    const int index = frame.layout.laneAt(frame.layoutY(at.y()));
    const PlacedLane* lane = index < 0 ? nullptr : &frame.layout.lanes()[static_cast<std::size_t>(index)];
    const bool isHere = lane != nullptr && lane->isStack && lane->pathHeight == 0
        && std::fabs(at.y() - stackTriangle(frame, *lane).y()) <= triangle_reach;
    return isHere ? lane : nullptr;
}

QStringList stackPathTip(const TimelineFrame& frame, QPointF at)
{
    if (at.y() < frame.geometry.lanesTop()) {
        return {};
    }
    const bool isName = at.x() < frame.geometry.labelWidth;
    const PlacedLane* lane = isName ? stackTriangleAt(frame, at) : frame.layout.pathAt(frame.layoutY(at.y()));
    if (lane == nullptr) {
        return {};
    }
    QStringList tip;
    const Trace& trace = frame.model.trace();
    for (const ItemRef item : lane->path) {
        tip << nameText(trace.text(trace.ranges[item.row].name));
    }
    if (tip.isEmpty()) {
        return {foldedText(*lane)};
    }
    tip.prepend(tip.size() == 1 ? StackPathTexts::tr("1 frame over the whole view, folded")
                                : StackPathTexts::tr("%1 frames over the whole view, folded").arg(tip.size()));
    return tip;
}

void paintStackPaths(const TimelineFrame& frame, QPainter& painter, LabelPainter& labels, bool vector)
{
    for (const PlacedLane& lane : frame.layout.lanes()) {
        const QRectF line = lineOf(frame, lane);
        const double top = frame.isSticky(lane) ? frame.geometry.lanesTop() : frame.scrollTop();
        const QPointF triangle = stackTriangle(frame, lane);
        if (frame.geometry.handles && lane.isStack && triangle.y() - 4 >= top
            && triangle.y() + 4 <= frame.geometry.size.height()) {
            paintStackTriangle(painter, triangle, lane.allDepths, frame.theme.muted);
        }
        if (lane.pathHeight == 0 || line.top() < top || line.bottom() > frame.geometry.size.height()) {
            continue;
        }
        const double middle = line.center().y();
        const double x = line.left() + (frame.geometry.handles ? triangle_room : path_inset);
        const double room = line.right() - path_inset - x;
        const auto width = [&](const QString& text) { return labels.width(text, path_style); };
        const QStringList names = namesOf(frame, lane);
        const bool says = (lane.allDepths || names.isEmpty()) && frame.geometry.handles;
        QString text
            = says ? foldedText(lane) : stackPath(names, [&](const QString& path) { return width(path) <= room; });
        if (names.size() > 1) {
            const QString said = StackPathTexts::tr("%1 frames over the whole view folded: %2")
                                     .arg(QString::number(names.size()), text);
            text = width(said) <= room ? said : text;
        }
        labels.draw(painter, x, middle, labels.elided(text, room, path_style), path_style, frame.theme.muted, vector);
    }
}

}  // namespace lanes::gui
