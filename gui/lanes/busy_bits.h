// SPDX-License-Identifier: MIT
// When a node of the occupancy index was busy, and with what, in 64 bytes; and how they are drawn from the items of
// its time, one after another. Some ns an item.
#pragma once

#include "engine/trace/units.h"
#include "gui/lanes/item_role.h"
#include "gui/lanes/set_bits.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace lanes::gui {

/// The time of a node, from the end of the node before (the first: from its first item's start) to its own end, is
/// taken in slots of slotFor() ns. A slot's bit is set so that the bits before any moment count the busy time before it
/// to half a slot.
struct alignas(64) BusyBits {
    static constexpr std::size_t words = 6;
    static constexpr std::size_t slot_count = 64 * words;
    Ns busy = 0;  ///< before the node
    std::array<std::uint64_t, words> bits {};
    std::array<std::uint8_t, words> roles {};  ///< of most of the busy time in 64 slots each; none where no bit is set
    bool reliable = true;  ///< OccupancyIndex::errorOf() holds, and roles[i] is in its 64 slots

    static Ns slotFor(Ns length) { return length / static_cast<Ns>(slot_count) + 1; }
};
static_assert(sizeof(BusyBits) == 64);

/// The role with the largest weight of those in `seen`, which has one at least.
inline std::uint8_t heaviest(const std::array<Ns, most_item_roles>& weight, std::uint64_t seen)
{
    auto most = static_cast<unsigned>(std::countr_zero(seen));
    for (std::uint64_t rest = seen; rest != 0; rest &= rest - 1) {
        const auto role = static_cast<unsigned>(std::countr_zero(rest));
        most = weight[role] > weight[most] ? role : most;
    }
    return static_cast<std::uint8_t>(most);
}

/// Finds the role of most of the busy time in each part of a node's bits, from items one after another. Kept from node
/// to node.
class PartRoles {
public:
    /// Parts of this length from `start` on.
    void begin(Ns start, Ns length)
    {
        m_roles = {};
        m_part = 0;
        m_end = start + length;
        m_length = length;
        for (; m_all != 0; m_all &= m_all - 1) {
            m_total[static_cast<unsigned>(std::countr_zero(m_all))] = 0;
        }
    }
    void add(Ns start, Ns end, std::uint8_t role)
    {
        while (end > m_end) {
            addHere(m_end - start, role);
            start = std::max(start, m_end);
            finishPart();
        }
        addHere(end - start, role);
    }
    /// The same, but only if it lies in one part.
    void addWhole(Ns start, Ns end, std::uint8_t role, Ns length)
    {
        while (start >= m_end && m_part < m_roles.size()) {
            finishPart();
        }
        if (end <= m_end && role != 0) {
            addHere(length, role);
        }
    }
    /// Where rounding has set a bit although no role is known the bits are not reliable.
    void finish(BusyBits& into)
    {
        finishPart();
        for (std::size_t part = 0; part < m_roles.size(); ++part) {
            into.roles[part] = into.bits[part] == 0 ? 0 : m_roles[part];
            into.reliable = into.reliable && (into.bits[part] == 0 || m_roles[part] != 0);
        }
    }
    /// Of all parts, after finish().
    const std::array<Ns, most_item_roles>& total() const { return m_total; }

private:
    void addHere(Ns length, std::uint8_t role)
    {
        if (length > 0) {
            m_weight[role] += length;
            m_seen |= std::uint64_t {1} << role;
        }
    }
    void finishPart()
    {
        if (m_seen != 0) {
            m_roles[m_part] = heaviest(m_weight, m_seen);
            m_all |= m_seen;
        }
        for (; m_seen != 0; m_seen &= m_seen - 1) {
            const auto role = static_cast<unsigned>(std::countr_zero(m_seen));
            m_total[role] += std::exchange(m_weight[role], 0);
        }
        ++m_part;
        m_end += m_length;
    }
    std::array<std::uint8_t, BusyBits::words> m_roles {};
    Ns m_end = 0, m_length = 0;
    std::array<Ns, most_item_roles> m_weight {}, m_total {};
    std::uint64_t m_seen = 0, m_all = 0;
    std::size_t m_part = 0;
};

/// Sets the bits of one node.
class BusyBitsPen {
public:
    /// `into` has no bits yet; the node's time is [start, end).
    BusyBitsPen(BusyBits& into, Ns start, Ns end)
        : m_into(into)
        , m_start(start)
        , m_slot(BusyBits::slotFor(end - start))
        , m_half((m_slot + 1) / 2)
        , m_scale(1 / static_cast<double>(m_slot))
    {
    }
    /// Sets a bit for each slot at whose end the busy time so far, rounded to whole slots, is one more than at its
    /// beginning.
    void add(Ns start, Ns end)
    {
        const Ns idle = start - m_start - m_busy;  // before it
        m_busy += end - start;
        const Ns now = inSlots(m_busy + m_slot - m_half);
        // The first as soon as busy time is at m_bits slots and a half, then one after the other. Almost without a
        // branch: a processor cannot predict which item gets a bit of its own.
        std::size_t left = static_cast<std::size_t>(now - m_bits);
        const std::size_t at = left == 0 ? 0 : static_cast<std::size_t>(m_bits + inSlots(idle + m_half - 1));
        m_bits = now;
        std::size_t word = at / 64;
        m_into.bits[word] |= lowest(left) << at % 64;
        for (std::size_t here = 64 - at % 64; left > here; here = 64) {
            left -= here;
            m_into.bits[++word] |= lowest(left);
        }
    }
    Ns slot() const { return m_slot; }
    Ns busy() const { return m_busy; }

private:
    static std::uint64_t lowest(std::size_t bits)
    {
        return bits < 64 ? (std::uint64_t {1} << bits) - 1 : ~std::uint64_t {0};
    }
    /// A division takes far longer than this; what lies on a slot's boundary may fall on either side.
    Ns inSlots(Ns time) const { return static_cast<Ns>(static_cast<double>(time) * m_scale); }

    BusyBits& m_into;
    Ns m_start, m_slot, m_half;
    double m_scale;
    Ns m_busy = 0;
    Ns m_bits = 0;  // so far
};

}  // namespace lanes::gui
