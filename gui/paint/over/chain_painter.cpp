// SPDX-License-Identifier: MIT
#include "gui/paint/over/chain_painter.h"

#include "gui/lanes/wait_role.h"
#include "gui/paint/item_box.h"
#include "gui/paint/words/time_format.h"

#include <algorithm>
#include <cmath>
#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

namespace lanes::gui {

namespace {

struct ChainPainterTexts {
    Q_DECLARE_TR_FUNCTIONS(ChainPainter)
};

constexpr LabelPainter::Style number_style {11, TextStyle::medium};
constexpr double number_height = 14;
constexpr double number_padding = 4;
constexpr double least_share = 0.35;  // of the colour of the furthest steps
constexpr double fading = 0.09;  // a step
constexpr double hop_height = 10;  // of an arrow within one row
constexpr std::size_t most_numbered = 12;

/// Where a step runs.
struct Hop {
    QPointF start, end;
    bool within = false;  ///< one row
    bool down = true;
};

QRectF plotRect(const TimelineFrame& frame)
{
    const FrameGeometry& g = frame.geometry;
    return {double(g.labelWidth), double(g.lanesTop()), double(g.plotWidth()), double(g.lanesHeight())};
}

std::optional<Hop> hopAlong(const TimelineFrame& frame, const ChainStep& step, const QRectF& plot)
{
    const auto a = boxOf(frame, step.from);
    const auto b = boxOf(frame, step.to);
    if (!a || !b) {
        return {};
    }
    const double x0 = frame.xOf(step.start);
    const double x1 = frame.xOf(step.end);
    const bool isSeen = std::max(x0, x1) >= plot.left() && std::min(x0, x1) <= plot.right()
        && std::max(a->bottom(), b->bottom()) > plot.top() && std::min(a->top(), b->top()) < plot.bottom();
    if (!isSeen) {
        return {};
    }
    Hop hop;
    hop.within = std::fabs(a->top() - b->top()) < 1;
    hop.down = a->center().y() <= b->center().y();
    if (hop.within) {
        hop.start = {x0 - std::min(6.0, a->width() / 2), a->top() + 1};
        hop.end = {x1 + std::min(6.0, b->width() / 2), b->top() + 1};
    } else {
        hop.start = {x0, hop.down ? a->bottom() : a->top()};
        hop.end = {x1, hop.down ? b->top() : b->bottom()};
    }
    const auto inside = [&](QPointF at) {
        return QPointF(std::clamp(at.x(), plot.left() + 2, plot.right() - 2),
            std::clamp(at.y(), plot.top() + 2, plot.bottom() - 2));
    };
    hop.start = inside(hop.start);
    hop.end = inside(hop.end);
    return hop;
}

QPainterPath curveOf(const Hop& hop)
{
    QPainterPath path(hop.start);
    if (hop.within) {
        path.cubicTo(hop.start - QPointF(0, hop_height), hop.end - QPointF(0, hop_height), hop.end);
    } else {
        const double bend = std::clamp(std::fabs(hop.end.y() - hop.start.y()) * 0.6, 14.0, 60.0) * (hop.down ? 1 : -1);
        path.cubicTo(hop.start + QPointF(0, bend), hop.end - QPointF(0, bend), hop.end);
    }
    return path;
}

/// Boxes that a plate of this width may have, the best first: on the step's line, then beside it.
std::vector<QRectF> placesOf(const Hop& hop, const QPainterPath& path, const QRectF& plot, double width)
{
    std::vector<QRectF> places;
    const auto add = [&](QPointF middle) {
        QRectF box(middle.x() - width / 2, middle.y() - number_height / 2, width, number_height);
        box.moveLeft(std::clamp(box.left(), plot.left() + 2, std::max(plot.right() - width - 2, plot.left() + 2)));
        box.moveTop(std::clamp(box.top(), plot.top() + 1, std::max(plot.bottom() - number_height - 1, plot.top() + 1)));
        places.push_back(box);
    };
    for (const double aside : {0.0, width / 2 + 5, -width / 2 - 5}) {
        for (const double along : {0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8}) {
            add(path.pointAtPercent(along) + QPointF(aside, hop.within ? -number_height / 2 : 0));
        }
    }
    return places;
}

bool overlapsAny(const QRectF& box, const std::vector<QRectF>& others)
{
    return std::any_of(others.begin(), others.end(), [&](const QRectF& other) { return other.intersects(box); });
}

QColor stepColor(const TimelineFrame& frame, const ChainStep& step, std::size_t distance)
{
    const bool ends = step.why == ChainStep::release && step.to.kind == ItemKind::blocked;
    const QColor& color = ends         ? frame.theme.item(waitRole(frame.model.recording(), step.to.row))
        : step.why == ChainStep::event ? frame.theme.accent
                                       : frame.theme.text;
    return blend(frame.theme.background, color, std::max(least_share, 1 - fading * static_cast<double>(distance)));
}

}  // namespace

QString chainWords(const ChainStep& step)
{
    switch (step.why) {
    case ChainStep::launch:
        return ChainPainterTexts::tr("launch");
    case ChainStep::stream:
        return ChainPainterTexts::tr("same stream");
    case ChainStep::event:
        return ChainPainterTexts::tr("event");
    case ChainStep::graph:
        return ChainPainterTexts::tr("graph");
    case ChainStep::legacy:
        return ChainPainterTexts::tr("legacy stream");
    case ChainStep::engine:
        return ChainPainterTexts::tr("copy engine");
    case ChainStep::multiprocessors:
        return ChainPainterTexts::tr("GPU full");
    case ChainStep::partner:
        return ChainPainterTexts::tr("other GPU");
    case ChainStep::release:
        return ChainPainterTexts::tr("waits for");
    case ChainStep::thread:
        return ChainPainterTexts::tr("CPU %1").arg(formatTime(std::max<Ns>(step.end - step.start, 0)));
    case ChainStep::handover:
        return ChainPainterTexts::tr("other thread");
    case ChainStep::unknown:
        break;
    }
    return ChainPainterTexts::tr("reason unknown");
}

void paintChain(const TimelineFrame& frame, const std::vector<ChainStep>& chain, const std::vector<Link>& links,
    QPainter& painter, LabelPainter& labels, const std::vector<QRectF>& texts, std::vector<QRectF> taken)
{
    const QRectF plot = plotRect(frame);
    struct Plate {
        QRectF box;
        QString text;
        QColor color;
    };
    std::vector<Plate> plates;
    const ChainCycle cycle = cycleOf(frame.model.recording(), chain);
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (std::size_t i = 0; i < chain.size(); ++i) {
        const ChainStep& step = chain[i];
        const auto hop = hopAlong(frame, step, plot);
        if (!hop) {
            continue;
        }
        const QColor color = stepColor(frame, step, i);
        const QPainterPath path = curveOf(*hop);
        const bool isDrawn = std::any_of(links.begin(), links.end(),
            [&](const Link& link) { return ItemRef(link.from) == step.from && ItemRef(link.to) == step.to; });
        if (!isDrawn) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(
                QPen(color, i < 3 ? 1.6 : 1.2, step.why == ChainStep::unknown ? Qt::DotLine : Qt::SolidLine));
            painter.drawPath(path);
            painter.setPen(Qt::NoPen);
            painter.setBrush(color);
            const double tip = hop->within || hop->down ? -6 : 6;
            painter.drawPolygon(QPolygonF {hop->end, hop->end + QPointF(-3.6, tip), hop->end + QPointF(3.6, tip)});
            painter.drawEllipse(hop->start, 2.2, 2.2);
        }
        if (i >= most_numbered || cycle.isAgain(i)) {
            continue;
        }
        const QString number = QString::number(i + 1);
        const double width = labels.width(number, number_style) + 2 * number_padding;
        const std::vector<QRectF> places = placesOf(*hop, path, plot, width);
        const auto free = std::find_if(places.begin(), places.end(), [&](const QRectF& box) {
            return !overlapsAny(box, taken) && !overlapsAny(box, texts) && barsUnder(frame, box) == 0;
        });
        if (free != places.end()) {
            taken.push_back(free->adjusted(-2, -1, 2, 1));
            plates.push_back({*free, number, color});
        }
    }
    for (const Plate& plate : plates) {  // over all lines
        painter.setPen(QPen(plate.color, 1));
        painter.setBrush(frame.theme.chip);
        painter.drawRoundedRect(plate.box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        labels.draw(painter, plate.box.left() + number_padding, plate.box.center().y(), plate.text, number_style,
            frame.theme.text, false);
    }
}

}  // namespace lanes::gui
