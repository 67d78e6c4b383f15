// SPDX-License-Identifier: MIT
// Reports of real files made by another tool, against figures computed independently from those files.
#include "engine/analysis/report.h"
#include "engine/store/recording_file.h"

#include <map>
#include <QDir>
#include <QTest>
#include <simdjson.h>

using namespace lanes;

class tst_Truth : public QObject {
    Q_OBJECT

private slots:
    void nsys_data();
    void nsys();
};

void tst_Truth::nsys_data()
{
    const QDir folder(qEnvironmentVariable("LANES_SOURCE") + "/../shared/data/nsys");
    const auto names = folder.entryList({"*.sqlite"});
    if (names.empty()) {
        QSKIP("no real traces of other tools here");
    }
    QTest::addColumn<QString>("path");
    for (const auto& name : names) {
        QTest::newRow(qPrintable(name)) << folder.filePath(name);
    }
}

void tst_Truth::nsys()
{
    QFETCH(QString, path);
    const auto trace = open_recording(path.toStdString());
    const auto blocking = find_blocking(trace);
    QVERIFY(blocking.known);
    const auto report = make_report(trace, blocking);
    simdjson::dom::parser parser;
    const simdjson::dom::element truth = parser.load(path.toStdString() + ".truth.json");

    QCOMPARE(report.gpu_busy, std::int64_t(truth["gpu_busy_any_ns"]));
    QCOMPARE(report.overlap, std::int64_t(truth["overlap_all_ns"]));
    const simdjson::dom::array devices = truth["devices"];
    QCOMPARE(report.gpus.size(), devices.size());
    for (const simdjson::dom::element device : devices) {
        const auto id = static_cast<std::uint32_t>(std::stoul(std::string(std::string_view(device["device"]))));
        const auto found = std::find_if(
            report.gpus.begin(), report.gpus.end(), [id](const GpuFigures& gpu) { return gpu.device == id; });
        QVERIFY(found != report.gpus.end());
        QCOMPARE(found->busy, std::int64_t(device["busy_ns"]));
        QCOMPARE(found->overlap, std::int64_t(device["overlap_ns"]));
        QCOMPARE(found->kernel, std::int64_t(device["kernel_busy_ns"]));
        QCOMPARE(found->copy, std::int64_t(device["memcpy_busy_ns"]));
        QCOMPARE(found->memset, std::int64_t(device["memset_busy_ns"]));
        QCOMPARE(found->copy_hidden, std::int64_t(device["copy_compute_overlap_ns"]));
    }
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> streams;
    for (const simdjson::dom::element stream : simdjson::dom::array(truth["streams"])) {
        streams[std::string(std::string_view(stream["stream"]))] = {std::int64_t(stream["busy_ns"]),
            std::int64_t(stream["kernels"]) + std::int64_t(stream["memcpys"]) + std::int64_t(stream["memsets"])};
    }
    for (const auto& gpu : report.gpus) {
        for (const auto& figures : gpu.streams) {
            const auto& stream = trace.streams[figures.stream];
            const auto name = "dev" + std::to_string(gpu.device) + "/ctx" + std::to_string(stream.context) + "/stream"
                + std::to_string(stream.id);
            QVERIFY2(streams.contains(name), name.c_str());
            QCOMPARE(figures.busy, streams[name].first);
            QCOMPARE(static_cast<std::int64_t>(figures.operations), streams[name].second);
        }
    }
    QCOMPARE(report.counts.syncs, std::uint64_t(truth["blocking"]["strict_count"]));
    QCOMPARE(report.counts.api_calls, std::uint64_t(truth["runtime_call_count"]));
    // Every wait in these files is for a stream whose work ends during the call.
    Ns synchronising = 0;
    for (const auto& thread : report.threads) {
        QVERIFY(thread.blocked.has_value());
        synchronising += thread.blocked_by[static_cast<std::size_t>(BlockCause::stream_sync)].value();
    }
    QVERIFY(synchronising > 0);
    QVERIFY(synchronising <= std::int64_t(truth["blocking"]["strict_sum_ns"]));
    QVERIFY(parser.parse(to_json(trace, report)).error() == simdjson::SUCCESS);
}

QTEST_GUILESS_MAIN(tst_Truth)
#include "tst_truth.moc"
