// SPDX-License-Identifier: MIT
#include "gui/paint/over/arrows.h"

#include "gui/lanes/wait_role.h"
#include "gui/paint/item_box.h"
#include "gui/paint/words/item_text.h"
#include "gui/paint/words/time_format.h"

#include <algorithm>
#include <cmath>
#include <QCoreApplication>
#include <QPainterPath>
#include <tuple>

namespace lanes::gui {

namespace {

struct ArrowsTexts {
    Q_DECLARE_TR_FUNCTIONS(Arrows)
};

constexpr LabelPainter::Style edge_style {11, TextStyle::medium};
constexpr double edge_height = 18;
constexpr double padding = 6;
constexpr double head = 6;

/// One end of a link as it lies in the frame.
struct End {
    ItemRef item;
    std::optional<QRectF> box;
    QPointF direction;  ///< towards it where it is out of sight; (0, 0): in sight

    bool inSight() const { return box && direction.isNull(); }
};

QRectF lanesOf(const TimelineFrame& frame)
{
    const FrameGeometry& g = frame.geometry;
    return {double(g.labelWidth), double(g.lanesTop()), double(g.plotWidth()), double(g.lanesHeight())};
}

End endOf(const TimelineFrame& frame, ItemRef item)
{
    End end {item, boxOf(frame, item), {}};
    const QRectF seen = lanesOf(frame);
    const Interval span = spanOf(frame.model.recording(), item);
    const double x0 = frame.xOf(span.start);
    const double x1 = std::max(frame.xOf(span.end), x0 + 1);
    double dx = x1 < seen.left() ? -1 : x0 > seen.right() ? 1 : 0;
    double dy = 0;
    if (!end.box) {  // NOLINT: what the last branch does, too, but for another reason
        dy = 1;  // its lane is hidden
    } else if (end.box->bottom() < seen.top() + 2 || end.box->center().y() < frame.scrollTop()) {
        const auto shown = frame.layout.find(frame.model, item);
        dy = shown && frame.isSticky(*shown->lane) ? 0 : -1;
    } else if (end.box->top() > seen.bottom() - 2) {
        dy = 1;
    }
    if (dx != 0) {
        dy = 0;  // the time counts first: its lane is seen when one has got there
    }
    end.direction = {dx, dy};
    return end;
}

QString edgeText(const Recording& recording, const End& end, ItemRef other)
{
    const QStringList labels = labelsOf(recording, end.item);
    QString name = labels.isEmpty() ? QString() : labels.front();
    if (name.size() > 40) {
        name = name.left(38) + QChar(0x2026);
    }
    if (!end.box) {
        name = ArrowsTexts::tr("%1 in a hidden lane").arg(name);
    }
    const Ns by = spanOf(recording, end.item).start - spanOf(recording, other).start;
    return by < 0 ? ArrowsTexts::tr("%1, %2 earlier").arg(name, formatTime(-by))
                  : ArrowsTexts::tr("%1, %2 later").arg(name, formatTime(by));
}

/// Where bars are between two xs: their tops and bottoms.
std::vector<std::pair<double, double>> barsBetween(const TimelineFrame& frame, double left, double right)
{
    std::vector<std::pair<double, double>> bars;
    const QRectF seen = lanesOf(frame);
    for (const PlacedLane& lane : frame.layout.lanes()) {
        for (const PlacedRow& placed : lane.rows) {
            const double top = frame.yOf(lane, placed);
            const RowItems& items = frame.model.lanes()[placed.lane].rows[placed.row].items;
            if (top < seen.bottom() && top + placed.height > seen.top()
                && items.firstStartingAt(frame.timeAt(right)) > items.firstEndingAfter(frame.timeAt(left))) {
                bars.emplace_back(top, top + placed.height);
            }
        }
    }
    return bars;
}

/// The place for `box`, up or down, that is nearest and clear of `bars` and `taken`; nothing where there is none.
std::optional<QRectF> clearPlace(const QRectF& box, const QRectF& seen,
    const std::vector<std::pair<double, double>>& bars, const std::vector<QRectF>& taken)
{
    std::vector<double> tops {box.top()};
    for (const auto& [top, bottom] : bars) {
        tops.insert(tops.end(), {top - box.height(), bottom});
    }
    for (const QRectF& other : taken) {
        tops.insert(tops.end(), {other.top() - box.height() - 2, other.bottom() + 2});
    }
    std::optional<QRectF> nearest;
    for (const double top : tops) {
        const QRectF place(QPointF(box.left(), top), box.size());
        const bool clear = seen.contains(place) && std::none_of(bars.begin(), bars.end(), [&](const auto& bar) {
            return bar.first < place.bottom() && bar.second > place.top();
        }) && std::none_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(place); });
        if (clear && (!nearest || std::fabs(top - box.top()) < std::fabs(nearest->top() - box.top()))) {
            nearest = place;
        }
    }
    return nearest;
}

/// Whether it lies so far from what is shown that its name explains nothing there: what begins or ends at
/// the other one says more. What is the one cause or effect is named however far it is.
bool isFarOff(const TimelineFrame& frame, const End& end, const End& other)
{
    constexpr Ns many = 10;
    const QRectF seen = lanesOf(frame);
    const Interval shown {frame.timeAt(seen.left()), frame.timeAt(seen.right())};
    const Interval span = spanOf(frame.model.recording(), end.item);
    const Ns away = std::max(shown.start - span.end, span.start - shown.end);
    return end.direction.x() != 0 && away > many * (shown.end - shown.start)
        && end.item != causeOf(frame.model.recording(), other.item)
        && end.item != effectOf(frame.model.recording(), other.item);
}

/// A label at the edge beside `at`, clear of those that are there and of all bars. Where there is no room for one, a
/// head without a label if the other end is in sight, else nothing.
std::optional<ArrowEdge> edgeAt(const TimelineFrame& frame, const End& end, const End& other, QPointF at,
    std::vector<QRectF>& taken, LabelPainter& labels)
{
    const QRectF seen = lanesOf(frame).adjusted(3, 3, -3, -3);
    ArrowEdge edge {end.item, edgeText(frame.model.recording(), end, other.item), {}, at, end.direction};
    const double width = labels.width(edge.text, edge_style) + 2 * padding;
    const double gap = head + 4;
    QPointF corner;
    if (end.direction.x() != 0) {
        corner = {end.direction.x() < 0 ? at.x() + gap : at.x() - gap - width, at.y() - edge_height / 2};
    } else {
        corner = {at.x() - width / 2, end.direction.y() < 0 ? at.y() + gap : at.y() - gap - edge_height};
    }
    edge.box = QRectF(corner, QSizeF(width, edge_height));
    edge.box.moveLeft(std::clamp(edge.box.left(), seen.left(), std::max(seen.right() - width, seen.left())));
    edge.box.moveTop(std::clamp(edge.box.top(), seen.top(), std::max(seen.bottom() - edge_height, seen.top())));
    if (const auto place = clearPlace(edge.box, seen, barsBetween(frame, edge.box.left(), edge.box.right()), taken)) {
        edge.box = *place;
        taken.push_back(edge.box);
        return edge;
    }
    if (!other.inSight()) {
        return {};
    }
    edge.text.clear();  // the head alone: no plate lies on a bar
    edge.box = {};
    return edge;
}

QColor colorOf(const TimelineFrame& frame, const Link& link)
{
    switch (link.kind) {
    case Link::Kind::release:  // as the wait that it ends
        return link.to.stretch == no_row ? frame.theme.text
                                         : frame.theme.item(waitRole(frame.model.recording(), link.to.stretch));
    case Link::Kind::event:
        return frame.theme.accent;
    case Link::Kind::issue:
    case Link::Kind::backward:
        break;
    }
    return frame.theme.text;
}

void paintEdge(
    const TimelineFrame& frame, const ArrowEdge& edge, const QColor& color, QPainter& painter, LabelPainter& labels)
{
    const QPointF along = edge.direction * head;
    const QPointF across(-edge.direction.y() * head * 0.7, edge.direction.x() * head * 0.7);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF {edge.tip, edge.tip - along + across, edge.tip - along - across});
    if (edge.text.isEmpty()) {
        return;
    }
    painter.setPen(QPen(color, 1));
    painter.drawLine(edge.tip - along,
        {std::clamp(edge.tip.x(), edge.box.left() + 4, edge.box.right() - 4),
            std::clamp(edge.tip.y(), edge.box.top(), edge.box.bottom())});
    painter.setBrush(frame.theme.chip);
    painter.drawRoundedRect(edge.box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    labels.draw(
        painter, edge.box.left() + padding, edge.box.center().y(), edge.text, edge_style, frame.theme.text, false);
}

}  // namespace

std::vector<Arrow> layoutArrows(
    const TimelineFrame& frame, const std::vector<Link>& links, bool edges, LabelPainter& labels)
{
    std::vector<Arrow> arrows;
    std::vector<QRectF> taken;
    const QRectF seen = lanesOf(frame);
    const QRectF inner = seen.adjusted(3, 3, -3, -3);
    for (const Link& link : links) {  // what the arrows are about stays readable
        for (const ItemRef item : {link.from, link.to}) {
            if (const End end = endOf(frame, item); edges && end.box && end.inSight()) {
                taken.push_back(end.box->intersected(seen));
            }
        }
    }
    for (const Link& link : links) {
        const End from = endOf(frame, link.from);
        const End to = endOf(frame, link.to);
        const bool laneless = !from.box && !to.box;  // both hidden or filtered out: there is nothing to lead to or from
        if (laneless || (!edges && (!from.inSight() || !to.inSight()))) {
            continue;
        }
        // An item without a lane lies below all of them.
        const auto boxIn = [&](const End& end) {
            return end.box
                ? *end.box
                : QRectF(frame.xOf(spanOf(frame.model.recording(), end.item).start), seen.bottom() + 20, 3, 10);
        };
        const QRectF a = boxIn(from);
        const QRectF b = boxIn(to);
        const bool release = link.kind == Link::Kind::release;
        const bool within = from.box && to.box && std::fabs(a.top() - b.top()) < 1;
        Arrow arrow {link, {}, {}, within || a.center().y() <= b.center().y(), within, {}, {}, colorOf(frame, link)};
        const auto put = [&](const End& end, double x, double y) {
            QPointF at(std::clamp(x, inner.left(), inner.right()), std::clamp(y, inner.top(), inner.bottom()));
            if (end.direction.x() != 0) {  // in the middle of its lane, at the edge
                at = {end.direction.x() < 0 ? inner.left() : inner.right(),
                    std::clamp(end.box ? end.box->center().y() : y, inner.top() + 10, inner.bottom() - 10)};
            } else if (end.direction.y() != 0) {
                at.setY(end.direction.y() < 0 ? std::max<double>(inner.top(), frame.scrollTop() + 3) : inner.bottom());
            }
            return at;
        };
        const bool behind = release || link.kind == Link::Kind::event;
        arrow.start = put(
            from, behind ? a.right() - 2 : a.left() + std::min(a.width() / 2, 8.0), arrow.down ? a.bottom() : a.top());
        arrow.end = put(to, release ? b.right() - 2 : b.left() + 2, arrow.down && !arrow.within ? b.top() : b.bottom());
        if (!from.inSight() && !isFarOff(frame, from, to)) {
            arrow.from = edgeAt(frame, from, to, arrow.start, taken, labels);
        }
        if (!to.inSight() && !isFarOff(frame, to, from)) {
            arrow.to = edgeAt(frame, to, from, arrow.end, taken, labels);
        }
        arrows.push_back(std::move(arrow));
    }
    return arrows;
}

ItemRef edgeItemAt(const TimelineFrame& frame, const std::vector<Link>& links, QPointF at, LabelPainter& labels)
{
    for (const Arrow& arrow : links.empty() ? std::vector<Arrow>() : layoutArrows(frame, links, true, labels)) {
        for (const auto& edge : {arrow.from, arrow.to}) {
            if (edge && edge->box.contains(at)) {
                return edge->item;
            }
        }
    }
    return {};
}

void paintArrows(
    const TimelineFrame& frame, const std::vector<Arrow>& arrows, QPainter& painter, LabelPainter& labels, bool slight)
{
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const Arrow& arrow : arrows) {
        const QColor color = slight ? blend(frame.theme.background, arrow.color, 0.7) : arrow.color;
        const double dy = arrow.end.y() - arrow.start.y();
        const double bend = std::clamp(std::fabs(dy) * 0.6, 14.0, 60.0) * (arrow.down ? 1 : -1);
        QPainterPath path(arrow.start);
        path.cubicTo(arrow.start + QPointF(0, bend), arrow.end + QPointF(0, arrow.within ? bend : -bend), arrow.end);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color, slight ? 1 : 1.6));
        painter.drawPath(path);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        const double size = slight ? 0.7 : 1;
        if (!arrow.to) {
            const double tip = (arrow.down && !arrow.within ? -6 : 6) * size;
            painter.drawPolygon(
                QPolygonF {arrow.end, arrow.end + QPointF(-3.6 * size, tip), arrow.end + QPointF(3.6 * size, tip)});
        }
        if (!arrow.from) {
            painter.drawEllipse(arrow.start, 2.4 * size, 2.4 * size);
        }
    }
    for (const Arrow& arrow : arrows) {  // labels lie over all lines
        for (const auto& edge : {arrow.from, arrow.to}) {
            if (edge) {
                paintEdge(frame, *edge, arrow.color, painter, labels);
            }
        }
    }
}

std::vector<Link> linksInSight(const TimelineFrame& frame, std::size_t most, std::size_t* inSight)
{
    std::vector<Link> links;
    std::vector<ItemRef> items;
    *inSight = 0;
    const Ns start = frame.scale.timeAt(0);
    const Ns end = frame.scale.timeAt(frame.columns());
    for (const PlacedLane& lane : frame.layout.lanes()) {
        if (frame.yOf(lane) + lane.height < frame.geometry.lanesTop()
            || frame.yOf(lane) > frame.geometry.size.height()) {
            continue;
        }
        for (const PlacedRow& placed : lane.rows) {
            const LaneRow& row = frame.model.lanes()[placed.lane].rows[placed.row];
            if (row.kind != ItemKind::operation && row.kind != ItemKind::call && row.kind != ItemKind::blocked) {
                continue;
            }
            const std::size_t from = row.items.firstEndingAfter(start);
            const std::size_t to = row.items.firstStartingAt(end);
            *inSight += to > from ? to - from : 0;
            for (std::size_t i = from; i < to && items.size() <= most; ++i) {
                items.push_back(row.itemAt(i));
            }
        }
    }
    if (*inSight > most) {
        return links;
    }
    for (const ItemRef item : items) {
        for (Link link : linksOf(frame.model.recording(), item, 8)) {
            if (link.kind == Link::Kind::issue) {
                link.from.stretch = no_row;  // once for the call
            }
            links.push_back(link);
        }
    }
    const auto order = [](const Link& link) {
        return std::tuple(link.kind, link.from.event.table, link.from.event.row, link.to.event.table, link.to.event.row,
            link.to.stretch);
    };
    std::sort(links.begin(), links.end(), [&](const Link& a, const Link& b) { return order(a) < order(b); });
    links.erase(std::unique(links.begin(), links.end()), links.end());
    return links;
}

}  // namespace lanes::gui
