// SPDX-License-Identifier: MIT
#include "engine/store/sqlite_table.h"

#include "engine/trace/units.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sqlite3.h>

namespace lanes {

namespace {

/// Whether a rollback journal holds pages of its database: it begins with SQLite's magic number, which the end of a
/// transaction zeroes where it does not remove the file.
bool is_hot(const std::string& journal)
{
    static constexpr std::array<unsigned char, 8> magic {0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7};
    std::array<unsigned char, 8> begin {};
    if (!std::filesystem::is_regular_file(journal)) {
        return false;
    }
    std::ifstream file(journal, std::ios::binary);
    return file.read(reinterpret_cast<char*>(begin.data()), begin.size()) && begin == magic;
}

}  // namespace

UntrustedFile::UntrustedFile(const std::string& path, const Progress& progress)
    : m_path(path)
    , m_progress(progress)
    , m_database(Database::open_untrusted(path))
{
    std::error_code none;
    if (const auto log = path + "-wal"; std::filesystem::file_size(log, none) > 0 && !none) {
        fail("part of it is in " + log + ": open it once with sqlite3, which merges the two");
    }
    if (const auto journal = path + "-journal"; is_hot(journal)) {
        fail("a change to it was interrupted and " + journal
            + " has the previous content: open it once with sqlite3, which restores it");
    }
    // The smallest cell of a table takes four bytes with its pointer. More rows than that allows come from pages
    // that point to one another, which a scan would otherwise follow for ever.
    m_row_limit = std::filesystem::file_size(path) / 4;
    m_database.on_progress([this] {  // called from C: nothing may be thrown
        m_progress.tell(std::min(1.0, static_cast<double>(m_done) / static_cast<double>(m_expected)));
        return m_progress.cancelled();
    });
}

void UntrustedFile::fail(const std::string& what) const
{
    throw StoreError(m_path + ": " + what);
}

bool UntrustedFile::has_table(const std::string& name)
{
    Statement query(m_database,
        "SELECT type, rootpage, sql FROM sqlite_schema WHERE name = ? COLLATE NOCASE "
        "AND type IN ('table', 'view')");
    query.bind(0, std::string_view(name));
    bool found = false;
    while (query.step()) {
        const auto sql = query.text(2);
        if (found || query.text(0) != "table" || query.integer(1) <= 0 || !sql.starts_with("CREATE TABLE")) {
            fail(name + " is not a plain table; only plain tables are read");
        }
        found = true;
    }
    return found;
}

std::vector<std::string> UntrustedFile::columns_of(const std::string& table)
{
    std::vector<std::string> names;
    Statement query(m_database, "PRAGMA table_info(\"" + table + "\")");
    while (query.step()) {
        names.emplace_back(query.text(1));
    }
    return names;
}

void UntrustedFile::expect(const std::string& table)
{
    m_expected += rows_of(table);
}

std::uint64_t UntrustedFile::rows_of(const std::string& table)
{
    constexpr std::uint64_t least_bytes = 16;  // of a row with two times
    if (!has_table(table)) {
        return 0;
    }
    try {
        Statement query(m_database, "SELECT max(_rowid_) FROM \"" + table + "\"");
        if (query.step()) {
            return std::min({m_row_limit * 4 / least_bytes, m_most_rows,
                static_cast<std::uint64_t>(std::max<std::int64_t>(0, query.integer(0)))});
        }
    } catch (const SqliteError& error) {
        if (error.code == SQLITE_INTERRUPT) {
            throw;
        }
        // No row ids, or damaged where they are: then progress is less even.
    }
    return 0;
}

void UntrustedFile::tick()
{
    if (++m_done % 16384 == 0) {
        m_progress.report(std::min(1.0, static_cast<double>(m_done) / static_cast<double>(m_expected)));
    }
}

TableRows::TableRows(UntrustedFile& file, std::string table, std::initializer_list<const char*> columns)
    : m_file(file)
    , m_table(std::move(table))
    , m_columns(columns)
    , m_present(columns.size())
    , m_cells(columns.size())
{
    if (!file.has_table(m_table)) {
        return;
    }
    const auto known = file.columns_of(m_table);
    std::string sql = "SELECT ";
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        m_present[i] = std::find(known.begin(), known.end(), m_columns[i]) != known.end();
        sql += i == 0 ? "" : ", ";
        sql += m_present[i] ? "\"" + std::string(m_columns[i]) + "\"" : "NULL";
    }
    m_statement.emplace(file.database(), sql + " FROM \"" + m_table + "\" NOT INDEXED");
}

bool TableRows::next()
{
    if (!m_statement || m_row >= m_file.most_rows() || !m_statement->step()) {
        return false;
    }
    if (++m_row > m_file.row_limit()) {
        m_file.fail("table " + m_table + " has more rows than a file of this size can have: the file is damaged");
    }
    m_statement->take_row(m_cells);
    m_file.tick();
    return true;
}

void TableRows::fail(int column, const char* what) const
{
    m_file.fail("table " + m_table + ", row " + std::to_string(m_row) + ", column "
        + m_columns[static_cast<std::size_t>(column)] + ": " + what);
}

std::int64_t TableRows::other_number(int column, std::int64_t fallback) const
{
    switch (cell(column).type) {
    case Statement::Type::real:
        return m_statement->integer(column);
    case Statement::Type::null:
        return fallback;
    default:
        fail(column, "expected a number, found text");
    }
}

std::uint32_t TableRows::id(int column, std::uint32_t fallback) const
{
    const auto value = number(column, fallback);
    if (value < -1 || value > std::int64_t {no_id}) {
        fail(column, (std::to_string(value) + " is out of range").c_str());
    }
    return static_cast<std::uint32_t>(value);
}

std::uint32_t TableRows::id(int column) const
{
    if (is_null(column)) {
        fail(column, "expected a number, found none");
    }
    return id(column, 0);
}

std::uint64_t TableRows::count(int column) const
{
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, number(column, 0)));
}

double TableRows::real(int column) const
{
    return m_statement->real(column);
}

std::string_view TableRows::text(int column) const
{
    return m_statement->text(column);
}

}  // namespace lanes
