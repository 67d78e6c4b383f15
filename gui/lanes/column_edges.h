// SPDX-License-Identifier: MIT
// How busy a row was before each edge of the view's columns: computed from the busy bits of
// the index where these are exact to 1/160 of a column, else from the items.
//
// Which of the two is used depends on the edge, the width of a column and the row
// alone, so that a column keeps its colour while panning.
#pragma once

#include "gui/lanes/row_view.h"

#include <algorithm>
#include <vector>

namespace lanes::gui {

/// Between two columns.
struct ColumnEdge {
    std::size_t node;  ///< of the index, on `level`
    std::size_t at;  ///< the first item that is not over; where there is doubt, the slot of the node's busy bits
    std::uint64_t busy;  ///< ticks before the edge; a sum may wrap around in a long recording, differences do not
    std::int64_t doubt;  ///< ticks by which `busy` may be wrong; 0: it was computed from the items
    std::size_t level;

    /// The blocks of the index that the edge's node covers: [firstBlock, behindBlocks).
    std::size_t firstBlock() const { return node << OccupancyIndex::fan_bits * level; }
    std::size_t behindBlocks() const { return (node + 1) << OccupancyIndex::fan_bits * level; }
};

template <class Items> class ColumnEdges {
public:
    explicit ColumnEdges(const RowView<Items>& view)
        : m_view(view)
        , m_level(view.index.levelFor([&](Ns slot, bool drawnFromItems) { return doubtOf(slot, drawnFromItems) > 0; }))
    {
    }

    /// Fills in every edge of the view, and in `wide` the items across an edge that are drawn on their own, in
    /// order.
    void find(std::vector<ColumnEdge>& edges, std::vector<std::size_t>& wide) const
    {
        const std::size_t last = m_view.columns;
        // One step for all edges, then the next: so the processor has many reads of memory under way at once.
        OccupancyIndex::Cursor cursor(m_view.index, m_level, time(0), time(last), last + 1);
        ColumnEdge here {};
        Ns until = INT64_MIN;  // the end of that node
        for (std::size_t k = 0; k <= last; ++k) {
            if (const Ns t = time(k); t >= until) {
                here = nodeAt(t, cursor, until);
                __builtin_prefetch(&m_view.index.busyBits(here.level, here.node));
            }
            edges[k] = here;
        }
        Walk walk;
        for (std::size_t k = 0; k <= last; ++k) {
            ColumnEdge& at = edges[k];
            if (at.doubt > 0 && readBits(k, at)) {
                continue;
            }
            at = exactly(k, at.level == 0 ? at.node : m_view.index.blockAt(time(k)), walk);
            if (const std::size_t i = at.at; i < m_view.items.size() && m_view.start(i) < m_view.edge(k)
                && m_view.isWide(i) && (wide.empty() || wide.back() != i)) {
                wide.push_back(i);
            }
        }
    }

    /// Where the last edge was found among the items of its block.
    struct Walk {
        std::size_t block = SIZE_MAX, item = 0;
        Ns busy = 0;  ///< before the item
    };
    /// Edge k from the items; `walk` is at an edge before it.
    ColumnEdge exactly(std::size_t k, Walk& walk) const { return exactly(k, m_view.index.blockAt(time(k)), walk); }

    /// Busy ticks of the column between two edges.
    std::int64_t between(const ColumnEdge& a, const ColumnEdge& b) const
    {
        return std::clamp<std::int64_t>(static_cast<std::int64_t>(b.busy - a.busy), 0, m_view.num);
    }

private:
    static constexpr std::int64_t steps = 160;  // busy times are exact to 1/160 of a column
    static_assert(BusyBits::slot_count < RowView<Items>::wide_columns * steps);  // else their node may hold a wide item

    Ns time(std::size_t k) const { return m_view.wholeNs(m_view.edge(k)); }

    /// Ticks by which an edge may be wrong that is read from busy bits with slots of this length; 0 where that is too
    /// much.
    std::int64_t doubtOf(Ns slot, bool drawnFromItems) const
    {
        const std::int64_t doubt = OccupancyIndex::errorOf(slot, drawnFromItems) * m_view.den;
        return 2 * doubt * steps <= m_view.num ? doubt : 0;
    }

    ColumnEdge nodeAt(Ns t, OccupancyIndex::Cursor& cursor, Ns& until) const
    {
        const OccupancyIndex& index = m_view.index;
        if (index.isOver(t)) {
            until = INT64_MAX;
            return {index.blocks(), 0, 0, 0, 0};
        }
        // Where the bits are good enough no item can be wide: all of their node is less than three columns wide.
        std::size_t node = cursor.nodeAt(t);
        std::size_t level = m_level;
        std::int64_t doubt = doubtOf(index.slotOf(level, node), level <= 1);
        if (doubt == 0 && level > 0) {
            node = index.blockIn(level, node, t);
            level = 0;
            doubt = doubtOf(index.slotOf(0, node), true);
        }
        until = index.endOf(level, node);
        return {node, 0, 0, doubt, level};
    }

    /// Edge k, which lies in its node or before it, from the node's busy bits. False if these are not reliable.
    bool readBits(std::size_t k, ColumnEdge& to) const
    {
        const OccupancyIndex& index = m_view.index;
        const BusyBits& from = index.busyBits(to.level, to.node);
        if (!from.reliable) {
            return false;
        }
        const auto slot = static_cast<std::uint64_t>(index.slotOf(to.level, to.node) * m_view.den);
        const auto in = static_cast<std::uint64_t>(
            std::max<std::int64_t>(m_view.edge(k) - index.startOf(to.level, to.node) * m_view.den, 0));
        const std::uint64_t whole = in / slot;
        std::uint64_t bits = 0;
        for (std::size_t word = 0; word < whole / 64; ++word) {
            bits += set_bits(from.bits[word]);
        }
        const std::uint64_t last = from.bits[whole / 64];
        const std::uint64_t bit = std::uint64_t {1} << whole % 64;
        bits += set_bits(last & (bit - 1));
        to.at = whole;
        to.busy = ticksOf(from.busy) + bits * slot + ((last & bit) != 0 ? in - whole * slot : 0);
        return true;
    }

    ColumnEdge exactly(std::size_t k, std::size_t block, Walk& walk) const
    {
        const auto& items = m_view.items;
        const Ns t = time(k);
        if (walk.block != block) {
            const std::size_t first = std::min(block * OccupancyIndex::block_size, items.size());
            walk = {block, first, m_view.index.busyBits(0, block).busy};
            if (m_view.index.hasInstants() && OccupancyIndex::beforeInstantAt(items, first, t) != first) {
                return {block, first - 1, ticksOf(walk.busy), 0, 0};
            }
        }
        for (; walk.item < items.size() && over(walk.item, t); ++walk.item) {
            walk.busy += items.end(walk.item) - items.start(walk.item);
        }
        std::uint64_t busy = ticksOf(walk.busy);
        if (walk.item < items.size()) {
            const std::int64_t start = m_view.start(walk.item);
            busy += static_cast<std::uint64_t>(
                std::clamp<std::int64_t>(m_view.edge(k) - start, 0, m_view.end(walk.item) - start));
        }
        return {block, walk.item, busy, 0, 0};
    }
    bool over(std::size_t i, Ns t) const
    {
        return m_view.items.end(i) < t || (m_view.items.end(i) == t && m_view.items.start(i) != t);
    }
    std::uint64_t ticksOf(Ns ns) const
    {
        return static_cast<std::uint64_t>(ns) * static_cast<std::uint64_t>(m_view.den);
    }

    const RowView<Items>& m_view;
    std::size_t m_level;  // of the busy bits that edges are read from, where they are good enough
};

}  // namespace lanes::gui
