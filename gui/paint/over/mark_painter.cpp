// SPDX-License-Identifier: MIT
#include "gui/paint/over/mark_painter.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lanes::gui {

namespace {

constexpr LabelPainter::Style flag_style {11, TextStyle::medium};
constexpr double flag_height = 16;
constexpr double bare_flag = 8;
constexpr double most_flag = 240;
constexpr double flag_padding = 5;

struct FlagColours {
    QColor line, flag;
};

void paintFlag(const TimelineFrame& frame, const MarkFlag& flag, const FlagColours& colours, QPainter& painter,
    LabelPainter& labels, bool vector)
{
    const FrameGeometry& g = frame.geometry;
    const double top = g.ruler ? flag.box.top() : g.lanesTop();
    const double x = vector ? flag.x : std::round(flag.x * frame.ratio) / frame.ratio;
    painter.setPen(Qt::NoPen);
    painter.fillRect(QRectF(x, top, vector ? 0.8 : 1, std::max(g.size.height() - top, 0.0)), colours.line);
    if (!g.ruler) {
        return;
    }
    painter.setBrush(colours.flag);
    if (flag.text.isEmpty()) {
        const QPointF pennant[] = {{x, top}, {x + flag.box.width(), top + 4}, {x, top + 8}};
        painter.drawPolygon(pennant, 3);
        return;
    }
    painter.drawRoundedRect(flag.box, 2, 2);
    labels.draw(painter, flag.box.left() + flag_padding, flag.box.center().y(), flag.text, flag_style,
        frame.theme.background, vector);
}

}  // namespace

std::vector<MarkFlag> flagsOf(const TimelineFrame& frame, LabelPainter& labels)
{
    const FrameGeometry& g = frame.geometry;
    const auto& marks = frame.model.recording().marks->all();
    std::vector<MarkFlag> flags;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        const double x = frame.xOf(marks[i].time);
        if (x < g.labelWidth || x >= g.size.width()) {
            continue;
        }
        const double next = i + 1 < marks.size() ? frame.xOf(marks[i + 1].time) : g.size.width() + bare_flag;
        const double room = std::min({most_flag, next - x - 2, g.size.width() - x - 2});
        QString text = QString::fromStdString(marks[i].text).simplified();
        if (labels.width(text, flag_style) + 2 * flag_padding > room) {
            text = labels.elided(text, room - 2 * flag_padding, flag_style);
            text = text.size() < 3 ? QString() : text;
        }
        const double width = text.isEmpty() ? std::min(bare_flag, std::max(room, 3.0))
                                            : labels.width(text, flag_style) + 2 * flag_padding;
        flags.push_back({i, x, QRectF(x, g.rulerTop() + 3, width, flag_height), text});
    }
    return flags;
}

std::optional<std::size_t> markAt(const TimelineFrame& frame, QPointF at, LabelPainter& labels)
{
    for (const MarkFlag& flag : flagsOf(frame, labels)) {
        if (flag.box.adjusted(-2, 0, 2, 2).contains(at)) {
            return flag.mark;
        }
    }
    return {};
}

double besideFlags(const std::vector<MarkFlag>& flags, const QRectF& plate, double from, double to)
{
    constexpr double gap = 3;
    const auto isFree = [&](double x) {
        return std::none_of(flags.begin(), flags.end(),
            [&](const MarkFlag& flag) { return flag.box.intersects(QRectF(QPointF(x, plate.top()), plate.size())); });
    };
    double best = plate.left();
    double least = isFree(best) ? 0 : std::numeric_limits<double>::max();
    for (const MarkFlag& flag : flags) {
        for (const double x : {flag.box.left() - gap - plate.width(), flag.box.right() + gap}) {
            const double away = std::abs(x - plate.left());
            if (x >= from && x + plate.width() <= to && away < least && isFree(x)) {
                best = x;
                least = away;
            }
        }
    }
    return best;
}

void paintMarks(const TimelineFrame& frame, QPainter& painter, LabelPainter& labels, bool vector)
{
    const QColor line = blend(frame.theme.background, frame.theme.text, 0.75);
    for (const MarkFlag& flag : flagsOf(frame, labels)) {
        paintFlag(frame, flag, {line, frame.theme.text}, painter, labels, vector);
    }
}

void paintChosenMark(const TimelineFrame& frame, std::size_t mark, QPainter& painter, LabelPainter& labels)
{
    for (const MarkFlag& flag : flagsOf(frame, labels)) {
        if (flag.mark == mark) {
            paintFlag(frame, flag, {frame.theme.accent, frame.theme.accent}, painter, labels, false);
        }
    }
}

}  // namespace lanes::gui
