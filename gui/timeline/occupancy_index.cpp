// SPDX-License-Identifier: MIT
#include "gui/timeline/occupancy_index.h"

#include <bit>

namespace lanes::gui {

namespace {

constexpr std::size_t blocks_between_looks = 4096;  // at the stop token

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
    m_busy.reserve(m_blocks + 1);
    m_ends.assign(entries, INT64_MAX);
    m_votes.assign(entries, 0);
    Ns busy = 0;
    std::uint32_t roles = 0;
    for (std::size_t block = 0; block < m_blocks; ++block) {
        if (block % blocks_between_looks == 0 && stop.stop_requested()) {
            *this = {};
            return;
        }
        const std::size_t first = block * block_size;
        const std::size_t last = std::min(first + block_size, count);
        m_busy.push_back(busy);
        std::array<Ns, 32> weight{};
        std::uint32_t seen = 0;
        for (std::size_t i = first; i < last; ++i) {
            const Ns length = items.end(i) - items.start(i);
            const auto role = static_cast<std::uint8_t>(items.role(i));
            busy += length;
            weight[role] += length;
            seen |= 1U << role;
            m_instants = m_instants || length == 0;
        }
        auto most = static_cast<unsigned>(std::countr_zero(seen));
        for (std::uint32_t rest = seen; rest != 0; rest &= rest - 1) {
            const auto role = static_cast<unsigned>(std::countr_zero(rest));
            most = weight[role] > weight[most] ? role : most;
        }
        roles |= seen;
        m_ends[block] = items.end(last - 1);
        m_votes[block] = packed(static_cast<std::uint8_t>(most), static_cast<std::uint64_t>(weight[most]));
    }
    m_busy.push_back(busy);
    m_end = count > 0 ? items.end(count - 1) : INT64_MIN;
    if (std::popcount(roles) == 1) {
        m_only = static_cast<ItemRole>(std::countr_zero(roles));
        m_votes = {};
    }
    join();
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

OccupancyIndex::Vote OccupancyIndex::vote(std::size_t from, std::size_t to, Ns busy) const
{
    std::size_t size = block_size;
    std::size_t level = 0;
    while (to - from >= 2 * fan * size && level + 1 < m_levels.size()) {
        size *= fan;
        ++level;
    }
    Vote vote{{}, (from + size - 1) / size * size, to / size * size};
    const auto ask = [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first / size; i < last / size; ++i) {
            add(vote.majority, m_votes[m_levels[level] + i]);
        }
    };
    ask(vote.from, vote.to);
    // Finer nodes on both sides, as long as what is left there could change the outcome.
    while (level > 0 && static_cast<std::uint64_t>(busy - (m_busy[vote.to / block_size] - m_busy[vote.from / block_size])) > vote.majority.lead) {
        size /= fan;
        --level;
        const std::size_t first = (from + size - 1) / size * size;
        const std::size_t last = to / size * size;
        ask(first, vote.from);
        ask(vote.to, last);
        vote.from = first;
        vote.to = last;
    }
    return vote;
}

std::size_t OccupancyIndex::bytes() const
{
    return m_busy.capacity() * sizeof(Ns) + m_ends.capacity() * sizeof(Ns) + m_votes.capacity() * sizeof(m_votes[0])
        + m_levels.capacity() * sizeof(m_levels[0]);
}

}  // namespace lanes::gui
