// SPDX-License-Identifier: MIT
// The codes of a large recording's rows: with them it reads the same as without, and they are ignored after a change.
#include "engine/store/recording_file.h"
#include "engine/store/sqlite_database.h"
#include "engine/store/sqlite_recording.h"
#include "engine/trace/trace_builder.h"
#include "tests/engine/trace/trace_difference.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <QTemporaryDir>
#include <QTest>
#include <sqlite3.h>

using namespace lanes;

namespace {

constexpr std::uint32_t few = 3000;  // operations
constexpr std::size_t any = 0;  // rows have codes
constexpr std::uint32_t each = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t process = 77;

/// `copySizes`: how many sizes the copies have, which are a fifth of the operations; `each`: all are copies, each of a
/// different size.
Trace made(std::uint32_t operations, std::uint32_t copySizes)
{
    TraceBuilder builder;
    builder.write(ContextRecord {.process = process, .device = 0, .context = 1, .null_stream = 7});
    const auto launch = builder.intern("cudaLaunchKernel");
    const auto copying = builder.intern("cudaMemcpyAsync");
    std::vector<StringId> names;
    for (int i = 0; i < 5; ++i) {
        names.push_back(builder.intern("kernel_" + std::to_string(i) + "(float*)"));
    }
    for (std::uint32_t i = 0; i < operations; ++i) {
        const auto start = Ns {i} * 1000;
        const auto kind = copySizes == each ? 3 : i % 5;
        builder.write(ApiCallRecord {.start = start,
            .end = start + 500,
            .process = process,
            .thread = process + i % 3,
            .correlation = i + 1,
            .name = kind < 3 ? launch : copying,
            .api = kind == 4 ? ApiCallRecord::driver : ApiCallRecord::runtime,
            .result = i % 1000 == 0 ? 2 : 0});
        const auto fill = [&](OperationRecord& r) {
            r.start = start + 300;
            r.end = r.start + 100 + i % 700;
            r.process = process;
            r.device = 0;
            r.context = 1;
            r.stream = 7 + i % 4;
            r.correlation = i + 1;
            r.channel = i % 2 == 0 ? i % 4 : no_id;
        };
        if (kind < 3) {
            KernelRecord r {};
            fill(r);
            r.name = names[i % 5];
            r.grid[0] = 1 + i % 4;
            r.grid[1] = r.grid[2] = r.block[1] = r.block[2] = 1;
            r.block[0] = 32U << i % 2;
            r.registers = 16 + i % 2;
            r.graph_node = i % 4 == 0 ? 1 + i % 5 : 0;
            builder.write(r);
        } else if (kind == 3) {
            CopyRecord r {};
            fill(r);
            r.bytes = 4096 + i % copySizes;
            r.source_device = r.target_device = no_id;
            r.copy = i % 2 == 0 ? CopyKind::d2h : CopyKind::h2d;
            r.source = r.target = MemoryKind::pinned;
            r.async = i % 4 == 0 ? 1 : 0;
            builder.write(r);
        } else {
            MemsetRecord r {};
            fill(r);
            r.bytes = 1U << i % 4;
            r.value = i % 2;
            r.target = MemoryKind::device;
            r.async = 1;
            builder.write(r);
        }
        if (i % 100 == 0) {  // what LANESCOPE_OPERATION says about rows without codes
            builder.write(MemoryRecord {.time = start + 600,
                .address = 4096U * i,
                .bytes = 256,
                .process = process,
                .device = 0,
                .context = 1,
                .stream = 7,
                .correlation = i + 1,
                .operation = MemoryRecord::allocate,
                .memory = MemoryKind::device,
                .async = static_cast<std::uint8_t>(i % 200 == 0 ? 1 : 0)});
        }
    }
    return builder.finish(Source::cupti);
}

void change(const std::string& file, const std::string& sql)
{
    sqlite3* database = nullptr;
    QCOMPARE(sqlite3_open(file.c_str(), &database), SQLITE_OK);
    char* error = nullptr;
    QVERIFY2(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &error) == SQLITE_OK, error);
    sqlite3_close(database);
}

int rows(const std::string& file, const std::string& sql)
{
    const auto database = Database::open_untrusted(file);
    Statement count(database, sql);
    return count.step() ? static_cast<int>(count.integer(0)) : -1;
}

QString unlike(const Trace& a, const Trace& b)
{
    return QString::fromStdString(difference(a, b));
}

}  // namespace

class tst_RowCodes : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void readsAsWithout();
    void codesAreWhatIsRead();
    void changedFilesAreReadWithout_data();
    void changedFilesAreReadWithout();
    void wrongCodesAreNotBelieved_data();
    void wrongCodesAreNotBelieved();
    void onlyLargeFilesThatRepeatHaveThem_data();
    void onlyLargeFilesThatRepeatHaveThem();

private:
    std::string copy() const
    {
        const auto file = path("copy.sqlite");
        std::filesystem::copy_file(path("coded.sqlite"), file, std::filesystem::copy_options::overwrite_existing);
        return file;
    }
    std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }
    QTemporaryDir m_folder;
    Trace m_trace;
};

void tst_RowCodes::initTestCase()
{
    m_trace = made(few, 8);
    write_sqlite(m_trace, {}, path("coded.sqlite"), {}, any);
    const auto file = path("coded.sqlite");
    QVERIFY(Database::is_sealed(file));
    QCOMPARE(rows(file, "SELECT count(*) FROM LANESCOPE_DICTIONARY WHERE kind = 3"), 0);
    for (const auto& [kind, table] : {std::pair("0", "KERNEL"), {"1", "MEMCPY"}, {"2", "MEMSET"}, {"4", "RUNTIME"}}) {
        const auto codes
            = rows(file, std::string("SELECT sum(length(codes)) FROM LANESCOPE_CODES WHERE kind = ") + kind);
        QCOMPARE(codes / 2, rows(file, std::string("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_") + table));
    }
}

void tst_RowCodes::readsAsWithout()
{
    const auto file = copy();
    QVERIFY(Database::is_sealed(file));
    QCOMPARE(unlike(m_trace, read_sqlite(file, {})), QString());
    change(file, "DROP TABLE LANESCOPE_CODES; DROP TABLE LANESCOPE_DICTIONARY");
    QCOMPARE(unlike(m_trace, read_sqlite(file, {})), QString());
}

/// Changed codes with a new checksum: their values are shown, so the codes are what is read.
void tst_RowCodes::codesAreWhatIsRead()
{
    const auto file = copy();
    change(file,
        "UPDATE LANESCOPE_DICTIONARY SET channel = 99, async = 1 WHERE kind = 1;"
        "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET gridX = 500 WHERE _rowid_ NOT IN (SELECT row FROM "
        "LANESCOPE_DICTIONARY)");
    Database::seal(file);
    const auto trace = read_sqlite(file, {});
    QVERIFY(std::all_of(
        trace.copies.begin(), trace.copies.end(), [](const auto& copy) { return copy.channel == 99 && copy.async; }));
    QCOMPARE(trace.kernels.size(), m_trace.kernels.size());
    QVERIFY(std::none_of(
        trace.kernels.begin(), trace.kernels.end(), [](const auto& kernel) { return kernel.grid[0] == 500; }));
}

void tst_RowCodes::changedFilesAreReadWithout_data()
{
    QTest::addColumn<QString>("sql");
    QTest::newRow("a row") << "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET gridX = 500 WHERE _rowid_ = 1500";
    QTest::newRow("a row, and compacted")
        << "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET gridX = 500 WHERE _rowid_ = 1500; VACUUM";
    QTest::newRow("rows taken out, others counted anew")
        << "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET gridX = 500 WHERE _rowid_ = 1500;"
           "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE _rowid_ < 100; VACUUM";
}

void tst_RowCodes::changedFilesAreReadWithout()
{
    QFETCH(QString, sql);
    const auto file = copy();
    change(file, sql.toStdString());
    const auto trace = read_sqlite(file, {});
    QCOMPARE(std::count_if(
                 trace.kernels.begin(), trace.kernels.end(), [](const auto& kernel) { return kernel.grid[0] == 500; }),
        1);
    const auto other = path("other.sqlite");
    std::filesystem::remove(other);
    change(file, "VACUUM INTO '" + other + "'");
    QVERIFY(!Database::is_sealed(other));
    QCOMPARE(unlike(trace, read_sqlite(other, {})), QString());
}

void tst_RowCodes::wrongCodesAreNotBelieved_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("says");  // nothing: the whole trace is read
    const auto row = [](const char* name, const char* sql, const char* says = "") {
        QTest::newRow(name) << QString(sql) << QString(says);
    };
    row("no such code",
        "UPDATE LANESCOPE_CODES SET codes = replace(codes, codes, zeroblob(length(codes) - 2) || x'FFFF')"
        " WHERE kind = 0");
    row("codes missing", "DELETE FROM LANESCOPE_CODES WHERE kind = 1");
    row("codes of some rows", "UPDATE LANESCOPE_CODES SET codes = substr(codes, 3) WHERE kind = 2 AND firstRow = 1");
    row("half a code", "UPDATE LANESCOPE_CODES SET codes = codes || x'00' WHERE kind = 2");
    row("no codes", "UPDATE LANESCOPE_CODES SET codes = x''");
    row("twice", "INSERT INTO LANESCOPE_CODES SELECT * FROM LANESCOPE_CODES");
    row("no such kind", "UPDATE LANESCOPE_CODES SET kind = -1 WHERE kind = 2");
    row("another kind", "UPDATE LANESCOPE_DICTIONARY SET kind = 3 WHERE kind = 2");
    row("out of order", "UPDATE LANESCOPE_DICTIONARY SET row = 90000 - row");
    row("entries missing", "DELETE FROM LANESCOPE_DICTIONARY");
    row("a view", "DROP TABLE LANESCOPE_DICTIONARY; CREATE VIEW LANESCOPE_DICTIONARY AS SELECT 0 AS kind",
        "LANESCOPE_DICTIONARY is not a plain table");
    row("a row that is not there",
        "UPDATE LANESCOPE_DICTIONARY SET row = 1000000 WHERE kind = 0 AND code = "
        "(SELECT max(code) FROM LANESCOPE_DICTIONARY WHERE kind = 0)",
        "LANESCOPE_DICTIONARY names rows that CUPTI_ACTIVITY_KIND_KERNEL lacks");
    row("a text", "UPDATE LANESCOPE_DICTIONARY SET row = 'first' WHERE kind = 0 AND code = 0",
        "table LANESCOPE_DICTIONARY, row 1, column row: expected a number, found text");
}

void tst_RowCodes::wrongCodesAreNotBelieved()
{
    QFETCH(QString, sql);
    QFETCH(QString, says);
    const auto file = copy();
    change(file, sql.toStdString());
    Database::seal(file);
    QVERIFY(Database::is_sealed(file));
    try {
        const auto trace = read_sqlite(file, {});
        QVERIFY2(says.isEmpty(), "expected an error");
        QCOMPARE(unlike(m_trace, trace), QString());
    } catch (const StoreError& error) {
        QVERIFY2(!says.isEmpty() && QString(error.what()).contains(says), error.what());
    }
}

void tst_RowCodes::onlyLargeFilesThatRepeatHaveThem_data()
{
    QTest::addColumn<std::uint32_t>("operations");
    QTest::addColumn<std::uint32_t>("sizes");
    QTest::addColumn<std::size_t>("from");
    QTest::addColumn<bool>("has");
    QTest::newRow("few rows") << few << 8U << std::size_t {100'000} << false;
    QTest::newRow("many rows, read by several threads") << 50'000U << 8U << std::size_t {100'000} << true;
    QTest::newRow("each copy differs") << few << each << any << false;
    QTest::newRow("more copies than a code can count") << 66'000U << each << any << false;
}

void tst_RowCodes::onlyLargeFilesThatRepeatHaveThem()
{
    QFETCH(std::uint32_t, operations);
    QFETCH(std::uint32_t, sizes);
    QFETCH(std::size_t, from);
    QFETCH(bool, has);
    const auto trace = made(operations, sizes);
    const auto file = path("other.sqlite");
    std::filesystem::remove(file);
    write_sqlite(trace, {}, file, {}, from);
    QCOMPARE(rows(file, "SELECT count(*) FROM sqlite_schema WHERE name IN ('LANESCOPE_CODES', 'LANESCOPE_DICTIONARY')"),
        has ? 2 : 0);
    QCOMPARE(Database::is_sealed(file), has);
    QCOMPARE(unlike(trace, read_sqlite(file, {})), QString());
}

QTEST_GUILESS_MAIN(tst_RowCodes)
#include "tst_row_codes.moc"
