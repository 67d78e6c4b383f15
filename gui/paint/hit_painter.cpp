// SPDX-License-Identifier: MIT
#include "gui/paint/hit_painter.h"

#include <algorithm>
#include <QElapsedTimer>
#include <QPainter>

namespace lanes::gui {

namespace {

constexpr qint64 frame_budget_ms = 8;
constexpr double tick_height = 4;
constexpr double least_outline = 5;  // logical pixels

}  // namespace

void HitPainter::setHits(std::shared_ptr<const QueryHits> hits)
{
    m_hits = std::move(hits);
    m_rows.clear();
}

const RowFlags& HitPainter::flagsOf(const LaneRow& row)
{
    const auto [entry, fresh] = m_rows.try_emplace(&row, row.items.size());
    if (fresh) {
        const RowFlags& table = m_hits->flags(tableOf(row.kind));
        for (std::size_t i = 0; i < row.items.size(); ++i) {
            if (table[row.items.place(i)]) {
                entry->second.set(i);
            }
        }
    }
    return entry->second;
}

bool HitPainter::paint(const TimelineFrame& frame, QPainter& painter)
{
    if (!m_hits || m_hits->size() == 0) {
        return true;
    }
    QElapsedTimer timer;
    timer.start();
    const FrameGeometry& g = frame.geometry;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    bool whole = true;
    for (const PlacedLane& lane : frame.layout.lanes()) {
        const int top = frame.isSticky(lane) ? g.lanesTop() : frame.scrollTop();
        const int y = frame.yOf(lane);
        if (y + lane.height <= top || y >= g.size.height()) {
            continue;
        }
        painter.setClipRect(QRectF(g.labelWidth, top, g.plotWidth(), g.size.height() - top));
        for (const PlacedRow& placed : lane.rows) {
            const LaneRow& row = frame.model.lanes()[placed.lane].rows[placed.row];
            if (!isEventOrPart(row.kind) || row.kind == ItemKind::blocked || row.items.size() == 0) {
                continue;
            }
            if (!m_rows.contains(&row) && timer.elapsed() > frame_budget_ms) {
                whole = false;
                continue;
            }
            paintRow(frame, row, frame.yOf(lane, placed), placed.height, painter);
        }
    }
    painter.restore();
    return whole;
}

void HitPainter::paintRow(const TimelineFrame& frame, const LaneRow& row, double y, double height, QPainter& painter)
{
    const RowFlags& flags = flagsOf(row);
    const TimeScale& scale = frame.scale;
    const std::int64_t columns = frame.columns();
    const auto end
        = std::min(row.items.size(), row.items.firstStartingAt(scale.timeAt(static_cast<double>(columns))) + 1);
    std::int64_t from = 0;  // a run of ticks, in columns of the view
    std::int64_t to = 0;
    const auto flush = [&] {
        if (to > from) {
            const double x = frame.geometry.labelWidth + static_cast<double>(from) / frame.ratio;
            const double width = std::max(static_cast<double>(to - from) / frame.ratio, 2.0);
            painter.fillRect(QRectF(x - 0.5, y - 1, width + 1, tick_height + 1), frame.theme.ink);
            painter.fillRect(QRectF(x, y - 1, width, tick_height), frame.theme.hit);
        }
    };
    std::size_t i = flags.next(row.items.firstEndingAfter(scale.timeAt(0)), end);
    while (i < end) {
        const std::int64_t x0 = scale.columnOf(row.items.start(i)) - scale.first();
        const std::int64_t x1 = scale.columnOf(row.items.end(i)) - scale.first();
        if (x0 >= columns) {
            break;
        }
        const double width = static_cast<double>(x1 - x0) / frame.ratio;
        if (width >= least_outline) {
            const double least = -10;
            const double most = frame.geometry.size.width() + 10.0;
            const double left = std::max(frame.xOf(row.items.start(i)), least);
            const double right = std::min(frame.xOf(row.items.end(i)), most);
            const QRectF box(left, y, right - left, height);
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(frame.theme.ink, 3));
            painter.drawRect(box.adjusted(1, 1, -1, -1));
            painter.setPen(QPen(frame.theme.hit, 2));
            painter.drawRect(box.adjusted(1, 1, -1, -1));
            i = flags.next(i + 1, end);
            continue;
        }
        const std::int64_t left = std::max<std::int64_t>(x0, 0);
        if (left > to || to == from) {
            flush();
            from = left;
        }
        to = std::max(left, x1) + 1;
        const std::size_t behind = row.items.firstStartingAt(scale.startOf(scale.first() + left + 1));
        i = flags.next(std::max(behind, i + 1), end);
    }
    flush();
}

}  // namespace lanes::gui
