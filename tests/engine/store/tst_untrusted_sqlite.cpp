// SPDX-License-Identifier: MIT
// Files from elsewhere: damaged, cut, or malicious. Each is refused in one clear
// line or read safely.
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/trace_builder.h"
#include "tests/engine/trace/random_records.h"

#include <csignal>
#include <filesystem>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <random>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

using namespace lanes;

namespace {

constexpr auto exports = "CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);";
constexpr auto strings
    = "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT); INSERT INTO StringIds VALUES (1, 'k');";
constexpr auto runtime = "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, eventClass, globalTid, correlationId, "
                         "nameId, returnValue);";
constexpr auto kernels = "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, "
                         "correlationId, globalPid, demangledName, shortName);";

/// The result of opening: "" if it opens, else the message.
std::string opening(const std::string& path, Trace* trace = nullptr)
{
    try {
        auto opened = open_recording(path);
        if (trace != nullptr) {
            *trace = std::move(opened);
        }
        return "";
    } catch (const StoreError& error) {
        return error.what();
    }
}

bool is_one_line(const std::string& text)
{
    return !text.empty() && text.size() < 500 && text.find('\n') == std::string::npos;
}

}  // namespace

class tst_UntrustedSqlite : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void hostileSchemas_data();
    void hostileSchemas();
    void oddValuesAreReadSafely();
    void oddNamesOfCalls();
    void everyCutIsRefusedOrRead();
    void flippedBitsDoNoHarm();
    void pagesThatMeetAgainEnd_data();
    void pagesThatMeetAgainEnd();
    void versions_data();
    void versions();
    void unknownContents_data();
    void unknownContents();
    void workloadIsNoRecording();
    void nothingIsWrittenBesideWhatIsOpened();
    void unmergedLogIsNamed();
    void halfAChangeIsNotRead_data();
    void halfAChangeIsNotRead();
    void fullDiskLeavesNoFile_data();
    void fullDiskLeavesNoFile();
    void cancelsWhileOpening();
    void missingFile();

private:
    std::string make(const std::string& sql);
    std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }
    QTemporaryDir m_folder;
    QByteArray m_sound;  ///< the bytes of a sound recording
    Trace m_trace;
};

std::string tst_UntrustedSqlite::make(const std::string& sql)
{
    const auto file = path("made.sqlite");
    QFile::remove(QString::fromStdString(file));
    sqlite3* handle = nullptr;
    sqlite3_open(file.c_str(), &handle);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, nullptr);
    char* error = nullptr;
    if (sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &error) != SQLITE_OK) {
        qFatal("%s", error);
    }
    sqlite3_close(handle);
    return file;
}

void tst_UntrustedSqlite::initTestCase()
{
    TraceBuilder builder;
    RandomRecords(11).write(builder, 400, 1'785'620'044'423'518'993, false);
    m_trace = builder.finish(Source::cupti);
    save_recording(m_trace, path("sound.sqlite"));
    QFile file(QString::fromStdString(path("sound.sqlite")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    m_sound = file.readAll();
}

void tst_UntrustedSqlite::hostileSchemas_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const std::string& sql, const char* says) {
        QTest::newRow(name) << QString::fromStdString(sql) << QString(says);
    };
    row("view named StringIds", std::string(exports) + "CREATE VIEW StringIds AS SELECT 1 AS id, 'x' AS value;",
        "StringIds is not a plain table");
    row("view in other case",
        std::string(exports) + strings + "CREATE VIEW cupti_activity_kind_runtime AS SELECT 1 AS start;",
        "CUPTI_ACTIVITY_KIND_RUNTIME is not a plain table");
    row("virtual table", std::string(exports) + strings + "CREATE VIRTUAL TABLE NVTX_EVENTS USING fts5(start, text);",
        "NVTX_EVENTS is not a plain table");
    row("endless view",
        std::string(exports) + strings
            + "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE n(start) AS (SELECT 1 UNION ALL SELECT start + "
              "1 "
              "FROM n) SELECT start FROM n;",
        "CUPTI_ACTIVITY_KIND_KERNEL is not a plain table");
    row("text in a time",
        std::string(exports) + strings + runtime
            + "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES ('now', 5, 0, 1, 1, 1, 0);",
        "table CUPTI_ACTIVITY_KIND_RUNTIME, row 1, column start: expected a number, found text");
    row("blob in an id",
        std::string(exports) + strings + kernels
            + "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 0, 1, x'00', 1, 1, 1, 1);",
        "column streamId: expected a number, found text");
    row("id out of range",
        std::string(exports) + strings + kernels
            + "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 0, 1, 99999999999, 1, 1, 1, 1);",
        "column streamId: 99999999999 is out of range");
    row("giant text", std::string(exports) + strings + "INSERT INTO StringIds VALUES (2, hex(zeroblob(20000000)));",
        "cannot be read: string or blob too big");
    row("of something else", "CREATE TABLE notes (text);", "neither a recording of Lanescope nor an export of Nsight");
    row("empty", "VACUUM;", "");
    row("nvprof's database",
        "CREATE TABLE CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL (start, end); CREATE TABLE StringTable (_id_, value);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end)",
        "is a database of nvprof");
    row("nvprof's database without kernels",
        "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end); CREATE TABLE StringTable (_id_, value)",
        "is a database of nvprof");
    row("rocprofv3's database",
        "CREATE TABLE rocpd_kernel_dispatch_1a2b (start, end); CREATE VIEW kernels AS SELECT * FROM "
        "rocpd_kernel_dispatch_1a2b",
        "rocpd convert -i FILE -f pftrace");
    row("another database", "CREATE TABLE moz_places (url); CREATE TABLE moz_hosts (host)",
        "neither a recording of Lanescope nor an export of Nsight Systems: it has the tables \"moz_places\", "
        "\"moz_hosts\"");
    row("own rows out of range",
        "CREATE TABLE LANESCOPE_META (key TEXT, value TEXT);"
        "INSERT INTO LANESCOPE_META VALUES ('format_version', '1.0');"
        "CREATE TABLE LANESCOPE_OPERATION (kind, row, channel, async);"
        "INSERT INTO LANESCOPE_OPERATION VALUES (0, 9000000000000, 1, 1);",
        "LANESCOPE_OPERATION, row 1: no such operation");
}

void tst_UntrustedSqlite::hostileSchemas()
{
    QFETCH(QString, sql);
    QFETCH(QString, says);
    const auto message = opening(make(sql.toStdString()));
    QVERIFY2(is_one_line(message), message.c_str());
    QVERIFY2(QString::fromStdString(message).contains(says), message.c_str());
    QVERIFY(message.starts_with(path("made.sqlite")));
}

void tst_UntrustedSqlite::oddValuesAreReadSafely()
{
    const auto file = make(std::string(exports) + strings + runtime + kernels + R"(
        INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (-100, -50, 0, 281479288520717, 1, 1, 0), (10, 5, 7, -1, -1, 77, -9),
            (9223372036854775807, -9223372036854775807 - 1, 0, 1, 2, 1, 0), (1.5, 20.0, 0, 1, 3, 1, 0);
        INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (5, -5, 4294967295, -1, -1, 1, 281479288520704, 1, 99),
            (0, 0, 0, 1, 7, NULL, NULL, NULL, NULL), (60, 70, 0, 1, 7, 1, 281479288520704, 1, 1);
        CREATE TABLE NVTX_EVENTS (start, end, eventType, rangeId, text, globalTid, textId, domainId, color);
        INSERT INTO NVTX_EVENTS VALUES (0, -9, 59, 1, 'back to front', 5, NULL, NULL, NULL), (1, NULL, 59, 1, x'FF00', 5, NULL, 3, -1);
        CREATE TABLE TARGET_INFO_GPU (id, name); INSERT INTO TARGET_INFO_GPU VALUES (4294967295, NULL);
        CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs); INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (9223372036854775807);
    )");
    Trace trace;
    QCOMPARE(opening(file, &trace), std::string());
    QCOMPARE(trace.calls.size(), std::size_t {3});  // one is beyond any clock
    QCOMPARE(trace.operations.size(), std::size_t {1});  // one ends before it begins
    QCOMPARE(trace.dropped, std::uint64_t {0});  // the file has it
    QCOMPARE(trace.meta.at(meta::skipped_rows), "3");  // beyond any clock, turned round, without a time
    QCOMPARE(trace.meta.at(meta::without_length), "2");  // a call and a range that end before they begin
    QCOMPARE(trace.ranges.size(), std::size_t {2});
    for (Row row = 0; row < trace.operations.size(); ++row) {
        QVERIFY(trace.operations.start[row] <= trace.operations.end[row]);
        QVERIFY(trace.operations.stream[row] < trace.streams.size());
    }
    for (const auto& range : trace.ranges) {
        QVERIFY(range.start <= range.end);
    }
    save_recording(trace, path("odd.json"));
    save_recording(trace, path("odd.sqlite"));
    QCOMPARE(opening(path("odd.sqlite")), std::string());
}

/// Ids that no text has, among them the lowest number; a text has the same id however often it is looked
/// up.
void tst_UntrustedSqlite::oddNamesOfCalls()
{
    const auto file = make(std::string(exports) + strings + runtime + R"(
        INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 2, 0, 1, 1, -9223372036854775807 - 1, 0), (3, 4, 0, 1, 2, 1, 0),
            (5, 6, 0, 1, 3, 257, 0), (7, 8, 0, 1, 4, 1, 0), (9, 10, 0, 1, 5, NULL, 0);
    )");
    Trace trace;
    QCOMPARE(opening(file, &trace), std::string());
    std::vector<std::string> names;
    for (const auto name : trace.calls.name) {
        names.emplace_back(trace.text(name));
    }
    QCOMPARE(names, (std::vector<std::string> {"", "k", "", "k", ""}));
}

void tst_UntrustedSqlite::everyCutIsRefusedOrRead()
{
    std::mt19937 random(3);
    int refused = 0;
    for (int i = 0; i < 60; ++i) {
        const auto size = static_cast<qsizetype>(random() % static_cast<unsigned>(m_sound.size()));
        QFile file(QString::fromStdString(path("cut.sqlite")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(m_sound.left(size));
        file.close();
        const auto message = opening(path("cut.sqlite"));
        refused += message.empty() ? 0 : 1;
        QVERIFY2(message.empty() || is_one_line(message), message.c_str());
    }
    QVERIFY2(refused > 40, qPrintable(QString::number(refused)));
}

void tst_UntrustedSqlite::flippedBitsDoNoHarm()
{
    std::mt19937 random(4);
    int refused = 0;
    for (int i = 0; i < 300; ++i) {
        auto bytes = m_sound;
        for (unsigned flips = 1 + random() % 40; flips > 0; --flips) {
            auto& byte = bytes[static_cast<qsizetype>(random() % static_cast<unsigned>(bytes.size()))];
            byte = static_cast<char>(byte ^ (1 << (random() % 8)));
        }
        if (i % 3 == 0) {  // the header and the schema, where a bit matters most
            auto& byte = bytes[static_cast<qsizetype>(16 + random() % 4096)];
            byte = static_cast<char>(byte ^ (1 << (random() % 8)));
        }
        QFile file(QString::fromStdString(path("flipped.sqlite")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
        file.close();
        Trace trace;
        const auto message = opening(path("flipped.sqlite"), &trace);
        refused += message.empty() ? 0 : 1;
        QVERIFY2(message.empty() || is_one_line(message), message.c_str());
        for (Row row = 0; row < trace.operations.size(); ++row) {
            QVERIFY(trace.operations.stream[row] < trace.streams.size());
            QVERIFY(trace.operations.call[row] == no_row || trace.operations.call[row] < trace.calls.size());
        }
    }
    QVERIFY2(refused > 20 && refused < 300, qPrintable(QString::number(refused)));
}

void tst_UntrustedSqlite::pagesThatMeetAgainEnd_data()
{
    QTest::addColumn<QString>("table");
    QTest::addColumn<QString>("says");
    QTest::newRow("read by row id") << "CUPTI_ACTIVITY_KIND_RUNTIME"
                                    << "more rows than row ids";
    QTest::newRow("read as a whole") << "StringIds"
                                     << "more rows than a file of this size can have";
}

void tst_UntrustedSqlite::pagesThatMeetAgainEnd()
{
    QFETCH(QString, table);
    QFETCH(QString, says);
    // Six levels of pages, each of which points 30 times to the one below: a scan would read 700 million rows.
    constexpr int page_size = 512;
    const auto made = make("PRAGMA page_size = 512;" + std::string(exports) + strings + runtime
        + "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 2, 0, 281479288520717, 1, 1, 0);");
    sqlite3* handle = nullptr;
    sqlite3_stmt* statement = nullptr;
    sqlite3_open(made.c_str(), &handle);
    const auto query = "SELECT rootpage FROM sqlite_schema WHERE name = '" + table.toStdString() + "'";
    sqlite3_prepare_v2(handle, query.c_str(), -1, &statement, nullptr);
    QCOMPARE(sqlite3_step(statement), SQLITE_ROW);
    const auto root = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(handle);
    QFile file(QString::fromStdString(made));
    QVERIFY(file.open(QIODevice::ReadWrite));
    auto bytes = file.readAll();
    const auto big_endian = [](int value, int size) {
        QByteArray text;
        for (int i = size - 1; i >= 0; --i) {
            text += static_cast<char>(value >> (8 * i));
        }
        return text;
    };
    const auto leaf = bytes.mid((root - 1) * page_size, page_size);
    auto next_page = static_cast<int>(bytes.size() / page_size) + 1;
    for (int level = 0; level < 6; ++level, ++next_page) {
        // A table's interior page: kind 5, no free block, cells, where they begin, no fragments, the last child.
        QByteArray page = QByteArray(1, 5) + big_endian(0, 2) + big_endian(30, 2) + big_endian(page_size - 30 * 5, 2)
            + QByteArray(1, 0) + big_endian(next_page, 4);
        QByteArray cells;
        for (int i = 0; i < 30; ++i) {
            page += big_endian(page_size - 30 * 5 + i * 5, 2);
            cells += big_endian(next_page, 4) + QByteArray(1, static_cast<char>(i + 1));
        }
        page += QByteArray(page_size - static_cast<int>(page.size() + cells.size()), 0) + cells;
        if (level == 0) {
            bytes.replace((root - 1) * page_size, page_size, page);
        } else {
            bytes += page;
        }
    }
    bytes += leaf;
    bytes.replace(28, 4, big_endian(static_cast<int>(bytes.size() / page_size), 4));
    file.seek(0);
    file.write(bytes);
    file.close();
    const auto message = opening(made);
    QVERIFY2(message.find(says.toStdString()) != std::string::npos, message.c_str());
}

void tst_UntrustedSqlite::versions_data()
{
    QTest::addColumn<QString>("version");
    QTest::addColumn<QString>("says");  // "": opens
    QTest::addColumn<bool>("notice");
    QTest::newRow("this") << "1.5"
                          << "" << false;
    QTest::newRow("older minor") << "1.0"
                                 << "" << false;
    QTest::newRow("newer minor") << "1.7"
                                 << "" << true;
    QTest::newRow("newer major") << "2.0"
                                 << "is of format 2.0; this Lanescope reads 1.5" << false;
    QTest::newRow("none") << ""
                          << "format version is ''" << false;
    QTest::newRow("text") << "one"
                          << "format version is 'one'" << false;
    QTest::newRow("tail") << "1.0x"
                          << "format version is '1.0x'" << false;
    QTest::newRow("huge") << "1.99999999999999999999"
                          << "format version is '1.9999" << false;
}

void tst_UntrustedSqlite::versions()
{
    QFETCH(QString, version);
    QFETCH(QString, says);
    QFETCH(bool, notice);
    const auto file = path("version.sqlite");
    save_recording(m_trace, file);
    sqlite3* handle = nullptr;
    sqlite3_open(file.c_str(), &handle);
    const auto sql = "UPDATE LANESCOPE_META SET value = '" + version.toStdString()
        + "' WHERE key = 'format_version'; "
          "CREATE TABLE LANESCOPE_LATER (what TEXT)";
    QCOMPARE(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(handle);
    Trace trace;
    const auto message = opening(file, &trace);
    QVERIFY2(says.isEmpty() ? message.empty() : QString::fromStdString(message).contains(says), message.c_str());
    QCOMPARE(trace.meta.contains("notice"), notice);
    if (notice) {
        QVERIFY(trace.meta["notice"].find("1.7") != std::string::npos);
        save_recording(trace, file);
        QVERIFY(!open_recording(file).meta.contains("notice"));
    }
}

/// As gzip packs it.
/// The header of a file in a tar archive, as of 1988 or of 1979.
static QByteArray tar(bool ustar)
{
    QByteArray header(512, '\0');
    const auto put = [&](int at, const QByteArray& text) { header.replace(at, text.size(), text); };
    put(0, "rank0.pt.trace.json");
    put(100, "0000644");
    put(124, "00000000002");
    put(136, "00000000000");
    put(148, "        ");
    put(156, "0");
    put(257, ustar ? "ustar" : "");
    int sum = 0;
    for (const char c : header) {
        sum += static_cast<unsigned char>(c);
    }
    put(148, QByteArray::number(sum, 8).rightJustified(6, '0') + QByteArray("\0 ", 2));
    return header;
}

static QByteArray packed(const QByteArray& bytes)
{
    // qCompress has zlib's header and trailer (4 + 2 and 4 bytes); gzip's are around the same stream. The reader
    // stops before the trailer here.
    return QByteArray("\x1F\x8B\x08\0\0\0\0\0\0\x03", 10) + qCompress(bytes).mid(6).chopped(4) + QByteArray(8, '\0');
}

void tst_UntrustedSqlite::unknownContents_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    QTest::newRow("empty") << QByteArray() << "is empty";
    QTest::newRow("json") << QByteArray(" {\"nodes\": []}") << "is JSON, but no trace";
    QTest::newRow("gzip") << QByteArray("\x1F\x8B\x08\x00", 4) << "expected { or [";
    QTest::newRow("nsys-rep") << QByteArray("\x7FNSYS") << "is not a file that Lanescope can open";
    QTest::newRow("header only") << QByteArray("SQLite format 3\0", 16) << "cannot be read";
    QTest::newRow("spool magic only") << QByteArray("LSPL") << "not a spool";
    QTest::newRow("xz") << QByteArray("\xFD"
                                      "7zXZ\0",
        6) << "xz -d unpacks it";
    QTest::newRow("zstd") << QByteArray("\x28\xB5\x2F\xFD\0", 5) << "zstd -d unpacks it";
    QTest::newRow("UTF-16") << QByteArray("\xFF\xFE{\0}\0", 6) << "iconv -f UTF-16";
    QTest::newRow("UTF-32") << QByteArray("\xFF\xFE\0\0{\0\0\0", 8) << "iconv -f UTF-32";
    QTest::newRow("a page of systrace") << QByteArray("<!DOCTYPE html>\n<html>") << "traceconv json";
    QTest::newRow("ftrace") << QByteArray("# tracer: nop\n#\n") << "traceconv json";
    QTest::newRow("Nsight Compute") << QByteArray("NVR\0\1", 5) << "Nsight Compute";
    QTest::newRow("Perfetto") << QByteArray("\x0A\x0B\x40\x01\x50\x03")
                              << "is a trace of Perfetto without slices, counters or work of a GPU";
    QTest::newRow("XLA") << QByteArray("\x0A\x30\x08\x01\x12\x0D/device:GPU:0") << "is a profile of XLA";
    QTest::newRow("rocprofv3") << QByteArray("{\"rocprofiler-sdk-tool\": []}") << "rocprofv3 --output-format pftrace";
    QTest::newRow("rocprofv3's table") << QByteArray("\"Kind\",\"Agent_Id\",\"Kernel_Name\"\n")
                                       << "rocprofv3 --output-format pftrace";
    QTest::newRow("tar") << tar(true) << "is a tar archive: tar -x unpacks it";
    QTest::newRow("tar of 1979") << tar(false) << "is a tar archive: tar -x unpacks it";
    QTest::newRow("a packed tar") << packed(tar(true)) << "what it holds is a tar archive: tar -x unpacks it";
    QTest::newRow("7z") << QByteArray("7z\xBC\xAF\x27\x1C") << "7z x unpacks it";
    QTest::newRow("zip") << QByteArray("PK\x03\x04") << "unzip unpacks it";
    QTest::newRow("bzip2") << QByteArray("BZh91AY") << "bzip2 -d unpacks it";
    QTest::newRow("lz4") << QByteArray("\x04\x22\x4D\x18") << "lz4 -d unpacks it";
    QTest::newRow("HDF5") << QByteArray("\x89HDF\r\n\x1A\n") << "is an HDF5 file";
    QTest::newRow("Arrow") << QByteArray("ARROW1\0\0", 8) << "is a table of Arrow";
    QTest::newRow("pickle") << QByteArray("\x80\x04\x95") << "is a pickle of Python";
    QTest::newRow("program") << QByteArray("\x7F"
                                           "ELF\2\1\1")
                             << "lanes record -- PROGRAM";
    QTest::newRow("trtexec's times")
        << QByteArray(R"([{"startH2dMs": 0.0, "endH2dMs": 0.02}, {"startH2dMs": 1.0}])")
        << "expected events with \"ph\", found \"startH2dMs\", \"endH2dMs\"; it seems to be "
           "the times of single runs that trtexec exports";
    QTest::newRow("speedscope")
        << QByteArray(R"({"shared": {"frames": []}, "profiles": []})")
        << "it has no \"traceEvents\", found \"shared\", \"profiles\"; it seems to be a profile of "
           "speedscope";
    QTest::newRow("packed twice") << packed(packed("{\"traceEvents\": []}")) << "what it holds is packed with gzip";
    QTest::newRow("a packed page") << packed("<html>") << "what it holds is a web page";
    QTest::newRow("text") << QByteArray("hello") << "; what can be opened: recordings of Lanescope";
}

void tst_UntrustedSqlite::unknownContents()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    QFile file(QString::fromStdString(path("unknown")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    file.close();
    const auto message = opening(path("unknown"));
    QVERIFY2(is_one_line(message) && QString::fromStdString(message).contains(says), message.c_str());
}

void tst_UntrustedSqlite::workloadIsNoRecording()
{
    for (const char* name : {"loop.yaml", "loop.yml"}) {
        QFile file(QString::fromStdString(path(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("name: loop\n");
        file.close();
        const auto message = opening(path(name));
        QVERIFY2(
            is_one_line(message) && message.find("lanes run makes a recording") != std::string::npos, message.c_str());
    }
}

void tst_UntrustedSqlite::nothingIsWrittenBesideWhatIsOpened()
{
    const QDir folder(m_folder.path());
    const auto file = path("read only # ? %41.sqlite");
    save_recording(m_trace, file);
    const auto before = folder.entryList(QDir::Files | QDir::Hidden);
    QCOMPARE(opening(file), std::string());
    QCOMPARE(folder.entryList(QDir::Files | QDir::Hidden), before);
}

void tst_UntrustedSqlite::unmergedLogIsNamed()
{
    const auto file = path("log.sqlite");
    save_recording(m_trace, file);
    QFile log(QString::fromStdString(file + "-wal"));
    QVERIFY(log.open(QIODevice::WriteOnly));
    log.write("part of the database");
    log.close();
    const auto message = opening(file);
    QVERIFY2(message.find("log.sqlite-wal") != std::string::npos, message.c_str());
}

void tst_UntrustedSqlite::halfAChangeIsNotRead_data()
{
    QTest::addColumn<QByteArray>("mode");
    QTest::addColumn<bool>("done");
    QTest::addColumn<bool>("hot");
    for (const char* mode : {"DELETE", "TRUNCATE", "PERSIST"}) {
        QTest::addRow("%s, cut short", mode) << QByteArray(mode) << false << true;
        QTest::addRow("%s, done", mode) << QByteArray(mode) << true << false;
    }
}

/// A change was cut short: some pages in the file are new, and the journal beside it has the old ones.
void tst_UntrustedSqlite::halfAChangeIsNotRead()
{
    QFETCH(QByteArray, mode);
    QFETCH(bool, done);
    QFETCH(bool, hot);
    const auto file = path("changed.sqlite");
    const auto copy = path("copy.sqlite");
    save_recording(m_trace, file);
    sqlite3* handle = nullptr;
    QCOMPARE(sqlite3_open(file.c_str(), &handle), SQLITE_OK);
    const QByteArray sql = "PRAGMA journal_mode = " + mode
        + "; PRAGMA cache_size = 1; BEGIN; "
          "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET \"end\" = \"end\" + 1000000; UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET "
          "\"end\" = \"end\" + 1;";
    QCOMPARE(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr), SQLITE_OK);
    if (done) {
        QCOMPARE(sqlite3_exec(handle, "COMMIT", nullptr, nullptr, nullptr), SQLITE_OK);
    }
    for (const char* part : {"", "-journal"}) {  // what a power cut leaves
        QFile::remove(QString::fromStdString(copy + part));
        QCOMPARE(QFile::copy(QString::fromStdString(file + part), QString::fromStdString(copy + part)),
            QFile::exists(QString::fromStdString(file + part)));
    }
    sqlite3_close(handle);
    const auto message = opening(copy);
    QCOMPARE(message.find("copy.sqlite-journal") != std::string::npos, hot);
    QCOMPARE(message.empty(), !hot);
}

void tst_UntrustedSqlite::fullDiskLeavesNoFile_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"full.sqlite", "full.json", "full.json.gz", "full.csv"}) {
        QTest::newRow(name) << name;
    }
}

void tst_UntrustedSqlite::fullDiskLeavesNoFile()
{
    QFETCH(QString, name);
    const auto file = path(qPrintable(name));
    const auto child = fork();
    if (child == 0) {  // SIGXFSZ stays as it is: it must not end the process
        const rlimit limit {20'000, 20'000};
        setrlimit(RLIMIT_FSIZE, &limit);
        try {
            save_recording(m_trace, file);
            _exit(1);
        } catch (const std::system_error& error) {
            const std::string what = error.what();
            _exit(error.code().value() == EFBIG && what.find(name.toStdString()) != std::string::npos
                        && what.find('\n') == std::string::npos
                    ? 0
                    : 2);
        } catch (...) {
            _exit(3);
        }
    }
    int status = 0;
    waitpid(child, &status, 0);
    QVERIFY(WIFEXITED(status));
    QCOMPARE(WEXITSTATUS(status), 0);
    QVERIFY(QDir(m_folder.path()).entryList({"*full*"}, QDir::Files | QDir::Hidden).isEmpty());
}

void tst_UntrustedSqlite::cancelsWhileOpening()
{
    std::stop_source stop;
    stop.request_stop();
    QVERIFY_THROWS_EXCEPTION(Cancelled, open_recording(path("sound.sqlite"), stop.get_token()));
}

void tst_UntrustedSqlite::missingFile()
{
    try {
        open_recording(path("missing.sqlite"));
        QFAIL("opened what is not there");
    } catch (const std::system_error& error) {
        QCOMPARE(error.code().value(), ENOENT);
    }
}

QTEST_GUILESS_MAIN(tst_UntrustedSqlite)
#include "tst_untrusted_sqlite.moc"
