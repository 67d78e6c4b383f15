// SPDX-License-Identifier: MIT
#include "gui/timeline/occupancy_index.h"

#include <bit>

namespace lanes::gui {

namespace {

constexpr std::size_t blocks_between_looks = 2048;  // at the stop token

/// A role and how much of it: 5 bits of role, 6 of exponent and 5 of fraction. Exact to 3 %, as much as a vote needs.
std::uint16_t packed(std::uint8_t role, std::uint64_t weight)
{
    const std::uint64_t w = std::max<std::uint64_t>(weight, 1);
    const auto exponent = static_cast<unsigned>(std::bit_width(w) - 1);
    const auto fraction = static_cast<unsigned>((exponent > 5 ? w >> (exponent - 5) : w << (5 - exponent)) & 31U);
    return static_cast<std::uint16_t>(role | exponent << 5 | fraction << 11);
}

void add(OccupancyIndex::Majority& majority, std::uint16_t packed)
{
    const std::uint64_t fraction = 32U | packed >> 11;
    const unsigned exponent = packed >> 5 & 63U;
    majority.add(static_cast<std::uint8_t>(packed & 31U), exponent > 5 ? fraction << (exponent - 5) : fraction >> (5 - exponent));
}

/// The role with the largest weight of those in `seen`, of which there is one.
std::uint8_t heaviest(const std::array<Ns, 32>& weight, std::uint32_t seen)
{
    auto most = static_cast<unsigned>(std::countr_zero(seen));
    for (std::uint32_t rest = seen; rest != 0; rest &= rest - 1) {
        const auto role = static_cast<unsigned>(std::countr_zero(rest));
        most = weight[role] > weight[most] ? role : most;
    }
    return static_cast<std::uint8_t>(most);
}

/// The role of most of the busy time in each of equal parts of some time, of items one after another.
class PartRoles {
public:
    std::array<std::uint8_t, 8> roles{};

    PartRoles(Ns start, Ns length) : m_end(start + length), m_length(length) {}
    void add(Ns start, Ns end, std::uint8_t role)
    {
        while (end > m_end) {
            addHere(m_end - start, role);
            start = std::max(start, m_end);
            finish();
        }
        addHere(end - start, role);
    }
    void finish()
    {
        if (m_seen != 0) {
            roles[m_part] = heaviest(m_weight, m_seen);
        }
        for (; m_seen != 0; m_seen &= m_seen - 1) {
            m_weight[static_cast<unsigned>(std::countr_zero(m_seen))] = 0;
        }
        ++m_part;
        m_end += m_length;
    }

private:
    void addHere(Ns length, std::uint8_t role)
    {
        if (length > 0) {
            m_weight[role] += length;
            m_seen |= 1U << role;
        }
    }
    Ns m_end, m_length;
    std::array<Ns, 32> m_weight{};
    std::uint32_t m_seen = 0;
    std::size_t m_part = 0;
};

}  // namespace

OccupancyIndex::OccupancyIndex(const RowItems& items, const std::stop_token& stop)
{
    items.visit([&](const auto& plain) { build(plain, stop); });
}

template <class Items>
void OccupancyIndex::build(const Items& items, const std::stop_token& stop)
{
    const std::size_t count = items.size();
    m_blocks = (count + block_size - 1) / block_size;
    std::size_t entries = 0;
    for (std::size_t level = m_blocks; level > 0; level = level > fan ? (level + fan - 1) / fan : 0) {
        m_levels.push_back(entries);
        entries += (level + fan - 1) / fan * fan;
    }
    m_levels.shrink_to_fit();
    m_sketches.reserve(m_blocks + 1);
    m_ends.assign(entries, INT64_MAX);
    m_votes.assign(entries, 0);
    m_start = count > 0 ? items.start(0) : 0;
    m_end = count > 0 ? items.end(count - 1) : INT64_MIN;
    Ns busy = 0;
    std::array<Ns, 32> ofRole{};
    std::uint32_t roles = 0;
    for (std::size_t block = 0; block < m_blocks; ++block) {
        if (block % blocks_between_looks == 0 && stop.stop_requested()) {
            *this = {};
            return;
        }
        m_ends[block] = items.end(std::min((block + 1) * block_size, count) - 1);
        const auto [length, most, weight, seen] = draw(items, block, m_sketches.emplace_back());
        m_sketches.back().busy = busy;
        m_votes[block] = packed(most, static_cast<std::uint64_t>(weight));
        busy += length;
        ofRole[most] += weight;
        roles |= seen;
    }
    m_common = roles == 0 ? ItemRole::none : static_cast<ItemRole>(heaviest(ofRole, roles));
    m_sketches.emplace_back().busy = busy;
    if (std::has_single_bit(roles)) {
        m_only = static_cast<ItemRole>(std::countr_zero(roles));
        m_votes = {};
    }
    join();
}

/// Sets a bit for each slot at whose end the busy time so far, rounded to whole slots, is one more than at its beginning.
template <class Items>
OccupancyIndex::Drawn OccupancyIndex::draw(const Items& items, std::size_t block, Sketch& sketch)
{
    const Ns start = startOf(block);
    const Ns slot = slotOf(block);
    const Ns half = (slot + 1) / 2;
    const std::size_t first = block * block_size;
    const std::size_t last = std::min(first + block_size, items.size());
    std::array<Ns, 32> weight{};
    std::uint32_t seen = 0;
    Ns busy = 0;
    Ns bits = 0;  // so far
    PartRoles parts(start, 64 * slot);
    for (std::size_t i = first; i < last; ++i) {
        const Ns length = items.end(i) - items.start(i);
        const auto role = static_cast<std::uint8_t>(items.role(i));
        seen |= 1U << role;
        weight[role] += length;
        m_instants = m_instants || length == 0;
        const Ns idle = items.start(i) - start - busy;  // before it, in the block
        busy += length;
        parts.add(items.start(i), items.end(i), role);
        const Ns now = (busy + slot - half) / slot;
        if (now == bits) {
            continue;
        }
        // The first as soon as busy time is at bits * slot + half, then one after the other.
        const auto at = static_cast<std::size_t>((idle + bits * slot + half - 1) / slot);
        auto left = static_cast<std::size_t>(now - bits);
        bits = now;
        for (std::size_t word = at / 64, bit = at % 64; left > 0; ++word, bit = 0) {
            const std::size_t here = std::min(left, 64 - bit);
            sketch.bits[word] |= ~std::uint64_t{0} >> (64 - here) << bit;
            left -= here;
        }
    }
    if (std::has_single_bit(seen)) {
        sketch.roles.fill(static_cast<std::uint8_t>(std::countr_zero(seen)));
    } else {
        parts.finish();
        sketch.roles = parts.roles;
    }
    for (std::size_t word = 0; word < Sketch::words; ++word) {
        sketch.roles[word] = sketch.bits[word] == 0 ? 0 : sketch.roles[word];
    }
    const std::uint8_t most = heaviest(weight, seen);
    return {busy, most, weight[most], seen};
}

void OccupancyIndex::join()
{
    std::size_t finer = m_blocks;
    for (std::size_t level = 1; level < m_levels.size(); ++level) {
        const std::size_t groups = (finer + fan - 1) / fan;
        for (std::size_t group = 0; group < groups; ++group) {
            const std::size_t from = m_levels[level - 1] + group * fan;
            const std::size_t to = m_levels[level - 1] + std::min((group + 1) * fan, finer);
            m_ends[m_levels[level] + group] = m_ends[to - 1];
            if (!m_votes.empty()) {
                Majority majority;
                for (std::size_t i = from; i < to; ++i) {
                    add(majority, m_votes[i]);
                }
                m_votes[m_levels[level] + group] = packed(majority.role, majority.lead);
            }
        }
        finer = groups;
    }
}

std::size_t OccupancyIndex::over(const RowItems& items, Ns t) const
{
    const std::size_t block = blockAt(t);
    return overIn(items, block, t);
}

Ns OccupancyIndex::busyBefore(const RowItems& items, Ns t) const
{
    if (m_blocks == 0) {
        return 0;
    }
    const std::size_t i = over(items, t);
    const Ns before = busyUpTo(items, i);
    return i < items.size() ? before + std::max<Ns>(t - items.start(i), 0) : before;
}

void OccupancyIndex::vote(std::size_t from, std::size_t to, Majority& majority) const
{
    std::size_t size = 1;
    std::size_t level = 0;
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
    while (level > 0) {  // finer nodes on both sides
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
    return m_sketches.capacity() * sizeof(Sketch) + m_ends.capacity() * sizeof(Ns) + m_votes.capacity() * sizeof(m_votes[0])
        + m_levels.capacity() * sizeof(m_levels[0]);
}

}  // namespace lanes::gui
