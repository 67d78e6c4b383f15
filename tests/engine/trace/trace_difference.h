// SPDX-License-Identifier: MIT
// Where two traces differ, texts compared as texts: their ids may differ.
#pragma once

#include "engine/trace/tables.h"

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace lanes {

namespace detail {

/// The bits of a cell, so that any two can be compared: a NaN is equal to itself.
template <class T> struct Comparable {
    T value;
    friend bool operator==(const Comparable& a, const Comparable& b)
    {
        return std::memcmp(&a.value, &b.value, sizeof(T)) == 0;
    }
};
template <class T> Comparable(T) -> Comparable<T>;

inline std::string words_of(std::string_view text)
{
    return std::string(text);
}
template <class T> std::string words_of(const Comparable<T>& cell)
{
    if constexpr (std::is_same_v<T, RowSpan>) {
        return std::to_string(cell.value.begin) + " to " + std::to_string(cell.value.end);
    } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
        return std::to_string(static_cast<std::int64_t>(cell.value));
    } else if constexpr (std::is_floating_point_v<T>) {
        return std::to_string(cell.value);
    } else {
        std::string words;
        for (const auto number : cell.value) {
            words += (words.empty() ? "" : ", ") + std::to_string(number);
        }
        return words;
    }
}

}  // namespace detail

/// The first cell in which a table differs; "": none.
template <class Table> std::string difference_of(Table table, const Trace& a, const Trace& b)
{
    const auto rows = (a.*Table::rows).size();
    if (const auto others = (b.*Table::rows).size(); rows != others) {
        return std::string(Table::name) + ": " + std::to_string(rows) + " and " + std::to_string(others) + " rows";
    }
    std::string found;
    for (Row row = 0; row < rows && found.empty(); ++row) {
        for_each_column(table, [&]<class Column>(const Column& column) {
            const auto cell = [&](const Trace& trace) {
                const auto& value = cell_of(table, column, trace, row);
                if constexpr (Column::kind == ColumnKind::text) {
                    return trace.text(value);
                } else {
                    return detail::Comparable {value};
                }
            };
            if (const auto in_a = cell(a), in_b = cell(b); in_a != in_b && found.empty()) {
                found = std::string(Table::name) + ' ' + std::to_string(row) + ", " + column.name + ": "
                    + detail::words_of(in_a) + " and " + detail::words_of(in_b);
            }
        });
    }
    return found;
}

/// "" if `a` and `b` say the same, else the first difference. Marks are the user's and not compared.
inline std::string difference(const Trace& a, const Trace& b)
{
    const auto numbers = [](const Trace& t) {
        return std::string(name_of(t.source)) + " from " + std::to_string(t.origin) + ", " + std::to_string(t.duration)
            + " ns, dropped " + std::to_string(t.dropped);
    };
    if (numbers(a) != numbers(b)) {
        return numbers(a) + " and " + numbers(b);
    }
    for (const auto& [key, value] : a.meta) {
        if (const auto other = b.meta.find(key); other == b.meta.end() || other->second != value) {
            return "meta " + key + ": " + value + " and " + (other == b.meta.end() ? "none" : other->second);
        }
    }
    if (a.meta.size() != b.meta.size()) {
        return "meta: " + std::to_string(a.meta.size()) + " and " + std::to_string(b.meta.size()) + " keys";
    }
    std::string found;
    for_each_table([&](auto table) { found = found.empty() ? difference_of(table, a, b) : found; });
    return found;
}

}  // namespace lanes
