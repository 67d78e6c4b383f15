// SPDX-License-Identifier: MIT
#include "gui/timeline/occupancy_pyramid.h"

#include <cmath>

namespace lanes::gui {

namespace {

constexpr std::size_t items_a_bin = 4;
constexpr std::uint8_t dense_count = 48;  // items in a finest bin from which it gets a pyramid of its own
constexpr int deepest = 12;

/// The role with most of the busy time, by majority vote: exact where one role has more than half.
struct Vote {
    std::uint8_t role = 0;
    double weight = 0;
    void add(std::uint8_t candidate, double busy)
    {
        if (candidate == role || role == 0) {
            role = candidate;
            weight += busy;
        } else if (busy > weight) {
            role = candidate;
            weight = busy - weight;
        } else {
            weight -= busy;
        }
    }
};

std::uint16_t fraction(double busy, double whole)
{
    if (busy <= 0) {
        return 0;
    }
    return busy >= whole ? 65535 : static_cast<std::uint16_t>(std::clamp(busy * 65535.0 / whole + 0.5, 1.0, 65534.0));
}

std::uint8_t saturated(unsigned a, unsigned b)
{
    return static_cast<std::uint8_t>(std::min(a + b, 255U));
}

}  // namespace

OccupancyPyramid::OccupancyPyramid(const RowItems& items)
{
    if (items.size() > 0) {
        build(items, 0, items.size(), items.start(0), std::max(items.end(items.size() - 1), items.start(items.size() - 1) + 1), 0);
    }
}

std::size_t OccupancyPyramid::build(
    const RowItems& items, std::size_t first, std::size_t last, Ns t0, Ns t1, int depth)
{
    const std::size_t self = m_blocks.size();
    m_blocks.emplace_back();
    Block block;
    const Ns wanted = std::max<Ns>(1, static_cast<Ns>((last - first) / items_a_bin));
    int shift = 0;
    while (((t1 - t0) >> shift) > wanted) {
        ++shift;
    }
    const std::int64_t firstBin = t0 >> shift;
    const auto count = static_cast<std::size_t>(((t1 - 1) >> shift) - firstBin + 1);
    block.levels.push_back({firstBin, 0, count, shift});
    block.bins.resize(count);
    fillFinest(block, items, first, last, t0, t1);
    for (std::size_t i = 0; i < count && shift > 0 && depth < deepest; ++i) {
        if (block.bins[i].count < dense_count) {
            continue;
        }
        const Ns start = (firstBin + static_cast<Ns>(i)) << shift;
        const Ns end = start + (Ns{1} << shift);
        std::size_t behind = block.bins[i].first;
        while (behind < last && items.start(behind) < end) {
            ++behind;
        }
        const auto inside = build(items, block.bins[i].first, behind, std::max(t0, start), std::min(t1, end), depth + 1);
        block.dense.emplace_back(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(inside));
    }
    joinLevels(block);
    m_blocks[self] = std::move(block);
    return self;
}

void OccupancyPyramid::fillFinest(
    Block& block, const RowItems& items, std::size_t first, std::size_t last, Ns t0, Ns t1)
{
    const Level& level = block.levels.front();
    const Ns width = Ns{1} << level.shift;
    std::int64_t current = level.firstBin;
    Ns busy = 0;
    Vote vote;
    const auto binOf = [&](std::int64_t bin) -> Bin& { return block.bins[static_cast<std::size_t>(bin - level.firstBin)]; };
    const auto flush = [&] {
        binOf(current).busy = fraction(static_cast<double>(busy), static_cast<double>(width));
        binOf(current).role = vote.role;
        busy = 0;
        vote = {};
    };
    for (std::size_t i = first; i < last; ++i) {
        const Ns start = std::max(items.start(i), t0);
        const Ns end = std::min(items.end(i), t1);
        const auto role = static_cast<std::uint8_t>(items.role(i));
        const std::int64_t to = end > start ? (end - 1) >> level.shift : start >> level.shift;
        for (std::int64_t bin = start >> level.shift; bin <= to; ++bin) {
            if (bin != current) {
                flush();
                current = bin;
            }
            Bin& at = binOf(bin);
            if (at.count == 0) {
                at.first = static_cast<std::uint32_t>(i);
            }
            at.count = saturated(at.count, 1);
            const Ns part = std::max<Ns>(0, std::min(end, (bin + 1) << level.shift) - std::max(start, bin << level.shift));
            busy += part;
            vote.add(role, static_cast<double>(part));
        }
    }
    flush();
}

void OccupancyPyramid::joinLevels(Block& block)
{
    while (block.levels.back().count > 4) {
        const Level finer = block.levels.back();
        Level level{finer.firstBin >> 2, finer.offset + finer.count, 0, finer.shift + 2};
        const std::int64_t last = (finer.firstBin + static_cast<std::int64_t>(finer.count) - 1) >> 2;
        level.count = static_cast<std::size_t>(last - level.firstBin + 1);
        block.bins.resize(level.offset + level.count);
        for (std::size_t i = 0; i < level.count; ++i) {
            Bin joined;
            unsigned sum = 0;
            Vote vote;
            for (std::int64_t child = 0; child < 4; ++child) {
                const std::int64_t at = (level.firstBin + static_cast<std::int64_t>(i)) * 4 + child - finer.firstBin;
                if (at < 0 || at >= static_cast<std::int64_t>(finer.count)) {
                    continue;
                }
                const Bin& bin = block.bins[finer.offset + static_cast<std::size_t>(at)];
                if (bin.count == 0) {
                    continue;
                }
                if (joined.count == 0) {
                    joined.first = bin.first;
                }
                joined.count = saturated(joined.count, bin.count);
                sum += bin.busy;
                vote.add(bin.role, bin.busy);
            }
            joined.role = vote.role;
            joined.busy = sum == 0 ? 0 : sum == 4U * 65535U ? 65535 : static_cast<std::uint16_t>(std::clamp((sum + 2) / 4, 1U, 65534U));
            block.bins[level.offset + i] = joined;
        }
        block.levels.push_back(level);
    }
    block.bins.shrink_to_fit();
}

std::size_t OccupancyPyramid::bytes() const
{
    std::size_t sum = 0;
    for (const Block& block : m_blocks) {
        sum += sizeof(Block) + block.bins.capacity() * sizeof(Bin) + block.levels.capacity() * sizeof(Level)
            + block.dense.capacity() * sizeof(block.dense[0]);
    }
    return sum;
}

}  // namespace lanes::gui
