// SPDX-License-Identifier: MIT
// How busy a lane row was up to any time, and with what, without looking at every item.
//
// Items are taken in blocks of 16. Of each block the index keeps when it ends, how busy
// the row was before it, and the role of most of its busy time; over the blocks stands
// a tree of ends and roles, 8 to 1 a level. It is built over the items, not over time, so a
// burst in a long silence costs what anything else costs.
//
// Cost: built in one pass; 8 + 8 + 2 bytes a block and a seventh of that for the tree: 1.25
// bytes an item; a question takes one node a level and one block of items. Made for
// one RowItems, which every question names again, and valid as long as that is.
#pragma once

#include "gui/timeline/row_items.h"

#include <algorithm>
#include <stop_token>
#include <type_traits>

namespace lanes::gui {

class OccupancyIndex {
public:
    static constexpr std::size_t block_size = 16;

    OccupancyIndex() = default;
    /// Stopped half-way it answers nothing, and is good for nothing but to be thrown away.
    explicit OccupancyIndex(const RowItems& items, const std::stop_token& stop = {});

    /// How many items are over at `t`: the first that is not. An item without length is over after its first ns.
    std::size_t over(const RowItems& items, Ns t) const;
    /// Busy time before `t` in ns, exact.
    Ns busyBefore(const RowItems& items, Ns t) const;

    /// The role of all items; none where they differ.
    ItemRole onlyRole() const { return m_only; }
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
    /// A vote over whole blocks of items, each for the role of most of its busy time with that time in ns, 3 % exact.
    struct Vote {
        Majority majority;
        std::size_t from, to;  ///< items that were asked
    };
    /// The vote of the blocks inside items [from, to), which are at least 2 blocks long and busy for `busy` ns. What
    /// cannot change the outcome is left out, so that few nodes are asked. It depends on these numbers alone.
    Vote vote(std::size_t from, std::size_t to, Ns busy) const;

    std::size_t bytes() const;

    // What the rasteriser's loops are made of.

    /// The block that holds the first item which ends after `t`; the number of blocks if there is none.
    std::size_t blockAt(Ns t) const { return t < m_end ? descend(m_levels.size(), 0, t) : m_blocks; }
    /// Asks blockAt() for times that never fall: goes on from the node where the last one was.
    class Cursor;
    /// The first item of `block` that is not over at `t`, given block == blockAt(t).
    template <class Items>
    static std::size_t overIn(const Items& items, std::size_t block, Ns t)
    {
        const std::size_t first = std::min(block * block_size, items.size());
        std::size_t i = first;
        if (first + block_size <= items.size()) {  // 4 steps without a branch
            i += items.end(i + 7) <= t ? 8 : 0;
            i += items.end(i + 3) <= t ? 4 : 0;
            i += items.end(i + 1) <= t ? 2 : 0;
            i += items.end(i) <= t ? 1 : 0;
        } else {
            while (i < items.size() && items.end(i) <= t) {
                ++i;
            }
        }
        // Two items may end at t where the second has no length; that one is not over yet.
        return i > 0 && items.end(i - 1) == t && items.start(i - 1) == t ? i - 1 : i;
    }
    /// Busy time of all items before `i` in ns.
    template <class Items>
    Ns busyUpTo(const Items& items, std::size_t i) const
    {
        const std::size_t block = i / block_size;
        const std::size_t first = block * block_size;
        Ns busy = m_busy[block];
        if (first + block_size <= items.size()) {  // all 16, those from i on masked out: no branch to guess
            static constexpr std::array<Ns, 2 * block_size> masks = [] {
                std::array<Ns, 2 * block_size> ones{};
                std::fill(ones.begin(), ones.begin() + block_size, -1);
                return ones;
            }();
            const Ns* mask = masks.data() + block_size - (i - first);
            for (std::size_t k = 0; k < block_size; ++k) {
                busy += (items.end(first + k) - items.start(first + k)) & mask[k];
            }
            return busy;
        }
        for (std::size_t k = first; k < i; ++k) {
            busy += items.end(k) - items.start(k);
        }
        return busy;
    }
    /// Busy time of items [from, to), both the beginning of a block (or the end of all), in ns.
    Ns busyOfBlocks(std::size_t from, std::size_t to) const { return m_busy[to / block_size] - m_busy[from / block_size]; }
    /// Asks the memory for what overIn and busyUpTo will read.
    template <class Items>
    void fetch(const Items& items, std::size_t block) const
    {
        __builtin_prefetch(m_busy.data() + block);
        if constexpr (std::is_same_v<Items, RowItems::Plain>) {
            const std::size_t first = block * block_size;
            __builtin_prefetch(items.starts + first);
            __builtin_prefetch(items.starts + first + 8);
            __builtin_prefetch(items.ends + first);
            __builtin_prefetch(items.ends + first + 8);
        }
    }

private:
    static constexpr std::size_t fan = 8;

    template <class Items>
    void build(const Items& items, const std::stop_token& stop);
    void join();

    /// The block under node `at` of `level` that ends first after `t`, given that one does.
    std::size_t descend(std::size_t level, std::size_t at, Ns t) const
    {
        while (level-- > 0) {
            at *= fan;
            const Ns* ends = m_ends.data() + m_levels[level];
            at += ends[at + 3] <= t ? 4 : 0;
            at += ends[at + 1] <= t ? 2 : 0;
            at += ends[at] <= t ? 1 : 0;
        }
        return at;
    }

    std::vector<Ns> m_busy;              // before each block, and of all
    std::vector<Ns> m_ends;              // of blocks, then level by level of groups; each level filled up to whole nodes
    std::vector<std::uint16_t> m_votes;  // beside m_ends; empty where there is but one role
    std::vector<std::size_t> m_levels;   // where each begins
    std::size_t m_blocks = 0;
    Ns m_end = INT64_MIN;  // of the last item
    ItemRole m_only = ItemRole::none;
    bool m_instants = false;
};

class OccupancyIndex::Cursor {
public:
    /// Goes over the nodes of the level on which about as many lie between two blocks as there are questions.
    Cursor(const OccupancyIndex& index, std::size_t firstBlock, std::size_t lastBlock, std::size_t questions)
        : m_index(index)
    {
        std::size_t nodes = lastBlock - firstBlock;
        m_at = firstBlock;
        while (nodes > 2 * questions && m_level + 1 < index.m_levels.size()) {
            nodes /= fan;
            m_at /= fan;
            ++m_level;
        }
    }
    std::size_t blockAt(Ns t)
    {
        if (t >= m_index.m_end) {
            return m_index.m_blocks;
        }
        const Ns* ends = m_index.m_ends.data() + m_index.m_levels[m_level];
        while (ends[m_at] <= t) {
            ++m_at;
        }
        return m_index.descend(m_level, m_at, t);
    }

private:
    const OccupancyIndex& m_index;
    std::size_t m_level = 0;
    std::size_t m_at;
};

}  // namespace lanes::gui
