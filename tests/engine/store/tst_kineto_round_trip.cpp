// SPDX-License-Identifier: MIT
// JSON that Lanescope wrote, opened again: the same figures of busy, overlapped, hidden and blocked time.
#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/report.h"
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/ranks.h"
#include "tests/engine/trace/random_records.h"
#include "tests/engine/trace/trace_difference.h"
#include "tests/engine/trace/trace_fixture.h"

#include <QDirIterator>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes;

namespace {

/// Ns, a line each.
QStringList figures_as_lines(const Trace& trace)
{
    const auto blocking = find_blocking(trace);
    const auto report = make_figures(trace, blocking, RecordingBounds(trace, blocking));
    QStringList lines {QStringLiteral("busy %1, overlap %2").arg(report.gpu_busy).arg(report.overlap)};
    for (const auto& gpu : report.gpus) {
        if (gpu.busy == 0) {
            continue;  // the file says nothing about it
        }
        lines += QStringLiteral("GPU %1: busy %2, hidden %3, overlap %4")
                     .arg(gpu.device)
                     .arg(gpu.busy)
                     .arg(gpu.copy_hidden)
                     .arg(gpu.overlap);
    }
    for (const auto& thread : report.threads) {
        const auto& of = trace.threads[thread.thread];
        auto line = QStringLiteral("thread %1 of %2: blocked").arg(of.id).arg(of.process);
        const auto add
            = [&](MaybeNs time) { line += time ? ' ' + QString::number(*time) : QStringLiteral(" unknown"); };
        add(thread.blocked);
        std::for_each(thread.blocked_by.begin(), thread.blocked_by.end(), add);
        lines += line;
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}

std::vector<std::pair<Ns, Ns>> sorted_times(const auto& table)
{
    std::vector<std::pair<Ns, Ns>> times;
    for (std::size_t i = 0; i < table.size(); ++i) {
        times.emplace_back(table.start[i], table.end[i]);
    }
    std::sort(times.begin(), times.end());
    return times;
}

}  // namespace

class tst_KinetoRoundTrip : public QObject {
    Q_OBJECT

private slots:
    void figures_data();
    void figures();
    void anything_data();
    void anything();
    void rankAndMarks();
    void whatBelongsToIt();
    void spins();
    void earlierVersions();
    void damagedHead();

private:
    Trace thereAndBack(const Trace& trace)
    {
        save_recording(trace, path("out.json.gz"));
        return open_recording(path("out.json.gz"));
    }
    std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }
    QTemporaryDir m_folder;
    const QString m_source = qEnvironmentVariable("LANES_SOURCE");
};

void tst_KinetoRoundTrip::figures_data()
{
    QTest::addColumn<QString>("file");
    // What is in the tree is always here; traces of other tools may not be.
    for (const QString& part :
        {m_source + "/resources/recordings", m_source + "/resources/traces", m_source + "/tests/engine/store/traces",
            m_source + "/../shared/data/kineto", m_source + "/../shared/data/nsys"}) {
        for (QDirIterator files(part, {"*.sqlite", "*.json", "*.json.gz"}, QDir::Files, QDirIterator::Subdirectories);
             files.hasNext();) {
            const auto file = files.next();
            if (!file.endsWith(QLatin1String(".truth.json"))) {
                QTest::newRow(qPrintable(file.mid(m_source.size()))) << file;
            }
        }
    }
}

void tst_KinetoRoundTrip::figures()
{
    QFETCH(QString, file);
    const auto trace = open_recording(file.toStdString());
    const auto again = thereAndBack(trace);
    QCOMPARE(figures_as_lines(again), figures_as_lines(trace));
    QCOMPARE(again.source, trace.source);
    QCOMPARE(again.dropped, trace.dropped);
    QCOMPARE(again.origin, trace.origin);
    QCOMPARE(sorted_times(again.operations), sorted_times(trace.operations));
    QCOMPARE(sorted_times(again.calls), sorted_times(trace.calls));
    QCOMPARE(again.ranges.size(), trace.ranges.size() + trace.host_spans.size() + trace.reads.size());
    const auto operators = [](const Trace& t) {
        return std::count_if(
            t.ranges.begin(), t.ranges.end(), [&](const Range& r) { return t.text(r.domain) == operator_domain; });
    };
    QCOMPARE(operators(again), operators(trace));
}

void tst_KinetoRoundTrip::anything_data()
{
    QTest::addColumn<std::uint32_t>("seed");
    for (std::uint32_t seed = 1; seed <= 8; ++seed) {
        QTest::addRow("seed %u", seed) << seed;
    }
}

void tst_KinetoRoundTrip::anything()
{
    QFETCH(std::uint32_t, seed);
    TraceBuilder builder;
    RandomRecords(seed).write(builder, 400, 1'785'620'044'423'518'993, false);
    const auto trace = builder.finish(seed % 2 == 0 ? Source::model : Source::cupti);
    const auto again = thereAndBack(trace);
    QCOMPARE(again.source, trace.source);
    QCOMPARE(sorted_times(again.operations), sorted_times(trace.operations));
    QCOMPARE(sorted_times(again.calls), sorted_times(trace.calls));
}

void tst_KinetoRoundTrip::rankAndMarks()
{
    TraceFixture f;
    f.kernel(7, 10, 20);
    auto trace = f.finish();
    trace.meta[meta::ranks] = text_of({{trace.processes.at(0).id, 3, 8}});
    trace.marks = {{5, "here"}, {12, "and \"there\""}};
    save_recording(trace, path("rank.json"));
    const auto again = open_recording(path("rank.json"));
    QVERIFY(again.marks == trace.marks);
    QVERIFY(ranks_of(again) == ranks_of(trace));
    QFile file(m_folder.filePath("rank.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains(R"("backend": "nccl", "rank": 3, "world_size": 8)"));
}

/// Ranges that overlap are on further rows in the file, and counters of a GPU under its number.
void tst_KinetoRoundTrip::whatBelongsToIt()
{
    TraceFixture f;
    f.process = f.thread = 4711;
    const auto launch = f.call("cudaLaunchKernel", 2, 4);
    f.kernel(7, 10, 20, launch);
    f.range("a", 0, 50);
    f.range("b", 30, 80);
    const auto name = f.builder.intern("SM active");
    f.builder.write(CounterRecord {5, std::bit_cast<std::uint64_t>(0.5), 4711, 0, name, CounterRecord::percent});
    f.builder.write(CounterRecord {6, std::bit_cast<std::uint64_t>(3.0), 4711, no_id, name, CounterRecord::none});
    const auto domain = f.builder.intern("loader");
    f.builder.write(RangeRecord {60, 99, 4711, 4711, f.builder.intern("c"), domain, 0, RangeRecord::begin});
    f.builder.write(RangeRecord {70, 99, 4711, 4711, 0, 0, 0, RangeRecord::finish});
    constexpr std::uint64_t id_of_b = 2;
    f.builder.write(AutogradRecord {id_of_b, 0, 4711, 5, 0, 0});
    f.builder.write(AutogradRecord {99, id_of_b, 4711, 5, 1, 0});
    const auto trace = f.finish();
    const auto again = thereAndBack(trace);
    QCOMPARE(again.threads.size(), 1U);
    QCOMPARE(again.threads[0].id, 4711U);
    QCOMPARE(again.processes.size(), 1U);
    QCOMPARE(again.counters.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
        QCOMPARE(again.counters[i].process, 4711U);
        QCOMPARE(again.counters[i].device, trace.counters[i].device);
        QCOMPARE(again.counters[i].unit, trace.counters[i].unit);  // the name says none
        QCOMPARE(again.samples.value[i], trace.samples.value[i]);
    }
    QCOMPARE(trace.autograd.size(), 2U);
    QCOMPARE(trace.autograd[1].forward, Row {1});
    QCOMPARE(QString::fromStdString(difference_of(tables::Autograd {}, trace, again)), QString());
    QStringList domains;
    for (const auto& range : again.ranges) {
        domains += QString::fromUtf8(again.text(range.name).data()) + ':' + again.text(range.domain).data();
    }
    QCOMPARE(domains, (QStringList {"a:", "b:", "c:loader"}));
}

void tst_KinetoRoundTrip::spins()
{
    TraceFixture f;
    const auto launch = f.call("cudaLaunchKernel", 0, 10);
    f.kernel(7, 20, 90'000, launch);
    const auto query = f.call("cudaStreamQuery", 100, 95'000);
    f.sync(SyncRecord::stream_sync, 100, 95'000, query, 7);
    f.builder.write(QuerySpinRecord {100, 95'000, 1, 1, query, 40, QuerySpinRecord::ready, 0});
    const auto trace = f.finish();
    const auto again = thereAndBack(trace);
    QCOMPARE(again.query_spins.size(), 1U);
    QCOMPARE(again.query_spins[0].queries, 40U);
    QCOMPARE(again.query_spins[0].succeeded, QuerySpinRecord::ready);
    const auto lines = figures_as_lines(trace);
    QVERIFY2(lines.filter(QRegularExpression("blocked [1-9]")).size() == 1, qPrintable(lines.join('\n')));
    QCOMPARE(figures_as_lines(again), lines);
}

/// Up to format 1.3 our JSON had all of the trace in it. It opens as if PyTorch's profiler had written it.
void tst_KinetoRoundTrip::earlierVersions()
{
    const auto again = open_recording((m_source + "/tests/engine/store/earlier/lanescope-1.3.json.gz").toStdString());
    const auto trace = open_recording((m_source + "/resources/traces/recorded.streams.sqlite").toStdString());
    QCOMPARE(again.source, Source::cupti);
    QCOMPARE(figures_as_lines(again), figures_as_lines(trace));
    const auto rows = trace.events.size() + trace.steps.size() + trace.host_functions.size() + trace.query_spins.size()
        + trace.memory.size() + trace.errors.size() + trace.marks.size();
    QVERIFY(rows > 0);
    QCOMPARE(QString::fromStdString(again.meta.at(meta::not_shown)), QStringLiteral("own_rows %1").arg(rows));
}

/// A file that does not say who wrote it is read as any trace.
void tst_KinetoRoundTrip::damagedHead()
{
    const auto trace
        = open_recording((m_source + "/resources/recordings/h200/two-streams.two-small.sqlite").toStdString());
    save_recording(trace, path("head.json"));
    QFile file(m_folder.filePath("head.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    auto text = file.readAll();
    QVERIFY(text.contains(R"("source": "cupti", "dropped")"));
    QFile damaged(m_folder.filePath("damaged.json"));
    QVERIFY(damaged.open(QIODevice::WriteOnly));
    damaged.write(text.replace(R"("source": "cupti", "dropped")", R"("source": 7, "dropped")"));
    damaged.close();
    const auto again = open_recording(damaged.fileName().toStdString());
    QCOMPARE(again.source, Source::kineto);
    QCOMPARE(again.operations.size(), trace.operations.size());
    QCOMPARE(again.calls.size(), trace.calls.size());
}

QTEST_GUILESS_MAIN(tst_KinetoRoundTrip)
#include "tst_kineto_round_trip.moc"
