// SPDX-License-Identifier: MIT
#include "gui/paint/row_painter.h"

#include "gui/lanes/in_parallel.h"
#include "gui/lanes/staged_copies.h"
#include "gui/paint/role_mark.h"

#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

constexpr std::size_t worth_threads = 1'000'000;  // items and pixels in sight
constexpr int least_label_height = 14, least_small_label_height = 12;  // the latter where texts may be small
constexpr double least_early = 3;  // logical pixels
constexpr double mark_inset = 3;  // of a role's mark in its bar
constexpr double mark_room = role_mark_size + mark_inset;
constexpr double pale_share = 0.2;  // of its colour that a collective keeps while it waits for a rank

/// What is exposed goes by the coverage of a column, in quarters: a gap of a few us between kernels does not show.
void toQuarters(LaneColumns& columns)
{
    for (std::size_t i = 0; i < columns.narrow.size(); ++i) {
        const std::int64_t quarters = (4 * columns.narrow[i] + columns.width / 2) / columns.width;
        columns.narrow[i] = quarters * columns.width / 4;
        columns.role[i] = quarters == 0 ? std::uint8_t {0} : columns.role[i];
    }
}

/// The wider part of a collective's bar, and what its text lies on.
void toWiderPart(ItemLabel& label, const Theme& theme, const std::vector<QRectF>& early)
{
    for (const QRectF& box : early) {
        if (box.left() != label.x) {
            continue;
        }
        const double solid = label.x + label.room - box.right();
        if (box.width() >= solid) {
            label.room = box.width();
            label.ground = earlyGround(theme);
        } else {
            label.x = box.right();
            label.room = solid;
        }
        return;
    }
}

}  // namespace

QColor earlyGround(const Theme& theme)
{
    return blend(theme.background, theme.item(ItemRole::communication), pale_share);
}

void RowPainter::find(const TimelineFrame& frame, const RulerTicks& ticks)
{
    m_rows.clear();
    m_places.clear();
    m_items = 0;
    for (const bool sticky : {false, true}) {
        findLanes(frame, sticky);
    }
    m_ground.assign(static_cast<std::size_t>(frame.columns()), frame.theme.background.rgb());
    for (std::int64_t tick = 0; tick < ticks.count; ++tick) {
        const std::int64_t x = frame.scale.columnOf(ticks.at(tick)) - frame.scale.first();
        if (x >= 0 && x < frame.columns()) {
            m_ground[static_cast<std::size_t>(x)] = frame.theme.grid.rgb();
        }
    }
}

/// The lanes that stay where they are, or those that scroll.
void RowPainter::findLanes(const TimelineFrame& frame, bool sticky)
{
    const int top = sticky ? frame.geometry.lanesTop() : frame.scrollTop();
    for (const PlacedLane& placed : frame.layout.lanes()) {
        const int y = frame.yOf(placed);
        if (frame.isSticky(placed) != sticky || y + placed.height <= top || y >= frame.geometry.size.height()) {
            continue;
        }
        const bool overlap = frame.model.lanes()[placed.lane].key.kind == LaneKind::overlap;
        for (const PlacedRow& at : placed.rows) {
            const LaneRow& row = frame.model.lanes()[at.lane].rows[at.row];
            if (!at.over || m_places.empty()) {
                m_places.push_back(m_rows.size());
            }
            m_rows.push_back({&row, frame.yOf(placed, at), at.height, top, at.over, overlap, {}, {}, {}, {}, {}});
            m_items += row.items.size();
        }
        if (const Lane& lane = frame.model.lanes()[placed.lane]; lane.exposed && placed.markHeight > 0) {
            m_places.push_back(m_rows.size());
            m_rows.push_back({lane.exposed.get(), y + placed.markY - placed.y, placed.markHeight, top, false, false, {},
                {}, {}, {}, {}});
            m_items += lane.exposed->items.size();
        }
    }
}

void RowPainter::fillAround(const TimelineFrame& frame, QImage& image) const
{
    const auto device = [&](double logical) { return static_cast<int>(std::lround(logical * frame.ratio)); };
    std::vector<bool> covered(static_cast<std::size_t>(image.height()));
    for (const std::size_t place : m_places) {
        const VisibleRow& row = m_rows[place];
        for (int y = std::max(device(row.y), device(row.top)); y < std::min(device(row.y + row.height), image.height());
             ++y) {
            covered[static_cast<std::size_t>(y)] = true;
        }
    }
    const QRgb color = frame.theme.background.rgb();
    const int left = std::min(device(frame.geometry.labelWidth), image.width());
    const int right = std::min(left + frame.columns(), image.width());
    for (int y = 0; y < image.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        const bool all = !covered[static_cast<std::size_t>(y)];
        std::fill(line, line + (all ? right : left), color);
        std::fill(line + right, line + image.width(), color);
    }
}

void RowPainter::paint(const TimelineFrame& frame, const RowCanvas& canvas)
{
    const auto paintAt = [&](std::size_t place) {
        std::unique_ptr<Desk> desk = takeDesk();
        paintPlace(frame, canvas, m_places[place], *desk);
        const std::lock_guard lock(m_mutex);
        m_desks.push_back(std::move(desk));
    };
    const auto pixels = static_cast<std::size_t>(frame.columns())
        * static_cast<std::size_t>(frame.geometry.lanesHeight() * frame.ratio);
    if (canvas.takesThreads() && m_items + pixels >= worth_threads) {
        inParallel(m_places.size(), paintAt);
    } else {
        for (std::size_t place = 0; place < m_places.size(); ++place) {
            paintAt(place);
        }
    }
    m_labels.clear();
    m_marks.clear();
    m_hatches.clear();
    m_staged.clear();
    m_early.clear();
    for (const VisibleRow& row : m_rows) {
        m_labels.insert(m_labels.end(), row.labels.begin(), row.labels.end());
        m_marks.insert(m_marks.end(), row.marks.begin(), row.marks.end());
        m_hatches.insert(m_hatches.end(), row.hatches.begin(), row.hatches.end());
        m_staged.insert(m_staged.end(), row.staged.begin(), row.staged.end());
        m_early.insert(m_early.end(), row.early.begin(), row.early.end());
    }
}

/// A row and those that lie over it.
void RowPainter::paintPlace(const TimelineFrame& frame, const RowCanvas& canvas, std::size_t first, Desk& desk)
{
    const auto columns = static_cast<std::int64_t>(frame.columns());
    for (std::size_t i = first; i < m_rows.size() && (i == first || m_rows[i].over); ++i) {
        VisibleRow& visible = m_rows[i];
        desk.rasterizer.scan(*visible.row, frame.scale, frame.columns(), desk.columns, !visible.overlap);
        if (visible.row->kind == ItemKind::gpuTime) {
            toQuarters(desk.columns);
        }
        if (i == first) {
            desk.pixels = m_ground;
        }
        const RowDrawing drawing {desk.columns, desk.pixels, frame.geometry.labelWidth, visible.y, visible.height,
            visible.top, frame.geometry.size.height(), frame.scale.first(),
            frame.theme.hatch(visible.row->index.onlyRole()), i == first, visible.row->shade};
        if (i == first && visible.overlap) {
            const std::int64_t endColumn = frame.scale.columnOf(frame.model.duration()) - frame.scale.first();
            const auto from = std::clamp<std::int64_t>(-frame.scale.first(), 0, columns);
            const auto to = std::clamp<std::int64_t>(endColumn, from, columns);
            std::fill(desk.pixels.begin() + from, desk.pixels.begin() + to, frame.theme.overlapIdle.rgb());
            canvas.fillUnder(
                drawing, static_cast<std::int32_t>(from), static_cast<std::int32_t>(to), frame.theme.overlapIdle.rgb());
        }
        canvas.draw(drawing, desk.scratch);
        findLabels(frame, desk.columns, visible);
    }
}

void RowPainter::findLabels(const TimelineFrame& frame, const LaneColumns& columns, VisibleRow& row) const
{
    const Theme::Hatch* hatch = frame.theme.hatch(row.row->index.onlyRole());
    if (hatch != nullptr && !row.overlap) {
        for (const WideItem& item : columns.wide) {
            const double x0 = std::max(item.x0, 0) / frame.ratio;
            const double x1 = std::min<double>(item.x1, frame.columns()) / frame.ratio;
            row.hatches.emplace_back(frame.geometry.labelWidth + x0, row.y, x1 - x0, row.height);
        }
    }
    if (row.row->kind == ItemKind::operation && row.y >= row.top) {
        findStaged(frame, columns, row);
        findEarly(frame, columns, row);
    }
    if (frame.theme.marked() && row.height >= role_mark_size + 1 && row.y >= row.top) {
        findMarks(frame, columns, row);
    }
    const bool small = frame.geometry.compact() || frame.geometry.handles;
    const int least = small ? least_small_label_height : least_label_height;
    if (row.overlap || row.row->kind == ItemKind::gpuTime || row.height < least || row.y < row.top) {
        return;
    }
    for (const WideItem& item : columns.wide) {
        const double x0 = std::max(item.x0, 0) / frame.ratio;
        const double x1 = std::min<double>(item.x1, frame.columns()) / frame.ratio;
        const double mark = frame.theme.marked() && hasRoleMark(item.role) ? mark_room : 0;
        if (x1 - x0 - mark >= least_label) {
            const ItemRef ref = row.row->itemAt(item.item);
            const bool staged = ref.kind == ItemKind::operation && isStaged(frame.model.trace(), ref.row);
            row.labels.push_back({frame.geometry.labelWidth + x0 + mark, x1 - x0 - mark, row.y + row.height / 2.0,
                static_cast<double>(row.height), ref, hatch != nullptr || staged,
                hatch != nullptr ? hatch->ground
                    : staged     ? frame.theme.staged(item.role).ground
                                 : frame.theme.item(item.role, item.shade, row.row->shade)});
            toWiderPart(row.labels.back(), frame.theme, row.early);
        }
    }
}

void RowPainter::findStaged(const TimelineFrame& frame, const LaneColumns& columns, VisibleRow& row)
{
    const Trace& trace = frame.model.trace();
    for (const WideItem& item : columns.wide) {
        const Row operation = row.row->items.place(item.item);
        const double x0 = std::max(item.x0, 0) / frame.ratio;
        const double x1 = std::min<double>(item.x1, frame.columns()) / frame.ratio;
        if (x1 - x0 < StagedBar::least_width || !isStaged(trace, operation)) {
            continue;
        }
        const double rate = frame.model.recording().pinnedRates()[trace.operations.stream[operation]];
        if (const auto share = stagedShare(trace, operation, rate)) {
            const double gap = item.x1 <= frame.columns() ? 1 / frame.ratio : 0;  // the darker last column stays
            row.staged.push_back({QRectF(frame.geometry.labelWidth + x0, row.y, x1 - x0 - gap, row.height),
                frame.xOf(trace.operations.start[operation]), *share, item.role});
        }
    }
}

void RowPainter::findEarly(const TimelineFrame& frame, const LaneColumns& columns, VisibleRow& row)
{
    for (const WideItem& item : columns.wide) {
        const double x0 = frame.geometry.labelWidth + std::max(item.x0, 0) / frame.ratio;
        const double x1 = frame.geometry.labelWidth + std::min<double>(item.x1, frame.columns()) / frame.ratio;
        const auto last = x1 - x0 < least_early ? std::nullopt
                                                : frame.model.recording().awaitedUntil(row.row->items.place(item.item));
        const double until = last ? std::min(frame.xOf(*last), x1) : x0;
        if (until - x0 >= least_early) {
            row.early.emplace_back(x0, row.y, until - x0, row.height);
        }
    }
}

void RowPainter::findMarks(const TimelineFrame& frame, const LaneColumns& columns, VisibleRow& row)
{
    for (const WideItem& item : columns.wide) {
        const double x0 = std::max(item.x0, 0) / frame.ratio;
        const double x1 = std::min<double>(item.x1, frame.columns()) / frame.ratio;
        if (hasRoleMark(item.role) && x1 - x0 >= role_mark_size + 1) {
            const double x = std::min(x0 + mark_inset + role_mark_size / 2, (x0 + x1) / 2);
            row.marks.push_back({{frame.geometry.labelWidth + x, row.y + row.height / 2.0}, item.role, item.shade});
        }
    }
}

std::unique_ptr<RowPainter::Desk> RowPainter::takeDesk()
{
    const std::lock_guard lock(m_mutex);
    if (m_desks.empty()) {
        return std::make_unique<Desk>();
    }
    std::unique_ptr<Desk> desk = std::move(m_desks.back());
    m_desks.pop_back();
    return desk;
}

}  // namespace lanes::gui
