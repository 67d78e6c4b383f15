// SPDX-License-Identifier: MIT
// The rows of one table of an SQLite file, fetched at once by plain SQL.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

struct sqlite3;

namespace oracle {

struct Cell {
    bool null = true;
    std::int64_t number = 0;
    std::string text;
    std::int64_t or_else(std::int64_t other) const { return null ? other : number; }
};

class Database {
public:
    /// Opens a file to read it, or, with `create`, a new one. Throws std::runtime_error.
    explicit Database(const std::string& path, bool create = false);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    bool has(const std::string& table) const;
    /// The columns of all rows, rowid first; a column that the table lacks is null, a table that the file lacks has no
    /// rows.
    std::vector<std::vector<Cell>> rows(const std::string& table, const std::vector<std::string>& columns) const;
    void run(const std::string& sql) const;

private:
    sqlite3* m_file = nullptr;
};

}  // namespace oracle
