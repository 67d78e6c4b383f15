// SPDX-License-Identifier: MIT
#include "gui/lanes/lane_rasterizer.h"

#include "gui/lanes/column_roles.h"
#include "gui/lanes/processor_clones.h"

#include <algorithm>
#include <type_traits>

namespace lanes::gui {

namespace {

constexpr int edge_share = 150;  // of 256: how much the last column of a wide item darkens
constexpr std::int64_t beyond = 10;  // columns outside the view at which wide items are cut

template <class ColorOf> void paintItems(const LaneColumns& columns, ColorOf colorOf, Rgb edge, std::span<Rgb> pixels)
{
    const auto count = static_cast<std::int32_t>(std::min(pixels.size(), columns.busy.size()));
    for (const WideItem& item : columns.wide) {
        const Rgb color = colorOf(static_cast<std::uint8_t>(item.role), item.shade);
        const std::int32_t from = std::max(item.x0, 0);
        const std::int32_t to = std::min(item.x1, count);
        if (from < to) {
            std::fill(pixels.begin() + from, pixels.begin() + to, color);
        }
        if (item.x1 > 0 && item.x1 <= count) {
            pixels[static_cast<std::size_t>(item.x1 - 1)] = mixed(color, edge, edge_share);
        }
    }
}

template <class ColorOf> void paintColumns(const LaneColumns& columns, ColorOf colorOf, Rgb edge, std::span<Rgb> pixels)
{
    paintItems(columns, colorOf, edge, pixels);
    const std::size_t count = std::min(pixels.size(), columns.busy.size());
    for (std::size_t i = 0; i < count; ++i) {
        if (columns.role[i] != 0) {
            pixels[i] = mixed(pixels[i], colorOf(columns.role[i], plain_shade), LaneRasterizer::shownShare(columns, i));
        }
    }
}

/// Whether no item lies in column k, counted from the recording's start.
bool isEmpty(const LaneRow& row, const TimeScale& scale, std::int64_t k)
{
    const auto& items = row.items;
    std::size_t first = row.index.over(items, TimeScale::floorDivide(k * scale.num(), scale.den()));
    if (first < items.size() && items.start(first) == items.end(first) && items.start(first) < scale.startOf(k)) {
        ++first;  // an item without length, in the column before
    }
    return first >= items.size() || items.start(first) >= scale.startOf(k + 1);
}

/// Takes the items that are drawn on their own, of these, out of `narrow`.
template <class Items> void takeWide(const RowView<Items>& view, const std::vector<std::size_t>& wide, LaneColumns& out)
{
    const auto count = static_cast<std::int64_t>(view.columns);
    for (const std::size_t i : wide) {
        const auto [x0, x1] = view.snapped(i);
        out.wide.push_back({i, static_cast<std::int32_t>(std::clamp(x0, -beyond, count + beyond)),
            static_cast<std::int32_t>(std::clamp(x1, -beyond, count + beyond)), view.items.role(i),
            static_cast<std::uint8_t>(view.items.shade(i))});
        const auto from
            = std::max<std::int64_t>(TimeScale::floorDivide(view.start(i), view.num) - view.scale.first(), 0);
        const auto until = std::min(TimeScale::floorDivide(view.end(i) - 1, view.num) - view.scale.first() + 1, count);
        for (auto x = from; x < until; ++x) {
            const auto k = static_cast<std::size_t>(x);
            out.narrow[k] -= std::min(view.end(i), view.edge(k + 1)) - std::max(view.start(i), view.edge(k));
        }
    }
}

template <class Items>
inline void scanAny(
    const RowView<Items>& view, std::vector<ColumnEdge>& at, std::vector<std::size_t>& wide, LaneColumns& out)
{
    const ColumnEdges edges(view);
    edges.find(at, wide);
    for (std::size_t k = 0; k < view.columns; ++k) {
        out.busy[k] = out.narrow[k] = edges.between(at[k], at[k + 1]);
    }
    takeWide(view, wide, out);
    const ColumnRoles roles(view, edges);
    for (std::size_t k = 0; k < view.columns; ++k) {
        out.role[k] = static_cast<std::uint8_t>(roles.find(k, at[k], at[k + 1], out.busy[k], out.narrow[k]));
    }
}

LANES_CLONES void scanItems(
    const RowView<RowItems::Plain>& view, std::vector<ColumnEdge>& at, std::vector<std::size_t>& wide, LaneColumns& out)
{
    scanAny(view, at, wide, out);
}

LANES_CLONES void scanItems(const RowView<RowItems::Walked>& view, std::vector<ColumnEdge>& at,
    std::vector<std::size_t>& wide, LaneColumns& out)
{
    scanAny(view, at, wide, out);
}

}  // namespace

Rgb mixed(Rgb bottom, Rgb top, int share)
{
    const auto channel = [&](int shift) {
        const int b = static_cast<int>(bottom >> shift & 255U);
        const int t = static_cast<int>(top >> shift & 255U);
        return static_cast<Rgb>(b + ((t - b) * share + 128) / 256) << shift;
    };
    return 0xFF000000U | channel(16) | channel(8) | channel(0);
}

void LaneRasterizer::scan(const LaneRow& row, const TimeScale& scale, int columns, LaneColumns& out, bool wide)
{
    const auto count = static_cast<std::size_t>(std::max(columns, 0));
    out.busy.assign(count, 0);
    out.narrow.assign(count, 0);
    out.role.assign(count, 0);
    out.wide.clear();
    out.width = scale.num();
    out.emptyBeside.fill(true);
    if (row.items.size() == 0 || count == 0) {
        return;
    }
    const std::int64_t last = scale.first() + columns;
    out.emptyBeside = {isEmpty(row, scale, scale.first() - 2), isEmpty(row, scale, scale.first() - 1),
        isEmpty(row, scale, last), isEmpty(row, scale, last + 1)};
    m_edges.resize(count + 1);
    m_long.clear();
    row.items.visit([&](const auto& items) {
        scanItems(
            RowView<std::remove_cvref_t<decltype(items)>> {items, row.index, scale, count, wide}, m_edges, m_long, out);
    });
}

bool LaneRasterizer::standsAlone(const LaneColumns& columns, std::size_t i)
{
    const std::size_t count = columns.busy.size();
    const auto empty = [&](std::size_t k) {  // k counts from two columns before the view
        return k < 2        ? columns.emptyBeside[k]
            : k < count + 2 ? columns.busy[k - 2] == 0 && columns.role[k - 2] == 0
                            : columns.emptyBeside[k - count];
    };
    const bool before = empty(i + 1);
    const bool behind = empty(i + 3);
    return (before && behind) || (before && empty(i + 4)) || (behind && empty(i));
}

int LaneRasterizer::shownShare(const LaneColumns& columns, std::size_t i)
{
    double share = visible_floor + (1 - visible_floor) * columns.narrowFraction(i);
    if (share < 1 && standsAlone(columns, i)) {
        share = 1;
    }
    return static_cast<int>(std::min(share, 1.0) * 256 + 0.5);  // NOLINT: never negative; lround() is slower
}

void LaneRasterizer::paint(const LaneColumns& columns, const RolePalette& palette, Rgb edge, std::span<Rgb> pixels)
{
    paintColumns(
        columns, [&](std::uint8_t role, std::size_t shade) { return palette[role][shade]; }, edge, pixels);
}

void LaneRasterizer::paint(const LaneColumns& columns, Rgb color, Rgb edge, std::span<Rgb> pixels)
{
    paintColumns(
        columns, [=](std::uint8_t, std::size_t) { return color; }, edge, pixels);
}

void LaneRasterizer::paintWide(const LaneColumns& columns, Rgb color, Rgb edge, std::span<Rgb> pixels)
{
    paintItems(
        columns, [=](std::uint8_t, std::size_t) { return color; }, edge, pixels);
}

}  // namespace lanes::gui
