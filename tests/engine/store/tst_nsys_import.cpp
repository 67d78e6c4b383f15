// SPDX-License-Identifier: MIT
#include "engine/analysis/compare/compare.h"
#include "engine/analysis/report.h"
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/owners.h"
#include "engine/trace/range_value.h"
#include "tests/engine/trace/trace_difference.h"

#include <algorithm>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
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
        total += std::max(Ns {0}, end - std::max(start, reached));
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
    void nodesOfGraphs();
    void payloads();
    void payloadsThatDoNotFit();
    void numberedTables_data();
    void numberedTables();
    void unifiedMemory();
    void namesTablesThatAreNotRead();
    void exportsWithoutTables_data();
    void exportsWithoutTables();
    void namesOfGpus_data();
    void namesOfGpus();
    void metricsOfGpus();
    void rowsWithoutATime();
    void timesOfZero_data();
    void timesOfZero();
    void timesOfZeroInOurs();
    void operationsTurnedRound();
    void rowsWithoutAThread();
    void devicesOfTwoProcesses_data();
    void devicesOfTwoProcesses();

private:
    std::string make(const char* name, const std::string& sql);
    QTemporaryDir m_folder;
};

std::string tst_NsysImport::make(const char* name, const std::string& sql)
{
    const auto path = m_folder.filePath(name).toStdString();
    QFile::remove(QString::fromStdString(path));
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
    // The exports call these "a stream waits for an event"; the name of the call is right.
    for (const auto& sync : trace.syncs) {
        QVERIFY(sync.call != no_row);
        QCOMPARE(trace.text(trace.calls.name[sync.call]), "cudaStreamSynchronize");
        QCOMPARE(sync.type, SyncRecord::stream_sync);
    }
    QVERIFY(!trace.syncs.empty());
    QCOMPARE(trace.processes.size(), std::size_t {1});
    QVERIFY(trace.text(trace.processes[0].name).size() > 3);
}

void tst_NsysImport::survivesBeingSavedAsOurs()
{
    QFETCH(QString, file);
    if (file.isEmpty()) {
        QSKIP("no real exports here");
    }
    auto trace = open_recording(file.toStdString());
    trace.meta.erase(meta::not_shown);  // said once, when the file itself is opened
    const auto ours = m_folder.filePath("ours.sqlite").toStdString();
    save_recording(trace, ours);
    QCOMPARE(QString::fromStdString(difference(trace, open_recording(ours))), QString());
}

void tst_NsysImport::oldSchema()
{
    // As 2022.4 wrote it: another name of the meta table, fewer columns, cudaDeviceSynchronize stored as type 1;
    // and rows in no order, work without a correlation, moved pages of unified memory, which are no work of a stream.
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
            (2000, 2500, 0, 1, 13, NULL, 281479288520704, 4096, 2, 2, 0),
            (2600, 2700, 0, 1, 4294967295, NULL, 281479288520704, 65536, 11, 4, 4),
            (2800, 2900, 0, 1, 13, NULL, 281479288520704, 4096, 12, 4, 4);
        CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end INTEGER, deviceId INTEGER,
            contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, syncType INTEGER, eventId INTEGER);
        INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (5100, 8900, 0, 1, 4294967295, 2, 281479288520704, 1, 4294967295);
    )");
    const auto trace = open_recording(path);
    QCOMPARE(trace.calls.size(), std::size_t {2});
    QCOMPARE(trace.text(trace.calls.name[0]), "cudaMemcpyAsync");
    QCOMPARE(trace.calls.start[0], Ns {0});  // the first record
    QCOMPARE(trace.operations.kind, (std::vector {OperationKind::d2h, OperationKind::h2d}));
    QCOMPARE(trace.operations.call, (std::vector<Row> {no_row, 0}));
    QCOMPARE(trace.copies[trace.operations.detail[1]].source, MemoryKind::pageable);
    QCOMPARE(trace.copies[trace.operations.detail[0]].source, MemoryKind::device);
    QCOMPARE(trace.streams.size(), std::size_t {1});
    QCOMPARE(trace.meta.at(meta::migrations), std::string("2"));
    QVERIFY(trace.copies[trace.operations.detail[1]].async);
    QCOMPARE(trace.syncs.size(), std::size_t {1});
    QCOMPARE(trace.syncs[0].type, SyncRecord::context_sync);
    QCOMPARE(trace.syncs[0].stream, no_row);
    QCOMPARE(trace.threads[0].process, (281479288520704U >> 24U) & 0xFFFFFFU);
    QCOMPARE(trace.threads[0].id, std::uint32_t {281479288520717U & 0xFFFFFFU});
}

void tst_NsysImport::versionsAndSuffixes()
{
    std::string rows;
    const std::vector<std::pair<std::string, std::string>> names {{"cudaMemcpyAsync_v3020", "cudaMemcpyAsync"},
        {"cudaMemcpyAsync_ptsz_v7000", "cudaMemcpyAsync_ptsz"}, {"cudaLaunchKernel_v", "cudaLaunchKernel_v"},
        {"v3020", "v3020"}, {"_v1", ""}, {"cudaLaunchKernel", "cudaLaunchKernel"}};
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto id = std::to_string(i + 1);
        rows += "INSERT INTO StringIds VALUES (" + id + ", '" + names[i].first
            + "'); INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (" + id + "0, " + id + "5, 0, 281479288520717, " + id
            + ", " + id + ");";
    }
    const auto trace = open_recording(make("names.sqlite",
        "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, "
        "correlationId INTEGER, nameId INTEGER);"
            + rows));
    QCOMPARE(trace.calls.size(), names.size());
    for (Row row = 0; row < names.size(); ++row) {
        QCOMPARE(std::string(trace.text(trace.calls.name[row])), names[row].second);
    }
}

/// CUPTI's numbers: graph 1 is captured in "step", graph 2 is its copy. Saved as ours they are the same.
void tst_NsysImport::nodesOfGraphs()
{
    const auto opened = open_recording(make("nodes.sqlite",
        "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT); INSERT INTO StringIds VALUES (1, 'k'), (2, "
        "'cudaGraphLaunch_v10000'), (3, 'n');"
        "CREATE TABLE NVTX_EVENTS (start, \"end\", eventType, text, globalTid);"
        "INSERT INTO NVTX_EVENTS VALUES (0, 100, 59, 'step', 281479288520717);"
        "CREATE TABLE CUDA_GRAPH_NODE_EVENTS (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, "
        "nameId "
        "INTEGER, graphNodeId INTEGER, originalGraphNodeId INTEGER);"
        "INSERT INTO CUDA_GRAPH_NODE_EVENTS VALUES (50, NULL, 95, 281479288520717, 3, 4294967296, NULL),"
        "(120, NULL, 95, 281479288520717, 3, 8589934592, 4294967296);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, "
        "correlationId INTEGER, nameId INTEGER);"
        "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (130, 135, 0, 281479288520717, 9, 2);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, "
        "streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER, "
        "graphNodeId INTEGER);"
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (140, 150, 0, 1, 7, 9, 281479288520704, 1, 1, 8589934592);"));
    const auto ours = m_folder.filePath("nodes-ours.sqlite").toStdString();
    save_recording(opened, ours);
    for (const auto& trace : {opened, open_recording(ours)}) {
        QCOMPARE(trace.graph_nodes.size(), std::size_t {2});
        QCOMPARE(trace.graph_nodes[0].graph, 1U);
        QCOMPARE(trace.graph_nodes[0].graph_node, 1U);
        QCOMPARE(trace.graph_nodes[0].original_node, 0U);
        QCOMPARE(trace.graph_nodes[1].original_graph, 1U);
        QCOMPARE(trace.graph_nodes[1].original_node, 1U);
        QCOMPARE(trace.kernels[0].graph, 2U);
        QCOMPARE(trace.kernels[0].graph_node, 1U);
        const Owners owners(trace);
        const auto owner = owners.of(0);
        QCOMPARE(owner.from, Owner::From::capture);
        QCOMPARE(std::string(owners.text(owner)), std::string("step"));
    }
}

namespace {

constexpr auto tables_of_nccl
    = "CREATE TABLE NVTX_EVENTS (start, \"end\", eventType, text, globalTid, domainId, binaryData);"
      "INSERT INTO NVTX_EVENTS VALUES (0, NULL, 75, 'NCCL', 281479288520717, 3, NULL);"
      "CREATE TABLE NVTX_PAYLOAD_SCHEMAS (domainId INTEGER, schemaId INTEGER, name TEXT, type INTEGER, flags INTEGER, "
      "numEntries INTEGER, payloadSize INTEGER, alignTo INTEGER);"
      "INSERT INTO NVTX_PAYLOAD_SCHEMAS VALUES (3, 16777221, NULL, 1, NULL, 3, 24, NULL);"
      "CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES (domainId INTEGER, schemaId INTEGER, idx INTEGER, flags INTEGER, type "
      "INTEGER, name TEXT, description TEXT, arrayOrUnionDetail INTEGER, offset INTEGER);"
      "INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES "
      "(3, 16777221, 2, NULL, 16777240, 'Reduction operation', NULL, NULL, 16),"
      "(3, 16777221, 0, NULL, 18, 'NCCL communicator ID', NULL, NULL, 0),"
      "(3, 16777221, 1, NULL, 22, 'Message size [bytes]', NULL, NULL, 8);"
      "CREATE TABLE NVTX_PAYLOAD_ENUM_ENTRIES (domainId INTEGER, schemaId INTEGER, idx INTEGER, name TEXT, value "
      "INTEGER, "
      "isFlag INTEGER);"
      "INSERT INTO NVTX_PAYLOAD_ENUM_ENTRIES VALUES (3, 16777240, 0, 'Sum', 0, NULL), (3, 16777240, 1, 'Product', 1, "
      "NULL);";

/// As Nsight has it: a header of 32 bytes, then the payload.
QString blob(std::uint64_t schema, std::uint64_t size, const QByteArray& payload)
{
    QByteArray bytes;
    for (const std::uint64_t word : {std::uint64_t {3}, schema, size, size + 32}) {
        bytes += QByteArray(reinterpret_cast<const char*>(&word), sizeof word);
    }
    return "X'" + QString::fromLatin1((bytes + payload).toHex()) + "'";
}

QByteArray reduction(std::uint64_t communicator, std::uint64_t bytes, std::uint64_t operation)
{
    QByteArray payload;
    for (const auto word : {communicator, bytes, operation}) {
        payload += QByteArray(reinterpret_cast<const char*>(&word), sizeof word);
    }
    return payload;
}

}  // namespace

void tst_NsysImport::payloads()
{
    const auto range = [](int start, const char* name, const QString& payload) {
        return QString("INSERT INTO NVTX_EVENTS VALUES (%1, %2, 59, '%3', 281479288520717, 3, %4);")
            .arg(start)
            .arg(start + 5)
            .arg(name, payload);
    };
    // Rows in no order: calls are counted by time.
    const QString sql = tables_of_nccl + range(30, "ncclAllReduce", blob(16777221, 24, reduction(1234, 64, 1)))
        + range(20, "ncclAllReduce", blob(16777221, 24, reduction(1234, 32, 0)))
        + range(40, "ncclAllReduce", blob(16777221, 24, reduction(~0ULL, 64, 9))) + range(50, "ncclGroupEnd", "NULL");
    const auto opened = open_recording(make("payloads.sqlite", sql.toStdString()));
    const auto ours = m_folder.filePath("payloads-ours.sqlite").toStdString();
    save_recording(opened, ours);
    for (const auto& trace : {opened, open_recording(ours)}) {
        QCOMPARE(trace.ranges.size(), std::size_t {4});
        QCOMPARE(values_text(trace, 0), std::string("communicator=0x00000000000004d2 call=1 bytes=32 op=Sum"));
        QCOMPARE(values_text(trace, 1), std::string("communicator=0x00000000000004d2 call=2 bytes=64 op=Product"));
        QCOMPARE(values_text(trace, 2), std::string("communicator=0xffffffffffffffff call=1 bytes=64 op=9"));
        QCOMPARE(values_text(trace, 3), std::string());
    }
}

void tst_NsysImport::payloadsThatDoNotFit()
{
    QString sql = tables_of_nccl;
    const auto add = [&sql](const QString& payload) {
        sql += "INSERT INTO NVTX_EVENTS VALUES (0, 5, 59, 'ncclAllReduce', 281479288520717, 3, " + payload + ");";
    };
    const auto whole = reduction(1, 2, 0);
    add(blob(16777221, 24, whole.left(12)));  // cut short
    add(blob(16777221, ~0ULL, whole));
    add(blob(99, 24, whole));
    add("X'0300'");
    add("'a text'");
    add("7");
    add("NULL");
    sql += "INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES (3, 16777221, 4000000000, 0, 18, 'far', NULL, 0, 0),"
           "(3, 16777221, -1, 0, 18, 'before', NULL, 0, 0), (4, 5, 0, 0, 18, 'of none', NULL, 0, 0);";
    const auto trace = open_recording(make("unfit.sqlite", sql.toStdString()));
    QStringList found;
    for (Row row = 0; row < trace.ranges.size(); ++row) {
        found << QString::fromStdString(values_text(trace, row));
    }
    QCOMPARE(found,
        QStringList({"communicator=0x0000000000000001 call=1", "communicator=0x0000000000000001 call=2 bytes=2 op=Sum",
            "", "", "", "", ""}));
}

void tst_NsysImport::numberedTables_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<int>("ranges");
    QTest::addColumn<QString>("notShown");
    const auto table = [](const QString& name, int rows) {
        QString sql = "CREATE TABLE " + name + " (start, \"end\", eventType, text, globalTid);";
        for (int i = 0; i < rows; ++i) {
            sql += QString("INSERT INTO %1 VALUES (%2, %3, 59, 'step', 281479288520717);")
                       .arg(name)
                       .arg(10 * i)
                       .arg(10 * i + 5);
        }
        return sql;
    };
    QTest::newRow("second") << table("NVTX_EVENTS_V2", 2) << 2 << QString();
    QTest::newRow("third") << table("NVTX_EVENTS_V3", 3) << 3 << QString();
    QTest::newRow("one that is not there yet") << table("NVTX_EVENTS_V12", 4) << 4 << QString();
    QTest::newRow("an empty one of the old name")
        << table("NVTX_EVENTS", 0) + table("NVTX_EVENTS_V3", 3) << 3 << QString();
    QTest::newRow("an empty newer one") << table("NVTX_EVENTS", 2) + table("NVTX_EVENTS_V3", 0) << 2 << QString();
    QTest::newRow("two with rows") << table("NVTX_EVENTS_V2", 2) + table("NVTX_EVENTS_V3", 3) << 3 << "older_tables 2";
    QTest::newRow("old name as a view") << table("NVTX_EVENTS_V3", 3)
            + "CREATE VIEW NVTX_EVENTS AS SELECT * FROM NVTX_EVENTS_V3;"
                                        << 3 << QString();
    QTest::newRow("no number") << table("NVTX_EVENTS", 1) + table("NVTX_EVENTS_VIEWED", 3) << 1 << QString();
}

/// Newer layouts may number the tables that they change.
void tst_NsysImport::numberedTables()
{
    QFETCH(QString, sql);
    const auto trace = open_recording(make("numbered.sqlite", sql.toStdString()));
    QTEST(static_cast<int>(trace.ranges.size()), "ranges");
    QCOMPARE(trace.text(trace.ranges[0].name), "step");
    const auto found = trace.meta.find(meta::not_shown);
    QTEST(found == trace.meta.end() ? QString() : QString::fromStdString(found->second), "notShown");

    const auto other = [](QString text) {  // any table may be numbered
        return text.replace("CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_KERNEL_V4").toStdString();
    };
    QCOMPARE(
        open_recording(make("kernels.sqlite",
                           other("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, \"end\", deviceId, contextId, "
                                 "streamId, globalPid);"
                                 "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 20, 0, 1, 7, 281479288520704);")))
            .operations.size(),
        std::size_t {1});
}

/// Pages that the driver moved are not work of a stream; they and the faults that moved them are counted and mentioned.
void tst_NsysImport::unifiedMemory()
{
    const auto trace = open_recording(make("unified.sqlite", R"(
        CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, "end", deviceId, contextId, streamId, globalPid);
        INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000, 2000, 0, 1, 7, 281479288520704);
        CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start, "end", deviceId, contextId, streamId, globalPid, bytes, copyKind);
        INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1100, 1200, 0, 1, 7, 281479288520704, 65536, 11),
            (1300, 1400, 0, 1, 7, 281479288520704, 65536, 12), (2100, 2900, 0, 1, 7, 281479288520704, 65536, 13);
        CREATE TABLE CUDA_UM_GPU_PAGE_FAULT_EVENTS (start, "end", globalPid, deviceId, address, numberOfPageFaults);
        INSERT INTO CUDA_UM_GPU_PAGE_FAULT_EVENTS VALUES (1050, 1090, 281479288520704, 0, 4096, 16),
            (1060, 1090, 281479288520704, 0, 8192, 3);
        CREATE TABLE CUDA_UM_CPU_PAGE_FAULT_EVENTS (start, globalPid, address);
        INSERT INTO CUDA_UM_CPU_PAGE_FAULT_EVENTS VALUES (2100, 281479288520704, 4096), (2101, 281479288520704, 8192);)"));
    QCOMPARE(trace.meta.at(meta::migrations), std::string("3"));
    QCOMPARE(trace.meta.at(meta::not_shown), std::string("gpu_page_faults 19\ncpu_page_faults 2"));
    const auto report = make_report(trace, find_blocking(trace));
    QCOMPARE(report.gpu_busy, Ns {1000});
    const auto text = QString::fromStdString(to_text(trace, report));
    QVERIFY(text.contains("Migrations of unified memory, left out of the lanes and of busy time: 3"));
    QVERIFY(text.contains("page faults of GPUs in unified memory (19), page faults of CPUs in unified memory (2)"));
    const auto ours = m_folder.filePath("unified-ours.sqlite").toStdString();
    save_recording(trace, ours);  // which has them, too
    QCOMPARE(open_recording(ours).meta.at(meta::migrations), std::string("3"));
}

void tst_NsysImport::exportsWithoutTables_data()
{
    QTest::addColumn<QString>("sql");
    QTest::newRow("about itself alone") << "CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);";
    QTest::newRow("about itself alone, in an old schema") << "CREATE TABLE EXPORT_META_DATA (name TEXT, value TEXT);";
    QTest::newRow("calls of the system, without texts") << "CREATE TABLE OSRT_API (start, \"end\", globalTid, nameId);";
    QTest::newRow("ranges alone") << "CREATE TABLE NVTX_EVENTS (start, \"end\", eventType, text, globalTid);"
                                     "INSERT INTO NVTX_EVENTS VALUES (10, 20, 59, 'step', 281479288520717);";
    QTest::newRow("kernels alone")
        << "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, \"end\", deviceId, contextId, streamId, globalPid);"
           "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 20, 0, 1, 7, 281479288520704);";
}

/// Tables are made only where they have rows: a program that made no CUDA call leaves none of CUDA's.
void tst_NsysImport::exportsWithoutTables()
{
    QFETCH(QString, sql);
    const auto trace = open_recording(make("few.sqlite", sql.toStdString()));
    QCOMPARE(trace.source, Source::nsys);
    QCOMPARE(trace.operations.size() + trace.ranges.size(), std::size_t {sql.contains("INSERT") ? 1U : 0U});
    const auto report = make_report(trace, find_blocking(trace));
    QVERIFY(!report.gpu_recorded || trace.operations.size() > 0);  // CUDA may not have been asked for
    const auto text = QString::fromStdString(to_text(trace, report));
    QCOMPARE(text.contains("GPU work was not recorded"), trace.operations.size() == 0);
    QVERIFY(!text.contains("no GPU work"));
}

namespace {

constexpr auto two_kernels
    = "CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, \"end\", deviceId, contextId, streamId, globalPid);";
constexpr std::int64_t global_pid(std::int64_t process)
{
    return (std::int64_t {1} << 48) | process << 24;
}
std::string kernel_row(Ns start, Ns end, int device, std::int64_t process)
{
    return "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (" + std::to_string(start) + ", " + std::to_string(end) + ", "
        + std::to_string(device) + ", 1, 7, " + std::to_string(global_pid(process)) + ");";
}

}  // namespace

void tst_NsysImport::namesOfGpus_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<int>("multiprocessors");
    QTest::newRow("3.25") << "CREATE TABLE TARGET_INFO_GPU (id, name, smCount, clockRate); INSERT INTO TARGET_INFO_GPU "
                             "VALUES (1, 'A100', 108, 1410000000);"
                          << 108;
    QTest::newRow("its key is deviceId")
        << "CREATE TABLE TARGET_INFO_GPU (deviceId, name, numMultiprocessors, coreClockRate);"
           "INSERT INTO TARGET_INFO_GPU VALUES (1, 'A100', 108, 1410000);"
        << 108;
    QTest::newRow("2021") << "CREATE TABLE TARGET_INFO_CUDA_GPU (deviceId, name, numMultiprocessors, coreClockRate);"
                             "INSERT INTO TARGET_INFO_CUDA_GPU VALUES (0, 'none', 1, 1), (1, 'A100', 108, 1410000);"
                          << 108;
    QTest::newRow("both tables") << "CREATE TABLE TARGET_INFO_CUDA_GPU (id, name, smCount, clockRate); INSERT INTO "
                                    "TARGET_INFO_CUDA_GPU VALUES (1, 'other', 5, 1000);"
                                    "CREATE TABLE TARGET_INFO_GPU (id, name, smCount, clockRate); INSERT INTO "
                                    "TARGET_INFO_GPU VALUES (1, 'A100', 108, 1410000000);"
                                 << 108;
    QTest::newRow("a key of its own for the process")
        << "CREATE TABLE TARGET_INFO_GPU (id, name, smCount, clockRate); INSERT INTO TARGET_INFO_GPU VALUES (5, "
           "'A100', 108, 1410000000);"
           "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId, cudaId, pid); INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (5, "
           "1, 10);"
        << 108;
}

void tst_NsysImport::namesOfGpus()
{
    QFETCH(QString, sql);
    QFETCH(int, multiprocessors);
    const auto trace = open_recording(make("gpus.sqlite", two_kernels + sql.toStdString() + kernel_row(10, 20, 1, 10)));
    QCOMPARE(trace.devices.size(), std::size_t {1});
    QCOMPARE(trace.devices[0].id, 1U);
    QCOMPARE(trace.text(trace.devices[0].name), "A100");
    QCOMPARE(trace.devices[0].multiprocessors, static_cast<std::uint32_t>(multiprocessors));
    QCOMPARE(trace.devices[0].core_clock_khz, 1'410'000U);
}

/// Only those that have rows; what says nothing about the program is not missed.
void tst_NsysImport::namesTablesThatAreNotRead()
{
    const auto trace = open_recording(make("unread.sqlite",
        std::string(two_kernels)
            + "CREATE TABLE OSRT_API (start, \"end\", globalTid, nameId);"
              "INSERT INTO OSRT_API VALUES (1000, 2000, 281479288520717, 1);"
              "CREATE TABLE SCHED_EVENTS (start, cpu, isSchedIn, globalTid);"
              "CREATE VIEW COMPOSITE_EVENTS AS SELECT * FROM OSRT_API;"
              "CREATE TABLE CUDA_GRAPH_EVENTS_V2 (start, \"end\", globalTid);"
              "INSERT INTO CUDA_GRAPH_EVENTS_V2 VALUES (1000, 2000, 281479288520717);"
              "CREATE TABLE DIAGNOSTIC_EVENT (timestamp, text);"
              "INSERT INTO DIAGNOSTIC_EVENT VALUES (1000, 'began');"));
    QCOMPARE(trace.meta.at(meta::not_shown), std::string("unread_tables OSRT_API, CUDA_GRAPH_EVENTS"));
    const auto text = QString::fromStdString(to_text(trace, make_report(trace, find_blocking(trace))));
    QVERIFY2(text.contains("Not shown of this file: the tables OSRT_API, CUDA_GRAPH_EVENTS"), qPrintable(text));
}

/// The sampled metrics of the hardware: of the GPU that a process calls 1, while the program has work; without metrics
/// that are always 0.
void tst_NsysImport::metricsOfGpus()
{
    const auto trace = open_recording(make("metrics.sqlite",
        two_kernels + kernel_row(1000, 5000, 1, 10)
            + "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId, cudaId, pid, uuid);"
              "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (3, 1, 10, 'x'), (4, 0, 99, 'y');"
              "CREATE TABLE TARGET_INFO_GPU_METRICS (typeId, sourceId, typeName, metricId, metricName);"
              "INSERT INTO TARGET_INFO_GPU_METRICS VALUES (259, 1, 'GH100', 5, 'SMs Active [Throughput %]'),"
              " (259, 1, 'GH100', 6, 'PCIe RX'), (260, 1, 'GH100', 5, 'SMs Active [Throughput %]');"
              "CREATE TABLE GPU_METRICS (timestamp, typeId, metricId, value);"
              "INSERT INTO GPU_METRICS VALUES (-5, 259, 5, 9), (1500, 259, 5, 40), (2500, 259, 5, 90), (9000, 259, 5, "
              "1),"
              " (1500, 259, 6, 0), (2500, 259, 6, 0), (2000, 260, 5, 7), (2000, 259, 77, 7);"));
    QCOMPARE(trace.duration, 4000);
    QCOMPARE(trace.counters.size(), std::size_t {2});
    const auto& counter = trace.counters[0];
    QCOMPARE(trace.text(counter.name), "SMs Active [Throughput %]");
    QVERIFY(counter.process == 10 && counter.device == 1 && counter.unit == CounterRecord::percent);
    QCOMPARE(trace.counters[1].device, 4U);  // of a process that is not shown: the machine's number
    QCOMPARE(trace.samples.time, (std::vector<Ns> {500, 1500, 1000}));
    QCOMPARE(trace.samples.value, (std::vector<double> {40, 90, 7}));
}

/// Nsight's schema allows NULL for the times of most tables: such a row is left out, counted and mentioned; the rest of
/// the file is read.
void tst_NsysImport::rowsWithoutATime()
{
    struct Table {
        const char* name;
        const char* columns;
        const char* rest;
        bool has_end;
    };
    constexpr Table tables[]
        = {{"CUPTI_ACTIVITY_KIND_RUNTIME", "eventClass, globalTid, correlationId, nameId, returnValue",
               "0, 281479288520717, 1, 1, 0", true},
            {"CUPTI_ACTIVITY_KIND_KERNEL", "deviceId, contextId, streamId, correlationId, globalPid",
                "0, 1, 7, 1, 281479288520704", true},
            {"CUPTI_ACTIVITY_KIND_MEMCPY", "deviceId, contextId, streamId, correlationId, globalPid, bytes, copyKind",
                "0, 1, 7, 1, 281479288520704, 8, 1", true},
            {"CUPTI_ACTIVITY_KIND_MEMSET", "deviceId, contextId, streamId, correlationId, globalPid, bytes, value",
                "0, 1, 7, 1, 281479288520704, 8, 0", true},
            {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "contextId, streamId, correlationId, globalPid, syncType, eventId",
                "1, 7, 1, 281479288520704, 3, 0", true},
            {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "deviceId, contextId, streamId, correlationId, globalPid, graphId",
                "0, 1, 7, 1, 281479288520704, 3", true},
            {"CUPTI_ACTIVITY_KIND_OVERHEAD", "globalTid, correlationId, overheadType", "281479288520717, 1, 8", true},
            {"PROFILER_OVERHEAD", "globalTid, correlationId, overheadType", "281479288520717, 1, 3", true},
            {"CUDA_GPU_MEMORY_USAGE_EVENTS", "globalPid, deviceId, contextId, address, bytes",
                "281479288520704, 0, 1, 16, 8", false},
            {"NVTX_EVENTS", "eventType, text, globalTid", "59, 'step', 281479288520717", false}};
    std::string sql = "CREATE TABLE StringIds (id, value); INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel');";
    std::size_t bad = 0;
    for (const auto& table : tables) {
        sql += std::string("CREATE TABLE ") + table.name + " (start, \"end\", " + table.columns + ");";
        for (const char* times :
            {"100, 200", "NULL, 200", "100, NULL", "NULL, NULL", "110, 210", "4611686018427387904, 210"}) {
            const std::string_view text(times);
            bad += text.starts_with("NULL") || text.starts_with("46") || (table.has_end && text.ends_with("NULL")) ? 1
                                                                                                                   : 0;
            sql += std::string("INSERT INTO ") + table.name + " VALUES (" + times + ", " + table.rest + ");";
        }
    }
    const auto trace = open_recording(make("holes.sqlite", sql));
    QCOMPARE(trace.calls.size(), std::size_t {2});
    QCOMPARE(trace.operations.size(), std::size_t {8});
    QCOMPARE(trace.copies.size(), std::size_t {2});
    QCOMPARE(trace.memsets.size(), std::size_t {2});
    QCOMPARE(trace.syncs.size(), std::size_t {2});
    QCOMPARE(trace.memory.size(), std::size_t {3});
    QCOMPARE(trace.ranges.size(), std::size_t {3});
    QCOMPARE(std::count_if(trace.ranges.begin(), trace.ranges.end(), [](const Range& range) { return range.open; }), 1);
    QCOMPARE(trace.meta.at(meta::skipped_rows), std::to_string(bad));
    const auto text = to_text(trace, make_report(trace, find_blocking(trace)));
    const auto said = "Rows of the file without a valid time or length, left out: " + std::to_string(bad);
    QVERIFY2(text.find(said) != std::string::npos, text.c_str());
    QCOMPARE(text.find(said, text.find(said) + 1), std::string::npos);
    save_recording(trace, m_folder.filePath("ours.sqlite").toStdString());
    QCOMPARE(QString::fromStdString(difference(trace, open_recording(m_folder.filePath("ours.sqlite").toStdString()))),
        QString());
}

void tst_NsysImport::timesOfZero_data()
{
    QTest::addColumn<qint64>("first");  // where the rows with a time begin
    QTest::addColumn<qint64>("end");  // of those that begin at 0; -1: none
    QTest::addColumn<bool>("marks");  // are left out, too
    QTest::newRow("since 1970") << qint64 {1'615'207'264'500'000'000} << qint64 {0} << true;
    QTest::newRow("since 1970, with an end") << qint64 {1'615'207'264'500'000'000} << qint64 {5000} << true;
    QTest::newRow("since 1970, the end set")
        << qint64 {1'615'207'264'500'000'000} << qint64 {1'615'207'264'500'000'100} << true;
    QTest::newRow("since the session began") << qint64 {300'000'000} << qint64 {0} << false;
}

/// Rows at 0 were never filled in if all others are far from 0.
void tst_NsysImport::timesOfZero()
{
    QFETCH(const qint64, first);
    QFETCH(const qint64, end);
    QFETCH(const bool, marks);
    const auto at = [](qint64 start, qint64 until) { return std::to_string(start) + ", " + std::to_string(until); };
    std::string sql = "CREATE TABLE StringIds (id, value); INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel');"
                      "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs);"
                      "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000);"
                      "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, globalTid, correlationId, nameId);"
                      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, "
                      "correlationId, globalPid);"
                      "CREATE TABLE NVTX_EVENTS (start, end, eventType, text, globalTid);";
    for (const auto& times : {at(first, first + 1000), at(first + 900'000, first + 901'000), at(0, end)}) {
        sql += "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (" + times + ", 281479288520717, 1, 1);"
            + "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (" + times + ", 0, 1, 7, 1, 281479288520704);"
            + "INSERT INTO NVTX_EVENTS VALUES (" + times + ", 59, 'step', 281479288520717);";
    }
    if (marks) {
        sql += "INSERT INTO NVTX_EVENTS VALUES (0, NULL, 34, 'here', 281479288520717);";
    }
    const auto trace = open_recording(make("zero.sqlite", sql));
    QCOMPARE(trace.calls.size(), 2U);
    QCOMPARE(trace.operations.size(), 2U);
    QCOMPARE(trace.ranges.size(), 2U);
    QCOMPARE(qint64 {trace.duration}, qint64 {901'000});
    // Times since 1970, as by --ts-normalize, already contain when the session began.
    QCOMPARE(qint64 {trace.origin}, marks ? first : first + 1'700'000'000'000'000'000);
    QCOMPARE(trace.meta.at(meta::skipped_rows), std::string(marks ? "4" : "3"));
    QCOMPARE(trace.dropped, 0U);
}

/// A file of ours that got such a row when it was made: its times begin there.
void tst_NsysImport::timesOfZeroInOurs()
{
    const auto name = qEnvironmentVariable("LANES_SOURCE") + "/resources/recordings/h200/two-streams.two-small.sqlite";
    auto whole = open_recording(name.toStdString());
    whole.marks = {{1000, "here"}};
    const auto path = m_folder.filePath("ours.sqlite").toStdString();
    save_recording(whole, path);
    whole = open_recording(path);
    sqlite3* handle = nullptr;
    QCOMPARE(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
    std::string sql;
    for (const char* const table : {"CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_KERNEL",
             "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET", "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
             "NVTX_EVENTS", "LANESCOPE_HOST_SPAN", "LANESCOPE_READ"}) {
        sql += std::string("UPDATE ") + table + " SET start = start + 1600000000000000000, "
            + "end = end + 1600000000000000000;";
    }
    sql += "UPDATE LANESCOPE_STEP SET start = start + 1600000000000000000;"
           "UPDATE CUPTI_ACTIVITY_KIND_CUDA_EVENT SET timestamp = timestamp + 1600000000000000000 WHERE timestamp > 0;"
           "UPDATE CUPTI_ACTIVITY_KIND_OVERHEAD SET start = start + 1600000000000000000, "
           "end = end + 1600000000000000000;"
           "UPDATE LANESCOPE_MARK SET time = time + 1600000000000000000;"
           "CREATE TEMP TABLE odd AS SELECT * FROM CUPTI_ACTIVITY_KIND_KERNEL LIMIT 1;"
           "UPDATE odd SET start = 0, end = 0; INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT * FROM odd;";
    char* error = nullptr;
    QVERIFY2(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &error) == SQLITE_OK, error);
    sqlite3_close(handle);
    const auto trace = open_recording(path);
    QCOMPARE(trace.operations.size(), whole.operations.size());
    QVERIFY(trace.duration <= whole.duration && trace.duration > whole.duration / 2);
    QCOMPARE(trace.meta.at(meta::skipped_rows), std::string("1"));
    QCOMPARE(trace.marks.size(), 1U);
    QCOMPARE(trace.marks[0].time + trace.origin, whole.marks[0].time + whole.origin + 1'600'000'000'000'000'000);
}

/// The duration of an operation that ends before it begins is unknown.
void tst_NsysImport::operationsTurnedRound()
{
    std::string sql = "CREATE TABLE StringIds (id, value); INSERT INTO StringIds VALUES (1, 'k');";
    for (const std::string table : {"KERNEL", "MEMCPY", "MEMSET", "GRAPH_TRACE"}) {
        sql += "CREATE TABLE CUPTI_ACTIVITY_KIND_" + table
            + " (start, \"end\", deviceId, contextId, streamId, correlationId, globalPid, shortName, bytes, copyKind);";
        for (const char* const times : {"100, 200", "400, 300", "500, 500"}) {
            sql += "INSERT INTO CUPTI_ACTIVITY_KIND_" + table + " VALUES (" + times
                + ", 0, 1, 7, 1, 281479288520704, 1, 8, 1);";
        }
    }
    const auto trace = open_recording(make("round.sqlite", sql));
    QCOMPARE(trace.operations.size(), std::size_t {8});
    QCOMPARE(trace.meta.at(meta::skipped_rows), std::string("4"));
}

/// A row need not name its thread either: it is kept and counted, and everything that reads recordings accepts it.
void tst_NsysImport::rowsWithoutAThread()
{
    const std::string thread = "281479288520717";
    const auto path = make("threadless.sqlite",
        "CREATE TABLE LANESCOPE_META (key, value); INSERT INTO LANESCOPE_META VALUES ('format_version', '1.0'), "
        "('source', 'cupti'), ('dropped', '0');"
        "CREATE TABLE StringIds (id, value); INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel'), (2, 'y');"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, \"end\", eventClass, globalTid, correlationId, nameId, "
        "returnValue);"
        "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (0, 5, 0, NULL, 1, 1, 0), (10, 50000, 0, NULL, 2, 1, 0), (10, "
        "50000, 1, "
            + thread
            + ", 3, 1, 0);"
              "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, \"end\", deviceId, contextId, streamId, correlationId, "
              "globalPid);"
              "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 40000, 0, 1, 7, 1, 281479288520704), (10, 40000, 0, "
              "1, 7, 3, 281479288520704), (10, 40000, 0, 1, 7, 2, NULL);"
              "CREATE TABLE NVTX_EVENTS (start, \"end\", eventType, text, globalTid);"
              "INSERT INTO NVTX_EVENTS VALUES (0, 50, 59, 'step', NULL), (5, NULL, 34, 'mark', NULL), (0, NULL, 75, "
              "'domain', NULL), (5, NULL, 59, 'open', NULL);"
              "CREATE TABLE LANESCOPE_READ (start, \"end\", globalTid, bufferId, bytes, wrongBytes, expectStale); "
              "INSERT INTO LANESCOPE_READ VALUES (60, 70, NULL, 2, 8, 4, 0);"
              "CREATE TABLE LANESCOPE_HOST_SPAN (start, \"end\", globalTid, nameId, type); INSERT INTO "
              "LANESCOPE_HOST_SPAN VALUES (60, 70, NULL, 2, 0), (70, 80, NULL, 2, 2);"
              "CREATE TABLE LANESCOPE_STEP (start, globalTid, step, instruction); INSERT INTO LANESCOPE_STEP VALUES "
              "(0, NULL, 0, 0);"
              "CREATE TABLE CUPTI_ACTIVITY_KIND_OVERHEAD (start, \"end\", globalTid, correlationId, overheadType); "
              "INSERT INTO CUPTI_ACTIVITY_KIND_OVERHEAD VALUES (10, 40, NULL, 2, 8);");
    const auto trace = open_recording(path);
    QCOMPARE(trace.calls.size(), std::size_t {3});
    QCOMPARE(trace.ranges.size(), std::size_t {3});
    QCOMPARE(trace.reads.size(), std::size_t {1});
    QCOMPARE(trace.meta.at(meta::threadless_rows), std::string("9"));
    const auto text = to_text(trace, make_report(trace, find_blocking(trace)));
    QVERIFY2(text.find("that name no thread, so that no lane shows them: 9") != std::string::npos, text.c_str());
    for (const char* name : {"again.sqlite", "again.json", "again.csv"}) {
        save_recording(trace, m_folder.filePath(name).toStdString());
    }
    QCOMPARE(QString::fromStdString(difference(trace, open_recording(m_folder.filePath("again.sqlite").toStdString()))),
        QString());
    const auto other = open_recording(path);
    const auto report = make_report(trace, find_blocking(trace));
    const auto other_report = make_report(other, find_blocking(other));
    QVERIFY(!comparison_to_text({trace, report, "a"}, {other, other_report, "b"}).empty());
    QVERIFY(!comparison_to_json({trace, report, "a"}, {other, other_report, "b"}).empty());
}

void tst_NsysImport::devicesOfTwoProcesses_data()
{
    QTest::addColumn<QString>("target");
    QTest::addColumn<bool>("two");
    const QString gpus
        = "CREATE TABLE TARGET_INFO_GPU (id, name, uuid, busLocation); INSERT INTO TARGET_INFO_GPU VALUES "
          "(0, 'A', 'aaaaaaaa-0000-0000-0000-000000000001', '0000:01:00.0'), (1, 'B', "
          "'aaaaaaaa-0000-0000-0000-000000000002', '0000:02:00.0');";
    const QString links = "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId, cudaId, pid, uuid); INSERT INTO "
                          "TARGET_INFO_CUDA_DEVICE VALUES ";
    QTest::newRow("a GPU each, by its UUID") << gpus + links + "(0, 0, 10, NULL), (1, 0, 11, NULL);" << true;
    QTest::newRow("a UUID of the process's own") << gpus + links
            + "(0, 0, 10, 'aaaaaaaa-0000-0000-0000-000000000008'), (0, 0, 11, 'aaaaaaaa-0000-0000-0000-000000000009');"
                                                 << true;
    QTest::newRow("one GPU for both, by its UUID") << gpus + links + "(1, 0, 10, NULL), (1, 0, 11, NULL);" << false;
    const auto bare = QString(gpus).replace(QRegularExpression("'aaaaaaaa[^']*'"), "NULL");
    QTest::newRow("a GPU each, by its address") << bare + links + "(0, 0, 10, NULL), (1, 0, 11, NULL);" << true;
    QTest::newRow("one GPU for both, by its address") << bare + links + "(0, 0, 10, NULL), (0, 0, 11, NULL);" << false;
    QTest::newRow("the only GPU there is") << "CREATE TABLE TARGET_INFO_GPU (id, name, uuid); INSERT INTO "
                                              "TARGET_INFO_GPU VALUES (0, 'A', 'aaaaaaaa-0000-0000-0000-000000000001');"
                                           << false;
    QTest::newRow("several GPUs, no word of whose") << gpus << true;
    QTest::newRow("no word at all") << QString() << true;
}

/// Two ranks that each call their GPU 0: two devices everywhere, unless the file says that they share one.
void tst_NsysImport::devicesOfTwoProcesses()
{
    QFETCH(QString, target);
    QFETCH(bool, two);
    const auto trace = open_recording(make("ranks.sqlite",
        two_kernels + target.toStdString() + kernel_row(0, 1000, 0, 10) + kernel_row(0, 1000, 0, 11)
            + kernel_row(2000, 3000, 0, 11)));
    const auto look = [&](const Trace& t) {
        const auto report = make_report(t, find_blocking(t));
        QCOMPARE(t.devices.size(), std::size_t {two ? 2U : 1U});
        QCOMPARE(report.gpus.size(), t.devices.size());
        QCOMPARE(report.gpus[0].device, 0U);
        QCOMPARE(report.gpus[0].busy, two ? 1000 : 2000);
        QCOMPARE(report.gpus[0].kernel_concurrency, two ? 0 : 1000);
        QCOMPARE(report.gpus[0].overlap, two ? 0 : 1000);
        QCOMPARE(report.overlap, 1000);
        if (two) {
            QCOMPARE(report.gpus[1].device, 1U);
            QCOMPARE(report.gpus[1].busy, 2000);
            QCOMPARE(report.gpus[1].streams.size(), std::size_t {1});
        }
    };
    look(trace);
    save_recording(trace, m_folder.filePath("ours.sqlite").toStdString());
    const auto ours = open_recording(m_folder.filePath("ours.sqlite").toStdString());
    look(ours);
    QCOMPARE(QString::fromStdString(difference(trace, ours)), QString());
}

QTEST_GUILESS_MAIN(tst_NsysImport)
#include "tst_nsys_import.moc"
