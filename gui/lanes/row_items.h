// SPDX-License-Identifier: MIT
// The items of one lane row as the index and the rasteriser see them: numbered
// 0 … n-1 by time, with start, end and role, wherever their table keeps these.
#pragma once

#include "engine/trace/trace.h"
#include "gui/lanes/item_role.h"
#include "gui/lanes/row_places.h"

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

/// Roles by a one-byte enumerator of the table's rows, or one role for all; of kernels also by their details, which
/// many of them share, so that they cost no memory each.
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
    /// `kernels`: of the rows of Trace::kernels, each made by kernelLook().
    RoleColumn(const OperationTable& operations, const std::vector<std::uint8_t>& kernels)
        : RoleColumn(operations.kind)
    {
        m_details = operations.detail.data();
        m_kernels = kernels.data();
    }
    static std::uint8_t kernelLook(ItemRole role, std::size_t shade)
    {
        return static_cast<std::uint8_t>(static_cast<unsigned>(role) | static_cast<unsigned>(shade) << role_bits);
    }
    ItemRole operator[](std::size_t i) const
    {
        const unsigned byte = m_base == nullptr ? 0 : m_base[i] % most_roles;
        return m_details != nullptr && byte == kernel_byte
            ? static_cast<ItemRole>(m_kernels[m_details[i]] % (1U << role_bits))
            : m_roles[byte];
    }
    /// Below shade_count.
    std::size_t shade(std::size_t i) const
    {
        return m_details != nullptr && m_base[i] == kernel_byte ? m_kernels[m_details[i]] >> role_bits : plain_shade;
    }

    /// The table's bytes; null where there is one role for all.
    const std::uint8_t* bytes() const { return m_base; }
    /// Whether the role of a kernel is that of its detail.
    bool byDetail() const { return m_details != nullptr; }
    /// The one byte that means `role`; none where several do or none does, or where bytes alone do not say it.
    std::optional<std::uint8_t> byteOf(ItemRole role) const
    {
        if (byDetail()) {
            return {};
        }
        const auto at = std::find(m_roles.begin(), m_roles.end(), role);
        const bool one = at != m_roles.end() && std::find(at + 1, m_roles.end(), role) == m_roles.end();
        return one ? std::optional(static_cast<std::uint8_t>(at - m_roles.begin())) : std::nullopt;
    }

private:
    static constexpr unsigned role_bits = 5, most_roles = most_item_roles;  // kernels' roles need no more bits
    static constexpr auto kernel_byte = static_cast<unsigned>(OperationKind::kernel);
    static_assert(static_cast<unsigned>(ItemRole::other) < 1U << role_bits);
    const std::uint8_t* m_base = nullptr;
    const Row* m_details = nullptr;
    const std::uint8_t* m_kernels = nullptr;  // by detail
    std::array<ItemRole, most_roles> m_roles;
};

/// Invariant: end(i) <= start(i + 1); an item without length takes its first ns, so start(i) < start(i + 1).
/// Cost: that of RowPlaces.
class RowItems {
public:
    RowItems(TimeColumn start, TimeColumn end, RoleColumn role, std::vector<Row> places)
        : m_start(start)
        , m_end(end)
        , m_role(role)
        , m_places(std::move(places))
    {
    }
    /// Rows [first, first + size) of the table.
    RowItems(TimeColumn start, TimeColumn end, RoleColumn role, Row first, std::size_t size)
        : m_start(start)
        , m_end(end)
        , m_role(role)
        , m_places(first, size)
    {
    }
    std::size_t size() const { return m_places.size(); }
    Row place(std::size_t i) const { return m_places[i]; }
    Ns start(std::size_t i) const { return m_start[place(i)]; }
    Ns end(std::size_t i) const { return m_end[place(i)]; }
    ItemRole role(std::size_t i) const { return m_role[place(i)]; }
    std::size_t shade(std::size_t i) const { return m_role.shade(place(i)); }
    const RoleColumn& columnOfRoles() const { return m_role; }
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
    std::size_t bytes() const { return m_places.bytes(); }

    /// The same items as plain arrays, for loops over many.
    struct Plain {
        static constexpr bool is_walked = false;
        const Ns* starts;
        const Ns* ends;
        const RoleColumn* roles;
        std::size_t first, count;
        std::size_t size() const { return count; }
        Ns start(std::size_t i) const { return starts[i]; }
        Ns end(std::size_t i) const { return ends[i]; }
        ItemRole role(std::size_t i) const { return (*roles)[first + i]; }
        std::size_t shade(std::size_t i) const { return roles->shade(first + i); }
        const RoleColumn& columnOfRoles() const { return *roles; }
        Ns timeOf(ItemRole role, std::size_t from, std::size_t to) const
        {
            Ns time = 0;
            for (std::size_t i = from; i < to; ++i) {
                time += (ends[i] - starts[i]) & -static_cast<Ns>((*roles)[first + i] == role);
            }
            return time;
        }
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
    /// The same items, which remembers where the last one that was asked for is: fast to go through. Of one thread.
    class Walked {
    public:
        static constexpr bool is_walked = true;
        explicit Walked(const RowItems& items)
            : m_items(items)
        {
        }
        std::size_t size() const { return m_items.size(); }
        Ns start(std::size_t i) const { return m_items.m_start[at(i)]; }
        Ns end(std::size_t i) const { return m_items.m_end[at(i)]; }
        ItemRole role(std::size_t i) const { return m_items.m_role[at(i)]; }
        const RoleColumn& columnOfRoles() const { return m_items.m_role; }
        std::size_t shade(std::size_t i) const { return m_items.m_role.shade(at(i)); }
        Ns timeOf(ItemRole role, std::size_t from, std::size_t to) const
        {
            Ns time = 0;
            for (std::size_t i = from; i < to; ++i) {
                time += m_items.m_role[at(i)] == role ? end(i) - start(i) : 0;
            }
            return time;
        }
        Ns timeOf(std::uint8_t byte, std::size_t from, std::size_t to) const
        {
            Ns time = 0;
            for (std::size_t i = from; i < to; ++i) {
                time += m_items.m_role.bytes()[at(i)] == byte ? end(i) - start(i) : 0;
            }
            return time;
        }

    private:
        Row at(std::size_t i) const
        {
            if (i != m_last) {
                m_place = i == m_last + 1 ? m_items.m_places.next(m_last, m_place) : m_items.m_places[i];
                m_last = i;
            }
            return m_place;
        }

        const RowItems& m_items;
        mutable std::size_t m_last = SIZE_MAX - 1;
        mutable Row m_place = 0;
    };
    /// Calls `use` with a Plain where the items follow one another in plain columns, else with a Walked.
    template <class Use> decltype(auto) visit(Use use) const
    {
        if (m_places.isStretch() && m_start.array() != nullptr && m_end.array() != nullptr) {
            const Row first = m_places.first();
            return use(Plain {m_start.array() + first, m_end.array() + first, &m_role, first, size()});
        }
        return use(Walked(*this));
    }

private:
    template <class Before> std::size_t search(Before before) const
    {
        std::size_t low = 0;
        std::size_t high = size();
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
    RowPlaces m_places;
};

}  // namespace lanes::gui
