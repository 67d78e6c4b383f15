// SPDX-License-Identifier: MIT
// Checks that tables.h describes every table of a Trace and every column, and none of them twice.
#include "engine/trace/tables.h"

#include <string_view>

namespace lanes {

namespace {

/// Converts to the type of any member.
struct AnyMember {
    template <class T> operator T() const;  // NOLINT(google-explicit-constructor)
};

/// How many members an aggregate has: it can be initialised with that many values, but not with one more.
template <class T, class... Values> consteval std::size_t members_of()
{
    if constexpr (requires { T {Values {}..., AnyMember {}}; }) {
        return members_of<T, Values..., AnyMember>();
    } else {
        return sizeof...(Values);
    }
}

template <class Table> consteval std::size_t members_of_row()
{
    if constexpr (Table::is_in_columns) {
        return members_of<typename Table::Rows>();
    } else {
        return members_of<typename Table::Rows::value_type>();
    }
}

/// Whether there are as many columns as the row has members, each with another name.
template <class Table> consteval bool has_all_columns(Table table)
{
    std::size_t columns = 0;
    bool different = true;
    for_each_column(table, [&](const auto& column) {
        ++columns;
        int same = 0;
        for_each_column(table,
            [&](const auto& other) { same += std::string_view(other.name) == std::string_view(column.name) ? 1 : 0; });
        different = different && same == 1;
    });
    return different && columns == members_of_row<Table>();
}

template <class... Tables> consteval bool all_have_all_columns(tables::List<Tables...>)
{
    return (has_all_columns(Tables {}) && ...);
}
template <class... Tables> consteval std::size_t number_of(tables::List<Tables...>)
{
    return sizeof...(Tables);
}

/// Trace::source, meta, strings, origin, duration, dropped and marks.
constexpr std::size_t members_that_are_no_tables = 7;

static_assert(
    all_have_all_columns(tables::All {}), "a table of the Trace has a column that tables.h does not describe");
static_assert(number_of(tables::All {}) + members_that_are_no_tables == members_of<Trace>(),
    "the Trace has a table that tables.h does not describe");

}  // namespace

}  // namespace lanes
