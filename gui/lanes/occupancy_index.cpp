// SPDX-License-Identifier: MIT
#include "gui/lanes/occupancy_index.h"

#include "gui/lanes/processor_clones.h"

#include <bit>

namespace lanes::gui {

namespace {

constexpr std::size_t blocks_between_looks = 2048;  // at the stop token

/// A role and how much of it: 6 bits of role, 6 of exponent and 4 of fraction. Exact to 6 %, as much as a vote needs.
std::uint16_t packed(std::uint8_t role, std::uint64_t weight)
{
    const std::uint64_t w = std::max<std::uint64_t>(weight, 1);
    const auto exponent = static_cast<unsigned>(std::bit_width(w) - 1);
    const auto fraction = static_cast<unsigned>((exponent > 4 ? w >> (exponent - 4) : w << (4 - exponent)) & 15U);
    return static_cast<std::uint16_t>(role | exponent << 6 | fraction << 12);
}

void add(OccupancyIndex::Majority& majority, std::uint16_t packed)
{
    const std::uint64_t fraction = 16U | packed >> 12;
    const unsigned exponent = packed >> 6 & 63U;
    majority.add(static_cast<std::uint8_t>(packed & 63U),
        exponent > 4 ? fraction << (exponent - 4) : fraction >> (4 - exponent));
}

}  // namespace

OccupancyIndex::OccupancyIndex(const RowItems& items, const std::stop_token& stop)
{
    items.visit([&](const auto& plain) { build(plain, stop); });
}

LANES_CLONES void OccupancyIndex::build(const RowItems::Plain& items, const std::stop_token& stop)
{
    buildAny(items, stop);
}

LANES_CLONES void OccupancyIndex::build(const RowItems::Walked& items, const std::stop_token& stop)
{
    buildAny(items, stop);
}

template <class Items> inline void OccupancyIndex::buildAny(const Items& items, const std::stop_token& stop)
{
    const std::size_t count = items.size();
    m_blocks = (count + block_size - 1) / block_size;
    std::size_t entries = 0;
    for (std::size_t level = m_blocks; level > 0; level = level > fan ? (level + fan - 1) / fan : 0) {
        m_levels.push_back(entries);
        entries += (level + fan - 1) / fan * fan;
    }
    m_levels.shrink_to_fit();
    std::size_t nodes = m_blocks + 1;
    for (std::size_t level = 0; level < m_levels.size(); ++level) {
        m_bitsAt.push_back(level == 0 ? 0 : nodes);
        nodes += level == 0 ? 0 : nodesOn(level);
    }
    m_bits.resize(nodes);
    m_ends.assign(entries, INT64_MAX);
    m_votes.assign(entries, 0);
    m_start = count > 0 ? items.start(0) : 0;
    m_end = count > 0 ? items.end(count - 1) : INT64_MIN;
    Ns busy = 0;
    std::array<Ns, most_item_roles> ofRole {};
    std::uint64_t roles = 0;
    PartRoles parts;
    for (std::size_t block = 0; block < m_blocks; block += fan) {
        if (block % blocks_between_looks == 0 && stop.stop_requested()) {
            *this = {};
            return;
        }
        const std::size_t behind = std::min(block + fan, m_blocks);
        for (std::size_t i = block; i < behind; ++i) {
            m_ends[i] = items.end(std::min((i + 1) * block_size, count) - 1);
        }
        // The blocks, and the bits of the node over them, in one go.
        BusyBits single;  // where there is no such node
        BusyBits& over = m_levels.size() > 1 ? m_bits[m_bitsAt[1] + block / fan] : single;
        over.busy = busy;
        BusyBitsPen pen(over, startOf(0, block), endOf(0, behind - 1));
        for (std::size_t i = block; i < behind; ++i) {
            m_bits[i].busy = busy;
            const auto [length, most, weight, seen] = draw(items, i, pen, parts);
            m_votes[i] = packed(most, static_cast<std::uint64_t>(weight));
            busy += length;
            ofRole[most] += weight;
            roles |= seen;
        }
    }
    m_common = roles == 0 ? ItemRole::none : static_cast<ItemRole>(heaviest(ofRole, roles));
    m_bits[m_blocks].busy = busy;
    if (m_blocks == 0) {
        m_bitsAt.push_back(0);
        return;
    }
    if (std::has_single_bit(roles)) {
        m_only = static_cast<ItemRole>(std::countr_zero(roles));
        m_votes = {};
    }
    join();
}

/// Draws a block, and goes on with the bits of the node over it.
template <class Items>
inline OccupancyIndex::Drawn OccupancyIndex::draw(
    const Items& items, std::size_t block, BusyBitsPen& over, PartRoles& parts)
{
    BusyBitsPen pen(m_bits[block], startOf(0, block), endOf(0, block));
    parts.begin(startOf(0, block), 64 * pen.slot());
    const std::size_t first = block * block_size;
    const std::size_t last = std::min(first + block_size, items.size());
    std::uint64_t seen = 0;
    bool instants = false;
    for (std::size_t i = first; i < last; ++i) {
        const Ns start = items.start(i);
        const Ns end = items.end(i);
        const auto role = static_cast<std::uint8_t>(items.role(i));
        seen |= std::uint64_t {1} << role;
        instants |= start == end;
        pen.add(start, end);
        over.add(start, end);
        parts.add(start, end, role);
    }
    m_instants |= instants;
    parts.finish(m_bits[block]);
    const std::uint8_t most = heaviest(parts.total(), seen);
    return {pen.busy(), most, parts.total()[most], seen};
}

void OccupancyIndex::join()
{
    PartRoles parts;
    for (std::size_t level = 1; level < m_levels.size(); ++level) {
        const std::size_t finer = nodesOn(level - 1);
        for (std::size_t node = 0; node < nodesOn(level); ++node) {
            const std::size_t from = m_levels[level - 1] + node * fan;
            const std::size_t to = m_levels[level - 1] + std::min((node + 1) * fan, finer);
            m_ends[m_levels[level] + node] = m_ends[to - 1];
            if (!m_votes.empty()) {
                Majority majority;
                for (std::size_t i = from; i < to; ++i) {
                    add(majority, m_votes[i]);
                }
                m_votes[m_levels[level] + node] = packed(majority.role, majority.lead);
            }
            BusyBits& into = m_bits[m_bitsAt[level] + node];
            if (level > 1) {
                gatherBits(level, node, into);
            }
            gatherRoles(level, node, into, parts);
        }
    }
}

/// Sets a node's bits from the bits of those under it. Its error is half of its own slots and the largest of theirs:
/// they give the busy time up to any moment to within that, and busy time never grows faster than time.
void OccupancyIndex::gatherBits(std::size_t level, std::size_t node, BusyBits& into) const
{
    const std::size_t below = level - 1;
    std::size_t child = node * fan;
    const std::size_t behind = std::min(child + fan, nodesOn(below));
    const Ns start = startOf(level, node);
    const Ns slot = slotOf(level, node);
    into.busy = busyBits(below, child).busy;
    const Ns total = (behind < nodesOn(below) ? busyBits(below, behind).busy : m_bits[m_blocks].busy) - into.busy;
    Ns bits = 0;
    std::size_t drawn = 0;  // slots
    const auto draw = [&](Ns busy) {  // up to the end of the next slot
        if (2 * busy >= (2 * bits + 1) * slot) {
            ++bits;
            into.bits[drawn / 64] |= std::uint64_t {1} << drawn % 64;
        }
        ++drawn;
    };
    Ns most = 0;  // by which the bits of a node below may be wrong
    for (; child < behind; ++child) {
        const BusyBits& from = busyBits(below, child);
        const Ns begins = startOf(below, child);
        const Ns ends = endOf(below, child);
        const Ns fine = slotOf(below, child);
        most = std::max(most, from.reliable ? errorOf(fine, below == 1) : ends - begins);
        std::array<Ns, BusyBits::words> before {};  // bits before a word
        for (std::size_t word = 1; word < BusyBits::words; ++word) {
            before[word] = before[word - 1] + static_cast<Ns>(set_bits(from.bits[word - 1]));
        }
        for (Ns at = start + static_cast<Ns>(drawn + 1) * slot; drawn < BusyBits::slot_count && at < ends; at += slot) {
            const auto in = static_cast<std::size_t>((at - begins) / fine);
            const std::uint64_t word = from.bits[in / 64];
            const auto left = static_cast<Ns>(set_bits(word & ((std::uint64_t {1} << in % 64) - 1)));
            const Ns part = (word >> in % 64 & 1U) != 0 ? at - begins - static_cast<Ns>(in) * fine : 0;
            draw(from.busy - into.busy + (before[in / 64] + left) * fine + part);
        }
    }
    while (drawn < BusyBits::slot_count) {  // they may reach beyond the end
        draw(total);
    }
    into.reliable = most <= slot / 4;
}

/// Only those parts of the nodes below count that lie whole in one part of this node.
void OccupancyIndex::gatherRoles(std::size_t level, std::size_t node, BusyBits& into, PartRoles& parts) const
{
    const std::size_t below = level - 1;
    parts.begin(startOf(level, node), 64 * slotOf(level, node));
    for (std::size_t child = node * fan; child < std::min((node + 1) * fan, nodesOn(below)); ++child) {
        const BusyBits& from = busyBits(below, child);
        const Ns slot = slotOf(below, child);
        Ns at = startOf(below, child);
        for (std::size_t part = 0; part < BusyBits::words; ++part, at += 64 * slot) {
            parts.addWhole(at, std::min(at + 64 * slot, endOf(below, child)), from.roles[part],
                static_cast<Ns>(set_bits(from.bits[part])) * slot);
        }
    }
    parts.finish(into);
}

std::size_t OccupancyIndex::over(const RowItems& items, Ns t) const
{
    const std::size_t block = blockAt(t);
    return items.visit([&](const auto& walked) { return overIn(walked, block, t); });
}

Ns OccupancyIndex::busyBefore(const RowItems& items, Ns t) const
{
    if (m_blocks == 0) {
        return 0;
    }
    const std::size_t block = blockAt(t);
    return items.visit([&](const auto& walked) {
        std::size_t i = std::min(block * block_size, walked.size());
        Ns before = m_bits[block].busy;
        for (; i < walked.size() && walked.end(i) <= t; ++i) {
            before += walked.end(i) - walked.start(i);
        }
        return i < walked.size() ? before + std::max<Ns>(t - walked.start(i), 0) : before;
    });
}

void OccupancyIndex::vote(std::size_t level, std::size_t from, std::size_t to, Majority& majority) const
{
    if (from >= to) {
        return;
    }
    const std::size_t lowest = level;
    std::size_t size = 1;
    while (to - from >= 2 * fan * size && level + 1 < m_levels.size()) {
        size *= fan;
        ++level;
    }
    const auto ask = [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first / size; i < last / size; ++i) {
            add(majority, m_votes[m_levels[level] + i]);
        }
    };
    std::size_t askedFrom = (from + size - 1) / size * size;
    std::size_t askedTo = to / size * size;
    ask(askedFrom, askedTo);
    while (level > lowest) {  // finer nodes on both sides
        size /= fan;
        --level;
        const std::size_t first = (from + size - 1) / size * size;
        const std::size_t last = to / size * size;
        ask(first, askedFrom);
        ask(askedTo, last);
        askedFrom = first;
        askedTo = last;
    }
}

std::size_t OccupancyIndex::bytes() const
{
    return m_bits.capacity() * sizeof(BusyBits) + m_ends.capacity() * sizeof(Ns)
        + m_votes.capacity() * sizeof(m_votes[0]) + (m_levels.capacity() + m_bitsAt.capacity()) * sizeof(m_levels[0]);
}

}  // namespace lanes::gui
