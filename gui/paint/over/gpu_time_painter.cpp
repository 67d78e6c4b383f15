// SPDX-License-Identifier: MIT
#include "gui/paint/over/gpu_time_painter.h"

#include "gui/paint/words/role_text.h"
#include "gui/paint/words/time_format.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace lanes::gui {

namespace {

constexpr double graph_column = 3;  // logical pixels
constexpr double most_covered = 0.75;  // from this share on a column belongs to an exposed stretch
constexpr double length_padding = 4;
constexpr LabelPainter::Style length_style {11, TextStyle::semiBold};
constexpr LabelPainter::Style time_style {10, TextStyle::regular};
constexpr double first_time = 24.5, time_line = 10.5, time_swatch = 7;
constexpr double under_times = 8;  // from the middle of the last line to the lane's edge, so that no letter is cut

/// Rows of the lane, from the bottom up.
constexpr std::array graph_roles {ItemRole::sideBySide, ItemRole::computeAlone, ItemRole::exposedTime};
constexpr std::size_t exposed_row = 2;

bool isGraph(const TimelineFrame& frame, const PlacedLane& placed)
{
    const Lane& lane = frame.model.lanes()[placed.lane];
    return lane.key.kind == LaneKind::gpuTime && lane.rows.size() == graph_roles.size() && placed.curveHeight > 0;
}

QRectF boxOf(const TimelineFrame& frame, const PlacedLane& placed)
{
    return {double(frame.geometry.labelWidth), double(frame.yOf(placed) + placed.curveY - placed.y),
        double(frame.geometry.plotWidth()), double(placed.curveHeight)};
}

void clipTo(QPainter& painter, const TimelineFrame& frame, int top, bool vector)
{
    if (!vector) {
        painter.setClipRect(QRectF(0, top, frame.geometry.size.width(), frame.geometry.size.height() - top));
    }
}

}  // namespace

std::vector<GpuTimeColumn> gpuTimeColumns(const GpuTimeColumns& where, const Lane& lane)
{
    const auto& [scale, count, ratio, left, until] = where;
    const std::int64_t wide = std::max<std::int64_t>(std::llround(graph_column * ratio), 1);
    const std::int64_t first = TimeScale::floorDivide(scale.first(), wide) * wide;
    const std::int64_t end = scale.first() + count;
    const auto before = [&](Ns t) {
        std::array<Ns, graph_roles.size()> times;
        std::transform(lane.rows.begin(), lane.rows.end(), times.begin(),
            [t](const LaneRow& row) { return row.items.size() == 0 ? 0 : row.index.busyBefore(row.items, t); });
        return times;
    };
    std::vector<GpuTimeColumn> columns;
    Ns from = std::clamp<Ns>(scale.startOf(first), 0, until);
    auto done = before(from);
    for (std::int64_t column = first; column < end; column += wide) {
        const Ns to = std::clamp<Ns>(scale.startOf(column + wide), 0, until);
        if (to <= from) {
            continue;
        }
        const auto next = before(to);
        const auto length = static_cast<double>(to - from);
        const auto share = [&](std::size_t i) { return static_cast<double>(next[i] - done[i]) / length; };
        if (next != done) {
            const double x0 = static_cast<double>(std::max(column, scale.first()) - scale.first());
            const double x1 = static_cast<double>(std::min(column + wide, end) - scale.first());
            columns.push_back({left + x0 / ratio, left + x1 / ratio, share(0), share(1), share(2)});
        }
        from = to;
        done = next;
    }
    return columns;
}

std::vector<GpuGraph> gpuGraphs(const TimelineFrame& frame)
{
    std::vector<GpuGraph> graphs;
    for (const PlacedLane& placed : frame.layout.lanes()) {
        const int top = frame.isSticky(placed) ? frame.geometry.lanesTop() : frame.scrollTop();
        const int y = frame.yOf(placed);
        if (isGraph(frame, placed) && y + placed.height > top && y < frame.geometry.size.height()) {
            const GpuTimeColumns where {
                frame.scale, frame.columns(), frame.ratio, double(frame.geometry.labelWidth), frame.model.duration()};
            graphs.push_back({&placed, top, gpuTimeColumns(where, frame.model.lanes()[placed.lane])});
        }
    }
    return graphs;
}

void paintGpuTimeColumns(
    const std::vector<GpuTimeColumn>& columns, const QRectF& box, double ratio, const Theme& theme, QPainter& painter)
{
    const auto whole = [&](double y) { return std::round(y * ratio) / ratio; };
    const auto edgesOf = [&](const GpuTimeColumn& column) {
        const double side = column.sideBySide;
        const double busy = side + column.computeAlone;
        const auto y = [&](double share) { return whole(box.bottom() - share * box.height()); };
        return std::array {whole(box.bottom()), y(side), y(busy), y(busy + column.exposed)};
    };
    for (std::size_t i = 0; i < columns.size();) {
        const auto edges = edgesOf(columns[i]);
        const double x0 = columns[i].x0;
        double x1 = columns[i].x1;
        for (++i; i < columns.size() && columns[i].x0 == x1 && edgesOf(columns[i]) == edges; ++i) {
            x1 = columns[i].x1;
        }
        for (std::size_t part = 0; part < graph_roles.size(); ++part) {
            if (edges[part] > edges[part + 1]) {
                painter.fillRect(
                    QRectF(x0, edges[part + 1], x1 - x0, edges[part] - edges[part + 1]), theme.item(graph_roles[part]));
            }
        }
    }
}

void paintGpuTimes(const TimelineFrame& frame, const std::vector<GpuGraph>& graphs, QPainter& painter, bool vector)
{
    painter.save();
    painter.setPen(Qt::NoPen);
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const auto& [placed, top, columns] : graphs) {
        clipTo(painter, frame, top, vector);
        paintGpuTimeColumns(columns, boxOf(frame, *placed), frame.ratio, frame.theme, painter);
    }
    painter.restore();
}

void paintExposedLengths(const TimelineFrame& frame, const std::vector<GpuGraph>& graphs, QPainter& painter,
    LabelPainter& labels, bool vector)
{
    painter.save();
    for (const auto& [placed, top, columns] : graphs) {
        const QRectF box = boxOf(frame, *placed);
        if (placed->collapsed || box.height() < length_style.pixels + 4 || box.top() < top) {
            continue;
        }
        const LaneRow& exposed = frame.model.lanes()[placed->lane].rows[exposed_row];
        const RowItems& items = exposed.items;
        for (std::size_t i = 0; i < columns.size();) {
            if (columns[i].exposed < most_covered) {
                ++i;
                continue;
            }
            const double x0 = columns[i].x0;
            double x1 = columns[i].x1;
            for (++i; i < columns.size() && columns[i].x0 == x1 && columns[i].exposed >= most_covered; ++i) {
                x1 = columns[i].x1;
            }
            // All of the stretch, also what lies in the columns at its ends; but no more than is in sight, as the
            // times beside the lane.
            const std::size_t from = items.firstEndingAfter(frame.timeAt(x0));
            const std::size_t last = items.firstStartingAt(frame.timeAt(x1));
            if (from >= last || x1 - x0 < 2 * length_padding) {
                continue;
            }
            const QString text = formatTime(exposed.busyIn(std::max(items.start(from), frame.scale.timeAt(0)),
                std::min(items.end(last - 1), frame.scale.timeAt(frame.columns()))));
            const double width = labels.width(text, length_style);
            if (width + 2 * length_padding <= x1 - x0) {
                labels.draw(painter, (x0 + x1 - width) / 2, box.center().y(), text, length_style,
                    frame.theme.textOn(frame.theme.item(ItemRole::exposedTime)), vector);
            }
        }
    }
    painter.restore();
}

void paintGpuTimeFigures(const TimelineFrame& frame, const PlacedLane& lane, const std::array<Ns, 3>& times,
    QPainter& painter, LabelPainter& labels, bool vector)
{
    const int top = frame.isSticky(lane) ? frame.geometry.lanesTop() : frame.scrollTop();
    if (!isGraph(frame, lane) || lane.collapsed || lane.height < least_with_times) {
        return;
    }
    const double left = 26;
    const double right = frame.geometry.labelWidth - 8;
    const double highest = lane.height - under_times - time_line * static_cast<double>(graph_roles.size() - 1);
    double middle = frame.yOf(lane) + std::min(first_time, highest);
    for (std::size_t part = 0; part < graph_roles.size(); ++part, middle += time_line) {
        const double upper = middle - time_line / 2;
        if (upper < top || upper + time_line > frame.geometry.size.height()) {
            continue;
        }
        painter.fillRect(
            QRectF(left, middle - time_swatch / 2, time_swatch, time_swatch), frame.theme.item(graph_roles[part]));
        const QString time = formatTime(times[part]);
        const double room = right - labels.width(time, time_style);
        labels.drawOn(painter, left + time_swatch + 5, middle,
            labels.elided(roleText(graph_roles[part]), room - left - time_swatch - 10, time_style), time_style,
            frame.theme.muted, frame.theme.background, vector);
        labels.drawOn(painter, room, middle, time, time_style, frame.theme.text, frame.theme.background, vector);
    }
}

}  // namespace lanes::gui
