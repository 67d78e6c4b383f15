// SPDX-License-Identifier: MIT
#include "gui/paint/iteration_bars.h"

#include "gui/paint/timeline_frame.h"
#include "gui/paint/words/iteration_words.h"
#include "gui/paint/words/time_format.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

struct IterationBarsTexts {
    Q_DECLARE_TR_FUNCTIONS(lanes::gui::IterationBars)
};

constexpr LabelPainter::Style bars_title_style {12, TextStyle::semiBold};
constexpr LabelPainter::Style bars_head_style {12, TextStyle::medium};
constexpr LabelPainter::Style bars_note_style {11, TextStyle::regular};
constexpr int bars_margin = 14;
constexpr double head_middle = 12, bars_top = 24, bars_bottom = 58, pointer = 5;
constexpr double between_sides = 40, widest_bar = 24, least_with_gap = 3;
constexpr double usual_share = 0.42, warm_up_share = 0.2;  // of the text's colour
constexpr Ns most_of_typical = 4;
constexpr double break_top = 7, break_high = 3, break_tooth = 6;  // of a bar that is cut

const QColor outlier_colour(0xC9, 0xA2, 0x27);

/// Where iterations lie in a plot: as many as have a place of their own, or several in a pixel.
struct BarLayout {
    BarLayout(const QRectF& plot, std::size_t count)
        : plot(plot)
        , count(count)
        , step(std::min(widest_bar, plot.width() / static_cast<double>(std::max<std::size_t>(count, 1))))
    {
    }
    double left(std::size_t index) const { return plot.left() + std::floor(static_cast<double>(index) * step); }
    double width(std::size_t index) const
    {
        const double wide = left(index + 1) - left(index);
        return wide >= least_with_gap ? wide - 1 : std::max(wide, 1.0);
    }
    QRectF plot;
    std::size_t count;
    double step;
};

/// Of several in one place the one that is drawn.
bool isDrawnOver(const Iteration& one, const Iteration& other)
{
    const auto isSlow = [](const Iteration& of) { return of.outlier == Iteration::Outlier::slow; };
    return isSlow(one) != isSlow(other) ? isSlow(one) : one.wall() > other.wall();
}

}  // namespace

Ns IterationBars::scale() const
{
    Ns scale = 1;
    for (const Side& side : sides) {
        if (!side.iterations) {
            continue;
        }
        const Ns typical = side.iterations->all[side.iterations->typical].wall();
        Ns longest = typical;
        for (const Iteration& each : side.iterations->all) {
            longest = each.outlier == Iteration::Outlier::warm_up ? longest : std::max(longest, each.wall());
        }
        scale = std::max(scale, std::min(longest, most_of_typical * typical));
    }
    return scale;
}

QRectF IterationBars::plotOf(int side, int width) const
{
    const double left = FrameGeometry::labelWidthFor(width), right = width - bars_margin;
    const bool both = sides[0].iterations && sides[1].iterations;
    const double half = (right - left - between_sides) / 2;
    const double from = both && side == 1 ? left + half + between_sides : left;
    return QRectF(from, bars_top, std::max(both ? half : right - left, 1.0), bars_bottom - bars_top);
}

QRectF IterationBars::boxOf(const Place& place, int width) const
{
    const auto& iterations = *sides[static_cast<std::size_t>(place.side)].iterations;
    const BarLayout layout(plotOf(place.side, width), iterations.all.size());
    const double share
        = std::min(static_cast<double>(iterations.all[place.index].wall()) / static_cast<double>(scale()), 1.0);
    const double high = std::max(1.0, std::round(share * layout.plot.height()));
    return QRectF(layout.left(place.index), bars_bottom - high, layout.width(place.index), high);
}

bool IterationBars::isCut(const Place& place) const
{
    return sides[static_cast<std::size_t>(place.side)].iterations->all[place.index].wall() > scale();
}

QPolygonF IterationBars::breakOf(const Place& place, int width) const
{
    if (!isCut(place)) {
        return {};
    }
    const QRectF box = boxOf(place, width);
    const int teeth = std::max(1, static_cast<int>(box.width() / break_tooth));
    QPolygonF over, under;
    for (int i = 0; i <= 2 * teeth; ++i) {
        const double x = box.left() + box.width() * i / (2 * teeth);
        const double y = box.top() + break_top - (i % 2 == 0 ? 0 : std::min(break_tooth, box.width()) / 2);
        over << QPointF(x, y);
        under.prepend(QPointF(x, y + break_high));
    }
    return over + under;
}

std::optional<IterationBars::Place> IterationBars::at(QPointF point, int width) const
{
    for (const int side : {0, 1}) {
        const auto& iterations = sides[static_cast<std::size_t>(side)].iterations;
        const QRectF plot = plotOf(side, width);
        if (!iterations || !QRectF(plot.left(), 0, plot.width(), strip_height).contains(point)) {
            continue;
        }
        const BarLayout layout(plot, iterations->all.size());
        const auto place = [&](double x) {
            return std::min(static_cast<std::size_t>(std::max(x - plot.left(), 0.0) / layout.step), layout.count);
        };
        const std::size_t first = place(std::floor(point.x())), last = std::max(first + 1, place(point.x() + 1));
        if (first >= layout.count) {
            return std::nullopt;  // right of the last one
        }
        std::size_t best = first;
        for (std::size_t i = first; i < std::min(last, layout.count); ++i) {
            best = layout.step < 1 && isDrawnOver(iterations->all[i], iterations->all[best]) ? i : best;
        }
        return Place {side, best};
    }
    return std::nullopt;
}

QString IterationBars::headOf(int side) const
{
    const auto& iterations = *sides[static_cast<std::size_t>(side)].iterations;
    const auto count = [&](Iteration::Outlier outlier) {
        return std::count_if(iterations.all.begin(), iterations.all.end(),
            [outlier](const Iteration& each) { return each.outlier == outlier; });
    };
    QString head = IterationBarsTexts::tr("%L1 iterations, the typical one takes %2")
                       .arg(iterations.all.size())
                       .arg(formatTime(iterations.all[iterations.typical].wall()));
    if (const auto slow = count(Iteration::Outlier::slow); slow > 0) {
        head = IterationBarsTexts::tr("%1, %L2 slow").arg(head).arg(slow);
    }
    return head;
}

QString IterationBars::shownOf(int side) const
{
    const Side& of = sides[static_cast<std::size_t>(side)];
    return of.shown ? iterationLine(*of.recording->trace, *of.iterations, *of.shown) : QString();
}

QStringList IterationBars::lines() const
{
    QStringList all;
    for (const int side : {0, 1}) {
        if (sides[static_cast<std::size_t>(side)].iterations) {
            const QString letter = isPair ? QStringLiteral("%1: ").arg(side == 0 ? u'A' : u'B') : QString();
            all += letter + headOf(side);
            if (const QString shown = shownOf(side); !shown.isEmpty()) {
                all += letter + shown;
            }
        }
    }
    return all;
}

/// "one scale, 0 to 119 ms", and that there is more where bars are cut.
QString IterationBars::scaleText() const
{
    bool cut = false;
    for (const int side : {0, 1}) {
        const auto& iterations = sides[static_cast<std::size_t>(side)].iterations;
        for (std::size_t i = 0; iterations && i < iterations->all.size(); ++i) {
            cut = cut || isCut({side, i});
        }
    }
    const QString to = formatTime(scale());
    return cut ? IterationBarsTexts::tr("0 to %1, longer ones cut").arg(to)
               : IterationBarsTexts::tr("one scale, 0 to %1").arg(to);
}

void IterationBars::paint(QPainter& painter, const Theme& theme, LabelPainter& labels, int width,
    std::optional<Place> hovered, bool vector) const
{
    painter.fillRect(QRectF(0, 0, width, strip_height), theme.background);
    painter.fillRect(QRectF(0, strip_height - 1, width, 1), theme.line);
    const double room = FrameGeometry::labelWidthFor(width) - 2.0 * bars_margin;
    labels.draw(painter, bars_margin, head_middle, IterationBarsTexts::tr("All iterations"), bars_title_style,
        theme.text, vector);
    labels.draw(painter, bars_margin, head_middle + 18, labels.elided(scaleText(), room, bars_note_style),
        bars_note_style, theme.muted, vector);
    labels.draw(painter, bars_margin + 13, head_middle + 34,
        labels.elided(IterationBarsTexts::tr("outlier"), room - 13, bars_note_style), bars_note_style, theme.muted,
        vector);
    painter.fillRect(QRectF(bars_margin, head_middle + 30, 8, 8), outlier_colour);
    for (const int side : {0, 1}) {
        if (sides[static_cast<std::size_t>(side)].iterations) {
            paintSide(painter, theme, labels, side, width, hovered, vector);
        }
    }
}

void IterationBars::paintSide(QPainter& painter, const Theme& theme, LabelPainter& labels, int side, int width,
    std::optional<Place> hovered, bool vector) const
{
    const Side& of = sides[static_cast<std::size_t>(side)];
    const QColor usual = blend(theme.background, theme.muted, usual_share);
    const QColor warmUp = blend(theme.background, theme.muted, warm_up_share);
    const QRectF plot = plotOf(side, width);
    double x = plot.left();
    if (isPair) {
        const QString letter(side == 0 ? u'A' : u'B');
        labels.draw(painter, x, head_middle, letter, bars_title_style, theme.accent, vector);
        x += labels.width(letter, bars_title_style) + 8;
    }
    const QString head = labels.clauses(headOf(side), plot.right() - x, bars_head_style);
    labels.draw(painter, x, head_middle, head, bars_head_style, theme.text, vector);
    x += labels.width(head, bars_head_style) + 16;
    const QString said = hovered && hovered->side == side
        ? iterationLine(*of.recording->trace, *of.iterations, hovered->index)
        : shownOf(side);
    if (const QString line = labels.clauses(said, plot.right() - x, bars_head_style); line.size() > 3) {
        labels.draw(painter, x, head_middle, line, bars_head_style,
            hovered && hovered->side == side ? theme.muted : theme.accent, vector);
    }
    painter.fillRect(QRectF(plot.left(), bars_bottom, plot.width(), 1), theme.line);
    const auto fill = [&](const QRectF& box, const QPolygonF& broken, const QColor& color) {
        painter.fillRect(box, color);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.background);
        painter.drawPolygon(broken);
    };
    const auto& all = of.iterations->all;
    const BarLayout layout(plot, all.size());
    for (std::size_t i = 0; i < all.size();) {
        std::size_t next = i + 1, drawn = i;
        while (layout.step < 1 && next < all.size() && layout.left(next) == layout.left(i)) {
            drawn = isDrawnOver(all[next], all[drawn]) ? next : drawn;
            ++next;
        }
        const auto outlier = all[drawn].outlier;
        fill(boxOf({side, drawn}, width), breakOf({side, drawn}, width),
            outlier == Iteration::Outlier::none          ? usual
                : outlier == Iteration::Outlier::warm_up ? warmUp
                                                         : outlier_colour);
        i = next;
    }
    if (of.shown) {
        const QRectF box = boxOf({side, *of.shown}, width);
        const double middle = box.center().x();
        fill(box.width() < 2 ? QRectF(middle - 1, box.top(), 2, box.height()) : box, breakOf({side, *of.shown}, width),
            theme.accent);
        painter.setBrush(theme.accent);
        painter.drawPolygon(QPolygonF {{middle - pointer, bars_bottom + 1 + pointer},
            {middle + pointer, bars_bottom + 1 + pointer}, {middle, bars_bottom + 1}});
    }
    if (hovered && hovered->side == side) {
        painter.setPen(QPen(theme.text, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(boxOf(*hovered, width).adjusted(-0.5, -0.5, 0.5, 0.5));
    }
}

}  // namespace lanes::gui
