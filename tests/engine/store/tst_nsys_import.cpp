// SPDX-License-Identifier: MIT
#include "engine/store/recording_file.h"
#include "tests/engine/trace/trace_difference.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <simdjson.h>
#include <sqlite3.h>

using namespace lanes;

namespace {

/// Length of the union, by the plainest means.
Ns busy(std::vector<std::pair<Ns, Ns>> intervals)
{
    std::sort(intervals.begin(), intervals.end());
    Ns total = 0;
    Ns reached = std::numeric_limits<Ns>::min();
    for (const auto& [start, end] : intervals) {
        total += std::max(Ns{0}, end - std::max(start, reached));
        reached = std::max(reached, end);
    }
    return total;
}

Ns busy(const Trace& trace, std::uint32_t device, auto&& wanted)
{
    std::vector<std::pair<Ns, Ns>> intervals;
    const auto& table = trace.operations;
    for (Row row = 0; row < table.size(); ++row) {
        if (trace.streams[table.stream[row]].device == device && wanted(table.kind[row])) {
            intervals.emplace_back(table.start[row], table.end[row]);
        }
    }
    return busy(std::move(intervals));
}

}  // namespace

class tst_NsysImport : public QObject {
    Q_OBJECT

private slots:
    void realExports_data();
    void realExports();
    void survivesBeingSavedAsOurs_data() { realExports_data(); }
    void survivesBeingSavedAsOurs();
    void oldSchema();
    void versionsAndSuffixes();

private:
    std::string make(const char* name, const std::string& sql);
    QTemporaryDir m_folder;
};

std::string tst_NsysImport::make(const char* name, const std::string& sql)
{
    const auto path = m_folder.filePath(name).toStdString();
    sqlite3* handle = nullptr;
    sqlite3_open(path.c_str(), &handle);
    char* error = nullptr;
    if (sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &error) != SQLITE_OK) {
        qWarning("%s", error);
    }
    sqlite3_close(handle);
    return path;
}

void tst_NsysImport::realExports_data()
{
    QTest::addColumn<QString>("file");
    const QDir folder(qEnvironmentVariable("LANES_SOURCE") + "/../shared/data/nsys");
    for (const auto& name : folder.entryList({"*.sqlite"})) {
        QTest::newRow(qPrintable(name)) << folder.filePath(name);
    }
    if (folder.entryList({"*.sqlite"}).isEmpty()) {
        QTest::newRow("none") << QString();
    }
}

void tst_NsysImport::realExports()
{
    QFETCH(QString, file);
    if (file.isEmpty()) {
        QSKIP("no real exports here");
    }
    simdjson::dom::parser parser;
    const auto truth = parser.load((file + ".truth.json").toStdString());
    const auto trace = open_recording(file.toStdString());

    QCOMPARE(trace.source, Source::nsys);
    QCOMPARE(static_cast<std::int64_t>(trace.operations.size()), std::int64_t(truth["gpu_event_count"]));
    QCOMPARE(static_cast<std::int64_t>(trace.calls.size()), std::int64_t(truth["runtime_call_count"]));
    std::map<std::uint32_t, std::string> devices;
    for (const auto& device : trace.devices) {
        devices[device.id] = trace.text(device.name);
    }
    QCOMPARE(devices.at(0), std::string(std::string_view(simdjson::dom::array(truth["gpus"]).at(0))));
    for (simdjson::dom::object device : simdjson::dom::array(truth["devices"])) {
        const auto id = static_cast<std::uint32_t>(std::stoul(std::string(std::string_view(device["device"]))));
        QCOMPARE(busy(trace, id, [](OperationKind) { return true; }), std::int64_t(device["busy_ns"]));
        QCOMPARE(busy(trace, id, [](OperationKind k) { return k == OperationKind::kernel; }),
                 std::int64_t(device["kernel_busy_ns"]));
        QCOMPARE(busy(trace, id, [](OperationKind k) { return is_copy(k); }), std::int64_t(device["memcpy_busy_ns"]));
    }
    std::int64_t joined = 0;
    for (Row row = 0; row < trace.operations.size(); ++row) {
        joined += trace.operations.call[row] != no_row ? 1 : 0;
        QVERIFY(trace.operations.call[row] == no_row
                || trace.calls.start[trace.operations.call[row]] <= trace.operations.start[row]);
    }
    QCOMPARE(joined, static_cast<std::int64_t>(trace.operations.size()));
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> names;
    for (Row row = 0; row < trace.calls.size(); ++row) {
        auto& [count, sum] = names[std::string(trace.text(trace.calls.name[row]))];
        ++count;
        sum += trace.calls.end[row] - trace.calls.start[row];
    }
    for (const auto [name, figures] : simdjson::dom::object(truth["blocking"]["api_names_top"])) {
        const auto& [count, sum] = names[std::string(name)];
        QCOMPARE(count, std::int64_t(figures["count"]));
        QCOMPARE(sum, std::int64_t(figures["sum_ns"]));
    }
    // The exports call these waits of a stream for an event; the name of the call tells better.
    for (const auto& sync : trace.syncs) {
        QVERIFY(sync.call != no_row);
        QCOMPARE(trace.text(trace.calls.name[sync.call]), "cudaStreamSynchronize");
        QCOMPARE(sync.type, SyncRecord::stream_sync);
    }
    QVERIFY(!trace.syncs.empty());
    QCOMPARE(trace.processes.size(), std::size_t{1});
    QVERIFY(trace.text(trace.processes[0].name).size() > 3);
}

void tst_NsysImport::survivesBeingSavedAsOurs()
{
    QFETCH(QString, file);
    if (file.isEmpty()) {
        QSKIP("no real exports here");
    }
    const auto trace = open_recording(file.toStdString());
    const auto ours = m_folder.filePath("ours.sqlite").toStdString();
    save_recording(trace, ours);
    QCOMPARE(QString::fromStdString(difference(trace, open_recording(ours))), QString());
}

void tst_NsysImport::oldSchema()
{
    // As 2022.4 wrote it: another name of the meta table, fewer columns, cudaDeviceSynchronize stored as type 1;
    // and rows in no order, work without a correlation, a copy of unified memory.
    const auto path = make("old.sqlite", R"(
        CREATE TABLE EXPORT_META_DATA (name TEXT, value TEXT);
        INSERT INTO EXPORT_META_DATA VALUES ('EXPORT_SCHEMA_VERSION', '3.0.0');
        CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);
        INSERT INTO StringIds VALUES (5, 'cudaDeviceSynchronize_v3020'), (6, 'cudaMemcpyAsync_v3020'), (9, 'add');
        CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER,
            correlationId INTEGER, nameId INTEGER, returnValue INTEGER);
        INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (5000, 9000, 0, 281479288520717, 2, 5, 0),
            (1000, 1500, 0, 281479288520717, 1, 6, 0);
        CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER,
            streamId INTEGER, correlationId INTEGER, globalPid INTEGER, bytes INTEGER, copyKind INTEGER,
            srcKind INTEGER, dstKind INTEGER);
        INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (3000, 4000, 0, 1, 13, 1, 281479288520704, 64, 1, 0, 2),
            (2000, 2500, 0, 1, 13, NULL, 281479288520704, 4096, 12, 4, 4);
        CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end INTEGER, deviceId INTEGER,
            contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, syncType INTEGER, eventId INTEGER);
        INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (5100, 8900, 0, 1, 4294967295, 2, 281479288520704, 1, 4294967295);
    )");
    const auto trace = open_recording(path);
    QCOMPARE(trace.calls.size(), std::size_t{2});
    QCOMPARE(trace.text(trace.calls.name[0]), "cudaMemcpyAsync");
    QCOMPARE(trace.calls.start[0], Ns{0});  // the first record
    QCOMPARE(trace.operations.kind, (std::vector{OperationKind::d2h, OperationKind::h2d}));
    QCOMPARE(trace.operations.call, (std::vector<Row>{no_row, 0}));
    QCOMPARE(trace.copies[trace.operations.detail[1]].source, MemoryKind::pageable);
    QCOMPARE(trace.copies[trace.operations.detail[0]].source, MemoryKind::managed);
    QVERIFY(trace.copies[trace.operations.detail[1]].async);
    QCOMPARE(trace.syncs.size(), std::size_t{1});
    QCOMPARE(trace.syncs[0].type, SyncRecord::context_sync);
    QCOMPARE(trace.syncs[0].stream, no_row);
    QCOMPARE(trace.threads[0].process, (281479288520704U >> 24U) & 0xFFFFFFU);
    QCOMPARE(trace.threads[0].id, std::uint32_t{281479288520717U & 0xFFFFFFU});
}

void tst_NsysImport::versionsAndSuffixes()
{
    std::string rows;
    const std::vector<std::pair<std::string, std::string>> names{
        {"cudaMemcpyAsync_v3020", "cudaMemcpyAsync"},  {"cudaMemcpyAsync_ptsz_v7000", "cudaMemcpyAsync_ptsz"},
        {"cudaLaunchKernel_v", "cudaLaunchKernel_v"},  {"v3020", "v3020"},
        {"_v1", ""},                                   {"cudaLaunchKernel", "cudaLaunchKernel"}};
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto id = std::to_string(i + 1);
        rows += "INSERT INTO StringIds VALUES (" + id + ", '" + names[i].first + "'); INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES ("
                + id + "0, " + id + "5, 0, 281479288520717, " + id + ", " + id + ");";
    }
    const auto trace = open_recording(make("names.sqlite", "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, "
        "correlationId INTEGER, nameId INTEGER);" + rows));
    QCOMPARE(trace.calls.size(), names.size());
    for (Row row = 0; row < names.size(); ++row) {
        QCOMPARE(std::string(trace.text(trace.calls.name[row])), names[row].second);
    }
}

QTEST_GUILESS_MAIN(tst_NsysImport)
#include "tst_nsys_import.moc"
