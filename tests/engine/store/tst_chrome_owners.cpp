// SPDX-License-Identifier: MIT
// What belongs to which process, thread and device in JSON traces: ranks that a tool put into one file, ids of 64 bits
// and ids that are texts, devices and copies as profilers other than PyTorch's for CUDA write them.
#include "engine/analysis/recording.h"
#include "engine/store/recording_file.h"
#include "engine/trace/names/device_rows.h"
#include "engine/trace/ranks.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <map>
#include <set>
#include <string>

using namespace lanes;

namespace {

QByteArray quoted(const QByteArray& id)
{
    bool is_number = false;
    id.toLongLong(&is_number);
    return is_number ? id : '"' + id + '"';
}

QByteArray call(const QByteArray& pid, double ts, const QByteArray& correlation, const char* category = "cuda_runtime",
    const char* name = "cudaLaunchKernel")
{
    return QByteArray(R"({"ph":"X","cat":")") + category + R"(","name":")" + name + R"(","pid":)" + quoted(pid)
        + R"(,"tid":5,"ts":)" + QByteArray::number(ts, 'f', 3) + R"(,"dur":5,"args":{"correlation":)" + correlation
        + "}}";
}

QByteArray kernel(const QByteArray& pid, int device, const QByteArray& stream, double ts, double dur,
    const QByteArray& correlation, const char* name = "k")
{
    return QByteArray(R"({"ph":"X","cat":"kernel","name":")") + name + R"(","pid":)" + quoted(pid) + R"(,"tid":7,"ts":)"
        + QByteArray::number(ts, 'f', 3) + R"(,"dur":)" + QByteArray::number(dur) + R"(,"args":{"device":)"
        + QByteArray::number(device) + R"(,"stream":)" + stream + R"(,"correlation":)" + correlation + "}}";
}

QByteArray all(const QByteArrayList& events)
{
    return R"({"schemaVersion":1,"traceEvents":[)" + events.join(",\n") + "]}";
}

std::string name_of_process(const Trace& trace, std::uint32_t id)
{
    for (const auto& process : trace.processes) {
        if (process.id == id) {
            return process.name == 0 ? std::to_string(id) : std::string(trace.text(process.name));
        }
    }
    return "none";
}

}  // namespace

class tst_ChromeOwners : public QObject {
    Q_OBJECT

private slots:
    void mergedRanks_data();
    void mergedRanks();
    void oneRankOfSeveralGpus();
    void pidsThatAreTexts();
    void correlations_data();
    void correlations();
    void streams_data();
    void streams();
    void copies_data();
    void copies();
    void callsOfOtherRuntimes();
    void producers_data();
    void producers();
    void rowsOfADevice();
    void tpu();
    void filesOfReports_data();
    void filesOfReports();

private:
    Trace open(const QByteArray& text)
    {
        QFile file(m_folder.filePath("trace.json"));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) {
            qWarning("cannot write");
        }
        file.close();
        return open_recording(file.fileName().toStdString());
    }
    QTemporaryDir m_folder;
};

void tst_ChromeOwners::mergedRanks_data()
{
    QTest::addColumn<QByteArrayList>("calls");
    QTest::addColumn<QByteArrayList>("operations");
    QTest::addColumn<QList<int>>("devices");
    QTest::addColumn<QByteArrayList>("names");
    QTest::addColumn<QList<int>>("ranks");
    QTest::addColumn<bool>("by_time");
    const auto row = [](const char* name, const QByteArrayList& calls, const QByteArrayList& operations,
                         const QList<int>& devices, const QByteArrayList& names, const QList<int>& ranks = {0, 1}) {
        QTest::newRow(name) << calls << operations << devices << names << ranks << false;
        QTest::newRow((QByteArray(name) + ", sorted").constData())
            << calls << operations << devices << names << ranks << true;
    };
    const QByteArrayList sglang {"[TP00-DP00] 9000", "[TP01-DP00] 9001"};
    row("labels, GPUs 0 and 1", sglang, {"[TP00-DP00] 0", "[TP01-DP00] 1"}, {0, 1}, sglang);
    row("labels, each its GPU 0", sglang, {"[TP00-DP00] 0", "[TP01-DP00] 0"}, {0, 0}, sglang);
    const QByteArrayList alike {"rank 2: 9000", "rank 3: 9000"};
    row("labels, equal pids", alike, {"rank 2: 0", "rank 3: 0"}, {0, 0}, alike, {2, 3});
    const QByteArrayList behind {"9000 (rank 1)", "9000 (rank 0)"};
    row("labels behind", behind, {"0 (rank 1)", "0 (rank 0)"}, {0, 0}, behind, {1, 0});
    const QByteArrayList short_ones {"r0_9000", "r1_9001"};
    row("joined labels", short_ones, {"r0_0", "r1_0"}, {0, 0}, short_ones);
    const QByteArrayList words {"rank1 CPU 9000", "rank10 CPU 9000"};
    row("labels before words", words, {"rank1 GPU 0", "rank10 GPU 0"}, {0, 0}, words, {1, 10});
    row("numbers that are moved", {"9000", "1009000"}, {"0", "1000000"}, {0, 0}, {"9000", "1009000"});
    row("moved, GPUs 0 and 1", {"9000", "1009000"}, {"0", "1000001"}, {0, 1}, {"9000", "1009000"});
    row("numbers as they were", {"9000", "9001"}, {"0", "1"}, {0, 1}, {"9000", "9001"});
    row("the rank for a pid", {"1", "2"}, {"1", "2"}, {0, 0}, {"1", "2"});
}

/// Correlations are only unique within a process, and so are the numbers of GPUs.
void tst_ChromeOwners::mergedRanks()
{
    QFETCH(const QByteArrayList, calls);
    QFETCH(const QByteArrayList, operations);
    QFETCH(const QList<int>, devices);
    QFETCH(const QByteArrayList, names);
    QFETCH(const QList<int>, ranks);
    QFETCH(const bool, by_time);
    QList<std::pair<double, QByteArray>> timed;
    for (int rank = 0; rank < 2; ++rank) {
        for (int i = 1; i <= 10; ++i) {
            const double at = 100.0 * i + 3 * rank;
            const double start = at + 20 + 10 * rank;
            timed.emplace_back(at, call(calls[rank], at, QByteArray::number(i)));
            timed.emplace_back(start, kernel(operations[rank], devices[rank], "7", start, 40, QByteArray::number(i)));
        }
    }
    if (by_time) {
        std::stable_sort(timed.begin(), timed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    }
    QByteArrayList events;
    for (const auto& [time, event] : timed) {
        events << event;
    }
    const auto trace = open(all(events));
    std::map<std::string, std::set<std::uint32_t>> devices_of;
    std::map<std::string, int> counts;
    for (Row row = 0; row < trace.operations.size(); ++row) {
        const auto& stream = trace.streams[trace.operations.stream[row]];
        QVERIFY(trace.operations.call[row] != no_row);
        const auto process = trace.threads[trace.calls.thread[trace.operations.call[row]]].process;
        QCOMPARE(stream.process, process);
        devices_of[name_of_process(trace, process)].insert(stream.device);
        ++counts[name_of_process(trace, process)];
    }
    std::set<std::uint32_t> all_devices;
    for (int rank = 0; rank < 2; ++rank) {
        const auto name = names[rank].toStdString();
        QCOMPARE(counts[name], 10);
        QCOMPARE(devices_of[name].size(), std::size_t {1});
        all_devices.insert(*devices_of[name].begin());
    }
    QCOMPARE(all_devices.size(), std::size_t {2});
    const auto told = ranks_of(trace);
    QCOMPARE(told.size(), std::size_t {2});
    for (const auto& rank : told) {
        const auto at = names.indexOf(QByteArray::fromStdString(name_of_process(trace, rank.process)));
        QVERIFY(at >= 0);
        QCOMPARE(rank.rank, std::int64_t {ranks[static_cast<int>(at)]});
    }
}

/// A file of one process that uses two GPUs is not a merged file, even with threads and a second process with calls.
void tst_ChromeOwners::oneRankOfSeveralGpus()
{
    QByteArrayList events {call("9005", 50, "1")};
    for (int i = 1; i <= 10; ++i) {
        events << call("9000", 100.0 * i, QByteArray::number(10 + 2 * i));
        events << kernel("0", 0, "7", 100.0 * i + 20, 40, QByteArray::number(10 + 2 * i));
        events << call("9000", 100.0 * i + 6, QByteArray::number(11 + 2 * i));
        events << kernel("1", 1, "7", 100.0 * i + 30, 40, QByteArray::number(11 + 2 * i));
    }
    const auto trace = open(all(events));
    QCOMPARE(trace.streams.size(), std::size_t {2});
    for (const auto& stream : trace.streams) {
        QCOMPARE(stream.process, 9000U);
    }
    QCOMPARE(trace.streams[0].device, 0U);
    QCOMPARE(trace.streams[1].device, 1U);
    QCOMPARE(ranks_of(trace).size(), std::size_t {0});
}

void tst_ChromeOwners::pidsThatAreTexts()
{
    const auto range = [](const char* pid, const char* tid, int ts) {
        return QByteArray(R"({"ph":"X","cat":"task","name":"f","pid":)") + quoted(pid) + R"(,"tid":")" + tid
            + R"(","ts":)" + QByteArray::number(ts) + R"(,"dur":5})";
    };
    const auto trace = open("[" + range("10.0.0.7", "worker:01", 0) + "," + range("10.0.0.8", "worker:01", 1) + ","
        + range("10.0.0.7", "1.5.x", 2) + "," + range("10", "worker:01", 3) + "," + range("node-a", "0x10", 4) + "]");
    QCOMPARE(trace.source, Source::chrome);
    std::multiset<std::string> threads;
    for (const auto& thread : trace.threads) {
        threads.insert(name_of_process(trace, thread.process) + " " + std::string(trace.text(thread.name)));
    }
    QCOMPARE(threads,
        (std::multiset<std::string> {
            "10.0.0.7 worker:01", "10.0.0.8 worker:01", "10.0.0.7 1.5.x", "10 worker:01", "node-a 0x10"}));
}

void tst_ChromeOwners::correlations_data()
{
    QTest::addColumn<QByteArray>("one");
    QTest::addColumn<QByteArray>("other");
    QTest::newRow("small") << QByteArray("1") << QByteArray("2");
    QTest::newRow("33 bits") << QByteArray("4294967297") << QByteArray("4294967298");
    QTest::newRow("the last of 32 bits") << QByteArray("4294967294") << QByteArray("4026531840");
    QTest::newRow("64 bits") << QByteArray("18446744073709551614") << QByteArray("9223372036854775807");
    QTest::newRow("below 0") << QByteArray("-7") << QByteArray("-2147483648");
    QTest::newRow("quoted") << QByteArray("\"4294967297\"") << QByteArray("\"17\"");
    QTest::newRow("with a point") << QByteArray("4294967297.0") << QByteArray("17.0");
    QTest::newRow("texts") << QByteArray("\"0x7f00aa\"") << QByteArray("\"launch-2\"");
}

void tst_ChromeOwners::correlations()
{
    QFETCH(const QByteArray, one);
    QFETCH(const QByteArray, other);
    const auto trace = open(all({call("9", 0, one), call("9", 10, other), kernel("0", 0, "7", 20, 10, one),
        kernel("0", 0, "7", 40, 10, other), kernel("0", 0, "7", 60, 10, "0")}));
    QCOMPARE(trace.operations.size(), std::size_t {3});
    QCOMPARE(trace.operations.call, (std::vector<Row> {0, 1, no_row}));
}

void tst_ChromeOwners::streams_data()
{
    QTest::addColumn<QByteArray>("one");
    QTest::addColumn<QByteArray>("other");
    QTest::addColumn<QByteArrayList>("labels");
    const auto row = [](const char* name, const QByteArray& one, const QByteArray& other,
                         const QByteArrayList& labels) { QTest::newRow(name) << one << other << labels; };
    row("numbers", "7", "13", {"stream 7", "stream 13"});
    row("handles", "94561239046208", "94561239046720", {"stream 94561239046208", "stream 94561239046720"});
    row("handles that differ above 32 bits", "4294967303", "7", {"stream 7", "stream 4294967303"});
    row("hexadecimal", R"("0x55f1c0")", R"("0x55f2c0")", {"stream 0x55f1c0", "stream 0x55f2c0"});
    row("below 0", "-1", "0", {"stream 0", "stream -1"});
    row("texts", R"("compute")", R"("copy queue 2")", {"compute", "copy queue 2"});
    row("numbered texts", R"("stream 7")", R"("Stream #13")", {"stream 7", "stream 13"});
}

void tst_ChromeOwners::streams()
{
    QFETCH(const QByteArray, one);
    QFETCH(const QByteArray, other);
    QFETCH(const QByteArrayList, labels);
    const auto trace = open(all({call("9", 0, "1"), kernel("0", 0, one, 20, 60, "1"), call("9", 6, "2"),
        kernel("0", 0, other, 50, 60, "2"), call("9", 12, "3"), kernel("0", 0, one, 120, 60, "3")}));
    QByteArrayList found;
    for (const auto& stream : trace.streams) {
        found << QByteArray::fromStdString(trace.label_of(stream));
    }
    QCOMPARE(found, labels);
    QCOMPARE(trace.operations.size(), std::size_t {3});
    // What Lanescope writes of it is the same again.
    const auto path = m_folder.filePath("own.json").toStdString();
    save_recording(trace, path);
    const auto again = open_recording(path);
    QCOMPARE(again.streams.size(), trace.streams.size());
    QCOMPARE(again.label_of(again.streams.back()), trace.label_of(trace.streams.back()));
    QCOMPARE(again.operations.call, trace.operations.call);
    const auto table = m_folder.filePath("own.sqlite").toStdString();
    save_recording(trace, table);
    QCOMPARE(open_recording(table).operations.stream, trace.operations.stream);
}

void tst_ChromeOwners::copies_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<int>("kind");
    const auto row = [](const char* name, OperationKind kind) {
        QTest::newRow(name) << QByteArray(name) << static_cast<int>(kind);
    };
    row("Memcpy HtoD (Pageable -> Device)", OperationKind::h2d);
    row("Memcpy DtoH (Device -> Pinned)", OperationKind::d2h);
    row("Memcpy PtoP (Device -> Device)", OperationKind::p2p);
    row("CopyHostToDevice", OperationKind::h2d);
    row("CopyDeviceToHost", OperationKind::d2h);
    row("CopyDeviceToDevice", OperationKind::d2d);
    row("zeCommandListAppendMemoryCopy(M2D)", OperationKind::h2d);
    row("zeCommandListAppendMemoryCopy(D2M)", OperationKind::d2h);
    row("zeCommandListAppendMemoryCopy(M2M)", OperationKind::h2h);
    row("zeCommandListAppendMemoryCopy(D2D)", OperationKind::d2d);
    row("zeCommandListAppendMemoryCopy(H2D)", OperationKind::h2d);
    row("zeCommandListAppendMemoryCopy(D2S)[4096]", OperationKind::d2d);
    row("MemcpyH2D", OperationKind::h2d);
    row("MemcpyD2H", OperationKind::d2h);
}

void tst_ChromeOwners::copies()
{
    QFETCH(const QByteArray, name);
    QFETCH(const int, kind);
    auto event = kernel("0", 0, "7", 20, 60, "1", name.constData());
    const auto trace = open(all({event.replace(R"("cat":"kernel")", R"("cat":"gpu_memcpy")")}));
    QCOMPARE(trace.operations.size(), std::size_t {1});
    QCOMPARE(static_cast<int>(trace.operations.kind[0]), kind);
}

void tst_ChromeOwners::callsOfOtherRuntimes()
{
    auto event = kernel("0", 0, "7", 20, 60, "1");
    const auto trace = open(all({call("9", 0, "1", "xpu_runtime", "urEnqueueKernelLaunch"),
        call("9", 1, "1", "xpu_driver", "zeCommandListAppendLaunchKernel"),
        event.replace(R"("stream":7)", R"("queue":"0x55f1")")}));
    QCOMPARE(trace.calls.size(), std::size_t {2});
    QCOMPARE(trace.ranges.size(), std::size_t {0});
    QCOMPARE(trace.text(trace.calls.name[trace.operations.call[0]]), std::string_view("urEnqueueKernelLaunch"));
    QCOMPARE(trace.label_of(trace.streams[0]), std::string("stream 0x55f1"));
}

void tst_ChromeOwners::producers_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("source");
    const auto row = [](const char* name, const QByteArray& text, Source source) {
        QTest::newRow(name) << text << static_cast<int>(source);
    };
    const auto plain = [](const QByteArray& event) { return "[" + event + "]"; };
    row("Kineto", all({kernel("0", 0, "7", 0, 5, "1")}), Source::kineto);
    row("Kineto's events alone", plain(call("9", 0, "1") + "," + kernel("0", 0, "7", 0, 5, "1")), Source::kineto);
    row("operators alone", plain(R"({"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":1,"dur":5})"),
        Source::kineto);
    row("ONNX Runtime",
        plain(R"({"cat":"Session","pid":6,"tid":6,"dur":900,"ts":10,"ph":"X","name":"model_run","args":{}},)"
              R"({"cat":"Kernel","pid":-1,"tid":-1,"dur":200,"ts":60,"ph":"X","name":"conv","args":{"stream":"7"}})"),
        Source::chrome);
    row("Proton",
        R"({"displayTimeUnit":"us","traceEvents":[{"name":"matmul","cat":"kernel","ph":"X","ts":0.5,"dur":20.25,)"
        R"("tid":0,"args":{"call_stack":["ROOT","test","matmul"]}}]})",
        Source::chrome);
}

/// Kernels alone say nothing about which program wrote the file.
void tst_ChromeOwners::producers()
{
    QFETCH(const QByteArray, text);
    QFETCH(const int, source);
    const auto trace = open(text);
    QCOMPARE(static_cast<int>(trace.source), source);
    QCOMPARE(trace.operations.size() + trace.ranges.size() > 0, true);
}

namespace {

QByteArray meta(int pid, int tid, const char* kind, const char* name)
{
    return R"({"ph":"M","pid":)" + QByteArray::number(pid) + R"(,"tid":)" + QByteArray::number(tid) + R"(,"name":")"
        + kind + R"(","args":{"name":")" + name + R"("}})";
}

QByteArray span(int pid, int tid, int ts, int dur, const char* name)
{
    return R"({"ph":"X","pid":)" + QByteArray::number(pid) + R"(,"tid":)" + QByteArray::number(tid) + R"(,"ts":)"
        + QByteArray::number(ts) + R"(,"dur":)" + QByteArray::number(dur) + R"(,"name":")" + name + R"("})";
}

}  // namespace

void tst_ChromeOwners::rowsOfADevice()
{
    const auto trace = open(R"({"traceEvents":[)"
        + QByteArrayList {meta(1, 0, "process_name", "/device:GPU:0"),
            meta(1, 14, "thread_name", "Stream #14(Compute)"), meta(1, 4, "thread_name", "XLA Ops"),
            meta(701, 0, "process_name", "/host:CPU"), meta(701, 11, "thread_name", "python"),
            span(1, 14, 10, 60, "fusion"), span(1, 4, 10, 60, "fusion.1"), span(701, 11, 0, 8, "PjitFunction")}
              .join(",")
        + "]}");
    QCOMPARE(trace.source, Source::chrome);
    QCOMPARE(trace.operations.size(), std::size_t {1});
    QCOMPARE(trace.streams[0].process, 701U);
    std::map<std::string_view, std::uint32_t> devices;
    for (const auto& thread : trace.threads) {
        devices[trace.text(thread.name)] = device_of_row(trace, thread);
    }
    QCOMPARE(devices, (std::map<std::string_view, std::uint32_t> {{"XLA Ops", 0}, {"python", no_id}}));
    const auto recording = reported(trace);
    QCOMPARE(recording.report->threads.size(), std::size_t {1});
    QCOMPARE(trace.text(trace.threads[recording.report->threads[0].thread].name), std::string_view("python"));
}

/// A TPU has no streams: its row of operations is one.
void tst_ChromeOwners::tpu()
{
    const auto trace = open(R"({"traceEvents":[)"
        + QByteArrayList {meta(3, 0, "process_name", "/device:TPU:1"), meta(3, 1, "thread_name", "XLA Modules"),
            meta(3, 2, "thread_name", "XLA Ops"), span(3, 1, 10, 60, "jit_f"), span(3, 2, 10, 20, "fusion.1"),
            span(3, 2, 40, 30, "dot.2")}
              .join(",")
        + "]}");
    QCOMPARE(trace.operations.size(), std::size_t {2});
    QCOMPARE(trace.ranges.size(), std::size_t {1});
    QCOMPARE(trace.streams[0].device, 1U);
    QCOMPARE(trace.label_of(trace.streams[0]), std::string("XLA Ops"));
}

void tst_ChromeOwners::filesOfReports_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<Ns>("busy");
    QTest::addColumn<Ns>("overlap");
    QTest::addColumn<Ns>("communication");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<int>("joined");
    const auto row = [](const char* file, Ns busy, Ns overlap, Ns communication, int gpus, int joined) {
        QTest::newRow(file) << QString(file) << busy << overlap << communication << gpus << joined;
    };
    constexpr Ns us = 1000;
    row("03_rccl_generic.json", 3200 * us, 800 * us, 2400 * us, 1, 8);
    row("28_spinning_collective.json", 1054'000 * us, 0, 1014'000 * us, 1, 40);
    row("04_sglang_merged.json", 770 * us, 30 * us, 0, 2, 20);
    row("04b_merged_both_gpu0.json", 770 * us, 30 * us, 0, 2, 20);
    row("34_correlation_33bit.json", 150 * us, 0, 0, 1, 5);
    row("32_stream_handles_64bit.json", 900 * us, 300 * us, 0, 1, 20);
    row("12_ort_cuda.json", 3000 * us, 0, 0, 1, 0);
}

/// Files made after public reports, with figures computed by hand.
void tst_ChromeOwners::filesOfReports()
{
    QFETCH(const QString, file);
    const auto path = qEnvironmentVariable("LANES_SOURCE") + "/../shared/data/bugs/" + file;
    if (!QFile::exists(path)) {
        QSKIP("not here");
    }
    const auto recording = reported(open_recording(path.toStdString()));
    const auto& report = *recording.report;
    QTEST(report.gpu_busy, "busy");
    QTEST(report.overlap, "overlap");
    Ns communication = 0;
    for (const auto& gpu : report.gpus) {
        communication += gpu.communication;
    }
    QTEST(communication, "communication");
    QTEST(static_cast<int>(report.gpus.size()), "gpus");
    const auto& calls = recording.trace->operations.call;
    QTEST(
        static_cast<int>(std::count_if(calls.begin(), calls.end(), [](Row call) { return call != no_row; })), "joined");
}

QTEST_GUILESS_MAIN(tst_ChromeOwners)
#include "tst_chrome_owners.moc"
