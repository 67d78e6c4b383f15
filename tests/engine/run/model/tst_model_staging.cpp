// SPDX-License-Identifier: MIT
// The division of a pageable copy's call into the steps of its staging, and the sketch of it over a recording without
// these steps. Both are compared with what the model device records of itself.
#include "engine/run/model/model_device_file.h"
#include "engine/run/model/run_model.h"
#include "engine/run/model/staging_device.h"
#include "engine/run/model/staging_sketch.h"
#include "engine/trace/trace_builder.h"
#include "tests/engine/run/model/program_builder.h"
#include "tests/engine/run/model/records.h"

#include <QTest>

using namespace lanes;
using namespace lanes::tests;

class tst_ModelStaging : public QObject {
    Q_OBJECT

private slots:
    void divides_data();
    void divides();
    void sketches_data();
    void sketches();
    void smallUploadsDoNotWait();
    void deviceOfARecording_data();
    void deviceOfARecording();
};

static ModelDevice device()
{
    return load_model_device(qgetenv("LANES_SOURCE").toStdString() + "/resources/devices/h100.yaml");
}

void tst_ModelStaging::divides_data()
{
    QTest::addColumn<bool>("up");
    QTest::addColumn<double>("bytes");
    QTest::addColumn<double>("chunk");
    QTest::addColumn<double>("link");
    QTest::addColumn<qint64>("length");
    QTest::addColumn<int>("pieces");
    QTest::addColumn<qint64>("first");  // of the first part
    QTest::newRow("one piece up") << true << 1e5 << 1e6 << 50e9 << qint64(10'000) << 1 << qint64(2'000);
    QTest::newRow("as much as a piece") << true << 1e6 << 1e6 << 50e9 << qint64(100'000) << 1 << qint64(20'000);
    QTest::newRow("a byte more") << true << 1e6 + 1 << 1e6 << 50e9 << qint64(100'000) << 2 << qint64(10'000);
    QTest::newRow("ten pieces down") << false << 10e6 << 1e6 << 50e9 << qint64(1'000'000) << 10 << qint64(20'000);
    QTest::newRow("the link is the slower") << false << 10e6 << 1e6 << 1e9 << qint64(1'000'000) << 10 << qint64(50'000);
    QTest::newRow("no time") << true << 5e6 << 1e6 << 50e9 << qint64(0) << 5 << qint64(0);
    QTest::newRow("no bytes") << true << 0.0 << 1e6 << 50e9 << qint64(1'000) << 1 << qint64(0);
    QTest::newRow("odd lengths") << true << 7e6 << 1e6 << 33e9 << qint64(999'983) << 7 << qint64(30'303);
}

void tst_ModelStaging::divides()
{
    QFETCH(bool, up);
    QFETCH(double, bytes);
    QFETCH(double, chunk);
    QFETCH(double, link);
    QFETCH(qint64, length);
    QFETCH(int, pieces);
    QFETCH(qint64, first);
    constexpr Ns start = 123'456'789;
    const StagingDivision parts(up, bytes, chunk, link, start, start + length);
    QCOMPARE(parts.pieces(), static_cast<std::size_t>(pieces));
    QCOMPARE(parts.size(), 2 * parts.pieces());
    QCOMPARE(parts[0].end - parts[0].start, first);
    Ns at = start;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const StagingPart part = parts[i];
        QCOMPARE(part.start, at);
        QVERIFY(part.end >= part.start);
        QCOMPARE(part.step,
            i % 2 == 1         ? StagingStep::host_copy
                : up && i == 0 ? StagingStep::pinned_buffer
                               : StagingStep::transfer);
        at = part.end;
    }
    QCOMPARE(at, start + length);
}

void tst_ModelStaging::sketches_data()
{
    QTest::addColumn<bool>("up");
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<bool>("after_a_kernel");
    for (const bool up : {true, false}) {
        for (const auto bytes : {300 * kib, 1 * mib, 16 * mib, 256 * mib}) {
            for (const bool after_a_kernel : {false, true}) {
                QTest::addRow("%s %lld KiB%s", up ? "up" : "down", static_cast<long long>(bytes / kib),
                    after_a_kernel ? " after a kernel" : "")
                    << up << qint64(bytes) << after_a_kernel;
            }
        }
    }
}

/// The sketch, made from the call and the copy alone, is what the model recorded: the same steps, at the same time
/// within 1 % of the call.
void tst_ModelStaging::sketches()
{
    QFETCH(bool, up);
    QFETCH(qint64, bytes);
    QFETCH(bool, after_a_kernel);
    ProgramBuilder b;
    const auto stream = b.stream();
    const auto host = b.buffer(MemoryKind::pageable, static_cast<std::uint64_t>(bytes));
    const auto gpu = b.buffer(MemoryKind::device, static_cast<std::uint64_t>(bytes));
    if (after_a_kernel) {
        b.kernel(stream, 5 * ms);
    }
    b.copy(up ? host : gpu, up ? gpu : host, stream);
    Records records;
    run_model(b.program, device(), records);
    const ApiCallRecord call = records.calls("cudaMemcpyAsync").front();
    const CopyRecord copy = records.all<CopyRecord>().front();
    const StagingSketch sketch(device(), {up, true, static_cast<double>(bytes), call.start, call.end, copy.start});
    std::vector<StagingPart> drawn;
    for (std::size_t i = 0; i < sketch.size(); ++i) {
        const StagingPart part = sketch.part(i);
        QVERIFY(part.start >= call.start && part.end <= call.end && part.start <= part.end);
        QVERIFY(drawn.empty() || part.start >= drawn.back().end);
        // The first step at a time is the one that a search from the beginning finds.
        for (const Ns time : {part.start, (part.start + part.end) / 2, part.end}) {
            std::size_t found = 0;
            while (found < sketch.size() && sketch.part(found).end <= time) {
                ++found;
            }
            QCOMPARE(sketch.part_at(time), found);
        }
        if (part.end > part.start) {
            drawn.push_back(part);
        }
    }
    std::vector<HostSpanRecord> recorded = records.all<HostSpanRecord>();
    std::erase_if(recorded, [](const HostSpanRecord& span) { return span.type != HostSpanRecord::staging; });
    std::sort(recorded.begin(), recorded.end(), [](const auto& x, const auto& y) { return x.start < y.start; });
    // The model's waits before the first piece are one wait in the sketch.
    while (
        recorded.size() > 1 && records.text(recorded[0].name) == "wait" && records.text(recorded[1].name) == "wait") {
        recorded[1].start = recorded[0].start;
        recorded.erase(recorded.begin());
    }
    const Ns tolerance = (call.end - call.start) / 100 + 12 * us;
    if (!drawn.empty() && drawn.front().step == StagingStep::wait && records.text(recorded.front().name) != "wait") {
        QVERIFY(drawn.front().end - drawn.front().start < tolerance);
        drawn.erase(drawn.begin());
    }
    QCOMPARE(drawn.size(), recorded.size());
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        QCOMPARE(QString::fromLatin1(name_of(drawn[i].step)), QString::fromStdString(records.text(recorded[i].name)));
        QVERIFY2(std::abs(drawn[i].start - recorded[i].start) <= tolerance
                && std::abs(drawn[i].end - recorded[i].end) <= tolerance,
            qPrintable(QStringLiteral("part %1: %2 to %3, recorded %4 to %5")
                           .arg(i)
                           .arg(drawn[i].start)
                           .arg(drawn[i].end)
                           .arg(recorded[i].start)
                           .arg(recorded[i].end)));
    }
}

void tst_ModelStaging::smallUploadsDoNotWait()
{
    const ModelDevice h100 = device();
    const StagingSketch sketch(h100, {true, true, 32 * 1024.0, 1'000, 9'000, 5'000'000});
    QCOMPARE(sketch.size(), 2U);
    QVERIFY(sketch.part(0).start == sketch.part(0).end);
    QVERIFY(sketch.part(1).step == StagingStep::host_copy && sketch.part(1).end <= 9'000 && sketch.part(1).end > 1'000);
    QCOMPARE(sketch.part_at(sketch.part(1).end), 2U);
    // A synchronous call waits.
    QVERIFY(StagingSketch(h100, {true, false, 32 * 1024.0, 1'000, 5'010'000, 5'000'000}).part(0).end > 4'900'000);
}

void tst_ModelStaging::deviceOfARecording_data()
{
    QTest::addColumn<QByteArray>("gpu");
    QTest::addColumn<QString>("device");
    QTest::newRow("H100") << QByteArray("NVIDIA H100 80GB HBM3") << QString::fromStdString(device().name);
    QTest::newRow("H200") << QByteArray("NVIDIA H200") << "Model of NVIDIA H200";
    QTest::newRow("one that none was fitted to")
        << QByteArray("NVIDIA GeForce RTX 4090") << QString::fromStdString(device().name);
    QTest::newRow("no GPU") << QByteArray() << QString::fromStdString(device().name);
}

void tst_ModelStaging::deviceOfARecording()
{
    QFETCH(QByteArray, gpu);
    QFETCH(QString, device);
    TraceBuilder builder;
    if (!gpu.isEmpty()) {
        DeviceRecord record {};
        record.name = builder.intern(gpu.toStdString());
        builder.write(record);
    }
    const auto found = staging_device(builder.finish(Source::cupti));
    QVERIFY(found);
    QCOMPARE(QString::fromStdString(found->name), device);
}

QTEST_GUILESS_MAIN(tst_ModelStaging)
#include "tst_model_staging.moc"
