// SPDX-License-Identifier: MIT
#include "gui/paint/heat_map.h"

#include "gui/paint/words/time_format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lanes::gui {

namespace {

constexpr LabelPainter::Style heat_style {11, TextStyle::regular};
constexpr LabelPainter::Style chosen_style {11, TextStyle::semiBold};
constexpr double least_row_with_gaps = 2;
constexpr double gap_of_groups = 2;
constexpr double least_between_names = 13;
constexpr double least_beside_marked = 16;
constexpr double least_with_line = 20;  // a line over a name that is nearer would touch it
constexpr double least_between_ticks = 74;

void paintHeatRuler(QPainter& painter, const HeatMap& map, const HeatPlaces& places, const Theme& theme,
    LabelPainter& labels, bool vector)
{
    const QRectF& plot = places.plot();
    double free = plot.left();
    const auto tick = [&](Ns at, const QString& text) {
        const double x = places.xOf(at);
        if (x < plot.left()) {
            return;
        }
        painter.fillRect(QRectF(x, plot.top() - 4, 1, 4), theme.line);
        const double end = x + labels.width(text, heat_style) + 4;
        if (x >= free && end < plot.right()) {
            labels.draw(
                painter, x + 4, plot.top() - HeatPlaces::ruler_height / 2, text, heat_style, theme.muted, vector);
            free = end + 8;
        }
    };
    const double pixels = std::max(1., plot.width());
    const auto first = std::lower_bound(map.steps.begin(), map.steps.end(), map.time.start);
    const auto last = std::lower_bound(first, map.steps.end(), map.time.end);
    if (last - first > 1) {
        const double perStep = (places.xOf(*(last - 1)) - places.xOf(*first)) / static_cast<double>(last - first - 1);
        const Ns stride = niceStep(std::max(1., least_between_ticks / std::max(perStep, 1e-3)));
        const Ns begin = (first - map.steps.begin() + stride - 1) / stride * stride;
        for (Ns i = begin; i < last - map.steps.begin(); i += stride) {
            tick(map.steps[static_cast<std::size_t>(i)], HeatPlaces::tr("step %1").arg(i));
        }
        return;
    }
    const Ns all = std::max<Ns>(1, map.time.end - map.time.start);
    const Ns step = niceStep(static_cast<double>(all) * least_between_ticks / pixels);
    for (Ns at = (map.time.start - map.begin) / step * step; at < map.time.end - map.begin; at += step) {
        tick(map.begin + at, formatTick(at, step, std::max(all, map.time.end - map.begin)));
    }
}

void paintHeatNames(QPainter& painter, const QRectF& box, const HeatMap& map, const HeatMarks& marks,
    const HeatPlaces& places, const Theme& theme, LabelPainter& labels, bool vector)
{
    const double right = places.plot().left() - 6;
    double free = box.top();
    for (const auto& group : map.groups) {
        const QRectF first = places.row(group.first);
        const QRectF last = places.row(group.first + group.count - 1);
        const double middle = (first.top() + last.bottom()) / 2;
        if (!group.name.isEmpty() && last.bottom() - first.top() >= least_with_line) {
            painter.fillRect(QRectF(box.left(), std::round(first.top()), HeatPlaces::group_width - 8, 1), theme.line);
        }
        if (middle - least_between_names / 2 >= free && !group.name.isEmpty()) {
            const QString name = labels.elided(group.name, HeatPlaces::group_width - 10, heat_style);
            labels.draw(painter, box.left(), middle, name, heat_style, theme.text, vector);
            free = middle + least_between_names / 2;
        }
    }
    const auto isMarked = [&](std::size_t row) {
        return static_cast<int>(row) == marks.chosen || static_cast<int>(row) == marks.second;
    };
    const auto nearMarked = [&](double y) {
        for (const int row : {marks.chosen, marks.second}) {
            if (row >= 0
                && std::abs(places.row(static_cast<std::size_t>(row)).center().y() - y) < least_beside_marked) {
                return true;
            }
        }
        return false;
    };
    // A name at every second, fourth or eighth row: hosts usually have a power of two of ranks.
    std::size_t stride = 1;
    while (stride < map.names.size() && static_cast<double>(stride) * places.row(0).height() < least_between_names) {
        stride *= 2;
    }
    for (std::size_t row = 0; row < map.names.size(); row += stride) {
        const double y = places.row(row).center().y();
        if (!isMarked(row) && !nearMarked(y)) {
            const double width = labels.width(map.names[row], heat_style);
            labels.draw(painter, right - width, y, map.names[row], heat_style, theme.muted, vector);
        }
    }
    for (const int row : {marks.second, marks.chosen}) {
        if (row >= 0 && static_cast<std::size_t>(row) < map.names.size()) {
            const QString& name = map.names[static_cast<std::size_t>(row)];
            const double width = labels.width(name, chosen_style);
            const double y = places.row(static_cast<std::size_t>(row)).center().y();
            painter.fillRect(QRectF(right - width - 4, std::round(y) - 8, width + 8, 16), theme.accent);
            labels.draw(painter, right - width, y, name, chosen_style, theme.textOn(theme.accent), vector);
        }
    }
}

}  // namespace

HeatPlaces::HeatPlaces(const HeatMap& map, const QRectF& box)
    : m_gap(0)
    , m_height(0)
    , m_time(map.time)
    , m_plot(box.adjusted(group_width + name_width, ruler_height, 0, 0))
{
    const double gaps = gap_of_groups * static_cast<double>(map.groups.empty() ? 0 : map.groups.size() - 1);
    const auto rows = static_cast<double>(std::max<std::size_t>(1, map.lines.size()));
    m_gap = (m_plot.height() - gaps) / rows >= least_row_with_gaps ? gap_of_groups : 0;
    m_height = (m_plot.height() - (m_gap > 0 ? gaps : 0)) / rows;
    m_groupOf.resize(map.lines.size());
    for (std::size_t group = 0; group < map.groups.size(); ++group) {
        for (std::size_t i = 0; i < map.groups[group].count; ++i) {
            m_groupOf[map.groups[group].first + i] = group;
        }
    }
}

QRectF HeatPlaces::row(std::size_t row) const
{
    const double top = m_plot.top() + m_height * static_cast<double>(row) + m_gap * static_cast<double>(m_groupOf[row]);
    return {m_plot.left(), top, m_plot.width(), m_height};
}

int HeatPlaces::rowAt(double y) const
{
    if (m_groupOf.empty() || y < m_plot.top() || y >= m_plot.bottom()) {
        return -1;
    }
    int low = 0;
    int high = static_cast<int>(m_groupOf.size()) - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        row(static_cast<std::size_t>(middle)).bottom() <= y ? low = middle + 1 : high = middle;
    }
    return low;
}

double HeatPlaces::xOf(Ns time) const
{
    const auto all = static_cast<double>(std::max<Ns>(1, m_time.end - m_time.start));
    return m_plot.left() + m_plot.width() * static_cast<double>(time - m_time.start) / all;
}

Ns HeatPlaces::timeAt(double x) const
{
    const auto all = static_cast<double>(std::max<Ns>(1, m_time.end - m_time.start));
    const double share = std::clamp((x - m_plot.left()) / std::max(1., m_plot.width()), 0., 1.);
    return m_time.start + static_cast<Ns>(share * all);
}

QRgb heatColor(const Theme& theme, Ns value, Ns top)
{
    if (value < 0) {
        return theme.background.rgb();
    }
    const double at = static_cast<double>(std::min(value, top)) / static_cast<double>(std::max<Ns>(1, top))
        * static_cast<double>(theme.heat.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(at), theme.heat.size() - 2);
    return blend(theme.heat[below], theme.heat[below + 1], at - static_cast<double>(below)).rgb();
}

void HeatPainter::makeImage(const HeatMap& map, const HeatPlaces& places, const Theme& theme, double ratio)
{
    constexpr int shades = 256;
    std::array<QRgb, shades + 1> colors {};
    for (int i = 0; i < shades; ++i) {
        colors[static_cast<std::size_t>(i)] = heatColor(theme, i, shades - 1);
    }
    colors.back() = theme.background.rgb();
    const QRectF& plot = places.plot();
    const int width = std::max(1, static_cast<int>(std::round(plot.width() * ratio)));
    const int height = std::max(1, static_cast<int>(std::round(plot.height() * ratio)));
    m_image = QImage(width, height, QImage::Format_RGB32);
    m_image.fill(theme.background);
    std::vector<Ns> line(map.columns);
    std::vector<std::size_t> columnAt;  // of each pixel the first; it ends where the next one's begins, or has one
    for (int x = 0; x <= width; ++x) {
        columnAt.push_back(static_cast<std::size_t>(x) * map.columns / static_cast<std::size_t>(width));
    }
    const double shadesPerNs = (shades - 1) / static_cast<double>(std::max<Ns>(1, map.top));
    const auto fill = [&](int from, int to) {
        auto* const pixels = reinterpret_cast<QRgb*>(m_image.scanLine(from));
        for (int x = 0; x < width; ++x) {
            const std::size_t column = columnAt[static_cast<std::size_t>(x)];
            const std::size_t end = std::max(column + 1, columnAt[static_cast<std::size_t>(x) + 1]);
            const Ns most = end == column + 1 ? line[column]
                                              : *std::max_element(line.begin() + static_cast<std::ptrdiff_t>(column),
                                                  line.begin() + static_cast<std::ptrdiff_t>(end));
            const double shade = std::min(shades - 1., static_cast<double>(most) * shadesPerNs);
            pixels[x] = most < 0 ? colors.back() : colors[static_cast<std::size_t>(shade + 0.5)];
        }
        for (int y = from + 1; y < to; ++y) {
            std::copy_n(pixels, width, reinterpret_cast<QRgb*>(m_image.scanLine(y)));
        }
    };
    // Rows that begin in the same line of pixels are drawn as one, by their greatest values.
    int before = -1;
    int bottom = 0;
    for (std::size_t row = 0; row < map.lines.size(); ++row) {
        const QRectF box = places.row(row);
        const int from = std::clamp(static_cast<int>(std::floor((box.top() - plot.top()) * ratio)), 0, height - 1);
        if (from != before && before >= 0) {
            fill(before, bottom);
        }
        const Ns* const cells = map.cells->data() + map.lines[row] * map.columns;
        for (std::size_t column = 0; column < map.columns; ++column) {
            line[column] = from == before ? std::max(line[column], cells[column]) : cells[column];
        }
        before = from;
        bottom = std::clamp(static_cast<int>(std::floor((box.bottom() - plot.top()) * ratio)), from + 1, height);
    }
    if (before >= 0) {
        fill(before, bottom);
    }
    m_image.setDevicePixelRatio(ratio);
    m_cells = map.cells;
    m_theme = theme.name;
}

void HeatPainter::paint(QPainter& painter, const QRectF& box, const HeatMap& map, const HeatMarks& marks,
    const Theme& theme, LabelPainter& labels, bool vector)
{
    const HeatPlaces places(map, box);
    const QRectF& plot = places.plot();
    if (map.lines.empty() || map.columns == 0 || plot.width() < 1 || plot.height() < 1) {
        return;
    }
    const double ratio = vector ? 2 : painter.device()->devicePixelRatioF();
    const QSize wanted(
        static_cast<int>(std::round(plot.width() * ratio)), static_cast<int>(std::round(plot.height() * ratio)));
    if (m_image.size() != wanted || m_cells != map.cells || m_theme != theme.name) {
        makeImage(map, places, theme, ratio);
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.drawImage(plot, m_image);
    paintHeatRuler(painter, map, places, theme, labels, vector);
    paintHeatNames(painter, box, map, marks, places, theme, labels, vector);
    for (const int row : {marks.second, marks.chosen}) {
        if (row >= 0 && static_cast<std::size_t>(row) < map.lines.size()) {
            QRectF around = places.row(static_cast<std::size_t>(row));
            around.setTop(std::floor(around.top()) - 2);
            around.setBottom(std::ceil(around.bottom()) + 1);
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(theme.accent, 2));
            painter.drawRect(around);
        }
    }
    if (marks.moment && *marks.moment >= map.time.start && *marks.moment <= map.time.end) {
        const double x = std::round(places.xOf(*marks.moment));
        painter.fillRect(QRectF(x, plot.top() - 3, 1, plot.height() + 3), theme.text);
    }
    painter.restore();
}

void HeatPainter::paintScale(
    QPainter& painter, const QRectF& box, Ns top, const Theme& theme, LabelPainter& labels, bool vector)
{
    const QString least = QStringLiteral("0");
    const QString most = HeatPlaces::tr("%1 and more").arg(formatTime(top));
    const double left = labels.width(least, heat_style) + 8;
    const double right = labels.width(most, heat_style) + 8;
    const QRectF bar = box.adjusted(left, box.height() / 2 - 5, -right, -(box.height() / 2 - 5));
    if (bar.width() < 20) {
        return;
    }
    labels.draw(painter, box.left(), box.center().y(), least, heat_style, theme.muted, vector);
    QLinearGradient gradient(bar.left(), 0, bar.right(), 0);
    for (std::size_t i = 0; i < theme.heat.size(); ++i) {
        gradient.setColorAt(static_cast<double>(i) / static_cast<double>(theme.heat.size() - 1), theme.heat[i]);
    }
    painter.fillRect(bar, gradient);
    labels.draw(painter, bar.right() + 8, box.center().y(), most, heat_style, theme.muted, vector);
}

void paintComb(QPainter& painter, const QRectF& box, const ArrivalComb& comb, Interval time, const Theme& theme,
    LabelPainter& labels, bool vector)
{
    const double names = HeatPlaces::group_width + HeatPlaces::name_width;
    const double middle = box.center().y();
    labels.draw(painter, box.left(), middle - 8, labels.elided(comb.title, names - 8, chosen_style), chosen_style,
        theme.text, vector);
    labels.draw(painter, box.left(), middle + 8, labels.elided(comb.subtitle, names - 8, heat_style), heat_style,
        theme.muted, vector);
    if (comb.teeth.empty()) {
        return;
    }
    const QRectF plot = box.adjusted(names, 4, 0, -4);
    HeatMap axis;
    axis.time = time;
    const HeatPlaces places(axis, box);
    const auto xOf = [&](Ns at) { return std::clamp(places.xOf(at), plot.left() - 1, plot.right() + 1); };
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    const Ns last = comb.teeth.back().at;
    const QColor& communication = theme.item(ItemRole::communication);
    painter.fillRect(QRectF(plot.left(), std::round(middle), plot.width(), 1), theme.line);
    const auto fill = [&](double x, double width, double height, const QColor& color) {
        const QRectF bar(x, middle - height / 2, width, height);
        painter.fillRect(bar & plot, color);
    };
    fill(xOf(last), std::max(2., xOf(comb.end) - xOf(last)), 12, communication);
    const QColor& late = theme.hatches[0].line;
    for (std::size_t i = 0; i < comb.teeth.size(); ++i) {
        const bool isLast = i + 1 == comb.teeth.size();
        const QColor& color = isLast && comb.isCost ? late : theme.text;
        fill(std::round(xOf(comb.teeth[i].at)), isLast ? 2 : 1, isLast ? 22 : 16, color);
    }
    painter.restore();
    // What is said lies before the last one where that has room, else after all of it, else before all of it, else in
    // the widest gap, shortened.
    const double width = labels.width(comb.said, heat_style) + 16;
    const auto from = [&](std::size_t i) { return i == 0 ? plot.left() : xOf(comb.teeth[i - 1].at); };
    const auto gap = [&](std::size_t i) {
        const bool isLast = i == comb.teeth.size();
        const double left = isLast ? std::max(xOf(comb.end), xOf(last) + 2) : from(i);
        return QRectF(left, middle - 8, std::max(0., (isLast ? plot.right() : xOf(comb.teeth[i].at)) - left), 16);
    };
    std::vector<QRectF> gaps;
    for (std::size_t i = 0; i <= comb.teeth.size(); ++i) {
        gaps.push_back(gap(i));
    }
    const std::array first {comb.teeth.size() - 1, comb.teeth.size(), std::size_t {0}};
    const auto* const fits
        = std::find_if(first.begin(), first.end(), [&](std::size_t i) { return gaps[i].width() > width; });
    const auto widest = std::max_element(
        gaps.begin(), gaps.end(), [](const QRectF& a, const QRectF& b) { return a.width() < b.width(); });
    const std::size_t at = fits != first.end() ? *fits : static_cast<std::size_t>(widest - gaps.begin());
    const double taken = std::min(width, gaps[at].width());
    const double left = at == comb.teeth.size() ? gaps[at].left()
        : at == 0                               ? gaps[at].right() - taken
                                                : gaps[at].center().x() - taken / 2;
    if (taken <= least_between_ticks) {
        return;
    }
    painter.fillRect(QRectF(left + 4, middle - 8, taken - 8, 16), theme.background);
    labels.draw(painter, left + 8, middle, labels.elided(comb.said, taken - 16, heat_style), heat_style,
        comb.isCost ? late : theme.muted, vector);
}

}  // namespace lanes::gui
