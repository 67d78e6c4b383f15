// SPDX-License-Identifier: MIT
// Which role a column of a row shows: the one with most of the column's time, not counting the items that are drawn on
// their own. A role with nine tenths of a column is always the one. Where several roles have less than half of it each,
// it is one of these; which, is not defined. It is always a role that occurs in the column.
#pragma once

#include "gui/lanes/column_edges.h"

#include <array>
#include <optional>

namespace lanes::gui {

template <class Items> class ColumnRoles {
public:
    ColumnRoles(const RowView<Items>& view, const ColumnEdges<Items>& edges)
        : m_view(view)
        , m_edges(edges)
    {
        const RoleColumn& roles = view.items.columnOfRoles();
        m_byDetail = roles.byDetail();
        m_commonByte = roles.bytes() != nullptr ? roles.byteOf(view.index.commonRole()) : std::nullopt;
    }

    /// The role of column k, between its two edges. `busy` are its busy ticks, `narrow` those of them that are not of
    /// items drawn on their own. Where `narrow` is no larger than the error of the edges the items are read instead,
    /// and both numbers become exact.
    ItemRole find(
        std::size_t k, const ColumnEdge& a, const ColumnEdge& b, std::int64_t& busy, std::int64_t& narrow) const
    {
        const std::int64_t doubt = a.doubt + b.doubt;
        ItemRole role = ItemRole::none;
        // The role of a few slots cannot be read from the busy bits, only from the items.
        if (narrow > doubt * (m_view.index.onlyRole() == ItemRole::none ? few_slots : 1)) {
            role = roleIn(k, a, b, narrow);
        } else if (doubt == 0 && m_view.index.hasInstants()) {
            role = instantIn(k, a.at, b.at);
        }
        if (role != ItemRole::none || doubt == 0) {
            return role;
        }
        typename ColumnEdges<Items>::Walk walk;
        const ColumnEdge from = m_edges.exactly(k, walk);
        const ColumnEdge to = m_edges.exactly(k + 1, walk);
        const std::int64_t wide = busy - narrow;
        busy = m_edges.between(from, to);
        narrow = busy - wide;
        return find(k, from, to, busy, narrow);
    }

private:
    static constexpr std::int64_t few_slots = 16;
    using Majority = OccupancyIndex::Majority;

    /// None where it cannot be decided from the edges.
    ItemRole roleIn(std::size_t k, const ColumnEdge& a, const ColumnEdge& b, std::int64_t narrow) const
    {
        const OccupancyIndex& index = m_view.index;
        if (index.onlyRole() != ItemRole::none) {
            return index.onlyRole();
        }
        if (a.doubt == 0 && b.doubt == 0 && b.node - a.node <= 1) {
            return roleOfItems(k, a.at, b.at, narrow);
        }
        // Parts of busy bits that only partly lie in the column do not count: what they mostly are may lie outside.
        const std::uint64_t cut
            = cutAt(a, ~std::uint64_t {0} << a.at % 64) + cutAt(b, (std::uint64_t {1} << b.at % 64) - 1);
        if (2 * cut * static_cast<std::uint64_t>(m_view.den) > static_cast<std::uint64_t>(narrow)) {
            return ItemRole::none;
        }
        Majority majority;
        if (a.node == b.node && a.level == b.level) {
            addParts(a, a.at / 64 + 1, b.at / 64, majority);
            return static_cast<ItemRole>(majority.role);
        }
        if (a.level == b.level) {
            index.vote(a.level, a.node + 1, b.node, majority);
        } else {
            index.vote(0, a.behindBlocks(), b.firstBlock(), majority);
        }
        const std::int64_t rest = (index.endOf(a.level, a.node) - index.startOf(b.level, b.node)) * m_view.den
            + m_view.num;  // of the column
        if (static_cast<std::int64_t>(majority.lead) * m_view.den > rest) {
            return static_cast<ItemRole>(majority.role);
        }
        if (a.doubt > 0) {
            addParts(a, a.at / 64 + 1, BusyBits::words, majority);
        } else {
            addItems(k, a.at, a.behindBlocks() * OccupancyIndex::block_size, majority);
        }
        if (b.doubt > 0) {
            addParts(b, 0, b.at / 64, majority);
        } else {
            addItems(k, b.firstBlock() * OccupancyIndex::block_size, b.at + 1, majority);
        }
        return static_cast<ItemRole>(majority.role);
    }
    /// Busy time in ns of those of the 64 slots around an edge whose bit is set in `bits`; 0 where the edge was
    /// computed from the items.
    std::uint64_t cutAt(const ColumnEdge& at, std::uint64_t bits) const
    {
        const OccupancyIndex& index = m_view.index;
        return at.doubt == 0 ? 0
                             : set_bits(index.busyBits(at.level, at.node).bits[at.at / 64] & bits)
                * static_cast<std::uint64_t>(index.slotOf(at.level, at.node));
    }
    /// Parts [from, to) of an edge's busy bits.
    void addParts(const ColumnEdge& of, std::size_t from, std::size_t to, Majority& majority) const
    {
        const BusyBits& node = m_view.index.busyBits(of.level, of.node);
        const auto slot = static_cast<std::uint64_t>(m_view.index.slotOf(of.level, of.node));
        for (std::size_t part = from; part < to; ++part) {
            majority.add(node.roles[part], set_bits(node.bits[part]) * slot);
        }
    }
    /// The role of most of column k, between two exact edges that lie in items from and to.
    ItemRole roleOfItems(std::size_t k, std::size_t from, std::size_t to, std::int64_t narrow) const
    {
        if (from == to) {
            return m_view.items.role(from);
        }
        const Ns common = m_commonByte ? m_view.items.timeOf(*m_commonByte, from + 1, to)
            : m_byDetail               ? m_view.items.timeOf(m_view.index.commonRole(), from + 1, to)
                                       : 0;  // of the items that lie whole in the column
        if (2 * common * m_view.den > narrow) {
            return m_view.index.commonRole();
        }
        Weights weights;
        addItems(k, from, to + 1, weights);
        return weights.most();
    }
    void addItems(std::size_t k, std::size_t from, std::size_t to, Majority& majority) const
    {
        Weights weights;
        addItems(k, from, to, weights);
        for (std::uint64_t rest = weights.seen; rest != 0; rest &= rest - 1) {
            const auto role = static_cast<std::uint8_t>(std::countr_zero(rest));
            majority.add(role, static_cast<std::uint64_t>(weights.ticks[role] / m_view.den));
        }
    }

    /// Ticks by role.
    struct Weights {
        std::array<std::int64_t, most_item_roles> ticks;  // of what is in `seen`
        std::uint64_t seen = 0;
        void add(ItemRole of, std::int64_t some)
        {
            const auto role = static_cast<unsigned>(of);
            ticks[role] = (seen >> role & 1U) != 0 ? ticks[role] + some : some;
            seen |= std::uint64_t {1} << role;
        }
        ItemRole most() const
        {
            auto most = static_cast<unsigned>(std::countr_zero(seen));
            for (std::uint64_t rest = seen & (seen - 1); rest != 0; rest &= rest - 1) {
                const auto role = static_cast<unsigned>(std::countr_zero(rest));
                most = ticks[role] > ticks[most] ? role : most;
            }
            return seen == 0 ? ItemRole::none : static_cast<ItemRole>(most);
        }
    };
    /// Adds items [from, to), which touch column k, each with its time in it; items drawn on their own are left out.
    void addItems(std::size_t k, std::size_t from, std::size_t to, Weights& weights) const
    {
        to = std::min(to, m_view.items.size());
        const auto addEnd = [&](std::size_t i) {
            const std::int64_t part
                = std::min(m_view.end(i), m_view.edge(k + 1)) - std::max(m_view.start(i), m_view.edge(k));
            if (part > 0 && !m_view.isWide(i)) {
                weights.add(m_view.items.role(i), part);
            }
        };
        if (from < to) {
            addEnd(from);
        }
        for (std::size_t i = from + 1; i + 1 < to; ++i) {  // these lie in the column
            if (m_view.end(i) > m_view.start(i)) {
                weights.add(m_view.items.role(i), m_view.end(i) - m_view.start(i));
            }
        }
        if (from + 1 < to) {
            addEnd(to - 1);
        }
    }
    /// An item without length in column k, whose items are [from, to] and which has no narrow busy time.
    ItemRole instantIn(std::size_t k, std::size_t from, std::size_t to) const
    {
        for (std::size_t i = from; i < std::min(to + 1, m_view.items.size()); ++i) {
            if (m_view.start(i) == m_view.end(i) && m_view.start(i) >= m_view.edge(k)
                && m_view.start(i) < m_view.edge(k + 1)) {
                return m_view.items.role(i);
            }
        }
        return ItemRole::none;
    }

    const RowView<Items>& m_view;
    const ColumnEdges<Items>& m_edges;
    bool m_byDetail;
    std::optional<std::uint8_t> m_commonByte;  // of the row's most common role
};

}  // namespace lanes::gui
