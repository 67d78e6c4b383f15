// SPDX-License-Identifier: MIT
// The items of one lane row as the index and the rasteriser see them: numbered
// 0 … n-1 by time, with start, end and role, wherever their table keeps these.
#pragma once

#include "engine/trace/trace.h"
#include "gui/lanes/item_role.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <vector>

namespace lanes::gui {

/// A column of times in a table, be it an array of its own or a member of an array of structures.
/// Valid as long as the table neither moves nor changes.
class TimeColumn {
public:
    TimeColumn() = default;
    explicit TimeColumn(const std::vector<Ns>& column)
        : m_base(bytes(column.data()))
        , m_stride(sizeof(Ns))
    {
    }
    template <class T>
    TimeColumn(const std::vector<T>& table, Ns T::*member)
        : m_stride(sizeof(T))
    {
        m_base = table.empty() ? nullptr : bytes(&(table.front().*member));
    }
    Ns operator[](std::size_t i) const
    {
        Ns value;
        std::memcpy(&value, m_base + i * m_stride, sizeof value);  // NOLINT: null only where there are no times
        return value;
    }
    /// The times as an array where they are one, else null.
    const Ns* array() const { return m_stride == sizeof(Ns) ? reinterpret_cast<const Ns*>(m_base) : nullptr; }

private:
    static const std::byte* bytes(const Ns* p) { return reinterpret_cast<const std::byte*>(p); }
    const std::byte* m_base = nullptr;
    std::size_t m_stride = 0;
};

/// Roles by a one-byte enumerator of the table's rows, or one role for all.
class RoleColumn {
public:
    RoleColumn(ItemRole all) { m_roles.fill(all); }  // NOLINT: a single role is a column
    explicit RoleColumn(const std::vector<ItemRole>& column)
        : m_base(reinterpret_cast<const std::uint8_t*>(column.data()))
    {
        for (std::size_t i = 0; i < m_roles.size(); ++i) {
            m_roles[i] = static_cast<ItemRole>(i);
        }
    }
    explicit RoleColumn(const std::vector<OperationKind>& column)
        : m_base(reinterpret_cast<const std::uint8_t*>(column.data()))
    {
        static_assert(sizeof(OperationKind) == 1);
        m_roles.fill(ItemRole::none);
        const std::array kinds {ItemRole::kernel, ItemRole::h2d, ItemRole::d2h, ItemRole::d2d, ItemRole::p2p,
            ItemRole::h2h, ItemRole::memset};
        std::copy(kinds.begin(), kinds.end(), m_roles.begin());
    }
    ItemRole operator[](std::size_t i) const { return m_roles[m_base == nullptr ? 0 : m_base[i] % m_roles.size()]; }

    /// The table's bytes; null where there is one role for all.
    const std::uint8_t* bytes() const { return m_base; }
    /// The one byte that means `role`; none where several do or none does.
    std::optional<std::uint8_t> byteOf(ItemRole role) const
    {
        const auto at = std::find(m_roles.begin(), m_roles.end(), role);
        const bool one = at != m_roles.end() && std::find(at + 1, m_roles.end(), role) == m_roles.end();
        return one ? std::optional(static_cast<std::uint8_t>(at - m_roles.begin())) : std::nullopt;
    }

private:
    const std::uint8_t* m_base = nullptr;
    std::array<ItemRole, 32> m_roles;
};

/// Invariant: end(i) <= start(i + 1); an item without length takes its first ns, so start(i) < start(i + 1).
/// Cost: 4 bytes an item, none where the items stand together in their table.
class RowItems {
public:
    RowItems(TimeColumn start, TimeColumn end, RoleColumn role, std::vector<Row> places)
        : m_start(start)
        , m_end(end)
        , m_role(role)
        , m_places(std::move(places))
        , m_size(m_places.size())
    {
        m_places.shrink_to_fit();
    }
    /// Rows [first, first + size) of the table.
    RowItems(TimeColumn start, TimeColumn end, RoleColumn role, Row first, std::size_t size)
        : m_start(start)
        , m_end(end)
        , m_role(role)
        , m_first(first)
        , m_size(size)
    {
    }
    std::size_t size() const { return m_size; }
    Row place(std::size_t i) const { return m_places.empty() ? m_first + static_cast<Row>(i) : m_places[i]; }
    Ns start(std::size_t i) const { return m_start[place(i)]; }
    Ns end(std::size_t i) const { return m_end[place(i)]; }
    ItemRole role(std::size_t i) const { return m_role[place(i)]; }
    const RoleColumn& columnOfRoles() const { return m_role; }
    Ns timeOf(std::uint8_t byte, std::size_t from, std::size_t to) const
    {
        Ns time = 0;
        for (std::size_t i = from; i < to; ++i) {
            time += m_role.bytes()[place(i)] == byte ? end(i) - start(i) : 0;
        }
        return time;
    }

    /// The first item that ends after `t`; size() if none does. log n.
    std::size_t firstEndingAfter(Ns t) const
    {
        return search([&](std::size_t i) { return end(i) <= t; });
    }
    /// The first item that starts at `t` or after it. log n.
    std::size_t firstStartingAt(Ns t) const
    {
        return search([&](std::size_t i) { return start(i) < t; });
    }
    /// Of the list of places.
    std::size_t bytes() const { return m_places.capacity() * sizeof(Row); }

    /// The same items as plain arrays, for loops over many.
    struct Plain {
        const Ns* starts;
        const Ns* ends;
        const RoleColumn* roles;
        std::size_t first, count;
        std::size_t size() const { return count; }
        Ns start(std::size_t i) const { return starts[i]; }
        Ns end(std::size_t i) const { return ends[i]; }
        ItemRole role(std::size_t i) const { return (*roles)[first + i]; }
        const RoleColumn& columnOfRoles() const { return *roles; }
        /// Time in items [from, to) whose byte is this.
        Ns timeOf(std::uint8_t byte, std::size_t from, std::size_t to) const
        {
            const std::uint8_t* bytes = roles->bytes() + first;
            Ns time = 0;
            for (std::size_t i = from; i < to;
                 ++i) {  // without a branch: the processor cannot predict the next item's role
                time += (ends[i] - starts[i]) & -static_cast<Ns>(bytes[i] == byte);
            }
            return time;
        }
    };
    /// Calls `use` with a Plain where the items stand together in plain columns, else with these items.
    template <class Use> decltype(auto) visit(Use use) const
    {
        if (m_places.empty() && m_start.array() != nullptr && m_end.array() != nullptr) {
            return use(Plain {m_start.array() + m_first, m_end.array() + m_first, &m_role, m_first, m_size});
        }
        return use(*this);
    }

private:
    template <class Before> std::size_t search(Before before) const
    {
        std::size_t low = 0;
        std::size_t high = m_size;
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (before(middle)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
    TimeColumn m_start, m_end;
    RoleColumn m_role;
    std::vector<Row> m_places;
    Row m_first = 0;
    std::size_t m_size;
};

}  // namespace lanes::gui
