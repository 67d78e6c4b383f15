// SPDX-License-Identifier: MIT
// How busy a lane row was in any stretch of time, without looking at every item.
//
// Bins are aligned to multiples of 2^shift ns from the recording's start, never to
// the view, so nothing shimmers while panning. The finest bins hold about 4 items,
// each level above joins 4 bins. A finest bin with many items (a burst in a
// long silence) has a pyramid of its own inside, so that no stretch of time ever
// costs more than a few dozen items.
//
// Cost: built in one pass over the items; 8 bytes a bin, about 2 bytes an item;
// walking n columns takes O(n) bins and, for the bins that a column's edge cuts, one
// descent each. Made for one RowItems and valid as long as that is.
#pragma once

#include "gui/timeline/row_items.h"

namespace lanes::gui {

class OccupancyPyramid {
public:
    struct Bin {
        std::uint32_t first = 0;  ///< the first item that touches it
        std::uint16_t busy = 0;   ///< of 65535; 0 and 65535 mean exactly nothing and all of it
        std::uint8_t count = 0;   ///< items that touch it, at most 255; 0: none
        std::uint8_t role = 0;    ///< ItemRole of the greatest part of its busy time, where one has most of it
    };

    OccupancyPyramid() = default;
    explicit OccupancyPyramid(const RowItems& items);

    /// Tells `sink` what lies in ticks [t0, t1) of 1/den ns, in order, for columns of `width` ticks aligned at 0:
    ///   sink.share(role, t0, t1, busy)  busy ticks in a stretch inside one column
    ///   sink.item(i, t0, t1)            the part of item i in [t0, t1), which may span columns
    /// Items at least one column long always come by item(). Returns nothing; idle stretches are not told.
    /// A stretch may come in several pieces. What a column gets adds up to its busy time, exact to 1/4096 of it.
    template <class Sink>
    void walk(const RowItems& items, std::int64_t den, std::int64_t width, std::int64_t t0, std::int64_t t1,
        Sink& sink) const
    {
        if (!m_blocks.empty() && t0 < t1) {
            Walk<Sink>{*this, items, sink, den, width}.block(m_blocks.front(), t0, t1);
        }
    }

    std::size_t bytes() const;

private:
    struct Level {
        std::int64_t firstBin;
        std::size_t offset, count;
        int shift;
    };
    struct Block {
        std::vector<Level> levels;  // finest first
        std::vector<Bin> bins;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> dense;  // finest bin's index -> block
    };

    std::size_t build(const RowItems& items, std::size_t first, std::size_t last, Ns t0, Ns t1, int depth);
    static void fillFinest(Block& block, const RowItems& items, std::size_t first, std::size_t last, Ns t0, Ns t1);
    static void joinLevels(Block& block);

    template <class Sink>
    struct Walk;

    std::vector<Block> m_blocks;  // the first is of the whole row
};

template <class Sink>
struct OccupancyPyramid::Walk {
    const OccupancyPyramid& pyramid;
    const RowItems& items;
    Sink& sink;
    std::int64_t den, width;

    std::int64_t binTicks(const Level& level) const { return den << level.shift; }

    void block(const Block& b, std::int64_t t0, std::int64_t t1)
    {
        std::size_t chosen = b.levels.size();
        while (chosen > 0 && binTicks(b.levels[chosen - 1]) * 2 > width) {
            --chosen;
        }
        if (chosen == 0) {
            betweenDense(b, t0, t1);
            return;
        }
        const Level& level = b.levels[chosen - 1];
        const std::int64_t ticks = binTicks(level);
        std::int64_t i = std::max<std::int64_t>(t0 / ticks - (t0 < 0 ? 1 : 0) - level.firstBin, 0);
        std::int64_t told = t0;  // all before it was told
        for (; i < static_cast<std::int64_t>(level.count); ++i) {
            const std::int64_t start = (level.firstBin + i) * ticks;
            if (start >= t1) {
                return;
            }
            const Bin& bin = b.bins[level.offset + static_cast<std::size_t>(i)];
            if (bin.count == 0) {
                continue;
            }
            const std::int64_t end = std::min(start + ticks, t1);
            if (isOneItem(bin, start + ticks)) {
                const std::int64_t until = std::min(items.end(bin.first) * den, t1);
                sink.item(bin.first, std::max(told, t0), until);
                told = until;
                i = until / ticks - level.firstBin;  // where it ends: the rest of that bin is still to tell
                const std::int64_t rest = (level.firstBin + i) * ticks;
                if (until == rest) {
                    --i;
                } else if (until < t1 && i < static_cast<std::int64_t>(level.count)) {
                    told = tellBin(b, chosen - 1, static_cast<std::size_t>(i), until, std::min(rest + ticks, t1));
                }
                continue;
            }
            told = tellBin(b, chosen - 1, static_cast<std::size_t>(i), std::max(start, told), end);
        }
    }

    bool isOneItem(const Bin& bin, std::int64_t binEnd) const
    {
        return bin.busy == 65535 && items.end(bin.first) * den >= binEnd;
    }

    /// Tells [t0, t1) of bin i, but not the beginning of an item that fills the next bin; returns up to where.
    std::int64_t tellBin(const Block& b, std::size_t levelIndex, std::size_t i, std::int64_t t0, std::int64_t t1)
    {
        const Level& level = b.levels[levelIndex];
        if (i + 1 < level.count) {
            const Bin& next = b.bins[level.offset + i + 1];
            const std::int64_t nextEnd = (level.firstBin + static_cast<std::int64_t>(i) + 2) * binTicks(level);
            if (next.busy == 65535 && isOneItem(next, nextEnd) && nextEnd - binTicks(level) <= t1) {
                t1 = std::min(t1, std::max(t0, items.start(next.first) * den));
            }
        }
        inBin(b, levelIndex, i, t0, t1);
        return t1;
    }

    /// The part [t0, t1) of a bin, which spans at most two columns.
    void inBin(const Block& b, std::size_t levelIndex, std::size_t i, std::int64_t t0, std::int64_t t1)
    {
        const Level& level = b.levels[levelIndex];
        const Bin& bin = b.bins[level.offset + i];
        if (bin.count == 0 || t0 >= t1) {
            return;
        }
        const std::int64_t ticks = binTicks(level);
        const std::int64_t edge = (columnOf(t1 - 1)) * width;  // the edge inside, if there is one
        const bool cut = edge > t0;
        const auto role = static_cast<ItemRole>(bin.role);
        if (!cut && t1 - t0 == ticks) {
            sink.share(role, t0, t1, share(bin.busy, ticks));
            return;
        }
        if (bin.busy == 65535) {
            if (cut) {
                sink.share(role, t0, edge, edge - t0);
            }
            sink.share(role, cut ? edge : t0, t1, t1 - (cut ? edge : t0));
            return;
        }
        if (levelIndex > 0) {
            const Level& finer = b.levels[levelIndex - 1];
            const std::int64_t finerTicks = binTicks(finer);
            const std::int64_t firstChild = (level.firstBin + static_cast<std::int64_t>(i)) * 4;
            for (std::int64_t child = firstChild; child < firstChild + 4; ++child) {
                const std::int64_t at = child - finer.firstBin;
                if (at >= 0 && at < static_cast<std::int64_t>(finer.count)) {
                    inBin(b, levelIndex - 1, static_cast<std::size_t>(at), std::max(t0, child * finerTicks),
                        std::min(t1, (child + 1) * finerTicks));
                }
            }
            return;
        }
        if (const Block* inside = denseBlock(b, i)) {
            block(*inside, t0, t1);
            return;
        }
        run(bin.first, t0, t1);
    }

    /// Finer than the finest bins: item after item, but for the dense bins.
    void betweenDense(const Block& b, std::int64_t t0, std::int64_t t1)
    {
        const Level& level = b.levels.front();
        const std::int64_t ticks = binTicks(level);
        auto next = std::lower_bound(b.dense.begin(), b.dense.end(), t0,
            [&](const auto& dense, std::int64_t t) { return (level.firstBin + dense.first + 1) * ticks <= t; });
        for (; next != b.dense.end() && t0 < t1; ++next) {
            const std::int64_t start = (level.firstBin + next->first) * ticks;
            if (start >= t1) {
                break;
            }
            runFrom(b, t0, std::min(start, t1));
            block(pyramid.m_blocks[next->second], std::max(t0, start), std::min(t1, start + ticks));
            t0 = start + ticks;
        }
        runFrom(b, t0, t1);
    }

    void runFrom(const Block& b, std::int64_t t0, std::int64_t t1)
    {
        const Level& level = b.levels.front();
        if (t0 >= t1) {
            return;
        }
        const std::int64_t ticks = binTicks(level);
        std::int64_t i = std::max<std::int64_t>(t0 / ticks - (t0 < 0 ? 1 : 0) - level.firstBin, 0);
        for (; i < static_cast<std::int64_t>(level.count) && (level.firstBin + i) * ticks < t1; ++i) {
            const Bin& bin = b.bins[level.offset + static_cast<std::size_t>(i)];
            if (bin.count > 0) {
                run(bin.first, t0, t1);
                return;
            }
        }
    }

    void run(std::size_t i, std::int64_t t0, std::int64_t t1)
    {
        for (; i < items.size() && items.start(i) * den < t1; ++i) {
            if (items.end(i) * den > t0 || (items.start(i) == items.end(i) && items.start(i) * den >= t0)) {
                sink.item(i, t0, t1);
            }
        }
    }

    const Block* denseBlock(const Block& b, std::size_t i) const
    {
        const auto found = std::lower_bound(
            b.dense.begin(), b.dense.end(), i, [](const auto& dense, std::size_t bin) { return dense.first < bin; });
        return found != b.dense.end() && found->first == i ? &pyramid.m_blocks[found->second] : nullptr;
    }

    std::int64_t columnOf(std::int64_t t) const { return t / width - (t % width < 0 ? 1 : 0); }
    static std::int64_t share(std::uint16_t busy, std::int64_t ticks)
    {
        return busy == 65535 ? ticks : static_cast<std::int64_t>(static_cast<double>(ticks) * busy / 65535.0 + 0.5);
    }
};

}  // namespace lanes::gui
