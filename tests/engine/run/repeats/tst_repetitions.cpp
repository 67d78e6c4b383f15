// SPDX-License-Identifier: MIT
// A spool with several repetitions becomes the recording of one of them, which knows the times of all.
#include "engine/analysis/repeats.h"
#include "engine/run/recording_join.h"
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"

#include <QTemporaryDir>
#include <QTest>

using namespace lanes;

namespace {

constexpr std::uint32_t process = 100;
constexpr Ns apart = 1'000'000;

/// A repetition of one kernel for each of `lengths`: its wall time is that length. A read of the result follows.
void write_spool(const std::string& path, const std::vector<Ns>& lengths)
{
    SpoolWriter spool;
    spool.open(path);
    spool.write_meta(meta::source, "cupti");
    const auto name = spool.intern("cudaLaunchKernel");
    std::uint32_t correlation = 0;
    Ns begin = 5 * apart;
    for (const Ns length : lengths) {
        spool.write(WindowRecord {begin, WindowRecord::begin});
        spool.write(
            ApiCallRecord {begin, begin + 10, process, process, ++correlation, name, ApiCallRecord::runtime, 0});
        KernelRecord kernel {};
        kernel.start = begin + 20;
        kernel.end = begin + length;
        kernel.process = process;
        kernel.context = 1;
        kernel.stream = 7;
        kernel.correlation = correlation;
        kernel.name = spool.intern("work");
        spool.write(kernel);
        spool.write(ReadRecord {begin + length + 5, begin + length + 500, process, process, name, 0, 64, 0});
        spool.write(WindowRecord {begin + length + 600, WindowRecord::finish});
        begin += apart;
    }
    spool.write_meta(meta::spool_end, ".");
}

}  // namespace

class tst_Repetitions : public QObject {
    Q_OBJECT

private slots:
    void keepsTheMedian_data();
    void keepsTheMedian();
    void aRunThatFailedIsKeptItself();

private:
    QTemporaryDir m_folder;
};

void tst_Repetitions::keepsTheMedian_data()
{
    using Times = QList<Ns>;
    QTest::addColumn<QList<Ns>>("lengths");
    QTest::addColumn<int>("count");
    QTest::addColumn<Ns>("kept");
    QTest::newRow("one") << Times {700} << 1 << Ns {700};
    QTest::newRow("three") << Times {900, 700, 800} << 3 << Ns {800};
    QTest::newRow("four") << Times {900, 600, 800, 700} << 4 << Ns {700};
    QTest::newRow("five, two alike") << Times {500, 900, 600, 600, 100} << 5 << Ns {600};
    QTest::newRow("of three the two before the cancelled one") << Times {900, 800, 100} << 2 << Ns {800};
}

void tst_Repetitions::keepsTheMedian()
{
    QFETCH(QList<Ns>, lengths);
    QFETCH(int, count);
    QFETCH(Ns, kept);
    const auto spool = m_folder.filePath("run.spool").toStdString();
    const auto file = m_folder.filePath("run.sqlite").toStdString();
    QFile::remove(QString::fromStdString(spool));
    write_spool(spool, {lengths.begin(), lengths.end()});
    const auto joined = join_recording(spool, file, nullptr, "",
        {.first = 0, .count = static_cast<std::size_t>(count), .unrecorded = {400, 300, 500}});
    QCOMPARE(joined.wall, kept);
    QCOMPARE(joined.operations, std::size_t {1});
    const auto trace = open_recording(file);
    QCOMPARE(trace.operations.end, std::vector<Ns> {kept});
    QCOMPARE(trace.reads.size(), std::size_t {1});
    const auto repeats = repeats_of(trace);
    QCOMPARE(repeats.has_value(), count > 1);
    if (repeats) {
        QCOMPARE(repeats->runs, static_cast<std::size_t>(count));
        QCOMPARE(repeats->wall.median, kept);
        QCOMPARE(joined.totals, (std::vector<Ns> {lengths.begin(), lengths.begin() + count}));
        QVERIFY((repeats->unrecorded == Spread {300, 400, 500}));
    }
}

void tst_Repetitions::aRunThatFailedIsKeptItself()
{
    const auto spool = m_folder.filePath("failed.spool").toStdString();
    const auto file = m_folder.filePath("failed.sqlite").toStdString();
    write_spool(spool, {900, 700, 800});
    const auto joined = join_recording(spool, file, nullptr, "it failed", {.first = 2, .count = 1, .unrecorded = {}});
    QCOMPARE(joined.wall, Ns {800});
    const auto trace = open_recording(file);
    QVERIFY(!repeats_of(trace));
    QCOMPARE(trace.meta.at(meta::error), std::string("it failed"));
    QCOMPARE(trace.meta.at(meta::gpu_end_ns), std::string("800"));
}

QTEST_GUILESS_MAIN(tst_Repetitions)
#include "tst_repetitions.moc"
