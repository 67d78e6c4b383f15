// SPDX-License-Identifier: MIT
#include "gui/paint/over/counter_painter.h"

#include "gui/paint/words/time_format.h"

#include <algorithm>

namespace lanes::gui {

namespace {

constexpr LabelPainter::Style curve_plate_style {11, TextStyle::medium};
constexpr double curve_plate_padding = 5;
constexpr double curve_plate_height = 16;
constexpr double ground_share = 0.28;  // of the curve's colour in what is filled under it
constexpr double curve_width = 1.4;

/// Where values are in a lane.
struct CurveAxis {
    double top, height, least, most;

    CurveAxis(const TimelineFrame& frame, const PlacedLane& lane, const CounterCurve& curve)
        : top(frame.yOf(lane) + lane.curveY - lane.y)
        , height(lane.curveHeight)
        , least(std::min(curve.values().least, 0.0))
        , most(std::max(curve.values().most, 0.0))
    {
        most = most > least ? most : least + 1;
    }
    double y(double value) const { return top + (most - value) / (most - least) * height; }
};

/// Columns [from, to) of the view whose values are the same.
struct CurveRun {
    double x0, x1;
    CounterCurve::Values values;
};

/// Calls `use` with the runs that follow one another without a gap.
template <class Use> void eachStretch(const TimelineFrame& frame, const CounterCurve& curve, Use use)
{
    const auto x = [&](int column) { return frame.geometry.labelWidth + column / frame.ratio; };
    std::vector<CurveRun> runs;
    const auto give = [&] {
        if (!runs.empty()) {
            use(runs);
        }
        runs.clear();
    };
    for (int column = 0; column < frame.columns(); ++column) {
        const Ns start = frame.scale.startOf(frame.scale.first() + column);
        const Ns end = std::max(frame.scale.startOf(frame.scale.first() + column + 1), start + 1);
        const auto values = curve.in(start, end);
        if (!values) {
            give();
        } else if (!runs.empty() && runs.back().values == *values) {
            runs.back().x1 = x(column + 1);
        } else {
            runs.push_back({x(column), x(column + 1), *values});
        }
    }
    give();
}

/// Between two lines over the runs.
template <class Upper, class Lower>
void fillBetween(const std::vector<CurveRun>& runs, QPainter& painter, Upper upper, Lower lower)
{
    QPolygonF shape;
    shape.reserve(4 * static_cast<qsizetype>(runs.size()));
    for (const CurveRun& run : runs) {
        shape << QPointF(run.x0, upper(run)) << QPointF(run.x1, upper(run));
    }
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
        shape << QPointF(run->x1, lower(*run)) << QPointF(run->x0, lower(*run));
    }
    painter.drawPolygon(shape, Qt::WindingFill);
}

bool isCurveInSight(const TimelineFrame& frame, const PlacedLane& lane)
{
    const int top = frame.isSticky(lane) ? frame.geometry.lanesTop() : frame.scrollTop();
    return frame.yOf(lane) + lane.height > top && frame.yOf(lane) < frame.geometry.size.height();
}

template <class Use> void eachCounter(const TimelineFrame& frame, Use use)
{
    for (const PlacedLane& placed : frame.layout.lanes()) {
        const Lane& lane = frame.model.lanes()[placed.lane];
        if (lane.curve && placed.curveHeight > 0 && isCurveInSight(frame, placed)) {
            use(placed, *lane.curve, CurveAxis(frame, placed, *lane.curve));
        }
    }
}

}  // namespace

void paintCounters(const TimelineFrame& frame, QPainter& painter, bool vector)
{
    painter.save();
    painter.setPen(Qt::NoPen);
    painter.setRenderHint(QPainter::Antialiasing, vector);
    eachCounter(frame, [&](const PlacedLane& lane, const CounterCurve& curve, const CurveAxis& axis) {
        if (!vector) {
            const double top = frame.isSticky(lane) ? frame.geometry.lanesTop() : frame.scrollTop();
            painter.setClipRect(QRectF(0, top, frame.geometry.size.width(), frame.geometry.size.height() - top));
        }
        const double zero = axis.y(0);
        eachStretch(frame, curve, [&](const std::vector<CurveRun>& runs) {
            painter.setBrush(blend(frame.theme.background, frame.theme.counter, ground_share));
            fillBetween(
                runs, painter, [&](const CurveRun& run) { return axis.y(run.values.most); },
                [&](const CurveRun&) { return zero; });
            painter.setBrush(frame.theme.counter);
            // From the value that the column before ended with: steps are joined.
            fillBetween(
                runs, painter, [&](const CurveRun& run) { return axis.y(run.values.most) - curve_width / 2; },
                [&](const CurveRun& run) { return axis.y(run.values.least) + curve_width / 2; });
        });
    });
    painter.restore();
}

std::vector<CounterPlate> counterPlates(const TimelineFrame& frame, Ns cursor, LabelPainter& labels)
{
    std::vector<CounterPlate> plates;
    const FrameGeometry& g = frame.geometry;
    const double x = frame.xOf(cursor);
    if (x < g.labelWidth || x >= g.size.width()) {
        return plates;
    }
    eachCounter(frame, [&](const PlacedLane& lane, const CounterCurve& curve, const CurveAxis& axis) {
        const auto value = curve.at(cursor);
        const double middle = axis.top + axis.height / 2;
        const double top = frame.isSticky(lane) ? g.lanesTop() : frame.scrollTop();
        if (!value || middle - curve_plate_height / 2 < top) {
            return;
        }
        const QString text = formatValue(*value, curve.unit());
        const double width = labels.width(text, curve_plate_style) + 2 * curve_plate_padding;
        const double left = x + 8 + width < g.size.width() ? x + 8 : x - 8 - width;
        plates.push_back({QRectF(left, middle - curve_plate_height / 2, width, curve_plate_height),
            {x + 0.5, axis.y(*value)}, text});
    });
    return plates;
}

void paintCounterPlates(const TimelineFrame& frame, Ns cursor, QPainter& painter, LabelPainter& labels)
{
    for (const CounterPlate& plate : counterPlates(frame, cursor, labels)) {
        painter.setPen(QPen(frame.theme.background, 1));
        painter.setBrush(frame.theme.text);
        painter.drawEllipse(plate.dot, 3, 3);
        painter.setPen(QPen(frame.theme.line, 1));
        painter.setBrush(frame.theme.chip);
        painter.drawRoundedRect(plate.box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        labels.draw(painter, plate.box.left() + curve_plate_padding, plate.box.center().y(), plate.text,
            curve_plate_style, frame.theme.text, false);
    }
}

}  // namespace lanes::gui
