// SPDX-License-Identifier: MIT
// The little of SQLite that recordings need, with errors as exceptions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace lanes {

/// An error of SQLite. `system` is errno if the operating system failed, ENOSPC if the disk is full, else 0.
class SqliteError : public std::runtime_error {
public:
    SqliteError(int code_, int system_, const std::string& what)
        : std::runtime_error(what)
        , code(code_)
        , system(system_)
    {
    }
    int code, system;
};

/// A value of a row.
struct Cell {
    enum class Type { integer, real, text, blob, null };
    Type type = Type::null;
    std::int64_t integer = 0;  ///< a real is truncated; 0 for text
};

class Database {
public:
    /// A new, empty database at `path`: no journal (the file is renamed when complete), pages of `page_bytes`, a power
    /// of two from 512 to 65536.
    static Database create(const std::string& path, int page_bytes);
    /// Opens a file from elsewhere: read-only and immutable, defensive, schema not trusted, lengths limited.
    static Database open_untrusted(const std::string& path);
    /// Writes into user_version of a file, which nobody may have open, how often SQLite has changed it.
    static void seal(const std::string& path);
    /// False if SQLite changed, copied or compacted the file since seal(), or it was never sealed.
    static bool is_sealed(const std::string& path);

    sqlite3* handle() const { return m_handle.get(); }
    void run(const char* sql);
    /// `interrupted` is called now and then; true ends the running statement with SQLITE_INTERRUPT.
    void on_progress(std::function<bool()> interrupted);
    [[noreturn]] void fail(int code) const;

    /// Calls `use` for each row of "SELECT `columns` `from`" after it has set `cells`, one for each column;
    /// `parameters` are bound. An exception of `use` ends the statement and is rethrown. Only after open_untrusted().
    /// Cost: two thirds of step() and take_row(): one step of SQLite hands all rows to a function of ours.
    void each_row(const std::string& columns, const std::string& from, std::span<const std::int64_t> parameters,
        std::span<Cell> cells, const std::function<void()>& use) const;

private:
    struct RowTaker;
    struct FreeTaker {
        void operator()(RowTaker* taker) const;
    };
    struct Close {
        void operator()(sqlite3* handle) const;
    };
    Database(const std::string& name, int flags);
    std::unique_ptr<RowTaker, FreeTaker> m_taker;
    std::unique_ptr<sqlite3, Close> m_handle;
    std::unique_ptr<std::function<bool()>> m_interrupted;
};

/// A prepared statement. Parameters count from 0 here, as columns do.
class Statement {
public:
    Statement(const Database& database, const std::string& sql);
    void bind(int parameter, std::int64_t value);
    void bind(int parameter, double value);
    void bind(int parameter, std::string_view text);  ///< the text must outlive the next step()
    void bind(int parameter, std::span<const std::byte> blob);  ///< likewise
    void bind_null(int parameter);
    /// True: there is a row.
    bool step();
    void reset();

    Cell::Type type(int column) const;
    std::int64_t integer(int column) const;
    double real(int column) const;
    /// The first cells of the row, one for each of `cells`. Cost: half that of type() and integer().
    void take_row(std::span<Cell> cells) const;
    std::string_view text(int column) const;
    std::span<const std::byte> blob(int column) const;

private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    const Database& m_database;
    std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
};

}  // namespace lanes
