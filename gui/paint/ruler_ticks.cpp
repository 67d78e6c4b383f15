// SPDX-License-Identifier: MIT
#include "gui/paint/ruler_ticks.h"

#include "engine/trace/meta_keys.h"
#include "gui/paint/over/mark_painter.h"
#include "gui/paint/words/time_format.h"

#include <algorithm>
#include <cmath>
#include <QCoreApplication>

namespace lanes::gui {

namespace {

struct RulerTexts {
    Q_DECLARE_TR_FUNCTIONS(RulerTicks)
};

constexpr double ticks_apart = 18;  // the least between two figures, which read as one where they are closer

}  // namespace

RulerTicks RulerTicks::of(const TimelineFrame& frame, LabelPainter& labels)
{
    const Ns origin = frame.origin();
    const Ns start = std::max<Ns>(frame.scale.timeAt(0) - origin, 0);
    const Ns end = frame.scale.timeAt(frame.columns()) - origin;
    const double nsPerPixel = frame.scale.nsPerColumn() * frame.ratio;
    RulerTicks ticks;
    ticks.step = niceStep(nsPerPixel * 64);
    while (true) {
        const double room = static_cast<double>(ticks.step) / nsPerPixel;
        if (labels.width(formatTick(end / ticks.step * ticks.step, ticks.step, end), ruler_style) + ticks_apart <= room
            || ticks.step / 2 > end) {
            break;
        }
        // Half as much again is more for a double of any size, and less than the next of 1, 2, 5.
        const Ns wider = niceStep(static_cast<double>(ticks.step) * 1.5);
        if (wider <= ticks.step) {  // there is none wider
            break;
        }
        ticks.step = wider;
    }
    const Ns first = start / ticks.step * ticks.step;
    ticks.first = origin + first;
    ticks.count = frame.geometry.ruler && end >= first ? (end - first) / ticks.step + 1 : 0;
    return ticks;
}

/// How long the recording is, on the ruler, where placeUnderLanes() is nothing: bars are there. Nothing where the end
/// is out of sight or the ruler has no room beside the flags of marks and `clock`.
static std::optional<RulerFigure> endFigure(const TimelineFrame& frame, const std::vector<MarkFlag>& flags,
    const std::optional<RulerFigure>& clock, LabelPainter& labels)
{
    const FrameGeometry& g = frame.geometry;
    const double x = frame.xOf(frame.model.duration());
    if (!g.ruler || g.compact() || placeUnderLanes(frame) || x < g.labelWidth || x > g.size.width()) {
        return std::nullopt;
    }
    const double right = clock ? clock->box.left() : g.size.width();
    const RulerFigure figure
        = endFigureIn(frame, QRectF(g.labelWidth, g.rulerTop(), right - g.labelWidth, g.rulerHeight), labels);
    const bool isCovered = std::any_of(
        flags.begin(), flags.end(), [&](const MarkFlag& flag) { return flag.box.intersects(figure.box); });
    return isCovered || figure.box.left() < g.labelWidth || figure.box.right() > right ? std::nullopt
                                                                                       : std::optional(figure);
}

std::vector<RulerFigure> rulerFigures(const TimelineFrame& frame, const RulerTicks& ticks, LabelPainter& labels)
{
    std::vector<RulerFigure> figures;
    const FrameGeometry& g = frame.geometry;
    if (g.rulerHeight == 0) {
        return figures;
    }
    const auto flags = flagsOf(frame, labels);
    const auto clock = clockFigure(frame, labels);
    const auto length = endFigure(frame, flags, clock, labels);
    const double most = clock ? clock->box.left() - 8 : g.size.width();
    const Ns origin = frame.origin();
    const Ns end = frame.scale.timeAt(frame.columns()) - origin;
    for (std::int64_t tick = 0; tick < ticks.count; ++tick) {
        const Ns t = ticks.at(tick);
        const double x = frame.xOf(t) + 4;
        const QString text = formatTick(t - origin, ticks.step, end);
        const double right = x + labels.width(text, ruler_style);
        const bool covered = std::any_of(flags.begin(), flags.end(),
            [&](const MarkFlag& flag) { return flag.box.left() < right && flag.box.right() > x; });
        const bool isAtEnd
            = length && length->box.left() - ticks_apart < right && length->box.right() + ticks_apart > x;
        if (x >= g.labelWidth && right <= most && !covered && !isAtEnd) {
            figures.push_back({QRectF(x, g.rulerTop(), right - x, g.rulerHeight), text});
        }
    }
    if (length) {
        figures.push_back(*length);
    }
    if (clock) {
        figures.push_back(*clock);
    }
    return figures;
}

RulerFigure endFigureIn(const TimelineFrame& frame, const QRectF& place, LabelPainter& labels)
{
    constexpr LabelPainter::Style end_style {12, TextStyle::semiBold};
    constexpr double beside_line = 6, beside_edge = 4;
    const QString text = formatTime(frame.model.duration() - frame.begin());
    const double x = std::round(frame.xOf(frame.model.duration()) * frame.ratio) / frame.ratio;
    const double width = labels.width(text, end_style);
    const bool isRight = x + beside_line + width <= place.right() - beside_edge;
    const double left = isRight ? x + beside_line : x - beside_line - width;
    return {QRectF(left, place.top(), width, place.height()), text, end_style, true};
}

std::optional<QRectF> placeUnderLanes(const TimelineFrame& frame)
{
    constexpr double half_height = 8;
    const FrameGeometry& g = frame.geometry;
    const QRectF under(g.labelWidth, frame.footerTop(), g.plotWidth(), frame.layout.footerHeight());
    return under.center().y() + half_height + 1 > g.size.height() ? std::nullopt : std::optional(under);
}

Ns clockUncertainty(const Trace& trace, Ns aligned)
{
    return std::max(aligned, Ns {meta::number_of(trace.meta, meta::clock_uncertainty_ns)});
}

std::optional<RulerFigure> clockFigure(const TimelineFrame& frame, LabelPainter& labels)
{
    const FrameGeometry& g = frame.geometry;
    if (frame.uncertainty <= 0 || !g.ruler || g.rulerHeight == 0) {
        return std::nullopt;
    }
    const QString text = RulerTexts::tr("clocks ± %1").arg(formatTime(frame.uncertainty));
    const double width = labels.width(text, ruler_style);
    constexpr double right = 8;
    constexpr double most = 0.25;  // of the ruler
    if (width + right > g.plotWidth() * most) {
        return std::nullopt;
    }
    return RulerFigure {QRectF(g.size.width() - right - width, g.rulerTop(), width, g.rulerHeight), text};
}

QRectF overFigures(const TimelineFrame& frame, const QRectF& plate, LabelPainter& labels)
{
    QRectF all = plate;
    for (const RulerFigure& figure : rulerFigures(frame, RulerTicks::of(frame, labels), labels)) {
        if (figure.box.left() < plate.right() + 2 && figure.box.right() > plate.left() - 2) {
            all.setLeft(std::min(all.left(), figure.box.left() - 1));
            all.setRight(std::max(all.right(), figure.box.right() + 1));
        }
    }
    return all;
}

}  // namespace lanes::gui
