// SPDX-License-Identifier: MIT
// How busy a lane row was before any moment, and with what, without reading every item.
//
// A view has some 1,500 columns, and a row up to 100 million items that do not overlap. For each edge t between two
// columns the rasteriser needs B(t), the busy time before t: the column between edges t and u was busy for B(u) -
// B(t).
//
// The items are taken in blocks of 48. Of each block the index keeps when it ends, the role of most of its busy time,
// and BusyBits: B at the block's start, and one bit for each of 384 slots of the block's time. The bits are B rounded
// to whole slots: a slot's bit is set if the rounded B is one more at the slot's end than at its start. So B(t) is B
// at the start plus a slot for every bit before t, wrong by half a slot at most. In small, three items and 8 slots of
// 2 ns:
//
//     ns                0123456789012345
//     items             aaaaa.....bbb..c     a is busy from 0 to 5, b from 10 to 13, c from 15 to 16
//     slots             |0|1|2|3|4|5|6|7
//     B at slot's end    2 4 5 5 5 7 8 9     ns
//     the same in slots  1 2 3 3 3 4 4 5     rounded, halves up
//     bits               1 1 1 0 0 1 0 1     B(12) = 4 bits before it = 8 ns; truly 7 ns
//
// Over the blocks there is a tree, 8 to 1 a level, whose nodes have the same three for their longer time:
//
//     level 2   [                            one node: 64 blocks, 384 longer slots                          ]
//     level 1   [ 8 blocks  ][ 8 blocks ][   8 blocks   ][ 8 blocks ][ 8 ][  8 blocks  ][ 8 blocks ][ 8 blk ]
//     level 0   [48][48][48] ...                                   blocks of items, not of time
//
// For a view one level is chosen: the highest whose slots are so short against a column that half a slot does not
// show. An edge then costs one cache line, which is next to the line of the edge before it or the same. Where columns
// are shorter than a block they are computed from the items. Since blocks are of items and not of time, a burst of
// items in a long silence costs what anything else costs.
//
// Cost: built in one pass; 64 + 8 + 2 bytes a block and a seventh of that for the tree: 1.8 bytes an item. An exact
// B(t) reads one node a level and one block of items. An index is made for one RowItems, which is passed to it again
// with every call, and is valid as long as that is.
#pragma once

#include "gui/lanes/busy_bits.h"
#include "gui/lanes/row_items.h"

#include <algorithm>
#include <stop_token>
#include <type_traits>

namespace lanes::gui {

class OccupancyIndex {
public:
    static constexpr std::size_t block_size = RowPlaces::sampled;

    OccupancyIndex() = default;
    /// Stopped half-way it is empty: it may only be destroyed.
    explicit OccupancyIndex(const RowItems& items, const std::stop_token& stop = {});

    /// How many items are over at `t`: the first that is not. An item without length is over after its first ns.
    std::size_t over(const RowItems& items, Ns t) const;
    /// Busy time before `t` in ns, exact.
    Ns busyBefore(const RowItems& items, Ns t) const;

    /// The role of all items; none where they differ.
    ItemRole onlyRole() const { return m_only; }
    /// One that has much of the row's busy time.
    ItemRole commonRole() const { return m_common; }
    /// True if an item without length is among them.
    bool hasInstants() const { return m_instants; }

    /// The role with most of what was added: exact where one has more than half of it. `lead` more of any other role
    /// would not change it.
    struct Majority {
        std::uint8_t role = 0;
        std::uint64_t lead = 0;
        void add(std::uint8_t other, std::uint64_t weight)
        {
            if (other == role || role == 0) {
                role = other;
                lead += weight;
            } else if (weight > lead) {
                role = other;
                lead = weight - lead;
            } else {
                lead -= weight;
            }
        }
    };
    /// Adds nodes [from, to) of a level: each for the role of most of its busy time, with that time in ns to 6 %, or
    /// with less where its roles differ. Reads at most 30 nodes a level.
    void vote(std::size_t level, std::size_t from, std::size_t to, Majority& majority) const;

    std::size_t bytes() const;

    // What the loops of the rasteriser use.

    static constexpr std::size_t fan_bits = 3;

    bool isOver(Ns t) const { return t >= m_end; }
    /// The block that holds the first item which ends after `t`; blocks() if there is none.
    std::size_t blockAt(Ns t) const { return t < m_end ? descend(m_levels.size(), 0, t, 0) : m_blocks; }
    /// The same, given the node on `level` that holds it.
    std::size_t blockIn(std::size_t level, std::size_t node, Ns t) const { return descend(level, node, t, 0); }
    /// Finds the nodes at times that never fall: goes on from the node that it found last.
    class Cursor;
    std::size_t blocks() const { return m_blocks; }
    Ns startOf(std::size_t level, std::size_t node) const
    {
        return node > 0 ? m_ends[m_levels[level] + node - 1] : m_start;
    }
    Ns endOf(std::size_t level, std::size_t node) const { return m_ends[m_levels[level] + node]; }
    Ns slotOf(std::size_t level, std::size_t node) const
    {
        return BusyBits::slotFor(endOf(level, node) - startOf(level, node));
    }
    /// That of block blocks() holds the busy time of all and nothing else.
    const BusyBits& busyBits(std::size_t level, std::size_t node) const { return m_bits[m_bitsAt[level] + node]; }
    /// By how many ns busy bits with slots of this length may be wrong: half a slot for their rounding.
    /// Bits made from those of other nodes may add a quarter of a slot.
    static Ns errorOf(Ns slot, bool drawnFromItems) { return drawnFromItems ? (slot + 1) / 2 : (3 * slot + 3) / 4; }
    /// The topmost level on which a node of usual length would be `fit`, by the length of its slots; else 0.
    template <class Fit> std::size_t levelFor(const Fit& fit) const
    {
        std::size_t level = m_levels.empty() ? 0 : m_levels.size() - 1;
        while (level > 0 && !fit(BusyBits::slotFor((m_end - m_start) / static_cast<Ns>(nodesOn(level))), level <= 1)) {
            --level;
        }
        return level;
    }
    /// The first item that is not over at `t`, given block == blockAt(t).
    template <class Items> static std::size_t overIn(const Items& items, std::size_t block, Ns t)
    {
        std::size_t i = std::min(block * block_size, items.size());
        if constexpr (Items::is_walked) {  // each after the one before, which is faster than a search
            while (i < items.size() && items.end(i) <= t) {
                ++i;
            }
            return beforeInstantAt(items, i, t);
        }
        for (std::size_t left = std::min(block_size, items.size() - i); left > 0;) {
            const std::size_t half = left / 2;
            const bool over = items.end(i + half) <= t;
            i += over ? half + 1 : 0;
            left = over ? left - half - 1 : half;
        }
        return beforeInstantAt(items, i, t);
    }
    /// `i` is the first item that ends after `t`. Two items may end at t where the second has no length; that one is
    /// not over yet.
    template <class Items> static std::size_t beforeInstantAt(const Items& items, std::size_t i, Ns t)
    {
        return i > 0 && items.end(i - 1) == t && items.start(i - 1) == t ? i - 1 : i;
    }

private:
    static constexpr std::size_t fan = std::size_t {1} << fan_bits;

    void build(const RowItems::Plain& items, const std::stop_token& stop);
    void build(const RowItems::Walked& items, const std::stop_token& stop);
    template <class Items> void buildAny(const Items& items, const std::stop_token& stop);
    struct Drawn {
        Ns busy;
        std::uint8_t role;  // of most of it
        Ns ofRole;
        std::uint64_t roles;  // bits: all that are there
    };
    template <class Items> Drawn draw(const Items& items, std::size_t block, BusyBitsPen& over, PartRoles& parts);
    void join();
    void gatherBits(std::size_t level, std::size_t node, BusyBits& into) const;
    void gatherRoles(std::size_t level, std::size_t node, BusyBits& into, PartRoles& parts) const;

    std::size_t nodesOn(std::size_t level) const
    {
        return (m_blocks + (std::size_t {1} << fan_bits * level) - 1) >> fan_bits * level;
    }

    /// The node on level `to` under node `at` of `level` that ends first after `t`, given that one does.
    std::size_t descend(std::size_t level, std::size_t at, Ns t, std::size_t to) const
    {
        while (level-- > to) {
            at *= fan;
            const Ns* ends = m_ends.data() + m_levels[level];
            at += ends[at + 3] <= t ? 4 : 0;
            at += ends[at + 1] <= t ? 2 : 0;
            at += ends[at] <= t ? 1 : 0;
        }
        return at;
    }

    std::vector<BusyBits> m_bits;  // of blocks, and the busy time of all; then level by level
    std::vector<std::size_t> m_bitsAt;  // where each level begins
    std::vector<Ns> m_ends;  // of blocks, then level by level of groups; each level filled up to whole nodes
    std::vector<std::uint16_t> m_votes;  // beside m_ends; empty where there is but one role
    std::vector<std::size_t> m_levels;  // where each begins
    std::size_t m_blocks = 0;
    Ns m_start = 0;  // of the first item
    Ns m_end = INT64_MIN;  // of the last item
    ItemRole m_only = ItemRole::none;
    ItemRole m_common = ItemRole::none;
    bool m_instants = false;
};

class OccupancyIndex::Cursor {
public:
    /// Finds nodes of `level`. Walks over the nodes of that level, or of a higher one on which about as many nodes lie
    /// between the first and the last time as there are times.
    Cursor(const OccupancyIndex& index, std::size_t level, Ns first, Ns last, std::size_t questions)
        : m_index(index)
        , m_to(level)
        , m_level(level)
        , m_at(index.blockAt(first) >> fan_bits * level)
    {
        std::size_t nodes = (index.blockAt(last) >> fan_bits * level) - m_at;
        while (nodes > 2 * questions && m_level + 1 < index.m_levels.size()) {
            nodes /= fan;
            m_at /= fan;
            ++m_level;
        }
    }
    /// The node that holds the first item which ends after `t`; there is one.
    std::size_t nodeAt(Ns t)
    {
        const Ns* ends = m_index.m_ends.data() + m_index.m_levels[m_level];
        while (ends[m_at] <= t) {
            ++m_at;
        }
        return m_index.descend(m_level, m_at, t, m_to);
    }

private:
    const OccupancyIndex& m_index;
    std::size_t m_to, m_level, m_at;
};

}  // namespace lanes::gui
