// SPDX-License-Identifier: MIT
#include "engine/store/sqlite_table.h"

#include "engine/trace/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sqlite3.h>

namespace lanes {

namespace {

/// Whether a rollback journal has pages of its database: it begins with SQLite's magic number, which the end of a
/// transaction zeroes if it does not remove the file.
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
    // The smallest cell of a table takes four bytes with its pointer. More rows than that allows come from pages in a
    // circle, which a scan would otherwise follow for ever.
    m_row_limit = std::filesystem::file_size(path) / 4;
    m_shared = std::make_shared<Shared>();
    watch();
}

UntrustedFile::UntrustedFile(const UntrustedFile& first)
    : m_path(first.m_path)
    , m_progress(first.m_progress.unheard())
    , m_database(Database::open_untrusted(m_path))
    , m_row_limit(first.m_row_limit)
    , m_most_rows(first.m_most_rows)
    , m_shared(first.m_shared)
{
    watch();
}

void UntrustedFile::watch()
{
    m_database.on_progress([this] {  // C calls this: nothing may be thrown
        m_progress.tell(m_shared->fraction());
        return m_progress.cancelled();
    });
}

double UntrustedFile::Shared::fraction() const
{
    return std::min(1.0, static_cast<double>(done) / static_cast<double>(expected));
}

void UntrustedFile::fail(const std::string& what, StoreError::Reason reason) const
{
    throw StoreError(m_path + ": " + what, reason);
}

const UntrustedFile::FoundTable& UntrustedFile::found_table(const std::string& name)
{
    const auto known = m_found.find(name);
    return known != m_found.end() ? known->second : m_found.emplace(name, find_table(name)).first->second;
}

std::uint64_t UntrustedFile::rows_replaced() const
{
    std::uint64_t rows = 0;
    for (const auto& [name, found] : m_found) {
        rows += found.others;
    }
    return rows;
}

UntrustedFile::FoundTable UntrustedFile::find_table(const std::string& name)
{
    Statement query(m_database,
        "SELECT type, rootpage, sql, name FROM sqlite_schema WHERE type IN ('table', 'view') "
        "AND (name = ? COLLATE NOCASE OR substr(name, 1, length(?) + 2) = ? || '_V' COLLATE NOCASE)");
    for (const int parameter : {0, 1, 2}) {
        query.bind(parameter, std::string_view(name));
    }
    std::map<unsigned, std::string> tables;  // by the number in their names
    bool has_other = false;  // one that is no plain table
    while (query.step()) {
        const std::string found(query.text(3));
        unsigned number = 0;
        if (found.size() > name.size()) {
            const auto digits = std::string_view(found).substr(name.size() + 2);
            const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
            if (error != std::errc {} || end != digits.data() + digits.size() || number == 0) {
                continue;
            }
        }
        const auto sql = query.text(2);
        const bool is_plain
            = query.text(0) == "table" && query.integer(1) > 0 && std::string_view(sql).starts_with("CREATE TABLE");
        if (!is_plain || !tables.try_emplace(number, found).second) {
            has_other = true;
        }
    }
    // A view beside newer tables shows one of them under its old name.
    if (has_other && (tables.empty() || tables.rbegin()->first == 0)) {
        fail(name + " is not a plain table; only plain tables are read");
    }
    FoundTable found;
    std::uint64_t rows = 0;
    for (const auto& [number, table] : tables) {
        const auto last = tables.size() == 1 ? 0 : edge(table, "max");
        const auto own = static_cast<std::uint64_t>(std::max<std::int64_t>(0, last));
        const bool is_read = own > 0 || rows == 0;
        found.others += is_read ? rows : own;
        found.name = is_read ? table : found.name;
        rows = is_read ? own : rows;
    }
    return found;
}

std::string UntrustedFile::table_names()
{
    constexpr std::size_t most = 8192;  // bytes
    std::string names;
    Statement query(
        m_database, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'");
    while (names.size() < most && query.step()) {
        names += (names.empty() ? "\"" : ", \"") + std::string(query.text(0).substr(0, most)) + '"';
    }
    return names;
}

std::vector<std::string> UntrustedFile::columns_of(const std::string& table)
{
    std::vector<std::string> names;
    Statement query(m_database, "PRAGMA table_info(\"" + found_table(table).name + "\")");
    while (query.step()) {
        names.emplace_back(query.text(1));
    }
    return names;
}

void UntrustedFile::expect(const std::string& table)
{
    m_shared->expected += rows_of(table);
}

std::uint64_t UntrustedFile::rows_of(const std::string& table)
{
    constexpr std::uint64_t least_bytes = 16;  // the least for a row with two times
    if (!has_table(table)) {
        return 0;
    }
    return std::min({m_row_limit * 4 / least_bytes, m_most_rows,
        static_cast<std::uint64_t>(std::max<std::int64_t>(0, edge(found_table(table).name, "max")))});
}

/// The least or greatest row id; 0 if there are none, or the pages with them are damaged.
std::int64_t UntrustedFile::edge(const std::string& table, const char* which)
{
    try {
        Statement query(m_database, "SELECT " + std::string(which) + "(_rowid_) FROM \"" + table + "\"");
        return query.step() ? query.integer(0) : 0;
    } catch (const SqliteError& error) {
        if (error.code == SQLITE_INTERRUPT) {
            throw;
        }
        return 0;
    }
}

std::vector<std::optional<RowIds>> UntrustedFile::pieces_of(const std::string& table, std::uint64_t rows)
{
    if (!has_table(table)) {
        return {};
    }
    const auto columns = columns_of(table);
    const bool has_ids = std::none_of(columns.begin(), columns.end(),
        [](const std::string& name) { return sqlite3_stricmp(name.c_str(), "_rowid_") == 0; });
    const auto first = has_ids ? edge(found_table(table).name, "min") : 0;
    const auto last = has_ids ? edge(found_table(table).name, "max") : 0;
    // With more ids between the two than there can be rows, most pieces would be empty.
    if (first < 1 || last < first || static_cast<std::uint64_t>(last - first) >= m_row_limit) {
        return {std::nullopt};
    }
    std::vector<std::optional<RowIds>> pieces;
    for (auto from = first; from <= last; from += static_cast<std::int64_t>(rows)) {
        pieces.push_back(RowIds {from, std::min(last + 1, from + static_cast<std::int64_t>(rows))});
    }
    return pieces;
}

void UntrustedFile::tell()
{
    m_untold = 0;
    m_shared->done += told_together;
    m_progress.report(m_shared->fraction());
}

TableRows::TableRows(
    UntrustedFile& file, std::string table, std::vector<const char*> columns, std::optional<RowChoice> chosen)
    : m_file(file)
    , m_table(std::move(table))
    , m_columns(std::move(columns))
    , m_cells(m_columns.size() + (chosen ? 1 : 0))
    , m_chosen(std::move(chosen))
    , m_most(m_chosen ? m_chosen->most : file.row_limit())
{
    if (!file.has_table(m_table)) {
        return;
    }
    const auto known = file.columns_of(m_table);
    m_table = file.found_table(m_table).name;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        const bool present = std::find(known.begin(), known.end(), m_columns[i]) != known.end();
        m_select += i == 0 ? "" : ", ";
        m_select += present ? "\"" + std::string(m_columns[i]) + "\"" : "NULL";
    }
    m_select += m_chosen ? ", _rowid_" : "";
    m_from = "FROM \"" + m_table + "\" NOT INDEXED";
    m_from += m_chosen ? " WHERE " + m_chosen->where : "";
}

bool TableRows::next()
{
    if (m_from.empty() || m_count >= m_file.most_rows()) {
        return false;
    }
    if (!m_statement) {
        m_statement.emplace(m_file.database(), "SELECT " + m_select + " " + m_from);
        for (std::size_t i = 0; m_chosen && i < m_chosen->bounds.size(); ++i) {
            m_statement->bind(static_cast<int>(i), m_chosen->bounds[i]);
        }
    }
    if (!m_statement->step()) {
        return false;
    }
    m_statement->take_row(m_cells);
    count_row();
    return true;
}

void TableRows::each_at_once(const std::function<void()>& use)
{
    const auto bounds = m_chosen ? std::span<const std::int64_t>(m_chosen->bounds) : std::span<const std::int64_t>();
    m_file.database().each_row(m_select, m_from, bounds, m_cells, use);
}

void TableRows::too_many() const
{
    m_file.fail("table " + m_table + " has more rows than " + (m_chosen ? "row ids" : "a file of this size can have")
        + ": the file is damaged");
}

void TableRows::out_of_order() const
{
    m_file.fail("rows of table " + m_table + " are out of their order: the file is damaged");
}

void TableRows::fail(int column, const char* what) const
{
    m_file.fail("table " + m_table + ", row " + std::to_string(m_row) + ", column "
        + m_columns[static_cast<std::size_t>(column)] + ": " + what);
}

std::int64_t TableRows::other_number(int column, std::int64_t fallback) const
{
    switch (cell(column).type) {
    case Cell::Type::real:
        return cell(column).integer;
    case Cell::Type::null:
        return fallback;
    default:
        fail(column, "expected a number, found text");
    }
}

std::uint32_t TableRows::out_of_range(int column, std::int64_t value) const
{
    fail(column, (std::to_string(value) + " is out of range").c_str());
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

std::span<const std::byte> TableRows::blob(int column) const
{
    return m_statement->blob(column);
}

}  // namespace lanes
