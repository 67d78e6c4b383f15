// SPDX-License-Identifier: MIT
// Reads rows of one table of an untrusted file, without taking any column for granted.
#pragma once

#include "engine/store/recording_file.h"
#include "engine/store/sqlite_database.h"

#include <atomic>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lanes {

/// The rows of a table whose row ids are in [first, end).
struct RowIds {
    std::int64_t first, end;
};

/// Some rows of a table, in the order of their ids: those for which `where` is true, an expression of SQL with `bounds`
/// as its parameters.
struct RowChoice {
    std::string where;
    std::vector<std::int64_t> bounds;
    std::uint64_t most;  ///< rows

    RowChoice(std::string where_, std::vector<std::int64_t> bounds_, std::uint64_t most_)
        : where(std::move(where_))
        , bounds(std::move(bounds_))
        , most(most_)
    {
    }
    RowChoice(RowIds ids)  // NOLINT(google-explicit-constructor): row ids are a choice of rows
        : RowChoice(
            "_rowid_ >= ? AND _rowid_ < ?", {ids.first, ids.end}, static_cast<std::uint64_t>(ids.end - ids.first))
    {
    }
};

/// An SQLite file that is being read: its limits and the progress.
class UntrustedFile {
public:
    static constexpr auto every_row = std::numeric_limits<std::uint64_t>::max();

    UntrustedFile(const std::string& path, const Progress& progress);
    /// Another connection to the file of `first`, for another thread. What it reads counts in the progress of `first`,
    /// which reports for both; both are cancelled together.
    explicit UntrustedFile(const UntrustedFile& first);

    const std::string& path() const { return m_path; }
    const Database& database() const { return m_database; }
    /// True for a real table: no view, no virtual table. Throws StoreError for anything else of that name.
    bool has_table(const std::string& name) { return !found_table(name).name.empty(); }
    /// Newer layouts may number a table's name: NVTX_EVENTS_V2, NVTX_EVENTS_V3. Callers give the name without a number;
    /// the newest table with rows is read.
    struct FoundTable {
        std::string name;  ///< as the file has it; empty: there is none
        std::uint64_t others = 0;  ///< rows of the tables that are not read
    };
    const FoundTable& found_table(const std::string& name);
    /// Rows in older versions of the tables that were asked for.
    std::uint64_t rows_replaced() const;
    /// The names of its tables, each in quotes, as many as fit into a line.
    std::string table_names();
    /// The columns that can be read, generated ones excepted.
    std::vector<std::string> columns_of(const std::string& table);
    /// The most rows that a file of this size can have.
    std::uint64_t row_limit() const { return m_row_limit; }
    /// Tables that are read from now on end after that number of rows.
    void read_at_most(std::uint64_t rows) { m_most_rows = rows; }
    std::uint64_t most_rows() const { return m_most_rows; }

    /// Adds the table's rows to the total of tick()'s progress.
    void expect(const std::string& table);
    /// How many rows a table has, by its row ids; at most as many events as a file of this size can have.
    std::uint64_t rows_of(const std::string& table);
    /// A table in pieces of about that number of rows, by row id and in the order of its rows. A single `nullopt`, the
    /// whole table, if it cannot be divided.
    std::vector<std::optional<RowIds>> pieces_of(const std::string& table, std::uint64_t rows);
    void tick()
    {
        if (++m_untold == told_together) {
            tell();
        }
    }
    [[noreturn]] void fail(const std::string& what, StoreError::Reason reason = StoreError::Reason::other) const;

private:
    static constexpr std::uint64_t told_together = 16384;  // rows
    void tell();
    FoundTable find_table(const std::string& name);
    std::int64_t edge(const std::string& table, const char* which);
    void watch();

    struct Shared {
        std::atomic<std::uint64_t> expected = 1, done = 0;  // rows
        double fraction() const;
    };
    std::string m_path;
    Progress m_progress;
    Database m_database;
    std::uint64_t m_row_limit = 0;
    std::uint64_t m_most_rows = every_row;
    std::shared_ptr<Shared> m_shared;
    std::map<std::string, FoundTable> m_found;
    std::uint64_t m_untold = 0;  // rows that m_shared does not count yet
};

/// Reads the named columns of a table; a column that the file lacks reads as NULL, a missing table has no rows.
/// A number that is text, or out of its range, is a StoreError that names table, row and column.
class TableRows {
public:
    /// `chosen`: only these rows.
    TableRows(UntrustedFile& file, std::string table, std::vector<const char*> columns,
        std::optional<RowChoice> chosen = std::nullopt);

    /// True: there is a row.
    bool next();
    /// Calls `use` on each of the remaining rows; it may ask only for integers, not for texts or reals. Cost: two
    /// thirds of next().
    void each(auto&& use)
    {
        if (m_file.most_rows() != UntrustedFile::every_row) {
            while (next()) {
                use();
            }
        } else if (!m_from.empty()) {
            each_at_once([&] {
                count_row();
                use();
            });
        }
    }
    /// From 1: the row id if rows were chosen, else their count so far. They differ if rows were removed.
    std::uint64_t row() const { return m_row; }

    bool is_null(int column) const { return cell(column).type == Cell::Type::null; }
    /// NULL gives `fallback`.
    std::int64_t number(int column, std::int64_t fallback) const
    {
        const auto& at = cell(column);
        return at.type == Cell::Type::integer ? at.integer : other_number(column, fallback);
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
    std::uint32_t id(int column, std::uint32_t fallback) const
    {
        const auto value = number(column, fallback);
        return value >= -1 && value <= std::int64_t {no_id} ? static_cast<std::uint32_t>(value)
                                                            : out_of_range(column, value);
    }
    std::uint32_t id(int column) const;
    /// A count of bytes and the like: negative values read as 0.
    std::uint64_t count(int column) const;
    double real(int column) const;  ///< NULL and other types are 0
    std::string_view text(int column) const;  ///< NULL is ""
    std::span<const std::byte> blob(int column) const;  ///< NULL is empty

private:
    void each_at_once(const std::function<void()>& use);
    void count_row()
    {
        if (++m_count > m_most) {
            too_many();
        }
        const auto before
            = std::exchange(m_row, m_chosen ? static_cast<std::uint64_t>(m_cells.back().integer) : m_count);
        if (m_row <= before) {
            out_of_order();
        }
        m_file.tick();
    }
    [[noreturn]] void too_many() const;
    [[noreturn]] void out_of_order() const;
    [[noreturn]] void fail(int column, const char* what) const;
    const Cell& cell(int column) const { return m_cells[static_cast<std::size_t>(column)]; }
    std::int64_t other_number(int column, std::int64_t fallback) const;
    [[noreturn]] std::uint32_t out_of_range(int column, std::int64_t value) const;

    UntrustedFile& m_file;
    std::string m_table;
    std::vector<const char*> m_columns;
    std::vector<Cell> m_cells;  // of the row; then its id, if rows were chosen
    std::optional<RowChoice> m_chosen;
    std::string m_select, m_from;
    std::optional<Statement> m_statement;
    std::uint64_t m_row = 0;
    std::uint64_t m_count = 0, m_most = 0;  // rows
};

}  // namespace lanes
