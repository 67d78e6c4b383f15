// SPDX-License-Identifier: MIT
#include "gui/timeline/lane_rasterizer.h"

#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

constexpr int edge_share = 150;  // of 256: how much the last column of a wide item darkens
constexpr std::int64_t beyond = 10;  // columns outside the view at which wide items are cut

/// Takes what the pyramid tells and adds it up by columns.
struct ColumnSink {
    const RowItems& items;
    const TimeScale& scale;
    LaneColumns& out;
    std::vector<std::int64_t>& weight;
    std::int64_t num, first, count;
    bool tellsWide;
    std::int64_t column = 0, columnStart = 0;  // the one that the last piece lay in, and its first tick
    std::size_t lastWide = static_cast<std::size_t>(-1);

    void seek(std::int64_t tick)
    {
        if (tick >= columnStart && tick - columnStart < 4 * num) {
            while (tick >= columnStart + num) {
                columnStart += num;
                ++column;
            }
        } else if (tick != columnStart) {
            column = TimeScale::floorDivide(tick, num);
            columnStart = column * num;
        }
    }
    void addNarrow(std::int64_t at, std::uint8_t role, std::int64_t busy)
    {
        const auto i = static_cast<std::size_t>(at - first);
        out.busy[i] += busy;
        out.narrow[i] += busy;
        if (out.role[i] == role || out.role[i] == 0) {
            out.role[i] = role;
            weight[i] += busy;
        } else if (busy > weight[i]) {
            out.role[i] = role;
            weight[i] = busy - weight[i];
        } else {
            weight[i] -= busy;
        }
    }
    void share(ItemRole role, std::int64_t t0, std::int64_t, std::int64_t busy)
    {
        seek(t0);
        addNarrow(column, static_cast<std::uint8_t>(role), busy);
    }
    void item(std::size_t i, std::int64_t t0, std::int64_t t1)
    {
        const std::int64_t start = scale.ticks(items.start(i));
        const std::int64_t end = scale.ticks(items.end(i));
        const auto role = static_cast<std::uint8_t>(items.role(i));
        std::int64_t from = std::max(start, t0);
        const std::int64_t to = std::min(end, t1);
        const bool isWide = tellsWide && end - start >= (LaneRasterizer::wide_columns - 1) * num && wide(i, start, end);
        seek(from);
        if (from >= to) {
            addNarrow(column, role, 0);
            return;
        }
        while (true) {
            const std::int64_t until = std::min(columnStart + num, to);
            if (isWide) {
                out.busy[static_cast<std::size_t>(column - first)] += until - from;
            } else {
                addNarrow(column, role, until - from);
            }
            if (until == to) {
                break;
            }
            from = until;
            columnStart += num;
            ++column;
        }
    }
    /// True where the item's edges, on whole columns, lie far enough apart.
    bool wide(std::size_t i, std::int64_t start, std::int64_t end)
    {
        const std::int64_t x0 = TimeScale::floorDivide(2 * start + num, 2 * num) - first;
        const std::int64_t x1 = TimeScale::floorDivide(2 * end + num, 2 * num) - first;
        if (x1 - x0 < LaneRasterizer::wide_columns) {
            return false;
        }
        if (i != lastWide) {
            lastWide = i;
            out.wide.push_back({i, static_cast<std::int32_t>(std::clamp(x0, -beyond, count + beyond)),
                static_cast<std::int32_t>(std::clamp(x1, -beyond, count + beyond)), items.role(i)});
        }
        return true;
    }
};

template <class ColorOf>
void paintColumns(const LaneColumns& columns, ColorOf colorOf, QRgb edge, std::span<QRgb> pixels)
{
    const auto count = static_cast<std::int32_t>(std::min(pixels.size(), columns.busy.size()));
    for (const WideItem& item : columns.wide) {
        const QRgb color = colorOf(static_cast<std::uint8_t>(item.role));
        const std::int32_t from = std::max(item.x0, 0);
        const std::int32_t to = std::min(item.x1, count);
        if (from < to) {
            std::fill(pixels.begin() + from, pixels.begin() + to, color);
        }
        if (item.x1 > 0 && item.x1 <= count) {
            pixels[static_cast<std::size_t>(item.x1 - 1)] = mixed(color, edge, edge_share);
        }
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        if (columns.role[i] != 0) {
            pixels[i] = mixed(pixels[i], colorOf(columns.role[i]), LaneRasterizer::shownShare(columns, i));
        }
    }
}

}  // namespace

QRgb mixed(QRgb bottom, QRgb top, int share)
{
    const auto channel = [&](int shift) {
        const int b = static_cast<int>(bottom >> shift & 255U);
        const int t = static_cast<int>(top >> shift & 255U);
        return static_cast<QRgb>(b + ((t - b) * share + 128) / 256) << shift;
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
    m_weight.assign(count, 0);
    ColumnSink sink{row.items, scale, out, m_weight, scale.num(), scale.first(), columns, wide};
    row.pyramid.walk(row.items, scale.den(), scale.num(), scale.first() * scale.num(),
        (scale.first() + columns) * scale.num(), sink);
}

int LaneRasterizer::shownShare(const LaneColumns& columns, std::size_t i)
{
    const double share = static_cast<double>(columns.narrow[i]) / static_cast<double>(columns.width);
    return static_cast<int>(std::lround(std::clamp(share, visible_floor, 1.0) * 256));
}

void LaneRasterizer::paint(const LaneColumns& columns, const RolePalette& palette, QRgb edge, std::span<QRgb> pixels)
{
    paintColumns(columns, [&](std::uint8_t role) { return palette[role]; }, edge, pixels);
}

void LaneRasterizer::paint(const LaneColumns& columns, QRgb color, QRgb edge, std::span<QRgb> pixels)
{
    paintColumns(columns, [=](std::uint8_t) { return color; }, edge, pixels);
}

RolePalette paletteOf(const Theme& theme)
{
    RolePalette palette{};
    std::transform(theme.items.begin(), theme.items.end(), palette.begin(), [](const QColor& c) { return c.rgb(); });
    return palette;
}

}  // namespace lanes::gui
