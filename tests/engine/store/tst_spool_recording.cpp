// SPDX-License-Identifier: MIT
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/trace_builder.h"
#include "probes/spool.h"
#include "tests/engine/trace/random_records.h"
#include "tests/engine/trace/trace_difference.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes;

class tst_SpoolRecording : public QObject {
    Q_OBJECT

private slots:
    void spoolAndMemoryGiveOneTrace();
    void cutShortSaysWhereTheGpuEnds();
    void partsOfAFile();
    void everyPrefixOpens();
    void foreignBytesAreRefused();

private:
    std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }
    QTemporaryDir m_folder;
};

void tst_SpoolRecording::spoolAndMemoryGiveOneTrace()
{
    TraceBuilder builder;
    RandomRecords(21).write(builder, 500, 1'000'000'000, true);
    SpoolWriter spool;
    QVERIFY(spool.open(path("a.spool")));
    RandomRecords(21).write(spool, 500, 1'000'000'000, true);
    spool.write_meta(meta::source, "model");
    spool.write_meta(meta::spool_end, "...");
    spool.close();
    std::string note = "?";
    auto trace = open_spool(path("a.spool"), &note);
    QCOMPARE(note, std::string());
    QCOMPARE(trace.source, Source::model);
    QVERIFY(!trace.meta.contains(meta::recovered));
    QVERIFY(!trace.meta.contains(meta::complete));
    QVERIFY(trace.meta.contains(meta::gpu_end_ns));  // it has errors
    trace.meta.erase(meta::gpu_end_ns);
    QCOMPARE(QString::fromStdString(difference(builder.finish(Source::model), trace)), QString());
}

void tst_SpoolRecording::cutShortSaysWhereTheGpuEnds()
{
    {
        SpoolWriter spool;
        QVERIFY(spool.open(path("killed.spool")));
        spool.write(WindowRecord {1'000'000, WindowRecord::begin});
        spool.write(
            ApiCallRecord {1'000'000, 3'000'000, 1, 1, 1, spool.intern("cudaLaunchKernel"), ApiCallRecord::runtime, 0});
        KernelRecord kernel {};
        kernel.start = 1'500'000;
        kernel.end = 2'250'000;
        kernel.correlation = 1;
        kernel.process = 1;
        spool.write(kernel);
    }
    const auto trace = open_recording(path("killed.spool"));
    QCOMPARE(trace.meta.at(meta::gpu_end_ns), std::string("1250000"));
    QCOMPARE(trace.meta.at(meta::complete), std::string("no"));
    QCOMPARE(trace.source, Source::unknown);
    QCOMPARE(trace.operations.start, (std::vector<Ns> {500'000}));
    save_recording(trace, path("recovered.sqlite"));
    QCOMPARE(QString::fromStdString(difference(trace, open_recording(path("recovered.sqlite")))), QString());
}

/// A program that records several parts into one file: the recording has ended if its last part has.
void tst_SpoolRecording::partsOfAFile()
{
    SpoolWriter spool;
    QVERIFY(spool.open(path("parts.spool")));
    for (const char* const ended : {"", "stopped", "", "stopped"}) {
        spool.write_meta(meta::spool_end, ended);
        const auto trace = open_spool(path("parts.spool"));
        QCOMPARE(trace.meta.contains(meta::complete), *ended == '\0');
        QVERIFY(!trace.meta.contains(meta::spool_end));
    }
}

/// Cut anywhere: inside a chunk or where one ends, before the source is known or after the last record.
void tst_SpoolRecording::everyPrefixOpens()
{
    {
        SpoolWriter spool;
        QVERIFY(spool.open(path("whole.spool")));
        spool.write_meta(meta::source, "model");
        RandomRecords(5).write(spool, 60, 1'000'000'000, true);
        spool.write_meta(meta::spool_end, "...");
    }
    QFile whole(QString::fromStdString(path("whole.spool")));
    QVERIFY(whole.open(QIODevice::ReadOnly));
    const auto bytes = whole.readAll();
    std::set<qsizetype> sizes;
    for (qsizetype size = 200; size < bytes.size(); size += 177) {
        sizes.insert(size);
    }
    qsizetype end = 0;
    read_spool(path("whole.spool"), [&](const SpoolChunk& chunk) {
        end += 32 + static_cast<qsizetype>(chunk.payload.size());
        sizes.insert(end);
    });
    QCOMPARE(end, bytes.size());
    std::size_t most = 0;
    for (const auto size : sizes) {
        QFile part(QString::fromStdString(path("part.spool")));
        QVERIFY(part.open(QIODevice::WriteOnly));
        part.write(bytes.left(size));
        part.close();
        std::string note;
        const auto trace = open_spool(path("part.spool"), &note);
        QVERIFY(trace.calls.size() >= most);  // more bytes never mean fewer calls
        most = trace.calls.size();
        for (Row row = 0; row < trace.operations.size(); ++row) {
            QVERIFY(trace.operations.stream[row] < trace.streams.size());
        }
        QCOMPARE(trace.meta.contains(meta::recovered), !note.empty());
        QCOMPARE(trace.meta.contains(meta::complete), size < bytes.size());
        QCOMPARE(trace.source, Source::model);
    }
    QVERIFY(most > 10);
}

void tst_SpoolRecording::foreignBytesAreRefused()
{
    QFile file(QString::fromStdString(path("foreign.spool")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("this is no spool");
    file.close();
    QVERIFY_THROWS_EXCEPTION(StoreError, open_recording(path("foreign.spool")));
}

QTEST_GUILESS_MAIN(tst_SpoolRecording)
#include "tst_spool_recording.moc"
