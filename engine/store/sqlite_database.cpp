// SPDX-License-Identifier: MIT
#include "engine/store/sqlite_database.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <fstream>
#include <sqlite3.h>
#include <utility>

namespace lanes {

namespace {

constexpr int max_row_bytes = 16 << 20;

/// A path as a file: URI.
std::string uri_of(const std::string& path)
{
    static constexpr char digits[] = "0123456789ABCDEF";
    // Behind "file:" two slashes begin the name of a machine: "//tmp/x" would be x on the machine tmp.
    std::string uri = path.starts_with('/') ? "file://" : "file:";
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '%' || c == '?' || c == '#' || byte < 0x20 || byte > 0x7E) {
            uri += '%';
            uri += digits[byte >> 4U];
            uri += digits[byte & 15U];
        } else {
            uri += c;
        }
    }
    return uri + "?immutable=1";
}

Cell::Type type_of(int code)
{
    switch (code) {
    case SQLITE_INTEGER:
        return Cell::Type::integer;
    case SQLITE_FLOAT:
        return Cell::Type::real;
    case SQLITE_TEXT:
        return Cell::Type::text;
    case SQLITE_BLOB:
        return Cell::Type::blob;
    default:
        return Cell::Type::null;
    }
}

Cell cell_from(sqlite3_value* value)
{
    Cell cell {type_of(sqlite3_value_type(value))};
    if (cell.type == Cell::Type::integer || cell.type == Cell::Type::real) {
        cell.integer = sqlite3_value_int64(value);
    }
    return cell;
}

/// A number in the first 100 bytes of a database, https://www.sqlite.org/fileformat.html; 0 if the file is shorter.
std::uint32_t number_in_head(const std::string& path, std::streamoff at)
{
    std::array<char, 4> bytes {};
    std::ifstream file(path, std::ios::binary);
    if (!file.seekg(at) || !file.read(bytes.data(), bytes.size())) {
        return 0;
    }
    std::uint32_t number = 0;
    for (const char byte : bytes) {
        number = number << 8U | static_cast<unsigned char>(byte);
    }
    return number;
}
std::uint32_t changes_of(const std::string& path)
{
    return number_in_head(path, 24);
}

}  // namespace

/// Takes the rows of each_row(). C calls its functions: nothing may be thrown.
struct Database::RowTaker {
    std::span<Cell> cells;
    const std::function<void()>* use = nullptr;
    std::exception_ptr failure;

    static constexpr auto name = "lanescope_take_row";
    static void take(sqlite3_context* context, int count, sqlite3_value** values)
    {
        auto& taker = *static_cast<RowTaker*>(sqlite3_user_data(context));
        if (taker.use == nullptr || static_cast<std::size_t>(count) != taker.cells.size()) {
            sqlite3_result_error(context, "nobody takes rows", -1);
            return;
        }
        std::transform(values, values + count, taker.cells.begin(), cell_from);
        try {
            (*taker.use)();
        } catch (...) {
            taker.failure = std::current_exception();
            sqlite3_result_error(context, "not taken", -1);
        }
    }
    static void end(sqlite3_context* context) { sqlite3_result_null(context); }
};

void Database::FreeTaker::operator()(RowTaker* taker) const
{
    delete taker;
}

void Database::Close::operator()(sqlite3* handle) const
{
    sqlite3_close_v2(handle);
}

Database::Database(const std::string& name, int flags)
{
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(name.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX, nullptr);
    m_handle.reset(handle);
    if (code != SQLITE_OK) {
        fail(code);
    }
    sqlite3_extended_result_codes(handle, 1);
}

Database Database::create(const std::string& path, int page_bytes)
{
    Database database(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    // Before anything is written: a journal is a second file, which would stay after a kill.
    database.run("PRAGMA journal_mode = OFF");
    database.run("PRAGMA synchronous = OFF");
    database.run("PRAGMA locking_mode = EXCLUSIVE");
    database.run("PRAGMA secure_delete = OFF");
    database.run(("PRAGMA page_size = " + std::to_string(page_bytes)).c_str());
    database.run("PRAGMA auto_vacuum = NONE");
    database.run("PRAGMA encoding = 'UTF-8'");
    database.run("PRAGMA application_id = 0x4C414E45");  // "LANE", at byte 68: by which a desktop recognises the file
    return database;
}

Database Database::open_untrusted(const std::string& path)
{
    // No mutex: it would be locked for every cell of every row, and only one thread uses a connection.
    Database database(uri_of(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX);
    auto* handle = database.handle();
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, max_row_bytes);
    sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, 1 << 20);
    sqlite3_limit(handle, SQLITE_LIMIT_COLUMN, 500);
    sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, 50);
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
    database.run("PRAGMA cell_size_check = ON");
    database.run("PRAGMA mmap_size = 0");
    database.m_taker.reset(new RowTaker);
    const int code = sqlite3_create_function_v2(handle, RowTaker::name, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY,
        database.m_taker.get(), nullptr, RowTaker::take, RowTaker::end, nullptr);
    if (code != SQLITE_OK) {
        database.fail(code);
    }
    return database;
}

void Database::seal(const std::string& path)
{
    Database database(path, SQLITE_OPEN_READWRITE);
    database.run("PRAGMA journal_mode = OFF");
    database.run("PRAGMA synchronous = OFF");
    database.run(("PRAGMA user_version = " + std::to_string(changes_of(path) + 1)).c_str());  // this is a change, too
}

bool Database::is_sealed(const std::string& path)
{
    const auto changes = changes_of(path);
    return changes > 0 && changes == number_in_head(path, 60);
}

void Database::run(const char* sql)
{
    if (const int code = sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr); code != SQLITE_OK) {
        fail(code);
    }
}

void Database::on_progress(std::function<bool()> interrupted)
{
    m_interrupted = std::make_unique<std::function<bool()>>(std::move(interrupted));
    sqlite3_progress_handler(
        handle(), 100'000, [](void* context) { return (*static_cast<std::function<bool()>*>(context))() ? 1 : 0; },
        m_interrupted.get());
}

void Database::each_row(const std::string& columns, const std::string& from, std::span<const std::int64_t> parameters,
    std::span<Cell> cells, const std::function<void()>& use) const
{
    Statement rows(*this, "SELECT " + std::string(RowTaker::name) + "(" + columns + ") " + from);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        rows.bind(static_cast<int>(i), parameters[i]);
    }
    *m_taker = {cells, &use, nullptr};
    try {
        rows.step();
    } catch (const SqliteError&) {
        m_taker->use = nullptr;
        if (m_taker->failure) {
            std::rethrow_exception(std::exchange(m_taker->failure, nullptr));
        }
        throw;
    }
    m_taker->use = nullptr;
}

void Database::fail(int code) const
{
    const int last = errno;  // a failed COMMIT reports it only here
    const int primary = code & 0xFF;
    int system = 0;
    if (primary == SQLITE_FULL) {
        system = ENOSPC;
    } else if (primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN || primary == SQLITE_READONLY) {
        system = sqlite3_system_errno(handle());
        system = system != 0 ? system : last;
    }
    throw SqliteError(primary, system, handle() == nullptr ? "out of memory" : sqlite3_errmsg(handle()));
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const
{
    sqlite3_finalize(statement);
}

Statement::Statement(const Database& database, const std::string& sql)
    : m_database(database)
{
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v3(database.handle(), sql.data(), static_cast<int>(sql.size()),
        SQLITE_PREPARE_PERSISTENT | SQLITE_PREPARE_NO_VTAB, &statement, nullptr);
    m_statement.reset(statement);
    if (code != SQLITE_OK) {
        database.fail(code);
    }
}

void Statement::bind(int parameter, std::int64_t value)
{
    sqlite3_bind_int64(m_statement.get(), parameter + 1, value);
}

void Statement::bind(int parameter, double value)
{
    sqlite3_bind_double(m_statement.get(), parameter + 1, value);
}

void Statement::bind(int parameter, std::string_view text)
{
    sqlite3_bind_text64(m_statement.get(), parameter + 1, text.data() == nullptr ? "" : text.data(), text.size(),
        SQLITE_STATIC, SQLITE_UTF8);
}

void Statement::bind(int parameter, std::span<const std::byte> blob)
{
    sqlite3_bind_blob64(m_statement.get(), parameter + 1, blob.data(), blob.size(), SQLITE_STATIC);
}

void Statement::bind_null(int parameter)
{
    sqlite3_bind_null(m_statement.get(), parameter + 1);
}

bool Statement::step()
{
    const int code = sqlite3_step(m_statement.get());
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        m_database.fail(code);
    }
    return code == SQLITE_ROW;
}

void Statement::reset()
{
    sqlite3_reset(m_statement.get());
}

Cell::Type Statement::type(int column) const
{
    return type_of(sqlite3_column_type(m_statement.get(), column));
}

std::int64_t Statement::integer(int column) const
{
    return sqlite3_column_int64(m_statement.get(), column);
}

double Statement::real(int column) const
{
    return sqlite3_column_double(m_statement.get(), column);
}

void Statement::take_row(std::span<Cell> cells) const
{
    // Such an unprotected value may be read since nothing else uses the connection.
    for (std::size_t column = 0; column < cells.size(); ++column) {
        cells[column] = cell_from(sqlite3_column_value(m_statement.get(), static_cast<int>(column)));
    }
}

std::string_view Statement::text(int column) const
{
    const auto* text = sqlite3_column_text(m_statement.get(), column);
    return {reinterpret_cast<const char*>(text),
        text == nullptr ? 0 : static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column))};
}

std::span<const std::byte> Statement::blob(int column) const
{
    const auto* bytes = static_cast<const std::byte*>(sqlite3_column_blob(m_statement.get(), column));
    return {bytes, bytes == nullptr ? 0 : static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column))};
}

}  // namespace lanes
