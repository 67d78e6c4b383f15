// SPDX-License-Identifier: MIT
// Traces of PyTorch's profiler and of other programs, against figures that were computed from the files in other ways.
#include "engine/analysis/caveats.h"
#include "engine/analysis/recording.h"
#include "engine/analysis/report.h"
#include "engine/store/chrome/chrome_event.h"
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "tests/engine/trace/trace_difference.h"

#include <algorithm>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <simdjson.h>
#include <zlib.h>

using namespace lanes;

namespace {

using Spans = std::vector<std::pair<Ns, Ns>>;

/// Where at least `depth` of the spans overlap, computed as plainly as possible.
Ns covered(const Spans& spans, int depth)
{
    Spans edges;  // time, +1 or -1
    for (const auto& [start, end] : spans) {
        edges.emplace_back(start, 1);
        edges.emplace_back(end, -1);
    }
    std::sort(edges.begin(), edges.end());
    Ns total = 0;
    Ns since = 0;
    int open = 0;
    for (const auto& [time, step] : edges) {
        total += open >= depth ? time - since : 0;
        open += static_cast<int>(step);
        since = time;
    }
    return total;
}

Spans spans_of(const Trace& trace, auto&& wanted)
{
    Spans spans;
    const auto& table = trace.operations;
    for (Row row = 0; row < table.size(); ++row) {
        if (wanted(trace.streams[table.stream[row]], table.kind[row])) {
            spans.emplace_back(table.start[row], table.end[row]);
        }
    }
    return spans;
}

/// Each stream is merged first: overlapping work of one stream is no overlap of streams.
Ns streams_together(const Trace& trace, std::uint32_t device)
{
    Spans merged;
    for (const auto& stream : trace.streams) {
        if (stream.device != device) {
            continue;
        }
        auto spans = spans_of(trace, [&](const Stream& s, OperationKind) { return &s == &stream; });
        std::sort(spans.begin(), spans.end());
        Ns reached = std::numeric_limits<Ns>::min();
        for (const auto& [start, end] : spans) {
            if (start > reached) {
                merged.emplace_back(start, end);
            } else {
                merged.back().second = std::max(merged.back().second, end);
            }
            reached = std::max(reached, end);
        }
    }
    return covered(merged, 2);
}

std::string message_of(const std::string& path)
{
    try {
        open_recording(path);
    } catch (const StoreError& error) {
        return error.what();
    }
    return {};
}

}  // namespace

class tst_ChromeImport : public QObject {
    Q_OBJECT

private slots:
    void realTraces_data();
    void realTraces();
    void savedAsOurs_data() { realTraces_data(); }
    void savedAsOurs();
    void cutShortAnywhere_data() { realTraces_data(); }
    void cutShortAnywhere();
    void microseconds_data();
    void microseconds();
    void events_data();
    void events();
    void longFiles_data();
    void longFiles();
    void beginning();
    void whatIsJoined();
    void lanesOfAsynchronous();
    void notices_data();
    void notices();
    void nameOfAFile_data();
    void nameOfAFile();
    void noGpu();
    void xlaProfile();
    void refused_data();
    void refused();
    void ourOwnExport();

private:
    std::string write(const QByteArray& text, const char* name = "trace.json");
    QTemporaryDir m_folder;
};

std::string tst_ChromeImport::write(const QByteArray& text, const char* name)
{
    QFile file(m_folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) {
        qWarning("cannot write");
    }
    return file.fileName().toStdString();
}

void tst_ChromeImport::realTraces_data()
{
    QTest::addColumn<QString>("file");
    // Ours, of PyTorch 2.11 on an H200, is always here; those of other tools may not be.
    const QString source = qEnvironmentVariable("LANES_SOURCE");
    for (const QString& part :
        {source + "/tests/engine/store/traces", source + "/../shared/data/kineto", source + "/../shared/data/chrome"}) {
        const QDir folder(part);
        for (const auto& name : folder.entryList(QDir::Files)) {
            if (!name.endsWith(QLatin1String(".truth.json"))) {
                QTest::newRow(qPrintable(name)) << folder.filePath(name);
            }
        }
    }
}

void tst_ChromeImport::realTraces()
{
    QFETCH(QString, file);
    simdjson::dom::parser parser;
    const auto truth = parser.load((file + ".truth.json").toStdString());
    const auto trace = open_recording(file.toStdString());

    QCOMPARE(trace.source, file.contains("/chrome/") ? Source::chrome : Source::kineto);
    QCOMPARE(static_cast<std::int64_t>(trace.operations.size()), std::int64_t(truth["gpu_event_count"]));
    QCOMPARE(static_cast<std::int64_t>(trace.streams.size()), std::int64_t(truth["gpu_stream_count"]));
    for (simdjson::dom::object stream : simdjson::dom::array(truth["streams"])) {
        const QString name = QString::fromStdString(std::string(std::string_view(stream["stream"])));
        const auto device = name.section('/', 0, 0).toUInt();
        const auto id = name.section('/', 1, 1).section(' ', -1).toUInt();  // "stream 7" in 2021
        const auto spans
            = spans_of(trace, [&](const Stream& s, OperationKind) { return s.device == device && s.id == id; });
        QCOMPARE(covered(spans, 1), std::int64_t(stream["busy_ns"]));
    }
    for (simdjson::dom::object device : simdjson::dom::array(truth["devices"])) {
        const auto id = static_cast<std::uint32_t>(std::stoul(std::string(std::string_view(device["device"]))));
        const auto of = [&](auto&& kind) {
            return covered(
                spans_of(trace, [&](const Stream& s, OperationKind k) { return s.device == id && kind(k); }), 1);
        };
        QCOMPARE(of([](OperationKind) { return true; }), std::int64_t(device["busy_ns"]));
        QCOMPARE(
            of([](OperationKind k) { return k == OperationKind::kernel; }), std::int64_t(device["kernel_busy_ns"]));
        QCOMPARE(of([](OperationKind k) { return is_copy(k); }), std::int64_t(device["memcpy_busy_ns"]));
        QCOMPARE(
            of([](OperationKind k) { return k == OperationKind::memset; }), std::int64_t(device["memset_busy_ns"]));
        QCOMPARE(streams_together(trace, id), std::int64_t(device["overlap_ns"]));
    }
    std::int64_t joined = 0;
    for (const auto call : trace.operations.call) {
        joined += call != no_row ? 1 : 0;
    }
    QCOMPARE(joined, std::int64_t(truth["correlation"]["matched_to_runtime"]));
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> names;
    for (Row row = 0; row < trace.calls.size(); ++row) {
        auto& [count, sum] = names[std::string(trace.text(trace.calls.name[row]))];
        ++count;
        sum += trace.calls.end[row] - trace.calls.start[row];
    }
    simdjson::dom::object calls;
    if (truth["blocking"]["api_names_top"].get(calls) == simdjson::SUCCESS) {
        for (const auto [name, figures] : calls) {
            const auto& [count, sum] = names[std::string(name)];
            QCOMPARE(count, std::int64_t(figures["count"]));
            QCOMPARE(sum, std::int64_t(figures["sum_ns"]));
        }
    }
}

void tst_ChromeImport::savedAsOurs()
{
    QFETCH(QString, file);
    auto trace = open_recording(file.toStdString());
    trace.meta.erase(meta::not_shown);  // said once, when the file itself is opened
    const auto ours = m_folder.filePath("ours.sqlite").toStdString();
    save_recording(trace, ours);
    QCOMPARE(QString::fromStdString(difference(trace, open_recording(ours))), QString());
}

void tst_ChromeImport::cutShortAnywhere()
{
    QFETCH(QString, file);
    QFile whole(file);
    if (!whole.open(QIODevice::ReadOnly)) {
        QSKIP("no real traces here");
    }
    const auto bytes = whole.readAll();
    for (int part = 1; part < 4; ++part) {
        const auto path = write(bytes.left(bytes.size() * part / 4), "cut");
        const auto message = message_of(path);  // opens, or says in one line why not; never anything else
        QVERIFY2(message.find('\n') == std::string::npos, message.c_str());
    }
}

void tst_ChromeImport::microseconds_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("is");
    QTest::addColumn<qint64>("ns");
    QTest::newRow("whole") << QByteArray("12") << true << qint64 {12000};
    QTest::newRow("since 1970") << QByteArray("1712867402348256.789") << true << qint64 {1712867402348256789};
    QTest::newRow("one decimal") << QByteArray("1.1") << true << qint64 {1100};
    QTest::newRow("more decimals") << QByteArray("1.0005") << true << qint64 {1001};
    QTest::newRow("rounded down") << QByteArray("1.00049") << true << qint64 {1000};
    QTest::newRow("negative") << QByteArray("-2.5") << true << qint64 {-2500};
    QTest::newRow("exponent") << QByteArray("1.5e3") << true << qint64 {1500000};
    QTest::newRow("beyond") << QByteArray("9223372036854775807") << false << qint64 {0};
    QTest::newRow("beyond at the last digit") << QByteArray("2305843009213693951") << false << qint64 {0};
    QTest::newRow("beyond, exponent") << QByteArray("1e300") << false << qint64 {0};
    QTest::newRow("word") << QByteArray("soon") << false << qint64 {0};
    QTest::newRow("nothing") << QByteArray("") << false << qint64 {0};
    QTest::newRow("point") << QByteArray(".") << false << qint64 {0};
}

void tst_ChromeImport::microseconds()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, is);
    QFETCH(qint64, ns);
    const auto time = ns_of_microseconds(text.toStdString());
    QCOMPARE(time.has_value(), is);
    QCOMPARE(time.value_or(0), ns);
}

void tst_ChromeImport::events_data()
{
    QTest::addColumn<QByteArray>("events");
    QTest::addColumn<QString>("ranges");  // name start+duration@depth
    QTest::newRow("complete, nested") << QByteArray(
        R"({"ph":"X","name":"out","pid":1,"tid":2,"ts":5,"dur":10},{"ph":"X","name":"in","pid":1,"tid":2,"ts":6,"dur":2})")
                                      << "out 5000+10000@0 in 6000+2000@1";
    QTest::newRow("numbers in quotes") << QByteArray(
        R"({"ph":"X","name":"a","pid":"1","tid":"2","ts":"5.5","dur":"1"})")
                                       << "a 5500+1000@0";
    QTest::newRow("begin and end") << QByteArray(
        R"({"ph":"B","name":"a","pid":1,"tid":2,"ts":1},{"ph":"B","name":"b","pid":1,"tid":2,"ts":2},{"ph":"E","pid":1,"tid":2,"ts":3},{"ph":"E","pid":1,"tid":2,"ts":4})")
                                   << "a 1000+3000@0 b 2000+1000@1";
    QTest::newRow("never ended") << QByteArray(
        R"({"ph":"B","name":"a","pid":1,"tid":2,"ts":1},{"ph":"X","name":"b","pid":1,"tid":3,"ts":2,"dur":7})")
                                 << "a 1000+8000@0 b 2000+7000@0";
    QTest::newRow("asynchronous") << QByteArray(
        R"({"ph":"b","cat":"c","id":"0x1","name":"a","pid":1,"tid":2,"ts":1},{"ph":"b","cat":"c","id":"0x2","name":"a","pid":1,"tid":2,"ts":2},{"ph":"e","cat":"c","id":"0x1","name":"a","pid":1,"tid":2,"ts":5},{"ph":"e","cat":"c","id":"0x2","name":"a","pid":1,"tid":2,"ts":9})")
                                  << "a 1000+4000@0 a 2000+7000@0";  // a lane each
    QTest::newRow("asynchronous, in one another") << QByteArray(
        R"({"ph":"b","cat":"c","id2":{"local":"0x1"},"name":"a","pid":1,"tid":2,"ts":1},{"ph":"b","cat":"c","id2":{"local":"0x1"},"name":"b","pid":1,"tid":3,"ts":2},{"ph":"n","cat":"c","id2":{"local":"0x1"},"name":"n","pid":1,"tid":3,"ts":3},{"ph":"e","cat":"c","id2":{"local":"0x1"},"name":"b","pid":1,"tid":2,"ts":5},{"ph":"e","cat":"c","id2":{"local":"0x1"},"name":"a","pid":1,"tid":2,"ts":9})")
                                                  << "a 1000+8000@0 b 2000+3000@1 n 3000+0@2";
    QTest::newRow("asynchronous, ids of two processes") << QByteArray(
        R"({"ph":"b","cat":"c","id2":{"local":"0x1"},"name":"a","pid":1,"tid":2,"ts":1},{"ph":"b","cat":"c","id2":{"local":"0x1"},"name":"a","pid":7,"tid":3,"ts":2},{"ph":"e","cat":"c","id2":{"local":"0x1"},"name":"a","pid":1,"tid":2,"ts":5},{"ph":"e","cat":"c","id2":{"local":"0x1"},"name":"a","pid":7,"tid":2,"ts":9})")
                                                        << "a 1000+4000@0 a 2000+7000@0";
    QTest::newRow("asynchronous, ids of two scopes") << QByteArray(
        R"({"ph":"b","cat":"c","id":"0x1","scope":"x","name":"a","pid":1,"tid":2,"ts":1},{"ph":"b","cat":"c","id":"0x1","scope":"y","name":"a","pid":1,"tid":2,"ts":2},{"ph":"e","cat":"c","id":"0x1","scope":"x","name":"a","pid":1,"tid":2,"ts":5},{"ph":"e","cat":"c","id":"0x1","scope":"y","name":"a","pid":1,"tid":2,"ts":9})")
                                                     << "a 1000+4000@0 a 2000+7000@0";
    QTest::newRow("asynchronous, ends without a name") << QByteArray(
        R"({"ph":"b","cat":"c","id":"0x1","name":"a","pid":1,"tid":2,"ts":1},{"ph":"b","cat":"c","id":"0x1","name":"b","pid":1,"tid":2,"ts":2},{"ph":"e","cat":"c","id":"0x1","pid":1,"tid":2,"ts":5},{"ph":"e","cat":"c","id":"0x1","pid":1,"tid":2,"ts":9})")
                                                       << "a 1000+8000@0 b 2000+3000@1";
    QTest::newRow("asynchronous, a name ends first") << QByteArray(
        R"({"ph":"b","cat":"c","id":"0x1","name":"a","pid":1,"tid":2,"ts":1},{"ph":"b","cat":"c","id":"0x1","name":"b","pid":1,"tid":2,"ts":2},{"ph":"e","cat":"c","id":"0x1","name":"b","pid":1,"tid":2,"ts":4},{"ph":"e","cat":"c","id":"0x1","pid":1,"tid":2,"ts":9})")
                                                     << "a 1000+8000@0 b 2000+2000@1";
    QTest::newRow("instant") << QByteArray(R"({"ph":"i","name":"a","pid":1,"tid":2,"ts":1,"s":"t"})") << "a 1000+0@0";
    QTest::newRow("instant of a thread that is a text") << QByteArray(
        R"({"ph":"i","name":"a","pid":"main","tid":"worker","ts":1},{"ph":"i","name":"b","pid":"main","tid":"","ts":2},{"ph":"i","name":"c","pid":"Traces","tid":"Trace PyTorch Profiler","ts":3})")
                                                        << "a 1000+0@0";
    QTest::newRow("comma too many, bytes that are no text") << QByteArray(
        "{\"ph\":\"X\",\"name\":\"\xFF\x01,}\",\"pid\":1,\"tid\":2,\"ts\":1,\"dur\":1,\"args\":{\"a\":[1,],},},")
                                                            << QStringLiteral("\uFFFD ,} 1000+1000@0");
    QTest::newRow("escapes") << QByteArray(R"({"ph":"X","name":"a\"]}\\","pid":1,"tid":2,"ts":1,"dur":1})")
                             << "a\"]}\\ 1000+1000@0";
}

void tst_ChromeImport::events()
{
    QFETCH(QByteArray, events);
    QFETCH(QString, ranges);
    for (const QByteArray& text :
        {"[" + events, "[" + events + "]", "{\"a\":{\"b\":[]},\"traceEvents\":[\n" + events + "\n]}"}) {
        const auto trace = open_recording(write(text));
        QStringList found;
        for (const auto& range : trace.ranges) {
            const auto origin = trace.origin;
            found << QStringLiteral("%1 %2+%3@%4")
                         .arg(QString::fromStdString(std::string(trace.text(range.name))))
                         .arg(range.start + origin)
                         .arg(range.end - range.start)
                         .arg(range.depth);
        }
        QCOMPARE(found.join(' '), ranges);
        QCOMPARE(trace.source, Source::chrome);
        QVERIFY(!trace.meta.contains(meta::complete));
    }
}

/// Longer than what is read at once, so that files are cut in every place: what is near these cuts must make no
/// difference.
void tst_ChromeImport::longFiles_data()
{
    QTest::addColumn<QByteArray>("arguments");  // of each event
    QTest::addColumn<QByteArray>("odd");  // one event in the middle
    QTest::addColumn<int>("ranges");  // beside the others
    QTest::newRow("plain") << QByteArray(R"({"a":1})") << QByteArray() << 0;
    QTest::newRow("gaps within texts") << QByteArray(R"({"a":"}, {\"}, {\""})") << QByteArray() << 0;
    QTest::newRow("gaps within arrays") << QByteArray(R"({"a":[{"b":1}, {"b":[{}, {}]}, {"b":3}]})") << QByteArray()
                                        << 0;
    QTest::newRow("comma too many") << QByteArray(R"({"a":1})") << QByteArray(",") << 0;
    QTest::newRow("damaged") << QByteArray(R"({"a":1})") << QByteArray(R"({"ph":"X" 1},)") << 0;
    QTest::newRow("no text") << QByteArray(R"({"a":1})")
                             << QByteArray("{\"ph\":\"X\",\"name\":\"\xFF\",\"pid\":1,\"tid\":1,\"ts\":1},") << 1;
    QTest::newRow("one that is longer") << QByteArray(R"({"a":1})")
                                        << R"({"ph":"X","name":"x","pid":1,"tid":1,"ts":1,"args":{"a":")"
            + QByteArray(5'000'000, 'y') + "\"}},"
                                        << 1;
}

void tst_ChromeImport::longFiles()
{
    QFETCH(QByteArray, arguments);
    QFETCH(QByteArray, odd);
    QFETCH(int, ranges);
    constexpr int count = 40'000;
    QByteArray events;
    for (int i = 0; i < count; ++i) {
        events += "{\"ph\":\"X\",\"name\":\"n" + QByteArray::number(i % 1000)
            + "\",\"pid\":1,\"tid\":2,\"ts\":" + QByteArray::number(i) + ",\"dur\":0.5,\"args\":" + arguments + "},\n";
        if (i == count / 2) {
            events += odd;
        }
    }
    events.chop(2);
    const auto check = [&](const Trace& trace) {
        int found = 0;
        for (const auto& range : trace.ranges) {
            if (const auto thread = trace.threads[range.thread]; thread.id == 2) {
                const int number = static_cast<int>((range.start + trace.origin) / 1000);
                QCOMPARE(QString::fromStdString(std::string(trace.text(range.name))),
                    QStringLiteral("n%1").arg(number % 1000));
                ++found;
            }
        }
        QCOMPARE(found, count);
        QCOMPARE(static_cast<int>(trace.ranges.size()), count + ranges);
    };
    // After the events another array in which gaps are to be found.
    for (const QByteArray& text :
        {"[" + events, "{\"x\":{},\"traceEvents\": [" + events + R"(], "y": [{}, {}, {}]})"}) {
        const auto path = write(text);
        const auto trace = open_recording(path);
        check(trace);
        QVERIFY(!trace.meta.contains(meta::complete));
    }
    // A member that is not an event costs only itself.
    const auto trace = open_recording(write("[\n" + events + ",\n 5]"));
    check(trace);
    QVERIFY(trace.meta.at(meta::not_shown).find("damaged") != std::string::npos);
}

/// The beginning of a large file, while the rest is read.
void tst_ChromeImport::beginning()
{
    QByteArray events = "[";
    for (int i = 0; events.size() < 25'000'000; ++i) {
        events += "{\"ph\":\"X\",\"name\":\"n\",\"pid\":1,\"tid\":2,\"ts\":" + QByteArray::number(i)
            + ",\"dur\":0.5,\"args\":{\"a\":\"" + QByteArray(10'000, 'x') + "\"}},\n";
    }
    const auto beginning = open_beginning(write(events));
    QVERIFY(beginning && beginning->ranges.size() > 1000 && beginning->ranges.size() < 2000);
    QVERIFY(!beginning->meta.contains(meta::complete));
    QVERIFY(!open_beginning(write("[]")));
}

/// The fields that make operations, calls and waits, in the forms of 2021 and of today.
void tst_ChromeImport::whatIsJoined()
{
    const QByteArray today = R"json({"schemaVersion":1,"distributedInfo":{"backend":"nccl","rank":3,"world_size":8},
      "deviceProperties":[{"id":1,"name":"NVIDIA H100","numSms":132,"totalGlobalMem":85000000000,"computeMajor":9,"computeMinor":0},{"id":0,"name":"unused"}],
      "traceEvents":[
      {"ph":"X","cat":"cuda_runtime","name":"cudaMemcpyAsync_v3020","pid":70,"tid":71,"ts":10,"dur":2,"args":{"correlation":5}},
      {"ph":"X","cat":"gpu_memcpy","name":"Memcpy DtoH (Device -> Pinned)","pid":1,"tid":13,"ts":20.5,"dur":4,"args":{"device":1,"context":1,"stream":13,"correlation":5,"bytes":4096}},
      {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":70,"tid":71,"ts":13,"dur":2,"args":{"correlation":6}},
      {"ph":"X","cat":"kernel","name":"void f<int>(int)","pid":1,"tid":7,"ts":21,"dur":9,"args":{"device":1,"context":1,"stream":7,"correlation":6,"grid":[4,3,2],"block":[128,1,1],"registers per thread":32,"shared memory":1024}},
      {"ph":"X","cat":"cuda_runtime","name":"cudaEventRecord","pid":70,"tid":71,"ts":16,"dur":1,"args":{"correlation":8}},
      {"ph":"X","cat":"cuda_runtime","name":"cudaEventSynchronize","pid":70,"tid":71,"ts":18,"dur":13,"args":{"correlation":9}},
      {"ph":"X","cat":"cuda_sync","name":"Event Sync","pid":1,"tid":-1,"ts":18,"dur":13,"args":{"cuda_sync_kind":"Event Sync","wait_on_stream":7,"wait_on_cuda_event_record_corr_id":8,"wait_on_cuda_event_id":2,"stream":-1,"correlation":9,"device":1,"context":1}},
      {"ph":"M","name":"process_name","pid":70,"tid":0,"args":{"name":"python3"}},
      {"ph":"M","name":"thread_name","pid":70,"tid":71,"args":{"name":"main"}}
      ],"traceName":"x","baseTimeNanoseconds":1700000000000000000
})json";
    const auto trace = open_recording(write(today));
    QCOMPARE(trace.source, Source::kineto);
    QCOMPARE(trace.origin, Ns {1700000000000010000});
    QCOMPARE(trace.devices.size(), std::size_t {1});
    QCOMPARE(trace.text(trace.devices[0].name), "NVIDIA H100");
    QCOMPARE(trace.devices[0].multiprocessors, 132U);
    QCOMPARE(trace.text(trace.processes.at(0).name), "python3, rank 3");
    QCOMPARE(trace.text(trace.threads.at(0).name), "main");
    QCOMPARE(trace.operations.size(), std::size_t {2});
    QCOMPARE(trace.kernels.at(0).grid, (std::array<std::uint32_t, 3> {4, 3, 2}));
    QCOMPARE(trace.kernels.at(0).registers, 32U);
    QCOMPARE(trace.copies.at(0).bytes, std::uint64_t {4096});
    QCOMPARE(trace.copies.at(0).target, MemoryKind::pinned);
    QVERIFY(trace.copies.at(0).async);
    for (const auto call : trace.operations.call) {
        QVERIFY(call != no_row);
    }
    QCOMPARE(trace.text(trace.calls.name[0]), "cudaMemcpyAsync");
    QCOMPARE(trace.syncs.size(), std::size_t {1});
    QCOMPARE(trace.syncs[0].type, SyncRecord::event);
    QCOMPARE(trace.events.size(), std::size_t {1});
    QCOMPARE(trace.events[0].event_sync, trace.syncs[0].event_sync);
    QCOMPARE(trace.streams[trace.events[0].stream].id, 7U);

    QByteArray before = today;
    before.replace("\"cuda_runtime\"", "\"Runtime\"")
        .replace("\"gpu_memcpy\"", "\"Memcpy\"")
        .replace("\"kernel\"", "\"Kernel\"");
    before.replace("\"tid\":13", "\"tid\":\"stream 13\"");
    QCOMPARE(QString::fromStdString(difference(trace, open_recording(write(before)))), QString());
}

/// Asynchronous spans have lanes of their own, by category, after the threads; overlapping ones are on two.
void tst_ChromeImport::lanesOfAsynchronous()
{
    const auto trace = open_recording(write(R"([{"ph":"X","name":"x","pid":1,"tid":2,"ts":0,"dur":20},
        {"ph":"b","cat":"net","id":1,"name":"get","pid":1,"tid":2,"ts":1},{"ph":"b","cat":"net","id":2,"name":"get","pid":1,"tid":2,"ts":2},
        {"ph":"e","cat":"net","id":1,"name":"get","pid":1,"tid":2,"ts":5},{"ph":"e","cat":"net","id":2,"name":"get","pid":1,"tid":2,"ts":9},
        {"ph":"b","cat":"net","id":1,"name":"get","pid":1,"tid":9,"ts":10},{"ph":"e","cat":"net","id":1,"name":"get","pid":1,"tid":2,"ts":12},
        {"ph":"b","cat":"","id":1,"name":"open","pid":1,"tid":2,"ts":15}])"));
    QStringList found;
    for (const auto& range : trace.ranges) {
        const auto& thread = trace.threads.at(range.thread);
        found << QString::fromStdString(std::string(trace.text(thread.name)) + ":" + std::to_string(range.start))
                + (range.open ? "…" : "");
    }
    QCOMPARE(found.join(' '), QString(":0 net:1000 net (2):2000 net:10000 asynchronous:15000…"));
    QCOMPARE(trace.threads.front().id, 2U);
    QCOMPARE(trace.threads.size(), std::size_t {4});
}

void tst_ChromeImport::notices_data()
{
    QTest::addColumn<QByteArray>("events");
    QTest::addColumn<QString>("notice");
    const QByteArray range = R"({"ph":"X","name":"a","pid":1,"tid":2,"ts":1,"dur":1})";
    QTest::newRow("all is shown") << range << QString();
    QTest::newRow("counter and flow") << range
            + R"(,{"ph":"C","name":"c","pid":1,"tid":2,"ts":1,"args":{"v":1}},{"ph":"s","id":1,"cat":"fwdbwd","name":"x","pid":1,"tid":2,"ts":1})"
                                      << "Not shown of this file: flows (1)";
    QTest::newRow("counter without a number")
        << range + R"(,{"ph":"C","name":"c","pid":1,"tid":2,"ts":1,"args":{"v":"?"}})"
        << "Not shown of this file: values of counters (1)";
    QTest::newRow("end alone") << range + R"(,{"ph":"E","name":"c","pid":1,"tid":2,"ts":1})"
                               << "Not shown of this file: ends without a start (1)";
    QTest::newRow("damaged")
        << range + R"(,{"ph" "X"})"
        << "Not shown of this file: damaged events (1)The first damage: byte 54, line 1, column 55: "
           "expected an event in sound JSON, found '{\"ph\" \"X\"}]'";
}

void tst_ChromeImport::notices()
{
    QFETCH(QByteArray, events);
    QFETCH(QString, notice);
    const auto trace = open_recording(write("[" + events + "]"));
    QString said;
    for (const auto& caveat : caveats_of(trace)) {
        said += QString::fromStdString(caveat);
    }
    QCOMPARE(said, notice);
}

void tst_ChromeImport::nameOfAFile_data()
{
    QTest::addColumn<QString>("name");
    for (const auto& [path, name] : {std::pair {"/tmp/run.sqlite", "run"}, {"run.v2.sqlite", "run.v2"},
             {"a/hta_nccl_a100.json.gz", "hta_nccl_a100"}, {"w0.pt.trace.json.gz", "w0"}, {"w0.pt.trace.json", "w0"},
             {"simple_gz.gz", "simple_gz"}, {"trace", "trace"}, {"/d.x/trace", "trace"}, {".json", ".json"}}) {
        QTest::newRow(path) << QString(name);
    }
}

void tst_ChromeImport::nameOfAFile()
{
    QFETCH(QString, name);
    QCOMPARE(QString::fromStdString(recording_name(QTest::currentDataTag())), name);
}

/// A trace without a GPU is described by its ranges, without any figure of a GPU.
void tst_ChromeImport::noGpu()
{
    const auto recording
        = reported(open_recording(write(R"([{"ph":"X","name":"a","pid":1,"tid":2,"ts":5,"dur":20}])")));
    QCOMPARE(recording.report->wall, 20000);
    const auto text = QString::fromStdString(to_text(*recording.trace, *recording.report));
    QVERIFY2(text.startsWith("A Chrome trace\nGPU work was not recorded\n\nWall time  20.0 µs  100 %\n\nRanges\n"),
        qPrintable(text));
    QVERIFY2(!text.contains("0 ms") && !text.contains("GPU busy"), qPrintable(text));
}

/// JAX and TensorFlow: streams are threads of a process for the GPU, and nothing has a category.
void tst_ChromeImport::xlaProfile()
{
    const auto recording = reported(open_recording(write(R"json({"displayTimeUnit":"ns","traceEvents":[
        {"ph":"M","pid":2,"name":"process_name","args":{"name":"/device:GPU:1"}},
        {"ph":"M","pid":2,"tid":14,"name":"thread_name","args":{"name":"Stream #14(Compute,MemcpyH2D)"}},
        {"ph":"M","pid":2,"tid":3,"name":"thread_name","args":{"name":"XLA Ops"}},
        {"ph":"M","pid":701,"name":"process_name","args":{"name":"/host:CPU"}},
        {"ph":"X","pid":2,"tid":14,"ts":10,"dur":5,"name":"MemcpyH2D",
         "args":{"memcpy_details":"kind_src:pinned kind_dst:device size:16384 dest:0 async:1"}},
        {"ph":"X","pid":2,"tid":14,"ts":20.5,"dur":20,"name":"loop_fusion","args":{"hlo_op":"fusion.1"}},
        {"ph":"X","pid":2,"tid":3,"ts":20.5,"dur":20,"name":"fusion.1"},
        {"ph":"X","pid":701,"tid":9,"ts":1,"dur":50,"name":"PjitFunction(f)"},{}]})json")));
    const Trace& trace = *recording.trace;
    QCOMPARE(trace.source, Source::chrome);
    QCOMPARE(trace.operations.size(), 2U);
    QCOMPARE(trace.ranges.size(), 2U);
    QCOMPARE(trace.streams.size(), 1U);
    QCOMPARE(trace.streams[0].id, 14U);
    QCOMPARE(trace.streams[0].device, 1U);
    QCOMPARE(trace.operations.kind[0], OperationKind::h2d);
    QCOMPARE(trace.bytes_of(0), 16384U);
    QCOMPARE(trace.operations.kind[1], OperationKind::kernel);
    QCOMPARE(trace.text(trace.operations.name[1]), std::string_view("loop_fusion"));
    QCOMPARE(recording.report->gpu_busy, 25'000);
    QVERIFY(!trace.meta.contains(meta::skipped_rows));  // {} is not an event
}

void tst_ChromeImport::refused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("another file")
        << QByteArray(R"({"cells": [], "nbformat": 4})")
        << "no trace: it has no \"traceEvents\", found \"cells\", \"nbformat\"; it seems to be a "
           "notebook of Jupyter";
    QTest::newRow("no array") << QByteArray("{\"traceEvents\":\n {\"traceEvents\":[]}}")
                              << "line 2, column 2: \"traceEvents\" is no array: expected [, found '{'";
    QTest::newRow("nothing") << QByteArray(R"({"traceEvents": null})") << "\"traceEvents\" is no array";
    QTest::newRow("objects without ph") << QByteArray(R"([{"id": 1, "a\"b": [{"name": 1}]}, {"other": 2}])")
                                        << "expected events with \"ph\", found \"id\", \"a\\\"b\"";
    QTest::newRow("one without ph, as an object") << QByteArray(R"({"traceEvents": [{"name": "x", "ts": 1}]})")
                                                  << "expected events with \"ph\", found \"name\", \"ts\"";
    QTest::newRow("damaged alone")
        << QByteArray(R"([{"ph" "X"}, {"ph": "X" 1}])")
        << "no event in it can be read; damaged are 2, the first at byte 1, line 1, column 2: "
           "expected an event in sound JSON, found '{\"ph\" \"X\"}, {";
    QTest::newRow("one that does not end") << QByteArray("[\n {\"ph\":\"X\",\"name\":\"a}]")
                                           << "damaged are 1, the first at byte 3, line 2, column 2: expected an event "
                                              "with its closing }, found '{\"ph\":\"X\"";
    QTest::newRow("no event") << QByteArray("[\n  1, 2]") << "line 2, column 3: expected an event in { }, found '1'";
    QTest::newRow("no key") << QByteArray("{\n[]}") << "line 2, column 1: expected a key in quotes, found '['";
    QTest::newRow("lines in a key") << QByteArray("{\"a\nb\" []}")
                                    << "line 2, column 4: expected : after the key \"a b\"";
    QTest::newRow("no colon") << QByteArray("{\"traceEvents\" []}") << "line 1, column 16: expected : after the key";
}

void tst_ChromeImport::refused()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, says);
    const auto message = message_of(write(text));
    QVERIFY2(QString::fromStdString(message).contains(says), message.c_str());
    QVERIFY(message.find('\n') == std::string::npos);
}

/// What Lanescope writes for other viewers it can read again.
void tst_ChromeImport::ourOwnExport()
{
    const auto name = qEnvironmentVariable("LANES_SOURCE") + "/resources/recordings/h200/two-streams.two-small.sqlite";
    const auto trace = open_recording(name.toStdString());
    const auto path = m_folder.filePath("out.json.gz").toStdString();
    save_recording(trace, path);
    const auto again = open_recording(path);
    // Time 0 is the first event there and the start of the measured part here.
    const auto at = [](std::vector<Ns> times, Ns origin) {
        for (auto& time : times) {
            time += origin;
        }
        return times;
    };
    QCOMPARE(at(again.operations.start, again.origin), at(trace.operations.start, trace.origin));
    QCOMPARE(at(again.operations.end, again.origin), at(trace.operations.end, trace.origin));
    QCOMPARE(at(again.calls.start, again.origin), at(trace.calls.start, trace.origin));
    QCOMPARE(again.ranges.size(), trace.ranges.size());
    QCOMPARE(again.kernels.size(), trace.kernels.size());
}

QTEST_GUILESS_MAIN(tst_ChromeImport)
#include "tst_chrome_import.moc"
