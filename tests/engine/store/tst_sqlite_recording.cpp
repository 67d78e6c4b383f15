// SPDX-License-Identifier: MIT
#include "engine/store/recording_file.h"
#include "engine/store/sqlite_recording.h"
#include "engine/trace/trace_builder.h"
#include "tests/engine/trace/random_records.h"
#include "tests/engine/trace/trace_difference.h"
#include "tests/engine/trace/trace_fixture.h"

#include <algorithm>
#include <array>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>
#include <sqlite3.h>

using namespace lanes;

class tst_SqliteRecording : public QObject {
    Q_OBJECT

private slots:
    void keepsEverything_data();
    void keepsEverything();
    void namesOfFiles_data();
    void namesOfFiles();
    void largeOnes();
    void inPiecesAsInOne();
    void sameTraceSameBytes();
    void fewRowsTakeLittleRoom();
    void marksAreKept();
    void unknownSourceStaysUnknown_data();
    void unknownSourceStaysUnknown();
    void columnsAreThoseOfRealExports();
    void otherToolsFindWhatTheyExpect();

private:
    /// The rows of a query as text, columns separated by "|".
    QStringList query(const std::string& file, const std::string& sql) const
    {
        QStringList rows;
        sqlite3* handle = nullptr;
        sqlite3_open_v2(file.c_str(), &handle, SQLITE_OPEN_READONLY, nullptr);
        sqlite3_exec(
            handle, sql.c_str(),
            [](void* to, int count, char** values, char**) {
                QStringList row;
                for (int i = 0; i < count; ++i) {
                    row += values[i] == nullptr ? "NULL" : values[i];
                }
                *static_cast<QStringList*>(to) += row.join('|');
                return 0;
            },
            &rows, nullptr);
        sqlite3_close(handle);
        return rows;
    }
    std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }
    QTemporaryDir m_folder;
};

void tst_SqliteRecording::keepsEverything_data()
{
    QTest::addColumn<std::uint32_t>("seed");
    QTest::addColumn<bool>("window");
    QTest::addColumn<Source>("source");
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
        QTest::addRow("seed %u", seed) << seed << (seed % 3 == 0) << (seed % 2 == 0 ? Source::cupti : Source::model);
    }
}

void tst_SqliteRecording::keepsEverything()
{
    QFETCH(std::uint32_t, seed);
    QFETCH(bool, window);
    QFETCH(Source, source);
    TraceBuilder builder;
    RandomRecords(seed).write(builder, 60 * seed, source == Source::model ? 0 : 1'785'620'044'423'518'993, window);
    const auto trace = builder.finish(source);
    QVERIFY(trace.operations.size() > 10);
    QVERIFY(!trace.ranges.empty());
    QCOMPARE(trace.errors.size(), std::size_t {4});

    save_recording(trace, path("a.sqlite"));
    const auto again = open_recording(path("a.sqlite"));
    QCOMPARE(QString::fromStdString(difference(trace, again)), QString());
    save_recording(again, path("b.sqlite"));
    QCOMPARE(QString::fromStdString(difference(trace, open_recording(path("b.sqlite")))), QString());
}

void tst_SqliteRecording::namesOfFiles_data()
{
    QTest::addColumn<QString>("folder");  // %1: that of the file
    QTest::newRow("absolute") << "%1";
    QTest::newRow("two slashes before it") << "/%1";
    QTest::newRow("three") << "//%1";
    QTest::newRow("two within") << "%1/";
    QTest::newRow("relative") << ".";
}

void tst_SqliteRecording::namesOfFiles()
{
    QFETCH(QString, folder);
    TraceBuilder builder;
    RandomRecords(1).write(builder, 60, 0, false);
    save_recording(builder.finish(Source::model), path("a name?#%.sqlite"));
    const auto before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(m_folder.path()));
    const auto trace = open_recording(folder.replace("%1", m_folder.path()).toStdString() + "/a name?#%.sqlite");
    QDir::setCurrent(before);
    QVERIFY(trace.operations.size() > 10);
}

/// So large that their calls are read in parallel with the rest; damaged calls are reported all the same.
void tst_SqliteRecording::largeOnes()
{
    TraceBuilder builder;
    const std::array names {builder.intern("cudaLaunchKernel"), builder.intern("cudaMemcpyAsync")};
    for (std::uint32_t i = 0; i < 100'000; ++i) {
        const Ns start = 1'000 + Ns {i} * 4'000;
        builder.write(
            ApiCallRecord {start, start + 3'000, 7, 7 + i % 3, i + 1, names[i % 2], ApiCallRecord::runtime, 0});
        KernelRecord kernel {};
        kernel.start = start + 2'500;
        kernel.end = start + 6'000;
        kernel.process = 7;
        kernel.context = 1;
        kernel.stream = 13 + i % 4;
        kernel.correlation = i + 1;
        kernel.name = names[0];
        builder.write(kernel);
    }
    const auto trace = builder.finish(Source::cupti);
    save_recording(trace, path("large.sqlite"));
    QVERIFY(QFile(QString::fromStdString(path("large.sqlite"))).size() > 9'000'000);
    const auto opened = open_recording(path("large.sqlite"));
    QCOMPARE(QString::fromStdString(difference(trace, opened)), QString());
    QVERIFY(std::none_of(
        opened.operations.call.begin(), opened.operations.call.end(), [](Row call) { return call == no_row; }));

    std::stop_source stop;
    QVERIFY_THROWS_EXCEPTION(
        Cancelled, open_recording(path("large.sqlite"), Progress(stop.get_token(), [&](double fraction) {
            if (fraction > 0.1) {
                stop.request_stop();
            }
        })));
    sqlite3* database = nullptr;
    QCOMPARE(sqlite3_open(path("large.sqlite").c_str(), &database), SQLITE_OK);
    sqlite3_exec(database, "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET correlationId = 'x' WHERE _rowid_ = 90000", nullptr,
        nullptr, nullptr);
    sqlite3_close(database);
    try {
        open_recording(path("large.sqlite"));
        QFAIL("was opened");
    } catch (const StoreError& error) {
        QVERIFY2(std::string_view(error.what()).find("row 90000, column correlationId") != std::string_view::npos,
            error.what());
    }
}

/// Several threads read a large file in pieces, one thread reads a limited number of rows: the same trace, also where
/// rows are missing, which no longer count from 1 without gaps then.
void tst_SqliteRecording::inPiecesAsInOne()
{
    TraceBuilder builder;
    for (std::uint32_t seed = 1; seed <= 4; ++seed) {
        RandomRecords(seed).write(builder, 20'000, 1'785'620'044'423'518'993, false);
    }
    const auto file = path("pieces.sqlite");
    save_recording(builder.finish(Source::cupti), file);
    QVERIFY(QFileInfo(QString::fromStdString(file)).size() > 8'000'000);
    constexpr std::uint64_t all_on_one_thread = 1'000'000'000;
    const auto whole = read_sqlite(file, {});
    QCOMPARE(QString::fromStdString(difference(whole, read_sqlite(file, {}, all_on_one_thread))), QString());

    sqlite3* database = nullptr;
    QCOMPARE(sqlite3_open(file.c_str(), &database), SQLITE_OK);
    for (const char* kind : {"RUNTIME", "KERNEL", "MEMCPY", "MEMSET"}) {
        const auto sql
            = std::string("DELETE FROM CUPTI_ACTIVITY_KIND_") + kind + " WHERE _rowid_ % 3 = 1 OR _rowid_ < 20";
        QCOMPARE(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    }
    sqlite3_close(database);
    const auto less = read_sqlite(file, {});
    QVERIFY(less.operations.size() < whole.operations.size() * 2 / 3 + 10);
    QCOMPARE(QString::fromStdString(difference(less, read_sqlite(file, {}, all_on_one_thread))), QString());
    // A row of LANESCOPE_OPERATION is about the row with that id.
    const auto channels = query(file,
        "SELECT sum(own.channel) FROM CUPTI_ACTIVITY_KIND_MEMCPY AS copy, LANESCOPE_OPERATION AS own "
        "WHERE own.kind = 1 AND own.row = copy._rowid_");
    std::uint64_t sum = 0;
    for (const auto& copy : less.copies) {
        sum += copy.channel == no_id ? 0 : copy.channel;
    }
    QCOMPARE(QString::number(sum), channels.value(0));
    QVERIFY(sum > 0);
}

void tst_SqliteRecording::sameTraceSameBytes()
{
    TraceBuilder builder;
    RandomRecords(7).write(builder, 600, 1000, false);
    const auto trace = builder.finish(Source::cupti);
    save_recording(trace, path("a.sqlite"));
    save_recording(trace, path("b.sqlite"));
    QFile a(m_folder.filePath("a.sqlite"));
    QFile b(m_folder.filePath("b.sqlite"));
    QVERIFY(a.open(QIODevice::ReadOnly) && b.open(QIODevice::ReadOnly));
    QVERIFY(a.size() > 10'000);
    QVERIFY(a.readAll() == b.readAll());
}

void tst_SqliteRecording::columnsAreThoseOfRealExports()
{
    const auto real = qEnvironmentVariable("LANES_SOURCE").toStdString() + "/../shared/data/nsys/nsysai_mock.sqlite";
    if (!QFile::exists(QString::fromStdString(real))) {
        QSKIP("no real exports here");
    }
    save_recording(Trace(), path("empty.sqlite"));
    const auto theirs = query(real, "SELECT name FROM sqlite_schema WHERE type = 'table'");
    int compared = 0;
    for (const auto& table : query(path("empty.sqlite"), "SELECT name FROM sqlite_schema WHERE type = 'table'")) {
        if (!theirs.contains(table)) {
            continue;
        }
        const auto sql = "SELECT name, type, \"notnull\" FROM pragma_table_info('" + table.toStdString() + "')";
        auto expected = query(real, sql);
        if (table == "CUPTI_ACTIVITY_KIND_KERNEL") {
            expected += "tensorSizeMinusOneElements|TEXT|1";  // new in 3.25
        }
        QCOMPARE(query(path("empty.sqlite"), sql), expected);
        ++compared;
    }
    QVERIFY2(compared >= 20, qPrintable(QString::number(compared)));
}

/// Each table of the layout takes a page, rows or none: the pages of a small file are small.
void tst_SqliteRecording::fewRowsTakeLittleRoom()
{
    const auto saved = [this](Ns calls) {
        TraceFixture f;
        for (Ns i = 0; i < calls; ++i) {
            f.call("cudaLaunchKernel", 10 * i, 10 * i + 5);
        }
        save_recording(f.finish(), path("size.sqlite"));
        return open_recording(path("size.sqlite")).calls.size();
    };
    QCOMPARE(saved(10), 10U);
    QCOMPARE(query(path("size.sqlite"), "PRAGMA page_size"), QStringList("512"));
    QVERIFY(QFileInfo(QString::fromStdString(path("size.sqlite"))).size() < 40'000);
    QCOMPARE(saved(20'001), 20'001U);
    QCOMPARE(query(path("size.sqlite"), "PRAGMA page_size"), QStringList("4096"));
}

void tst_SqliteRecording::marksAreKept()
{
    TraceFixture f;
    f.range("batch", 5, 800);
    Trace trace = f.finish();
    const auto file = path("marks.sqlite");
    save_recording(trace, file);
    QVERIFY(open_recording(file).marks.empty());
    trace.marks = {{700, "warm-up ends"}, {0, ""}};
    save_recording(trace, file);
    QCOMPARE(open_recording(file).marks, trace.marks);
    const std::vector<UserMark> others {{Ns {1} << 40U, "\xE5\xBC\x80\xE5\xA7\x8B 'x'"}};
    save_recording(trace, file, {}, &others);
    QCOMPARE(open_recording(file).marks, others);
    QCOMPARE(query(file, "SELECT time, value FROM LANESCOPE_MARK JOIN StringIds ON id = textId").size(), 1);
    save_recording(open_recording(file), file);
    QCOMPARE(open_recording(file).marks, others);
}

void tst_SqliteRecording::otherToolsFindWhatTheyExpect()
{
    TraceFixture f;
    f.process = f.thread = 4242;
    f.builder.write(ProcessRecord {4242, 1, f.builder.intern("/home/somebody/bin/train"), 0});
    f.name_stream(13, "copy");
    f.copy(CopyKind::h2d, 13, 100, 200, 4096, f.call("cudaMemcpyAsync", 10, 20), MemoryKind::pageable);
    f.copy(CopyKind::d2h, 13, 300, 400, 64, f.call("cudaMemcpy", 250, 410), MemoryKind::pinned);
    f.kernel(13, 500, 600, f.call("cudaLaunchKernel", 450, 460), "void ns::gemm<float>(float*)");
    f.sync(SyncRecord::context_sync, 620, 690, f.call("cudaDeviceSynchronize", 610, 700));
    f.overhead(OverheadRecord::command_buffer_full, 451, 455);
    f.range("batch", 5, 800);
    const auto file = path("sql.sqlite");
    save_recording(f.finish(), file);

    QCOMPARE(query(file,
                 "SELECT value FROM META_DATA_EXPORT WHERE name IN ('EXPORT_PRODUCT_NAME', 'EXPORT_SCHEMA_VERSION') "
                 "ORDER BY name"),
        (QStringList {"Lanescope", "3.25.0"}));
    // Copies by kind, joined as the tools' scripts do: memory kinds of the layout, not CUPTI's.
    QCOMPARE(query(file,
                 "SELECT o.label, s.label, d.label, m.greenContextId FROM CUPTI_ACTIVITY_KIND_MEMCPY m JOIN "
                 "ENUM_CUDA_MEMCPY_OPER o ON o.id = m.copyKind JOIN ENUM_CUDA_MEM_KIND s ON s.id = m.srcKind JOIN "
                 "ENUM_CUDA_MEM_KIND d ON d.id = m.dstKind ORDER BY m.start"),
        (QStringList {"Host-to-Device|Pageable|Device|0", "Device-to-Host|Device|Pinned|0"}));
    QCOMPARE(query(file,
                 "SELECT n.value, k.launchType, r.start FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds n ON n.id = "
                 "k.shortName JOIN CUPTI_ACTIVITY_KIND_RUNTIME r ON r.correlationId = k.correlationId AND "
                 "k.globalPid = r.globalTid & ~0xFFFFFF"),
        QStringList {"ns gemm|1|450"});
    QCOMPARE(query(file,
                 "SELECT (globalTid >> 24) & 0xFFFFFF, globalTid & 0xFFFFFF, COALESCE(text, value), eventType FROM "
                 "NVTX_EVENTS JOIN StringIds ON id = textId"),
        QStringList {"4242|4242|batch|59"});
    QCOMPARE(query(file, "SELECT syncType, streamId, eventId FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"),
        QStringList {"4|4294967295|4294967295"});
    QCOMPARE(
        query(file,
            "SELECT label FROM CUPTI_ACTIVITY_KIND_OVERHEAD JOIN ENUM_CUPTI_OVERHEAD_TYPE e ON e.id = overheadType"),
        QStringList {"Command buffer full (CUDA)"});
    QCOMPARE(query(file, "SELECT name FROM TARGET_INFO_NVTX_CUDA_STREAM WHERE streamId = 13"), QStringList {"copy"});
    QCOMPARE(query(file, "SELECT name FROM PROCESSES"), QStringList {"train"});  // without its folder
    QFile bytes(QString::fromStdString(file));
    QVERIFY(bytes.open(QIODevice::ReadOnly));
    QVERIFY(!bytes.readAll().contains("somebody"));
}

void tst_SqliteRecording::unknownSourceStaysUnknown_data()
{
    QTest::addColumn<QByteArray>("change");
    QTest::newRow("none") << QByteArray("DELETE FROM LANESCOPE_META WHERE key = 'source'");
    QTest::newRow("a newer one") << QByteArray("UPDATE LANESCOPE_META SET value = 'rocprof' WHERE key = 'source'");
}

/// Nothing may say that it was measured.
void tst_SqliteRecording::unknownSourceStaysUnknown()
{
    QFETCH(QByteArray, change);
    TraceFixture f;
    f.kernel(7, 0, 10);
    save_recording(f.finish(Source::model), path("unknown.sqlite"));
    sqlite3* handle = nullptr;
    QCOMPARE(sqlite3_open(path("unknown.sqlite").c_str(), &handle), SQLITE_OK);
    QCOMPARE(sqlite3_exec(handle, change, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(handle);
    const auto trace = open_recording(path("unknown.sqlite"));
    QCOMPARE(trace.source, Source::unknown);
    save_recording(trace, path("again.sqlite"));
    QCOMPARE(open_recording(path("again.sqlite")).source, Source::unknown);
}

QTEST_GUILESS_MAIN(tst_SqliteRecording)
#include "tst_sqlite_recording.moc"
