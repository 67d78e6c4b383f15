// SPDX-License-Identifier: MIT
#include "gui/timeline/lane_rasterizer.h"

#include <algorithm>
#include <bit>

namespace lanes::gui {

namespace {

constexpr int edge_share = 150;  // of 256: how much the last column of a wide item darkens
constexpr std::int64_t beyond = 10;  // columns outside the view at which wide items are cut
constexpr std::size_t few = 4;       // items a column up to which they are walked rather than looked up

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

/// What a scan looks at, in ticks from the recording's start. Column k lies between edges k and k + 1.
template <class Items>
struct LaneRasterizer::Scan {
    const Items& items;
    const OccupancyIndex& index;
    const TimeScale& scale;
    std::size_t columns;
    bool tellsWide;
    std::int64_t den = scale.den();
    std::int64_t num = scale.num();
    std::int64_t left = scale.first() * num;

    std::int64_t edge(std::size_t k) const { return left + static_cast<std::int64_t>(k) * num; }
    std::int64_t start(std::size_t i) const { return items.start(i) * den; }
    std::int64_t end(std::size_t i) const { return items.end(i) * den; }
    Ns wholeNs(std::int64_t tick) const { return tick >> std::countr_zero(static_cast<std::uint64_t>(den)); }
    bool over(std::size_t i, Ns t) const { return items.end(i) < t || (items.end(i) == t && items.start(i) != t); }

    std::pair<std::int64_t, std::int64_t> snapped(std::size_t i) const
    {
        return {TimeScale::floorDivide(2 * start(i) + num, 2 * num) - scale.first(),
            TimeScale::floorDivide(2 * end(i) + num, 2 * num) - scale.first()};
    }
    bool mayBeWide(std::size_t i) const { return end(i) - start(i) > (wide_columns - 1) * num; }
    bool isWide(std::size_t i) const
    {
        if (!tellsWide || !mayBeWide(i)) {
            return false;
        }
        const auto [x0, x1] = snapped(i);
        return x1 - x0 >= wide_columns;
    }

    /// Edge k lies in item i or before it, with `before` ns of busy time in the items before that.
    void place(LaneRasterizer& to, std::size_t k, std::size_t i, Ns before) const
    {
        // Sums of ticks may wrap around in a long recording; their differences are what counts, and those do not.
        auto busy = static_cast<std::uint64_t>(before) * static_cast<std::uint64_t>(den);
        if (i < items.size()) {
            const std::int64_t in = edge(k) - start(i);
            if (in > 0) {
                busy += static_cast<std::uint64_t>(std::min(in, end(i) - start(i)));
                if (tellsWide && mayBeWide(i) && (to.m_long.empty() || to.m_long.back() != i)) {
                    to.m_long.push_back(i);
                }
            }
        }
        to.m_edges[k] = {i, busy};
    }

    void findEdges(LaneRasterizer& to) const
    {
        const std::size_t firstBlock = index.blockAt(wholeNs(left));
        const std::size_t lastBlock = index.blockAt(wholeNs(edge(columns)));
        if ((lastBlock - firstBlock) * OccupancyIndex::block_size <= few * columns) {
            std::size_t i = OccupancyIndex::overIn(items, firstBlock, wholeNs(left));
            Ns before = index.busyUpTo(items, i);
            for (std::size_t k = 0; k <= columns; ++k) {
                const Ns t = wholeNs(edge(k));
                for (; i < items.size() && over(i, t); ++i) {
                    before += items.end(i) - items.start(i);
                }
                place(to, k, i, before);
            }
            return;
        }
        // Each edge by itself, and each step for all of them: the memory answers many questions at once.
        OccupancyIndex::Cursor cursor(index, firstBlock, lastBlock, columns + 1);
        for (std::size_t k = 0; k <= columns; ++k) {
            to.m_edges[k].item = cursor.blockAt(wholeNs(edge(k)));
            index.fetch(items, to.m_edges[k].item);
        }
        for (std::size_t k = 0; k <= columns; ++k) {
            const std::size_t i = OccupancyIndex::overIn(items, to.m_edges[k].item, wholeNs(edge(k)));
            place(to, k, i, index.busyUpTo(items, i));
        }
    }

    /// Takes the items that are drawn on their own out of `narrow`.
    void findWide(const LaneRasterizer& to, LaneColumns& out) const
    {
        const auto count = static_cast<std::int64_t>(columns);
        for (const std::size_t i : to.m_long) {
            if (!isWide(i)) {
                continue;
            }
            const auto [x0, x1] = snapped(i);
            out.wide.push_back({i, static_cast<std::int32_t>(std::clamp(x0, -beyond, count + beyond)),
                static_cast<std::int32_t>(std::clamp(x1, -beyond, count + beyond)), items.role(i)});
            const auto from = std::max<std::int64_t>(TimeScale::floorDivide(start(i), num) - scale.first(), 0);
            const auto until = std::min(TimeScale::floorDivide(end(i) - 1, num) - scale.first() + 1, count);
            for (auto x = from; x < until; ++x) {
                const auto k = static_cast<std::size_t>(x);
                out.narrow[k] -= std::min(end(i), edge(k + 1)) - std::max(start(i), edge(k));
            }
        }
    }

    /// Time of item i in column k, in ticks; 0 where the item is drawn on its own.
    std::int64_t narrowPart(std::size_t i, std::size_t k) const
    {
        const std::int64_t part = std::min(end(i), edge(k + 1)) - std::max(start(i), edge(k));
        return part <= 0 || isWide(i) ? 0 : part;
    }

    /// The role of most of what is narrow in column k, whose items are [from, to].
    ItemRole roleIn(std::size_t k, std::size_t from, std::size_t to, std::int64_t narrow) const
    {
        if (index.onlyRole() != ItemRole::none) {
            return index.onlyRole();
        }
        to = std::min(to + 1, items.size());
        return to - from >= 2 * OccupancyIndex::block_size ? roleOfMany(k, from, to, narrow) : roleOfFew(k, from, to);
    }
    ItemRole roleOfMany(std::size_t k, std::size_t from, std::size_t to, std::int64_t narrow) const
    {
        const Ns busy = narrow / den + 1;
        auto [majority, first, last] = index.vote(from, to, busy);
        const auto add = [&, &most = majority](std::size_t a, std::size_t b) {
            for (std::size_t i = a; i < b; ++i) {
                if (const std::int64_t part = narrowPart(i, k); part > 0) {
                    most.add(static_cast<std::uint8_t>(items.role(i)), static_cast<std::uint64_t>(part / den));
                }
            }
        };
        if (static_cast<std::uint64_t>(busy - index.busyOfBlocks(first, last)) > majority.lead) {
            add(from, first);
            add(last, to);
        }
        return static_cast<ItemRole>(majority.role);
    }
    ItemRole roleOfFew(std::size_t k, std::size_t from, std::size_t to) const
    {
        std::array<std::int64_t, 32> weight;
        std::uint32_t seen = 0;
        for (std::size_t i = from; i < to; ++i) {
            if (const std::int64_t part = narrowPart(i, k); part > 0) {
                const auto role = static_cast<unsigned>(items.role(i));
                weight[role] = (seen >> role & 1U) != 0 ? weight[role] + part : part;
                seen |= 1U << role;
            }
        }
        auto most = static_cast<unsigned>(std::countr_zero(seen));
        for (std::uint32_t rest = seen & (seen - 1); rest != 0; rest &= rest - 1) {
            const auto role = static_cast<unsigned>(std::countr_zero(rest));
            most = weight[role] > weight[most] ? role : most;
        }
        return seen == 0 ? ItemRole::none : static_cast<ItemRole>(most);
    }

    /// An item without length in column k, whose items are [from, to] and which has no narrow busy time.
    ItemRole instantIn(std::size_t k, std::size_t from, std::size_t to) const
    {
        for (std::size_t i = from; i < std::min(to + 1, items.size()); ++i) {
            if (start(i) == end(i) && start(i) >= edge(k) && start(i) < edge(k + 1)) {
                return items.role(i);
            }
        }
        return ItemRole::none;
    }
};

void LaneRasterizer::scan(const LaneRow& row, const TimeScale& scale, int columns, LaneColumns& out, bool wide)
{
    const auto count = static_cast<std::size_t>(std::max(columns, 0));
    out.busy.assign(count, 0);
    out.narrow.assign(count, 0);
    out.role.assign(count, 0);
    out.wide.clear();
    out.width = scale.num();
    if (row.items.size() == 0 || count == 0) {
        return;
    }
    m_edges.resize(count + 1);
    m_long.clear();
    row.items.visit([&](const auto& items) {
        const Scan<std::remove_cvref_t<decltype(items)>> scan{.items = items, .index = row.index, .scale = scale, .columns = count, .tellsWide = wide};
        scan.findEdges(*this);
        for (std::size_t k = 0; k < count; ++k) {
            out.busy[k] = out.narrow[k] = static_cast<std::int64_t>(m_edges[k + 1].busy - m_edges[k].busy);
        }
        scan.findWide(*this, out);
        for (std::size_t k = 0; k < count; ++k) {
            if (out.narrow[k] > 0) {
                out.role[k] = static_cast<std::uint8_t>(scan.roleIn(k, m_edges[k].item, m_edges[k + 1].item, out.narrow[k]));
            } else if (row.index.hasInstants()) {
                out.role[k] = static_cast<std::uint8_t>(scan.instantIn(k, m_edges[k].item, m_edges[k + 1].item));
            }
        }
    });
}

int LaneRasterizer::shownShare(const LaneColumns& columns, std::size_t i)
{
    const double share = static_cast<double>(columns.narrow[i]) / static_cast<double>(columns.width);
    return static_cast<int>(std::clamp(share, visible_floor, 1.0) * 256 + 0.5);
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
