// SPDX-License-Identifier: MIT
// Rows of one table of an untrusted file, column by column, none of them taken for granted.
#pragma once

#include "engine/store/recording_file.h"
#include "engine/store/sqlite_database.h"

#include <initializer_list>
#include <limits>
#include <optional>

namespace lanes {

/// An SQLite file that is being read: its limits and how far it is.
class UntrustedFile {
public:
    static constexpr auto every_row = std::numeric_limits<std::uint64_t>::max();

    UntrustedFile(const std::string& path, const Progress& progress);

    const std::string& path() const { return m_path; }
    const Database& database() const { return m_database; }
    /// True for a real table: no view, no virtual table. Throws StoreError for anything else of that name.
    bool has_table(const std::string& name);
    /// The columns that can be read, generated ones excepted.
    std::vector<std::string> columns_of(const std::string& table);
    /// Rows that a file of this size can hold at most.
    std::uint64_t row_limit() const { return m_row_limit; }
    /// Tables that are read from now on end after so many rows.
    void read_at_most(std::uint64_t rows) { m_most_rows = rows; }
    std::uint64_t most_rows() const { return m_most_rows; }

    /// Adds to what tick() reports progress against.
    void expect(const std::string& table);
    /// How many rows a table has, as its row ids tell; no more than a file of this size can hold of what happened.
    std::uint64_t rows_of(const std::string& table);
    void tick();
    [[noreturn]] void fail(const std::string& what) const;

private:
    std::string m_path;
    const Progress& m_progress;
    Database m_database;
    std::uint64_t m_row_limit = 0;
    std::uint64_t m_most_rows = every_row;
    std::uint64_t m_expected = 1, m_done = 0;
};

/// Reads the named columns of a table; a column that the file lacks reads as NULL, a missing table has no rows.
/// A number that is text, or out of its range, is a StoreError that names table, row and column.
class TableRows {
public:
    TableRows(UntrustedFile& file, std::string table, std::initializer_list<const char*> columns);

    explicit operator bool() const { return m_statement.has_value(); }
    bool has(int column) const { return m_present[static_cast<std::size_t>(column)]; }
    /// True: on a row.
    bool next();
    std::uint64_t row() const { return m_row; }  ///< from 1

    bool is_null(int column) const { return cell(column).type == Statement::Type::null; }
    /// NULL is `fallback`.
    std::int64_t number(int column, std::int64_t fallback) const
    {
        const auto& at = cell(column);
        return at.type == Statement::Type::integer ? at.integer : other_number(column, fallback);
    }
    /// NULL is an error.
    std::int64_t number(int column) const
    {
        if (is_null(column)) {
            fail(column, "expected a number, found none");
        }
        return number(column, 0);
    }
    /// An unsigned 32-bit id; -1 is no_id.
    std::uint32_t id(int column, std::uint32_t fallback) const;
    std::uint32_t id(int column) const;
    /// A count of bytes and the like: what is negative reads as 0.
    std::uint64_t count(int column) const;
    double real(int column) const;  ///< NULL and what is no number are 0
    std::string_view text(int column) const;  ///< NULL is ""

private:
    [[noreturn]] void fail(int column, const char* what) const;
    const Statement::Cell& cell(int column) const { return m_cells[static_cast<std::size_t>(column)]; }
    std::int64_t other_number(int column, std::int64_t fallback) const;

    UntrustedFile& m_file;
    std::string m_table;
    std::vector<const char*> m_columns;
    std::vector<bool> m_present;
    std::optional<Statement> m_statement;
    std::vector<Statement::Cell> m_cells;  // of the row
    std::uint64_t m_row = 0;
};

}  // namespace lanes
