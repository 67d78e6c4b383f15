// SPDX-License-Identifier: MIT
#include "gui/paint/over/annotation_painter.h"

#include "gui/lanes/annotation_lanes.h"
#include "gui/paint/item_box.h"
#include "gui/paint/lane_pills.h"
#include "gui/paint/words/time_format.h"

#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

constexpr LabelPainter::Style annotation_style {11, TextStyle::semiBold};
/// The smallest text of a picture has 11 pixels: where lanes are as low as that, a plate has little around it.
struct PlateSize {
    double inset, height;
};
constexpr PlateSize roomy_plate {5, 16}, compact_plate {4, 14};
constexpr double stroke = 1.6;
constexpr double chosen_stroke = 2.6, handle = 3.5;  // of the one that is selected
constexpr double tick = 5;  // half of a bracket's ends
constexpr double arrow_head = 8;
constexpr double grip = 4;  // beside a line that still is on it

QRectF annotatedPlot(const TimelineFrame& frame)
{
    const FrameGeometry& g = frame.geometry;
    return {double(g.labelWidth), double(g.lanesTop()), double(g.plotWidth()), double(g.lanesHeight())};
}

/// The lane of that name as it is placed: its top and its height without its name; nothing where it is not shown.
std::optional<QRectF> laneBox(
    const TimelineFrame& frame, const std::vector<std::string>& names, const std::string& name, Ns time)
{
    const QRectF plot = annotatedPlot(frame);
    if (name.empty()) {
        const double bottom = std::min<double>(frame.footerTop(), plot.bottom());
        return QRectF(plot.left(), plot.top(), plot.width(), std::max(bottom - plot.top(), 1.0));
    }
    const auto found = laneOfAnnotation(frame.model, names, name, time);
    const PlacedLane* lane = found ? frame.layout.find(*found) : nullptr;
    if (const auto head = found && lane == nullptr ? headOf(frame.model.lanes(), *found) : std::nullopt) {
        lane = frame.layout.find(*head);
        lane = lane != nullptr && lane->collapsed ? lane : nullptr;  // it shows its lanes in its own
    }
    if (lane == nullptr) {
        return {};
    }
    const double top = frame.yOf(*lane) + lane->name;
    const double seen = frame.isSticky(*lane) ? frame.geometry.lanesTop() : frame.scrollTop();
    if (top + lane->height - lane->name <= seen || top >= plot.bottom()) {
        return {};
    }
    return QRectF(plot.left(), top, plot.width(), lane->height - lane->name);
}

QRectF segment(QPointF a, QPointF b)
{
    return QRectF(a, b).normalized();
}

double areaOf(const QRectF& box)
{
    return box.isEmpty() ? 0 : box.width() * box.height();
}

/// In a compact frame lanes are hardly higher than a plate, and have their names over them: beside a name there is
/// room for what would hide its lane, or the name. The place that hides least and is not far from `wanted`.
QRectF compactPlace(const TimelineFrame& frame, const QRectF& wanted, const std::vector<QRectF>& texts, double right)
{
    constexpr double text_weight = 8, distance_weight = 6;  // square pixels, and such a pixel of way
    constexpr double beside = 4, far = 24;
    const auto cost = [&](const QRectF& plate) {
        const QPointF off = plate.center() - wanted.center();
        double area = barsUnder(frame, plate) + distance_weight * std::hypot(off.x(), off.y());
        for (const QRectF& text : texts) {
            area += text_weight * areaOf(plate.intersected(text));
        }
        return area;
    };
    QRectF best = wanted;
    double least = cost(wanted);
    for (const QRectF& text : texts) {
        QRectF plate = wanted;
        plate.moveCenter({wanted.center().x(), text.center().y()});
        plate.moveLeft(std::max(plate.left(), text.right() + beside));
        if (plate.right() > right || std::fabs(plate.center().y() - wanted.center().y()) > far) {
            continue;
        }
        if (const double price = cost(plate); price < least) {
            least = price;
            best = plate;
        }
    }
    return best;
}

/// What plates should not hide, in a compact frame.
std::vector<QRectF> compactTexts(const TimelineFrame& frame, LabelPainter& labels)
{
    std::vector<QRectF> texts;
    for (const PlacedLane& lane : frame.layout.lanes()) {
        if (const QRectF text = compactTextBox(frame, lane, labels); !text.isEmpty()) {
            texts.push_back(text);
        }
    }
    return texts;
}

/// Its ends, its body and its text, in the boxes of the lanes of both ends; nothing where it is outside the plot.
std::optional<AnnotationPlace> bodyOf(
    const TimelineFrame& frame, const Annotation& one, const QRectF& above, const QRectF& below)
{
    const QRectF plot = annotatedPlot(frame);
    const double x0 = frame.xOf(one.from.time);
    const double x1 = frame.xOf(one.to.time);
    if (std::max(x0, x1) < plot.left() || std::min(x0, x1) > plot.right()) {
        return {};
    }
    const auto across = [&](double x) { return std::clamp(x, plot.left(), plot.right()); };
    AnnotationPlace place {0, {across(x0), above.top() + one.from.height * above.height()},
        {across(x1), below.top() + one.to.height * below.height()}, {}, {}, QString::fromStdString(one.text)};
    place.body = segment(place.from, place.to);
    if (one.kind == Annotation::Kind::frame) {
        place.body.setTop(std::max(above.top(), plot.top()));
        place.body.setBottom(std::min(above.bottom(), plot.bottom()));
    } else if (one.kind == Annotation::Kind::bracket) {
        const QString time = formatTime(one.to.time - one.from.time);
        place.text = place.text.isEmpty() ? time : QStringLiteral("%1: %2").arg(place.text, time);
    }
    return place;
}

/// Moved as little as needed to be inside the plot.
QRectF insidePlot(QRectF box, const QRectF& plot)
{
    box.moveLeft(std::clamp(box.left(), plot.left() + 2, std::max(plot.right() - 2 - box.width(), plot.left() + 2)));
    box.moveTop(std::clamp(box.top(), plot.top() + 1, std::max(plot.bottom() - 1 - box.height(), plot.top() + 1)));
    return box;
}

/// The plate of its text, which is elided to the plot. `top` is that of the lane of its start; `texts` are not to be
/// hidden, in a compact frame.
void putPlate(AnnotationPlace& place, const TimelineFrame& frame, const Annotation& one, double top,
    LabelPainter& labels, const std::vector<QRectF>& texts)
{
    const QRectF plot = annotatedPlot(frame);
    const bool compact = frame.geometry.compact();
    const auto [inset, height] = compact ? compact_plate : roomy_plate;
    place.text = labels.elided(place.text, plot.width() - 2 * inset - 4, annotation_style);
    const double width = labels.width(place.text, annotation_style) + 2 * inset;
    QRectF plate(0, 0, width, height);
    bool onItsLine = false;
    switch (one.kind) {
    case Annotation::Kind::text:
    case Annotation::Kind::arrow:
        plate.moveCenter(place.from);
        break;
    case Annotation::Kind::bracket:  // on its line; where that is too short over it, or after it in a low lane
        plate.moveCenter(place.body.center());
        onItsLine = width + (compact ? 6 : 4 * tick) <= place.body.width();
        if (!onItsLine) {
            plate.translate(0, -tick - height / 2 - 1);
            if (plate.top() < top && !one.from.lane.empty() && !compact) {
                plate.moveCenter({place.body.right() + 4 + width / 2, place.body.center().y()});
            }
        }
        break;
    case Annotation::Kind::frame:
        plate.moveBottomLeft(place.body.topLeft() + QPointF(0, height / 2));
        break;
    }
    plate = insidePlot(plate, plot);
    place.plate = compact && !onItsLine ? compactPlace(frame, plate, texts, plot.right() - 2) : plate;
}

double distanceTo(QPointF at, QPointF a, QPointF b)
{
    const QPointF along = b - a;
    const double length = QPointF::dotProduct(along, along);
    const double share = length == 0 ? 0 : std::clamp(QPointF::dotProduct(at - a, along) / length, 0.0, 1.0);
    const QPointF off = at - (a + along * share);
    return std::hypot(off.x(), off.y());
}

}  // namespace

std::vector<AnnotationPlace> placeAnnotations(const TimelineFrame& frame, LabelPainter& labels)
{
    const std::vector<Annotation>& annotations = *frame.model.recording().annotations;
    std::vector<AnnotationPlace> places;
    if (annotations.empty()) {
        return places;
    }
    const std::vector<std::string> names = annotationLanes(frame.model);
    const bool compact = frame.geometry.compact();
    std::vector<QRectF> texts = compact ? compactTexts(frame, labels) : std::vector<QRectF>();
    for (std::size_t i = 0; i < annotations.size(); ++i) {
        const Annotation& one = annotations[i];
        const auto above = laneBox(frame, names, one.from.lane, one.from.time);
        const auto below = laneBox(frame, names, one.to.lane, one.to.time);
        if (!above || !below) {
            continue;
        }
        auto place = bodyOf(frame, one, *above, *below);
        if (!place) {
            continue;
        }
        place->index = i;
        if (!place->text.isEmpty()) {
            putPlate(*place, frame, one, above->top(), labels, texts);
            if (compact) {
                texts.push_back(*place->plate);
            }
        }
        places.push_back(std::move(*place));
    }
    return places;
}

std::optional<std::size_t> annotationAt(const TimelineFrame& frame, QPointF at, LabelPainter& labels)
{
    const std::vector<Annotation>& annotations = *frame.model.recording().annotations;
    const std::vector<AnnotationPlace> places = placeAnnotations(frame, labels);
    for (auto place = places.rbegin(); place != places.rend(); ++place) {
        const bool framed = annotations[place->index].kind == Annotation::Kind::frame;
        const QRectF& box = place->body;
        const bool onBorder = framed && box.adjusted(-grip, -grip, grip, grip).contains(at)
            && !box.adjusted(grip, grip, -grip, -grip).contains(at);
        const bool onLine = !framed && distanceTo(at, place->from, place->to) <= grip;
        if (onBorder || onLine || (place->plate && place->plate->contains(at))) {
            return place->index;
        }
    }
    return {};
}

AnnotationSpot spotAt(const TimelineFrame& frame, QPointF at)
{
    AnnotationSpot spot {std::max<Ns>(frame.timeAt(at.x()), 0), {}, 0.5};
    const PlacedLane* nearest = nullptr;
    double best = 0;
    for (const PlacedLane& lane : frame.layout.lanes()) {
        const double top = frame.yOf(lane) + lane.name;
        const double off = std::max({0.0, top - at.y(), at.y() - (frame.yOf(lane) + lane.height)});
        if (nearest == nullptr || off < best) {
            nearest = &lane;
            best = off;
        }
    }
    if (nearest != nullptr) {
        const double top = frame.yOf(*nearest) + nearest->name;
        spot.lane = annotationLanes(frame.model)[nearest->lane];
        spot.height = std::clamp((at.y() - top) / std::max(nearest->height - nearest->name, 1), 0.0, 1.0);
        spot.height = std::round(spot.height * 1000) / 1000;  // as the file writes it
    }
    return spot;
}

void paintAnnotations(
    const TimelineFrame& frame, QPainter& painter, LabelPainter& labels, bool vector, std::optional<std::size_t> chosen)
{
    const std::vector<Annotation>& annotations = *frame.model.recording().annotations;
    const Theme& theme = frame.theme;
    const std::vector<AnnotationPlace> places = placeAnnotations(frame, labels);
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const AnnotationPlace& place : places) {
        const Annotation& one = annotations[place.index];
        painter.setPen(QPen(theme.accent, place.index == chosen ? chosen_stroke : stroke));
        painter.setBrush(Qt::NoBrush);
        if (one.kind == Annotation::Kind::frame) {
            painter.drawRoundedRect(place.body, 3, 3);
        } else if (one.kind == Annotation::Kind::bracket) {
            painter.drawLine(place.from, place.to);
            for (const QPointF end : {place.from, place.to}) {
                painter.drawLine(end - QPointF(0, tick), end + QPointF(0, tick));
            }
        } else if (one.kind == Annotation::Kind::arrow) {
            const QPointF along = place.to - place.from;
            const double length = std::hypot(along.x(), along.y());
            if (length > arrow_head) {
                const QPointF unit = along / length;
                const QPointF across(-unit.y() * arrow_head * 0.4, unit.x() * arrow_head * 0.4);
                const QPointF neck = place.to - unit * arrow_head;
                painter.drawLine(place.from, neck);
                painter.setPen(Qt::NoPen);
                painter.setBrush(theme.accent);
                painter.drawPolygon(QPolygonF {place.to, neck + across, neck - across});
            }
        }
    }
    for (const AnnotationPlace& place : places) {  // texts lie over all lines
        const bool isChosen = place.index == chosen;
        if (isChosen && annotations[place.index].kind != Annotation::Kind::text) {
            painter.setPen(QPen(theme.accent, stroke));
            painter.setBrush(theme.background);
            const QPointF middle(0, place.body.height() / 2);
            const bool framed = annotations[place.index].kind == Annotation::Kind::frame;  // held at its sides
            for (const QPointF end : {framed ? place.body.topLeft() + middle : place.from,
                     framed ? place.body.topRight() + middle : place.to}) {
                painter.drawEllipse(end, handle, handle);
            }
        }
        if (place.plate) {
            painter.setPen(QPen(theme.accent, 1));
            painter.setBrush(isChosen ? theme.accent : theme.background);
            painter.drawRoundedRect(place.plate->adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
            labels.draw(painter, place.plate->left() + (frame.geometry.compact() ? compact_plate : roomy_plate).inset,
                place.plate->center().y(), place.text, annotation_style, isChosen ? theme.background : theme.text,
                vector);
        }
    }
}

}  // namespace lanes::gui
