// SPDX-License-Identifier: MIT
// Writes the rows of one table of a recording; private to engine/store.
#pragma once

#include "engine/store/nsys_layout.h"
#include "engine/store/sqlite_database.h"

#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <vector>

namespace lanes {

using Number = std::optional<std::int64_t>;

/// The insert statement of one table.
class Insert {
public:
    Insert(const Database& database, const layout::Table& table)
        : m_statement(database, layout::insert_sql(table))
    {
        std::size_t bound = 0;
        for (const auto& column : table.columns) {
            bound += column.value[0] == '?' ? 1 : 0;
        }
        m_numbers.resize(bound);
    }
    /// Writes one row: the values of the bound columns, in order.
    template <class... Values> void operator()(const Values&... values)
    {
        if (sizeof...(values) != m_numbers.size()) {
            throw std::logic_error("a row does not fit its table");
        }
        int parameter = 0;
        (put(parameter++, values), ...);
        m_statement.step();
        m_statement.reset();
        ++m_rows;
    }
    std::int64_t rows() const { return m_rows; }
    /// The last row, a number for each bound column. Only for a table in which all columns are numbers.
    std::span<const Number> numbers() const
    {
        if (m_has_others) {
            throw std::logic_error("a table of numbers alone was expected");
        }
        return m_numbers;
    }

private:
    void put(int parameter, std::string_view text) { put_other(parameter, text); }
    void put(int parameter, const char* text) { put_other(parameter, std::string_view(text)); }
    void put(int parameter, std::span<const std::byte> blob) { put_other(parameter, blob); }
    void put(int parameter, double number) { put_other(parameter, number); }
    void put(int parameter, std::nullopt_t) { put(parameter, Number {}); }
    template <class I>
    requires std::is_integral_v<I> || std::is_enum_v<I>
    void put(int parameter, I number) { put(parameter, Number {static_cast<std::int64_t>(number)}); }
    void put(int parameter, const Number& number)
    {
        number ? m_statement.bind(parameter, *number) : m_statement.bind_null(parameter);
        m_numbers[static_cast<std::size_t>(parameter)] = number;
    }
    void put_other(int parameter, auto value)
    {
        m_statement.bind(parameter, value);
        m_has_others = true;
    }

    Statement m_statement;
    std::vector<Number> m_numbers;
    bool m_has_others = false;
    std::int64_t m_rows = 0;
};

}  // namespace lanes
