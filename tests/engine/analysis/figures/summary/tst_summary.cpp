// SPDX-License-Identifier: MIT
// Summaries by name: figures computed by hand, of a range, of selected events, and as text, JSON and CSV.
#include "engine/analysis/summary/summary.h"
#include "engine/trace/event.h"
#include "tests/engine/analysis/tape.h"
#include "tests/engine/trace/trace_fixture.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <numeric>

#include <bit>

using namespace lanes;

namespace {

constexpr Ns us = 1000;

/// Three kernels of one name and one of another, two copies, three calls, two ranges.
Recording tape()
{
    Tape tape;
    tape.thread(1, "main", 0);
    const auto launch = tape.call("cudaLaunchKernel", 0, 5 * us);
    tape.kernel(launch, 13, 10 * us, 20 * us, 0, "matmul");
    tape.kernel(tape.call("cudaLaunchKernel", 5 * us, 10 * us), 13, 20 * us, 50 * us, 0, "matmul");
    tape.kernel(tape.call("cudaLaunchKernel", 10 * us, 14 * us), 14, 15 * us, 35 * us, 0, "matmul");
    tape.kernel(tape.call("cudaLaunchKernel", 14 * us, 16 * us), 14, 40 * us, 42 * us, 0, "a,\"b\"");
    const auto copied = tape.call("cudaMemcpy", 20 * us, 100 * us);
    tape.copy(copied, Tape::legacy_stream, 60 * us, 99 * us, CopyKind::d2h, MemoryKind::pageable, false, 0, 4096);
    tape.copy(tape.call("cudaMemcpyAsync", 100 * us, 102 * us), 13, 103 * us, 113 * us, CopyKind::h2d,
        MemoryKind::pinned, true, 0, 1024);
    tape.range("step", 0, 50 * us);
    tape.range("step", 50 * us, 110 * us);
    return reported(tape.finish());
}

QString line(const SummaryRow& row)
{
    return QStringLiteral("%1 %2 %3 %4 %5 %6 %7")
        .arg(QString::fromStdString(row.name))
        .arg(row.count)
        .arg(row.total / us)
        .arg(row.mean() / us)
        .arg(row.median / us)
        .arg(row.min / us)
        .arg(row.max / us);
}

}  // namespace

class tst_Summary : public QObject {
    Q_OBJECT

private slots:
    void rows_data();
    void rows();
    void owners_data();
    void owners();
    void ownersPrinted();
    void bytesBlockedAndShares();
    void ownTimesOfRanges();
    void medianOfAnEvenCount();
    void exposedOfCopiesAndCommunication_data();
    void exposedOfCopiesAndCommunication();
    void ofAChoiceOfEvents();
    void eventsOfARow_data();
    void eventsOfARow();
    void stopped();
    void printed();
    void counters_data();
    void counters();
    void countersPrinted();
};

void tst_Summary::rows_data()
{
    QTest::addColumn<int>("by");
    QTest::addColumn<Ns>("from");
    QTest::addColumn<Ns>("to");
    QTest::addColumn<QStringList>("expected");  // name count total mean median min max, in us
    const auto row = [](const char* name, SummaryBy by, Ns from, Ns to, const QStringList& expected) {
        QTest::newRow(name) << static_cast<int>(by) << from * us << to * us << expected;
    };
    row("kernels", SummaryBy::kernel, 0, 113, {"matmul 3 60 20 20 10 30", "a,\"b\" 1 2 2 2 2 2"});
    row("kernels, cut", SummaryBy::kernel, 30, 45, {"matmul 2 20 10 10 5 15", "a,\"b\" 1 2 2 2 2 2"});
    row("what only touches is left out", SummaryBy::kernel, 50, 60, {});
    row("copies", SummaryBy::copy, 0, 113, {"D2H pageable 1 39 39 39 39 39", "H2D pinned 1 10 10 10 10 10"});
    row("calls", SummaryBy::api, 0, 113,
        {"cudaMemcpy 1 80 80 80 80 80", "cudaLaunchKernel 4 16 4 4 2 5", "cudaMemcpyAsync 1 2 2 2 2 2"});
    row("families", SummaryBy::family, 0, 113,
        {"matmul 3 60 20 20 10 30", "copy 2 49 24 24 10 39", "other 1 2 2 2 2 2"});
    row("ranges", SummaryBy::range, 0, 113, {"step 2 110 55 55 50 60"});
    row("ranges, cut", SummaryBy::range, 40, 60, {"step 2 20 10 10 10 10"});
}

void tst_Summary::rows()
{
    QFETCH(int, by);
    QFETCH(Ns, from);
    QFETCH(Ns, to);
    QFETCH(QStringList, expected);
    const Summary summary = summarise(tape(), static_cast<SummaryBy>(by), {Interval {from, to}, {}});
    QStringList found;
    for (const SummaryRow& row : summary.rows) {
        found += line(row);
    }
    QCOMPARE(found, expected);
}

namespace {

/// Two kernels of an operator in a module, one captured in another, one in a range, one in nothing.
Recording owned()
{
    TraceFixture f;
    f.range("Net (train.py:7)", 0, 50 * us);
    f.range("fc1: Linear", 1 * us, 49 * us);
    f.range("aten::addmm", 2 * us, 48 * us, operator_domain);
    f.kernel(7, 10 * us, 20 * us, f.call("cudaLaunchKernel", 3 * us, 4 * us));
    f.kernel(7, 20 * us, 40 * us, f.call("cudaLaunchKernel", 5 * us, 6 * us));
    f.range("fc2: Linear", 60 * us, 70 * us);
    f.node({1, 1}, 65 * us);
    f.node({2, 1}, 71 * us, {1, 1});
    f.kernel_of({2, 1}, 7, 80 * us, 120 * us, f.call("cudaGraphLaunch", 75 * us, 76 * us));
    f.range("decode", 130 * us, 140 * us);
    f.kernel_of({3, 1}, 7, 140 * us, 141 * us, f.call("cudaGraphLaunch", 131 * us, 132 * us));
    f.kernel(7, 160 * us, 162 * us, f.call("cudaLaunchKernel", 150 * us, 151 * us));
    f.kernel_of({3, 1}, 7, 162 * us, 165 * us, f.call("cudaGraphLaunch", 152 * us, 153 * us));
    f.kernel(7, 170 * us, 180 * us);
    return reported(f.finish());
}

}  // namespace

void tst_Summary::owners_data()
{
    QTest::addColumn<int>("by");
    QTest::addColumn<QStringList>("expected");  // name count total
    const auto row = [](const char* name, SummaryBy by, const QStringList& expected) {
        QTest::newRow(name) << static_cast<int>(by) << expected;
    };
    row("owners", SummaryBy::owner, {"fc2: Linear 1 40", "aten::addmm 2 30", " 3 15", "decode 1 1"});
    row("modules", SummaryBy::module, {"fc2: Linear 1 40", "fc1: Linear 2 30", " 4 16"});
    row("lines", SummaryBy::line, {" 5 56", "train.py:7 2 30"});
}

void tst_Summary::owners()
{
    QFETCH(int, by);
    QFETCH(QStringList, expected);
    const Recording recording = owned();
    const auto table = static_cast<SummaryBy>(by);
    const Summary summary = summarise(recording, table);
    QStringList found;
    for (const SummaryRow& row : summary.rows) {
        found += QStringLiteral("%1 %2 %3").arg(QString::fromStdString(row.name)).arg(row.count).arg(row.total / us);
        QVERIFY(!row.family);
        // The events of the row are those that it counts.
        const auto part = part_in_row(recording, table, row.name, {});
        const auto all = durations_of(recording, table, part);
        QCOMPARE(all.size(), row.count);
        QCOMPARE(std::accumulate(all.begin(), all.end(), Ns {0}), row.total);
    }
    QCOMPARE(found, expected);
    QCOMPARE(summary.missing, (std::array<std::uint64_t, 3> {1, 1, 1}));
    QCOMPARE(summary.count(), 7U);
}

void tst_Summary::ownersPrinted()
{
    const std::vector<Summary> tables {summarise(owned(), SummaryBy::owner), summarise(owned(), SummaryBy::line)};
    const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(to_json(tables, {0, 180 * us})));
    const auto missing = json["tables"][0]["no_owner"].toObject();
    QCOMPARE(missing, (QJsonObject {{"call", 1}, {"capture", 1}, {"ranges", 1}}));
    const auto text = QString::fromStdString(to_text(tables, Messages::of("en")));
    for (const char* said : {"(no owner)", "(no line)", "4 of 7 operations have an owner",
             "1 has none: the capture of its CUDA graph is not recorded"}) {
        QVERIFY2(text.contains(said), qPrintable(text));
    }
}

void tst_Summary::bytesBlockedAndShares()
{
    const Recording recording = tape();
    const Summary copies = summarise(recording, SummaryBy::copy);
    QCOMPARE(copies.rows[0].bytes, 4096U);
    QCOMPARE(copies.total, 49 * us);
    QCOMPARE(copies.share(copies.rows[0]) + copies.share(copies.rows[1]), 1.0);
    QVERIFY(!copies.rows[0].blocked);
    QCOMPARE(
        summarise(recording, SummaryBy::copy, {Interval {70 * us, 113 * us}, {}}).rows[0].bytes, 0U);  // began before

    const Summary calls = summarise(recording, SummaryBy::api);
    QCOMPARE(calls.rows[0].blocked, MaybeNs(80 * us));
    QCOMPARE(calls.rows[1].blocked, MaybeNs(0));
    QCOMPARE(
        summarise(recording, SummaryBy::api, {Interval {90 * us, 113 * us}, {}}).rows[0].blocked, MaybeNs(10 * us));

    Recording unsure = recording;
    Blocking blocking = *recording.blocking;
    blocking.unknown.assign(recording.trace->threads.size(), 1);
    unsure.blocking = std::make_shared<const Blocking>(std::move(blocking));
    const Summary unknown = summarise(unsure, SummaryBy::api);
    QCOMPARE(unknown.rows[0].blocked, MaybeNs());
}

void tst_Summary::ownTimesOfRanges()
{
    Tape nested;
    nested.range("outer", 0, 100 * us);
    nested.range("inner", 0, 40 * us);
    nested.range("deep", 10 * us, 30 * us);
    nested.range("inner", 50 * us, 60 * us);
    nested.range("outer", 20 * us, 80 * us, 2);  // another thread's
    const auto text = [](const Recording& recording, const SummaryScope& scope) {
        const Summary summary = summarise(recording, SummaryBy::range, scope);
        QStringList rows;
        double shares = 0;
        for (const SummaryRow& row : summary.rows) {
            rows += QStringLiteral("%1 %2 %3")
                        .arg(QString::fromStdString(row.name))
                        .arg(row.total / us)
                        .arg(row.own / us);
            shares += summary.share(row);
        }
        return qFuzzyCompare(shares, 1.0) ? rows.join(QStringLiteral(", ")) : QString::number(shares);
    };
    const Recording recording = reported(nested.finish());
    QCOMPARE(text(recording, {}), "outer 160 110, inner 50 30, deep 20 20");
    QCOMPARE(text(recording, {Interval {20 * us, 55 * us}, {}}), "outer 70 45, inner 25 15, deep 10 10");
    Tape crossed;  // a step of PyTorch's profiler begins in the frame that begins it, and outlasts that
    crossed.range("run", 0, 100 * us);
    crossed.range("begin", 10 * us, 20 * us);
    crossed.range("step", 15 * us, 90 * us);
    crossed.range("forward", 30 * us, 80 * us);
    QCOMPARE(text(reported(crossed.finish()), {}), "forward 50 50, step 75 25, run 100 20, begin 10 5");
}

void tst_Summary::medianOfAnEvenCount()
{
    Tape four;
    for (const Ns length : {7, 100, 1, 10}) {
        four.kernel(four.call("cudaLaunchKernel", length * 1000, length * 1000 + 10), 13, length * 1000,
            length * 1000 + length);
    }
    QCOMPARE(summarise(reported(four.finish()), SummaryBy::kernel).rows[0].median, 8);
}

void tst_Summary::exposedOfCopiesAndCommunication_data()
{
    QTest::addColumn<Ns>("to");
    QTest::addColumn<QStringList>("expected");  // table, name, total, exposed
    QTest::newRow("whole") << 80 * us
                           << QStringList {"kernel matmul 40 -", "kernel AllReduce f32 RING LL 30 20", "copy D2H 25 25",
                                  "family matmul 40 -", "family communication 30 20", "family copy 25 25"};
    QTest::newRow("of a part") << 45 * us
                               << QStringList {"kernel matmul 30 -", "kernel AllReduce f32 RING LL 25 15",
                                      "copy D2H 5 5", "family matmul 30 -", "family communication 25 15",
                                      "family copy 5 5"};
}

/// A kernel computes until 30 us and from 60 us on on another GPU; communication runs from 20 to 50 us, a copy from 40
/// to 65 us.
void tst_Summary::exposedOfCopiesAndCommunication()
{
    QFETCH(Ns, to);
    QFETCH(QStringList, expected);
    Tape tape;
    tape.thread(1, "main", 0);
    tape.kernel(0, 13, 0, 30 * us, 0, "matmul");
    tape.kernel(0, 15, 60 * us, 70 * us, 1, "matmul");
    tape.kernel(0, 14, 20 * us, 50 * us, 0, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)");
    tape.copy(0, 16, 40 * us, 65 * us, CopyKind::d2h, MemoryKind::unknown, true, 0, 4096);
    const Recording recording = reported(tape.finish());
    QStringList found;
    for (const SummaryBy by : {SummaryBy::kernel, SummaryBy::copy, SummaryBy::family}) {
        for (const SummaryRow& row : summarise(recording, by, {Interval {0, to}, {}}).rows) {
            found += QStringLiteral("%1 %2 %3 %4")
                         .arg(QLatin1String(name_of(by).data(), qsizetype(name_of(by).size())))
                         .arg(QString::fromStdString(row.name))
                         .arg(row.total / us)
                         .arg(row.exposed ? QString::number(*row.exposed / us) : QStringLiteral("-"));
        }
    }
    QCOMPARE(found, expected);
}

void tst_Summary::ofAChoiceOfEvents()
{
    const Recording recording = tape();
    const auto longer = [&](EventRef event) {
        const Interval span = span_of(*recording.trace, event);
        return span.end - span.start >= 20 * us;
    };
    const Summary summary = summarise(recording, SummaryBy::kernel, {{}, longer});
    QCOMPARE(summary.rows.size(), 1U);
    QCOMPARE(line(summary.rows[0]), QStringLiteral("matmul 2 50 25 25 20 30"));
}

void tst_Summary::eventsOfARow_data()
{
    QTest::addColumn<int>("by");
    QTest::addColumn<std::string>("name");
    QTest::addColumn<QList<Ns>>("whole");
    QTest::addColumn<QList<Ns>>("cut");  // to 30 us to 70 us
    const auto row = [](SummaryBy by, const char* name, const QList<Ns>& whole, const QList<Ns>& cut) {
        QTest::newRow(name) << static_cast<int>(by) << std::string(name) << whole << cut;
    };
    row(SummaryBy::kernel, "matmul", {10, 20, 30}, {5, 20});
    row(SummaryBy::copy, "D2H pageable", {39}, {10});
    row(SummaryBy::copy, "D2H pinned", {}, {});
    row(SummaryBy::api, "cudaLaunchKernel", {2, 4, 5, 5}, {});
    row(SummaryBy::range, "step", {50, 60}, {20, 20});
    row(SummaryBy::range, "matmul", {}, {});  // a name that another table has
}

/// The events that a chosen row marks are those that it counts.
void tst_Summary::eventsOfARow()
{
    QFETCH(int, by);
    QFETCH(std::string, name);
    QFETCH(QList<Ns>, whole);
    QFETCH(QList<Ns>, cut);
    const Recording recording = tape();
    for (const bool isCut : {false, true}) {
        const SummaryScope scope {isCut ? std::optional(Interval {30 * us, 70 * us}) : std::nullopt, {}};
        const auto table = static_cast<SummaryBy>(by);
        std::vector<Ns> found = durations_of(recording, table, part_in_row(recording, table, name, scope));
        std::sort(found.begin(), found.end());
        QList<Ns> shown;
        for (const Ns duration : found) {
            shown += duration / us;
        }
        QCOMPARE(shown, isCut ? cut : whole);
        const Summary summary = summarise(recording, table, scope);
        for (const SummaryRow& row : summary.rows) {
            if (row.name == name) {
                QCOMPARE(row.count, found.size());
                QCOMPARE(part_in_row(recording, table, name, scope)(row.longest), std::optional(row.max));
            }
        }
    }
}

void tst_Summary::stopped()
{
    std::stop_source stop;
    stop.request_stop();
    const Summary summary = summarise(tape(), SummaryBy::kernel, {}, stop.get_token());
    QVERIFY(summary.rows.empty());
    QCOMPARE(summary.total, 0);
}

void tst_Summary::printed()
{
    const Recording recording = tape();
    const std::vector<Summary> both {summarise(recording, SummaryBy::kernel), summarise(recording, SummaryBy::api)};
    const QStringList csv = QString::fromStdString(to_csv(both)).split(QStringLiteral("\r\n"), Qt::SkipEmptyParts);
    QCOMPARE(csv.size(), 6);
    QCOMPARE(csv[0].count(QLatin1Char(',')), 14);
    QVERIFY2(csv[1].endsWith(QStringLiteral(",matmul,,")), qPrintable(csv[1]));  // the family
    QVERIFY(csv[1].startsWith(QStringLiteral("kernel,matmul,3,60000,0.967")));
    QVERIFY(csv[2].startsWith(QStringLiteral("kernel,\"a,\"\"b\"\"\",1,2000,")));
    QVERIFY2(csv[3].endsWith(QStringLiteral(",,80000,0,,,")), qPrintable(csv[3]));
    const QString json = QString::fromStdString(to_json(both, {0, 113 * us}));
    QVERIFY(json.contains(QStringLiteral("\"by\":\"kernel\",\"total_ns\":62000"))
        || json.contains(QStringLiteral("\"by\": \"kernel\", \"total_ns\": 62000")));
    const QString text = QString::fromStdString(to_text(both, Messages::of("en")));
    QVERIFY(text.contains(QStringLiteral("matmul")) && text.contains(QStringLiteral("60.0 µs")));
    QVERIFY(QString::fromStdString(to_text(both, Messages::of("zh_CN"))).contains(QStringLiteral("中位数")));
    Tape none;
    QVERIFY(!to_text(std::vector {summarise(reported(none.finish()), SummaryBy::kernel)}, Messages::of("en")).empty());
}

namespace {

/// Bytes of memory on GPU 0 from 10 us on, and a queue of the process that begins before everything.
Trace counted()
{
    TraceBuilder builder;
    const auto memory = builder.intern("memory");
    const auto queue = builder.intern("queue, \"all\"");
    const auto sample = [&](StringId name, std::uint32_t device, CounterRecord::Unit unit, Ns time, double value) {
        builder.write(CounterRecord {time * us, std::bit_cast<std::uint64_t>(value), 7, device, name, unit});
    };
    sample(queue, no_id, CounterRecord::none, 0, 3);
    sample(memory, 0, CounterRecord::bytes, 10, 1024);
    sample(memory, 0, CounterRecord::bytes, 20, 4096);
    sample(memory, 0, CounterRecord::bytes, 60, 2048);
    sample(queue, no_id, CounterRecord::none, 100, 0.5);
    return builder.finish(Source::cupti);
}

}  // namespace

void tst_Summary::counters_data()
{
    QTest::addColumn<Ns>("from");
    QTest::addColumn<Ns>("to");
    QTest::addColumn<QStringList>("expected");  // name samples min mean max last
    const auto row = [](const char* name, Ns from, Ns to, const QStringList& expected) {
        QTest::newRow(name) << from * us << to * us << expected;
    };
    row("whole", 0, 100, {"queue, \"all\" 2 0.5 3 3 0.5", "memory 3 1024 2844.44 4096 2048"});
    row("what a range begins with counts", 40, 80, {"queue, \"all\" 0 3 3 3 3", "memory 1 2048 3072 4096 2048"});
    row("from a sample on", 20, 60, {"queue, \"all\" 0 3 3 3 3", "memory 2 2048 4096 4096 2048"});
    row("before there is a value", 1, 9, {"queue, \"all\" 0 3 3 3 3"});
    row("known for no time", 5, 10, {"queue, \"all\" 0 3 3 3 3", "memory 1 1024 1024 1024 1024"});
}

void tst_Summary::counters()
{
    QFETCH(Ns, from);
    QFETCH(Ns, to);
    QFETCH(QStringList, expected);
    const Trace trace = counted();
    QStringList found;
    for (const CounterRow& row : summarise_counters(trace, Interval {from, to}).rows) {
        found += QStringLiteral("%1 %2 %3 %4 %5 %6")
                     .arg(QString::fromStdString(row.name))
                     .arg(row.samples)
                     .arg(row.min)
                     .arg(row.mean)
                     .arg(row.max)
                     .arg(row.last);
    }
    QCOMPARE(found, expected);
    if (to - from == trace.duration) {
        QCOMPARE(summarise_counters(trace).rows.size(), summarise_counters(trace, Interval {from, to}).rows.size());
    }
}

void tst_Summary::countersPrinted()
{
    const CounterSummary counters = summarise_counters(counted());
    const QStringList csv
        = QString::fromStdString(to_csv({}, &counters)).split(QStringLiteral("\r\n"), Qt::SkipEmptyParts);
    QCOMPARE(csv.size(), 3);
    QVERIFY2(csv[0].endsWith(QStringLiteral(",process,gpu,unit,min,mean,max,last")), qPrintable(csv[0]));
    QCOMPARE(csv[1], QStringLiteral("counter,\"queue, \"\"all\"\"\",2,,,,,,,,,,,,,7,,none,0.5,3,3,0.5"));
    QCOMPARE(csv[0].count(QLatin1Char(',')), csv[2].count(QLatin1Char(',')));
    const std::vector<Summary> kernels {summarise(tape(), SummaryBy::kernel)};
    for (const QString& line :
        QString::fromStdString(to_csv(kernels, &counters)).split(QStringLiteral("\r\n"), Qt::SkipEmptyParts)) {
        if (line.startsWith(QStringLiteral("kernel,matmul"))) {
            QCOMPARE(line.count(QLatin1Char(',')), csv[0].count(QLatin1Char(',')));
        }
    }
    const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(to_json({}, {0, 100 * us}, &counters)));
    const auto rows = json[QStringLiteral("tables")][0][QStringLiteral("rows")];
    QVERIFY(rows[0][QStringLiteral("gpu")].isNull());
    QCOMPARE(rows[1][QStringLiteral("gpu")].toInt(-1), 0);
    QCOMPARE(rows[1][QStringLiteral("unit")].toString(), QStringLiteral("bytes"));
    QCOMPARE(rows[1][QStringLiteral("max")].toDouble(), 4096.0);
    const QString text = QString::fromStdString(to_text(kernels, Messages::of("en"), &counters));
    QVERIFY2(text.contains(QStringLiteral("Counters")) && text.contains(QStringLiteral("4 KiB"))
            && text.contains(QStringLiteral("GPU 0")) && text.contains(QStringLiteral("process 7")),
        qPrintable(text));
    const CounterSummary none;
    QVERIFY(!QString::fromStdString(to_text(kernels, Messages::of("en"), &none)).contains(QStringLiteral("Counters")));
    QVERIFY(QString::fromStdString(to_text({}, Messages::of("en"), &none)).contains(QStringLiteral("none")));
}

QTEST_GUILESS_MAIN(tst_Summary)
#include "tst_summary.moc"
