// SPDX-License-Identifier: MIT
#include "gui/paint/over/iteration_painter.h"

#include "gui/paint/ruler_ticks.h"
#include "gui/paint/words/time_format.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

struct IterationPainterTexts {
    Q_DECLARE_TR_FUNCTIONS(lanes::gui::IterationPainter)
};

constexpr LabelPainter::Style end_style {14, TextStyle::semiBold};
constexpr LabelPainter::Style spread_style {11, TextStyle::regular};
constexpr double shade_share = 0.1, rug_share = 0.55;
constexpr double rug_height = 4;  // under the figures of the axis
constexpr double text_gap = 8, text_margin = 6;
constexpr double dash = 4, dash_step = 7;

struct Plot {
    double left, right, top, bottom;
};

/// Ground over what lies between two places, but for the lines between lanes and those of the grid.
void cover(const TimelineFrame& frame, const Plot& plot, double from, double to, QPainter& painter,
    const RulerTicks& ticks, bool vector)
{
    const double x0 = std::max(from, plot.left), x1 = std::min(to, plot.right);
    if (x1 <= x0) {
        return;
    }
    const double line = vector ? 0.6 : 1 / frame.ratio;
    for (const PlacedLane& lane : frame.layout.lanes()) {
        const double top
            = std::max<double>(frame.yOf(lane), frame.isSticky(lane) ? plot.top : double(frame.scrollTop()));
        const double bottom = std::min<double>(frame.yOf(lane) + lane.height - line, plot.bottom);
        if (bottom > top) {
            painter.fillRect(QRectF(x0, top, x1 - x0, bottom - top), frame.theme.background);
        }
    }
    for (std::int64_t tick = 0; tick < ticks.count; ++tick) {
        if (const double x = frame.xOf(ticks.at(tick)); x >= x0 && x < x1) {
            painter.fillRect(QRectF(std::floor(x * frame.ratio) / frame.ratio, plot.top, line, plot.bottom - plot.top),
                frame.theme.grid);
        }
    }
}

}  // namespace

void paintIteration(const TimelineFrame& frame, QPainter& painter, LabelPainter& labels, bool vector)
{
    if (!frame.iteration) {
        return;
    }
    const ShownIteration& shown = *frame.iteration;
    const FrameGeometry& g = frame.geometry;
    const Plot plot {double(g.labelWidth), double(g.size.width()), double(g.lanesTop()),
        std::min<double>(frame.footerTop(), g.size.height())};
    const double start = frame.xOf(shown.span.start), end = frame.xOf(shown.span.end);
    const RulerTicks ticks = RulerTicks::of(frame, labels);
    cover(frame, plot, plot.left, start, painter, ticks, vector);
    cover(frame, plot, end, plot.right, painter, ticks, vector);
    const double low = std::clamp(frame.xOf(shown.span.start + shown.low), plot.left, plot.right);
    const double high = std::clamp(frame.xOf(shown.span.start + shown.high), plot.left, plot.right);
    const QColor& accent = frame.theme.accent;
    QColor shade = accent;
    shade.setAlphaF(static_cast<float>(shade_share));
    painter.fillRect(QRectF(low, plot.top, std::max(high - low, 1.0), plot.bottom - plot.top), shade);
    QColor rug = accent;
    rug.setAlphaF(static_cast<float>(rug_share));
    double last = -1;
    for (const Ns length : shown.lengths) {
        const double x = std::floor(frame.xOf(shown.span.start + length));
        if (x != last && x >= plot.left && x < plot.right) {
            painter.fillRect(QRectF(x, plot.top - rug_height, 1, rug_height), rug);
            last = x;
        }
    }
    if (end < plot.left || end >= plot.right) {
        return;
    }
    for (double y = plot.top - rug_height; y < plot.bottom; y += dash_step) {
        painter.fillRect(QRectF(std::round(end), y, 1.4, std::min(dash, plot.bottom - y)), accent);
    }
    if (!g.texts) {
        return;
    }
    const QString length = formatTime(shown.length());
    const auto together = [](Ns time) { return formatTime(time).replace(QLatin1Char(' '), QChar::Nbsp); };
    const QString spread
        = IterationPainterTexts::tr("5 to 95 % of all: %1 to %2").arg(together(shown.low), together(shown.high));
    const bool hasScrollBar = g.handles && frame.layout.height() > g.lanesHeight();
    const double bar = hasScrollBar ? FrameGeometry::scroll_bar_width + FrameGeometry::scroll_bar_margin : 0;
    const double room = plot.right - bar - end - 2 * text_gap;
    double y = plot.top + text_margin + end_style.pixels * 0.6;
    if (labels.width(length, end_style) > room) {
        return;  // the strip and the head say it
    }
    labels.draw(painter, end + text_gap, y, length, end_style, accent, vector);
    y += end_style.pixels + 2;
    for (const QString& line : labels.wrapped(spread, room, room, spread_style)) {
        if (labels.width(line, spread_style) > room || y + spread_style.pixels > plot.bottom) {
            break;
        }
        labels.draw(painter, end + text_gap, y, line, spread_style, frame.theme.muted, vector);
        y += spread_style.pixels + 3;
    }
}

}  // namespace lanes::gui
