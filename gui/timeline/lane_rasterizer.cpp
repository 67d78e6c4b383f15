// SPDX-License-Identifier: MIT
#include "gui/timeline/lane_rasterizer.h"

#include <algorithm>
#include <bit>

namespace lanes::gui {

namespace {

constexpr int edge_share = 150;  // of 256: how much the last column of a wide item darkens
constexpr std::int64_t beyond = 10;  // columns outside the view at which wide items are cut
constexpr std::int64_t few_slots = 16;
constexpr std::int64_t shades = 255;  // to 1/255 of a column busy times are exact

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

    void findEdges(LaneRasterizer& to) const
    {
        const std::size_t firstBlock = index.blockAt(wholeNs(left));
        const std::size_t lastBlock = index.blockAt(wholeNs(edge(columns)));
        // Each step for all edges: the memory answers many questions at once.
        OccupancyIndex::Cursor cursor(index, firstBlock, lastBlock, columns + 1);
        Edge here{};
        Ns until = INT64_MIN;  // the end of that block
        for (std::size_t k = 0; k <= columns; ++k) {
            if (const Ns t = wholeNs(edge(k)); t >= until) {
                here.block = cursor.blockAt(t);
                const bool isOver = here.block == index.blocks();
                until = isOver ? INT64_MAX : index.endOf(here.block);
                // Where a sketch is good enough no item can be wide: all of its block is hardly wider than a column.
                here.doubt = isOver ? 0 : doubtIn(here.block);
                here.doubt = 2 * here.doubt * shades <= num ? here.doubt : 0;
                __builtin_prefetch(&index.sketch(here.block));
            }
            to.m_edges[k] = here;
        }
        Walk walk;
        for (std::size_t k = 0; k <= columns; ++k) {
            Edge& at = to.m_edges[k];
            if (at.doubt > 0) {
                readSketch(k, at);
                continue;
            }
            at = exactly(k, at.block, walk);
            if (const std::size_t i = at.at; tellsWide && i < items.size() && start(i) < edge(k) && mayBeWide(i) && (to.m_long.empty() || to.m_long.back() != i)) {
                to.m_long.push_back(i);
            }
        }
    }

    /// Ticks by which an edge in this block may be wrong if its sketch tells it.
    std::int64_t doubtIn(std::size_t block) const { return (index.slotOf(block) + 1) / 2 * den; }
    /// Edge k, which lies in its block or before it, from the block's sketch.
    void readSketch(std::size_t k, Edge& to) const
    {
        const auto& sketch = index.sketch(to.block);
        const auto slot = static_cast<std::uint64_t>(index.slotOf(to.block) * den);
        const auto in = static_cast<std::uint64_t>(std::max<std::int64_t>(edge(k) - index.startOf(to.block) * den, 0));
        const std::uint64_t whole = in / slot;
        std::uint64_t bits = 0;
        for (std::size_t word = 0; word < whole / 64; ++word) {
            bits += OccupancyIndex::ones(sketch.bits[word]);
        }
        const std::uint64_t last = sketch.bits[whole / 64];
        const std::uint64_t bit = std::uint64_t{1} << whole % 64;
        bits += OccupancyIndex::ones(last & (bit - 1));
        to.at = whole;
        to.busy = ticksOf(sketch.busy) + bits * slot + ((last & bit) != 0 ? in - whole * slot : 0);
    }

    /// Where the last edge was found among the items of its block.
    struct Walk {
        std::size_t block = SIZE_MAX, item = 0;
        Ns busy = 0;  ///< before the item
    };
    /// Edge k, which lies in this block or before it, from the items; `walk` stands at an edge before it.
    Edge exactly(std::size_t k, std::size_t block, Walk& walk) const
    {
        const Ns t = wholeNs(edge(k));
        if (walk.block != block) {
            const std::size_t first = std::min(block * OccupancyIndex::block_size, items.size());
            walk = {block, first, index.sketch(block).busy};
            if (index.hasInstants() && OccupancyIndex::beforeInstantAt(items, first, t) != first) {
                return {block, first - 1, ticksOf(walk.busy), 0};
            }
        }
        for (; walk.item < items.size() && over(walk.item, t); ++walk.item) {
            walk.busy += items.end(walk.item) - items.start(walk.item);
        }
        std::uint64_t busy = ticksOf(walk.busy);
        if (walk.item < items.size()) {
            busy += static_cast<std::uint64_t>(std::clamp<std::int64_t>(edge(k) - start(walk.item), 0, end(walk.item) - start(walk.item)));
        }
        return {block, walk.item, busy, 0};
    }
    /// Sums of ticks may wrap around in a long recording; their differences are what counts, and those do not.
    std::uint64_t ticksOf(Ns ns) const { return static_cast<std::uint64_t>(ns) * static_cast<std::uint64_t>(den); }

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

    /// The role of most of what is narrow in column k; none where its edges leave that open.
    ItemRole roleIn(std::size_t k, const Edge& a, const Edge& b, std::int64_t narrow) const
    {
        if (index.onlyRole() != ItemRole::none) {
            return index.onlyRole();
        }
        if (a.doubt == 0 && b.doubt == 0 && b.block - a.block <= 1) {
            return roleOfItems(k, a.at, b.at, narrow);
        }
        Count count;
        if (a.block == b.block) {
            addParts(a.block, a.at + 1, b.at, count);
            return count.outcome();
        }
        index.vote(a.block + 1, b.block, count.majority);
        count.certain = 1U << count.majority.role;
        const std::int64_t cut = index.endOf(a.block) * den - edge(k) + edge(k + 1) - index.startOf(b.block) * den;
        if (static_cast<std::int64_t>(count.majority.lead) * den > cut) {
            return static_cast<ItemRole>(count.majority.role);
        }
        if (a.doubt > 0 && b.doubt > 0) {
            if (const ItemRole all = roleOfAll(a, b, count.majority.role, narrow); all != ItemRole::none) {
                return all;
            }
        }
        if (a.doubt > 0) {
            addParts(a.block, a.at + 1, OccupancyIndex::Sketch::slot_count, count);
        } else {
            addItems(k, a.at, (a.block + 1) * OccupancyIndex::block_size, count);
        }
        if (b.doubt > 0) {
            addParts(b.block, 0, b.at, count);
        } else {
            addItems(k, b.block * OccupancyIndex::block_size, b.at + 1, count);
        }
        return count.outcome();
    }
    /// The role of most of column k, between two exact edges that lie in items from and to.
    ItemRole roleOfItems(std::size_t k, std::size_t from, std::size_t to, std::int64_t narrow) const
    {
        if (from == to) {
            return items.role(from);
        }
        Ns common = 0;  // of the row's most common role, in what is whole in the column
        for (std::size_t i = from + 1; i < to; ++i) {
            common += items.role(i) == index.commonRole() ? items.end(i) - items.start(i) : 0;
        }
        if (2 * common * den > narrow) {
            return index.commonRole();
        }
        Weights weights;
        addItems(k, from, to + 1, weights);
        return weights.most();
    }
    /// The role of all that the sketches of two edges have in the column between them, `inside` where that is the role of most of the
    /// blocks in between; none where roles differ, or where too much is in parts that are in the column but partly.
    ItemRole roleOfAll(const Edge& a, const Edge& b, std::uint8_t inside, std::int64_t narrow) const
    {
        constexpr std::uint64_t each = 0x0101010101010101U;
        const auto& before = index.sketch(a.block);
        const auto& behind = index.sketch(b.block);
        const std::uint64_t cut = OccupancyIndex::ones(before.bits[a.at / 64] & ~std::uint64_t{0} << a.at % 64) * static_cast<std::uint64_t>(index.slotOf(a.block))
            + OccupancyIndex::ones(behind.bits[b.at / 64] & ((std::uint64_t{1} << b.at % 64) - 1)) * static_cast<std::uint64_t>(index.slotOf(b.block));
        if (2 * cut * static_cast<std::uint64_t>(den) > static_cast<std::uint64_t>(narrow)) {
            return ItemRole::none;
        }
        const std::uint64_t tail = before.rolesAsOne();
        const std::uint64_t head = behind.rolesAsOne();
        const std::uint64_t inTail = ~std::uint64_t{0} << a.at / 64 * 8;
        const std::uint64_t inHead = (std::uint64_t{256} << b.at / 64 * 8) - 1;
        std::uint64_t role = inside;
        if (role == 0) {
            const std::uint64_t certain = (tail & inTail << 8) | (head & inHead >> 8);
            role = certain == 0 ? 0 : certain >> (static_cast<unsigned>(std::countr_zero(certain)) & ~7U) & 255U;
        }
        const auto others = [&](std::uint64_t roles) {
            const std::uint64_t filled = ((roles + each * 127) >> 7 & each) * 255;
            return (roles ^ each * role) & filled;
        };
        return others(tail & inTail) == 0 && others(head & inHead) == 0 ? static_cast<ItemRole>(role) : ItemRole::none;
    }
    struct Count {
        OccupancyIndex::Majority majority;
        std::uint32_t certain = 0;  ///< bits of roles: something of it is in the column
        /// The first and the last part of a sketch that are in the column but partly: what they are most of may lie outside.
        struct Cut {
            std::uint8_t role = 0;
            std::uint64_t weight = 0;
        };
        std::array<Cut, 2> cuts;
        /// None where it is open.
        ItemRole outcome() const
        {
            std::uint64_t unsure = 0;
            for (const Cut& cut : cuts) {
                unsure += cut.role == majority.role ? cut.weight : 0;
            }
            const bool isOpen = (certain >> majority.role & 1U) == 0 || (unsure > 0 && majority.lead <= 2 * unsure);
            return isOpen ? ItemRole::none : static_cast<ItemRole>(majority.role);
        }
    };
    /// Slots [from, to) of a sketch.
    void addParts(std::size_t block, std::size_t from, std::size_t to, Count& count) const
    {
        const auto& sketch = index.sketch(block);
        const auto slot = static_cast<std::uint64_t>(index.slotOf(block));
        for (std::size_t part = from / 64; part * 64 < to; ++part) {
            std::uint64_t bits = sketch.bits[part];
            const bool cutLeft = part * 64 < from;
            const bool cutRight = (part + 1) * 64 > to;
            bits &= cutLeft ? ~std::uint64_t{0} << from % 64 : ~std::uint64_t{0};
            bits &= cutRight ? (std::uint64_t{1} << to % 64) - 1 : ~std::uint64_t{0};
            if (bits == 0) {
                continue;
            }
            const std::uint64_t weight = OccupancyIndex::ones(bits) * slot;
            count.majority.add(sketch.roles[part], weight);
            if (cutLeft || cutRight) {
                count.cuts[cutLeft ? 0 : 1] = {sketch.roles[part], weight};
            } else {
                count.certain |= 1U << sketch.roles[part];
            }
        }
    }
    void addItems(std::size_t k, std::size_t from, std::size_t to, Count& count) const
    {
        Weights weights;
        addItems(k, from, to, weights);
        for (std::uint32_t rest = weights.seen; rest != 0; rest &= rest - 1) {
            const auto role = static_cast<std::uint8_t>(std::countr_zero(rest));
            count.majority.add(role, static_cast<std::uint64_t>(weights.ticks[role] / den));
            count.certain |= 1U << role;
        }
    }

    /// Ticks by role.
    struct Weights {
        std::array<std::int64_t, 32> ticks;  // of what is in `seen`
        std::uint32_t seen = 0;
        void add(ItemRole of, std::int64_t some)
        {
            const auto role = static_cast<unsigned>(of);
            ticks[role] = (seen >> role & 1U) != 0 ? ticks[role] + some : some;
            seen |= 1U << role;
        }
        ItemRole most() const
        {
            auto most = static_cast<unsigned>(std::countr_zero(seen));
            for (std::uint32_t rest = seen & (seen - 1); rest != 0; rest &= rest - 1) {
                const auto role = static_cast<unsigned>(std::countr_zero(rest));
                most = ticks[role] > ticks[most] ? role : most;
            }
            return seen == 0 ? ItemRole::none : static_cast<ItemRole>(most);
        }
    };
    /// Items [from, to) that touch column k, with their time in it but for those that are drawn on their own.
    void addItems(std::size_t k, std::size_t from, std::size_t to, Weights& weights) const
    {
        to = std::min(to, items.size());
        const auto addEnd = [&](std::size_t i) {
            const std::int64_t part = std::min(end(i), edge(k + 1)) - std::max(start(i), edge(k));
            if (part > 0 && !isWide(i)) {
                weights.add(items.role(i), part);
            }
        };
        if (from < to) {
            addEnd(from);
        }
        for (std::size_t i = from + 1; i + 1 < to; ++i) {  // these lie in the column
            if (end(i) > start(i)) {
                weights.add(items.role(i), end(i) - start(i));
            }
        }
        if (from + 1 < to) {
            addEnd(to - 1);
        }
    }
    std::int64_t between(const Edge& a, const Edge& b) const
    {
        return std::clamp<std::int64_t>(static_cast<std::int64_t>(b.busy - a.busy), 0, num);
    }
    /// Column k's role once it is known how much of it is narrow. What may as well be nothing is looked at item by item.
    void findRole(std::size_t k, const Edge& a, const Edge& b, LaneColumns& out) const
    {
        const std::int64_t doubt = a.doubt + b.doubt;
        ItemRole role = ItemRole::none;
        // Of a few slots only the items know whose they are.
        if (out.narrow[k] > doubt * (index.onlyRole() == ItemRole::none ? few_slots : 1)) {
            role = roleIn(k, a, b, out.narrow[k]);
        } else if (doubt == 0 && index.hasInstants()) {
            role = instantIn(k, a.at, b.at);
        }
        if (role == ItemRole::none && doubt > 0) {
            Walk walk;
            const Edge from = exactly(k, a.block, walk);
            const Edge to = exactly(k + 1, b.block, walk);
            const std::int64_t wide = out.busy[k] - out.narrow[k];
            out.busy[k] = between(from, to);
            out.narrow[k] = out.busy[k] - wide;
            findRole(k, from, to, out);
            return;
        }
        out.role[k] = static_cast<std::uint8_t>(role);
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
            out.busy[k] = out.narrow[k] = scan.between(m_edges[k], m_edges[k + 1]);
        }
        scan.findWide(*this, out);
        for (std::size_t k = 0; k < count; ++k) {
            scan.findRole(k, m_edges[k], m_edges[k + 1], out);
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
