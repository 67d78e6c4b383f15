// SPDX-License-Identifier: MIT
#include "tests/engine/analysis/oracle/table.h"

#include <set>
#include <sqlite3.h>
#include <stdexcept>

namespace oracle {

namespace {

std::vector<std::vector<Cell>> ask(sqlite3* file, const std::string& sql)
{
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(file, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
        throw std::runtime_error(sql + ": " + sqlite3_errmsg(file));
    }
    std::vector<std::vector<Cell>> rows;
    int status = 0;
    while ((status = sqlite3_step(statement)) == SQLITE_ROW) {
        auto& row = rows.emplace_back();
        for (int i = 0; i < sqlite3_column_count(statement); ++i) {
            Cell cell;
            cell.null = sqlite3_column_type(statement, i) == SQLITE_NULL;
            if (sqlite3_column_type(statement, i) == SQLITE_TEXT) {
                cell.text = reinterpret_cast<const char*>(sqlite3_column_text(statement, i));
            } else {
                cell.number = sqlite3_column_int64(statement, i);
            }
            row.push_back(cell);
        }
    }
    sqlite3_finalize(statement);
    if (status != SQLITE_DONE) {
        throw std::runtime_error(sql + ": " + sqlite3_errmsg(file));
    }
    return rows;
}

}  // namespace

Database::Database(const std::string& path, bool create)
{
    const int flags = create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    const auto name = create ? path : "file:" + path + "?immutable=1";
    if (sqlite3_open_v2(name.c_str(), &m_file, flags | SQLITE_OPEN_URI, nullptr) != SQLITE_OK) {
        const std::string why = sqlite3_errmsg(m_file);
        sqlite3_close(m_file);
        throw std::runtime_error(path + ": " + why);
    }
}

Database::~Database()
{
    sqlite3_close(m_file);
}

bool Database::has(const std::string& table) const
{
    return !ask(m_file, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '" + table + "'").empty();
}

std::vector<std::vector<Cell>> Database::rows(const std::string& table, const std::vector<std::string>& columns) const
{
    std::set<std::string> known;
    for (const auto& column : ask(m_file, "PRAGMA table_info(" + table + ")")) {
        known.insert(column[1].text);
    }
    if (known.empty()) {
        return {};
    }
    std::string sql = "SELECT rowid";
    for (const auto& column : columns) {
        sql += known.count(column) != 0 ? ", \"" + column + "\"" : ", NULL";
    }
    return ask(m_file, sql + " FROM " + table + " ORDER BY rowid");
}

void Database::run(const std::string& sql) const
{
    char* why = nullptr;
    if (sqlite3_exec(m_file, sql.c_str(), nullptr, nullptr, &why) != SQLITE_OK) {
        const std::string text = why;
        sqlite3_free(why);
        throw std::runtime_error(text + " in " + sql.substr(0, 300));
    }
}

}  // namespace oracle
