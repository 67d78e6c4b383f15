// SPDX-License-Identifier: MIT
// What changed between two runs, on recordings whose difference is known.
#include "engine/analysis/compare/changes.h"
#include "engine/analysis/compare/compare.h"
#include "engine/store/recording_file.h"
#include "tests/engine/analysis/graphed.h"

#include <QRegularExpression>
#include <QTest>

using namespace lanes;

class tst_Changes : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void stories_data();
    void stories();
    void addsUp_data();
    void addsUp();
    void nothingChanged();
    void operationsByName();
    void operationsByModule();
    void iterations();
    void iterationsOfOtherCounts();
    void speedIsOfIterations();
    void speedIsOfAverages_data();
    void speedIsOfAverages();
    void workIsOfIterations();
};

namespace {

constexpr Ns us = 1000;

struct Told : Graphed {
    explicit Told(Trace of)
        : Graphed(std::move(of))
        , bounds(trace, blocking)
    {
    }
    explicit Told(const QString& name)
        : Told(shipped_recording(name))
    {
    }

    RecordingBounds bounds;
};

ComparedParts parts_of(const Told& a, const Told& b)
{
    return parts_to_compare(iterations_of(a.graph, a.bounds), {0, a.graph.last_end()}, iterations_of(b.graph, b.bounds),
        {0, b.graph.last_end()});
}

QStringList shown(const Told& a, const Told& b)
{
    const auto parts = parts_of(a, b);
    QStringList all;
    for (const auto& change : changes_between({a.graph, a.bounds, parts.a}, {b.graph, b.bounds, parts.b})) {
        all += QString("%1 %2: %3")
                   .arg(QString::fromUtf8(name_of(change.kind).data()),
                       QString::fromStdString(Messages::english().format(change.what)),
                       QString::fromUtf8(name_of(change.note).data()));
    }
    return all;
}

/// Steps with a kernel and a wait after it, and a call after all of them.
Trace steps(Ns kernel, int count = 6, const std::string& name = "step", Ns last_call = 0)
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    Ns now = 0;
    for (int i = 0; i < count; ++i) {
        const Ns begin = now;
        tape.kernel(tape.call("cudaLaunchKernel", now, now + 4 * us), 13, now + 5 * us, now + 5 * us + kernel);
        const auto sync = tape.call("cudaStreamSynchronize", now + 5 * us, now + 10 * us + kernel);
        tape.sync(sync, SyncRecord::stream_sync, now + 5 * us, now + 10 * us + kernel, 13);
        now += 10 * us + kernel;
        tape.range(name + " " + std::to_string(i), begin, now);
    }
    if (last_call > 0) {
        tape.call("cudaFree", now, now + last_call);
    }
    return tape.finish();
}

}  // namespace

void tst_Changes::stories_data()
{
    QTest::addColumn<QString>("a");
    QTest::addColumn<QString>("b");
    QTest::addColumn<QStringList>("has");
    QTest::newRow("overlapped") << "copy-results-back.blocking"
                                << "copy-results-back.overlapped"
                                << QStringList {"blocked its own copy: gone", "idle pageable copy: gone"};
    QTest::newRow("blocking again") << "copy-results-back.overlapped"
                                    << "copy-results-back.blocking"
                                    << QStringList {"blocked its own copy: came", "idle pageable copy: came"};
    QTest::newRow("no legacy default stream")
        << "default-stream.legacy"
        << "default-stream.non-blocking" << QStringList {"idle legacy default stream: gone"};
    QTest::newRow("no .item()") << "item-every-batch.every"
                                << "item-every-batch.never" << QStringList {"idle CPU held: gone"};
    QTest::newRow("a pool") << "allocate-in-the-loop.malloc"
                            << "allocate-in-the-loop.pool"
                            << QStringList {"blocked allocating or freeing memory: gone"};
    QTest::newRow("more streams") << "copies-both-ways.one-stream"
                                  << "copies-both-ways.three-streams"
                                  << QStringList {"path Memcpy DtoH: hidden", "moved transform: longer"};
}

void tst_Changes::stories()
{
    QFETCH(QString, a);
    QFETCH(QString, b);
    QFETCH(QStringList, has);
    const auto all = shown(Told(a), Told(b));
    for (const auto& line : has) {
        QVERIFY2(all.contains(line), qPrintable(all.join("\n")));
    }
}

void tst_Changes::addsUp_data()
{
    QTest::addColumn<QString>("a");
    QTest::addColumn<QString>("b");
    for (const auto& [a, b] : {std::pair("copy-results-back.blocking", "copy-results-back.overlapped"),
             std::pair("item-every-batch.never", "item-every-batch.every"),
             std::pair("allocate-in-the-loop.malloc", "allocate-in-the-loop.pool"),
             std::pair("copies-both-ways.one-stream", "copies-both-ways.three-streams")}) {
        QTest::newRow(a) << a << b;
    }
}

/// The steps of the waterfall are the whole difference, what became shorter first.
void tst_Changes::addsUp()
{
    QFETCH(QString, a);
    QFETCH(QString, b);
    const Told of_a(a), of_b(b);
    const auto parts = parts_of(of_a, of_b);
    Ns sum = 0;
    std::size_t steps = 0;
    bool got_longer = false;
    for (const auto& change : changes_between({of_a.graph, of_a.bounds, parts.a}, {of_b.graph, of_b.bounds, parts.b})) {
        if (change.kind == CauseOfChange::waterfall) {
            const Ns more = change.b - change.a;
            if (change.what.id != "change.part.other") {
                QVERIFY(more > 0 || !got_longer);
                got_longer = more > 0;
            }
            sum += more;
            ++steps;
        }
    }
    QVERIFY(steps >= 2);
    QCOMPARE(sum, (parts.b.end - parts.b.start) - (parts.a.end - parts.a.start));
}

void tst_Changes::nothingChanged()
{
    const Told run(QStringLiteral("copy-results-back.blocking"));
    QVERIFY(shown(run, run).isEmpty());
}

/// Each name once with its counts; the sum of their differences is that of all operations, as far as they are listed.
void tst_Changes::operationsByName()
{
    const auto kernels = [](int names, Ns more) {
        Tape tape;
        Ns now = 0;
        for (int i = 0; i < 2 * names; ++i) {
            const int name = i % names;
            tape.kernel(tape.call("cudaLaunchKernel", now, now + 4 * us), 13, now + 5 * us,
                now + (10 + name) * us + (name + 1) * more, 0, "kernel" + std::to_string(name));
            now += 100 * us;
        }
        return tape.finish();
    };
    const Told a(kernels(30, 0)), b(kernels(30, us));
    Ns sum = 0;
    std::vector<CauseOfChange> named;
    const auto parts = parts_of(a, b);
    for (auto& change :
        changes_between({a.graph, a.bounds, {0, a.graph.last_end()}}, {b.graph, b.bounds, {0, b.graph.last_end()}})) {
        if (change.kind == CauseOfChange::operation) {
            sum += change.b - change.a;
            named.push_back(std::move(change));
        }
    }
    QCOMPARE(named.size(), std::size_t {20});
    QCOMPARE(named.front().what.arguments.front().second, std::string("kernel29"));
    QCOMPARE(named.front().b - named.front().a, 2 * 30 * us);
    QCOMPARE(named.front().count_a, std::uint64_t {2});
    QCOMPARE(named.back().what.id, std::string("change.other_names"));
    QCOMPARE(named.back().count_b, std::uint64_t {22});
    QCOMPARE(sum, 2 * 30 * 31 / 2 * us);
    const auto text = QString::fromStdString(changes_text(parts, named, Messages::english()));
    QVERIFY2(text.contains(QStringLiteral("11 other names")), qPrintable(text));
}

/// Kernels belong to the innermost range that is no operator, also those of an operator in a module.
void tst_Changes::operationsByModule()
{
    const auto net = [](Ns convolution, Ns between = 5 * us) {
        Tape tape;
        Ns now = 0;
        for (int i = 0; i < 5; ++i) {
            const Ns begin = now;
            const auto launch = [&](Ns kernel) {
                tape.kernel(tape.call("cudaLaunchKernel", now, now + 4 * us), 13, now + 5 * us, now + 5 * us + kernel);
                now += 10 * us + kernel;
            };
            launch(20 * us);
            const Ns module = now;
            tape.range("aten::convolution", now + 1, now + 3 * us, 1, operator_domain);
            now += 2 * us;
            launch(convolution);
            tape.range("conv1: Conv2d", module, now);
            tape.range("step " + std::to_string(i), begin, now);
            now += between;
        }
        return tape.finish();
    };
    const Told a(net(50 * us)), b(net(80 * us));
    const auto parts = parts_of(a, b);
    QVERIFY(parts.iterations);
    std::vector<CauseOfChange> modules;
    for (auto& change : changes_between({a.graph, a.bounds, parts.a}, {b.graph, b.bounds, parts.b})) {
        if (change.kind == CauseOfChange::range) {
            modules.push_back(std::move(change));
        }
    }
    QVERIFY(!modules.empty());
    QCOMPARE(Messages::english().format(modules.front().what), std::string("conv1: Conv2d"));
    QCOMPARE(modules.front().a, 50 * us);
    QCOMPARE(modules.front().b, 80 * us);
    QCOMPARE(modules.front().count_a, std::uint64_t {1});
    // What takes as long in both became neither longer nor shorter.
    QCOMPARE(modules.size(), std::size_t {2});
    QCOMPARE(modules.back().note, CauseOfChange::equal);
    QCOMPARE(note_text(modules.back(), Messages::english()), std::string("1 in each"));
    // So does what was issued in the step itself, even where the step is as long as its iteration.
    const Told dense(net(50 * us, 0));
    const auto dense_parts = parts_of(dense, b);
    for (const auto& change :
        changes_between({dense.graph, dense.bounds, dense_parts.a}, {b.graph, b.bounds, dense_parts.b})) {
        if (change.kind == CauseOfChange::range) {
            QCOMPARE(change.count_a, change.count_b);
        }
    }
}

void tst_Changes::iterations()
{
    const Told a(steps(100 * us));
    const Told b(steps(150 * us));
    const auto parts = parts_of(a, b);
    QVERIFY(parts.iterations);
    const auto changes = changes_between({a.graph, a.bounds, parts.a}, {b.graph, b.bounds, parts.b});
    QCOMPARE(changes.front().kind, CauseOfChange::waterfall);
    QCOMPARE(changes.front().what.id, std::string("change.part.operation"));
    QCOMPARE(changes.front().note, CauseOfChange::longer);
    QCOMPARE(changes.front().count_b, std::uint64_t {1});
    QCOMPARE(changes.front().b - changes.front().a, 50 * us);  // of one iteration
    auto small = changes;
    small.push_back({CauseOfChange::operation, CauseOfChange::longer, {"iteration.cause.operation", {{"name", "tiny"}}},
        100, 300, {}, {}, 1, 1});
    const auto table = QString::fromStdString(changes_markdown(parts, small, Messages::english()));
    QVERIFY2(table.contains("longer") && !table.contains("tiny"), qPrintable(table));
    const auto text = QString::fromStdString(changes_text(parts, changes, Messages::english()));
    QVERIFY2(text.contains("What changed from a typical iteration of A"), qPrintable(text));
    QVERIFY(text.contains("+50.0 µs  longer, 1 in each"));
    QVERIFY(QRegularExpression("\n  sum +110 µs +160 µs +\\+50.0 µs\n").match(text).hasMatch());
}

/// If the runs differ in length, one iteration is compared with one, unless they are different work.
void tst_Changes::iterationsOfOtherCounts()
{
    const Told a(steps(100 * us));
    const Told b(steps(150 * us, 9));
    const auto parts = parts_of(a, b);
    QVERIFY(parts.iterations);
    QCOMPARE(parts.count_a, std::size_t {6});
    QCOMPARE(parts.count_b, std::size_t {9});
    const auto changes = changes_between({a.graph, a.bounds, parts.a}, {b.graph, b.bounds, parts.b});
    QCOMPARE(changes.front().b - changes.front().a, 50 * us);
    const auto text = QString::fromStdString(changes_text(parts, changes, Messages::english()));
    QVERIFY2(text.contains(QStringLiteral(" of 6, ")) && text.contains(QStringLiteral(" of 9, ")), qPrintable(text));
    const Told other(steps(150 * us, 9, "epoch"));
    QVERIFY(!parts_of(a, other).iterations);
}

/// How long a run is torn down says nothing of its loop.
void tst_Changes::speedIsOfIterations()
{
    const Told a(steps(100 * us));
    const Told b(steps(50 * us, 6, "step", 5000 * us));
    const auto report_a = make_report(a.trace, a.blocking);
    auto report_b = make_report(b.trace, b.blocking);
    const auto text = QString::fromStdString(
        comparison_to_text({a.trace, report_a, "a"}, {b.trace, report_b, "b"}, Messages::english(), parts_of(a, b)));
    QVERIFY2(text.contains(QStringLiteral("An iteration of B is 1.83 times as fast as one of A: 110 µs → 60.0 µs. "
                                          "The whole runs: A is 8.12 times as fast as B.\n")),
        qPrintable(text));
    auto parts = parts_of(a, b);
    parts.kernels_b *= 2;  // it touches one of the next iteration
    QVERIFY(compared_speed(report_a, report_b, parts).is_same_work);
    report_b.counts.kernels *= 2;
    QVERIFY(!compared_speed(report_a, report_b, parts).is_ranked);
    parts.is_one_program = true;  // its change cuts kernels into pieces
    QVERIFY(!compared_speed(report_a, report_b, parts).is_same_work);
    QVERIFY(compared_speed(report_a, report_b, parts).is_ranked);
}

void tst_Changes::speedIsOfAverages_data()
{
    QTest::addColumn<int>("a");  // µs, of the typical iterations and of the average ones
    QTest::addColumn<int>("b");
    QTest::addColumn<int>("averageA");
    QTest::addColumn<int>("averageB");
    QTest::addColumn<QString>("says");
    QTest::newRow("all alike") << 4000 << 5000 << 4000 << 5000
                               << "An iteration of A is 1.25 times as fast as one of B: 5.00 ms → 4.00 ms.";
    QTest::newRow("both longer by as much")
        << 4000 << 5000 << 4400 << 5505 << "An iteration of A is 1.25 times as fast as one of B: 5.00 ms → 4.00 ms.";
    QTest::newRow("the same, and all of them")
        << 4000 << 4010 << 4000 << 4015 << "An iteration of both takes the same time: 4.00 ms → 4.01 ms.";
    QTest::newRow("every fourth is longer") << 4000 << 4000 << 4000 << 4640
                                            << "On average, an iteration of A is 1.16 times as fast as one of B: "
                                               "4.64 ms → 4.00 ms. A typical one takes 4.00 ms in A, 4.00 ms in B.";
    QTest::newRow("just the same, but not on average")
        << 4000 << 4016 << 4000 << 4100
        << "On average, an iteration of A is 1.02 times as fast as one of B: 4.10 ms → 4.00 ms. A typical one takes "
           "4.00 ms in A, 4.02 ms in B.";
    QTest::newRow("the same on average only") << 4000 << 3600 << 4000 << 4000
                                              << "On average, an iteration of both takes the same time: 4.00 ms → "
                                                 "4.00 ms. A typical one takes 4.00 ms in A, 3.60 ms in B.";
    QTest::newRow("the other way") << 4000 << 3900 << 4000 << 4400
                                   << "On average, an iteration of A is 1.1 times as fast as one of B: 4.40 ms → "
                                      "4.00 ms. A typical one takes 4.00 ms in A, 3.90 ms in B.";
    QTest::newRow("a part of what typical ones say")
        << 4000 << 4800 << 4000 << 4400
        << "On average, an iteration of A is 1.1 times as fast as one of B: 4.40 ms → 4.00 ms. A typical one takes "
           "4.00 ms in A, 4.80 ms in B.";
}

/// No sentence on typical iterations contradicts the average ones in the table over it.
void tst_Changes::speedIsOfAverages()
{
    QFETCH(int, a);
    QFETCH(int, b);
    QFETCH(int, averageA);
    QFETCH(int, averageB);
    QFETCH(QString, says);
    const Told run(steps(100 * us));
    const auto report = make_report(run.trace, run.blocking);
    auto parts = parts_of(run, run);
    parts.a = {0, a * us};
    parts.b = {0, b * us};
    parts.average_a = averageA * us;
    parts.average_b = averageB * us;
    const bool of_averages = says.startsWith("On average");
    const auto speed = compared_speed(report, report, parts);
    QCOMPARE(speed.of, of_averages ? ComparedSpeed::average : ComparedSpeed::iteration);
    QCOMPARE(speed.b, of_averages ? parts.average_b : b * us);
    const auto text = QString::fromStdString(
        comparison_to_text({run.trace, report, "a"}, {run.trace, report, "b"}, Messages::english(), parts));
    QVERIFY2(text.contains('\n' + says + " The whole runs: Both take the same time.\n"), qPrintable(text));
}

/// Half as many steps are no other work.
void tst_Changes::workIsOfIterations()
{
    const Told a(steps(100 * us, 20)), b(steps(100 * us, 10));
    const auto report_a = make_report(a.trace, a.blocking), report_b = make_report(b.trace, b.blocking);
    QVERIFY(is_one_program({a.trace, report_a, "a"}, {b.trace, report_b, "b"}));
    auto parts = parts_of(a, b);
    const auto said = [&] {
        std::string text;
        for (const auto& difference : work_differences(report_a, report_b, parts)) {
            text += Messages::english().format(difference) + "; ";
        }
        return text;
    };
    QCOMPARE(said(), std::string());
    const auto text
        = comparison_to_text({a.trace, report_a, "a"}, {b.trace, report_b, "b"}, Messages::english(), parts);
    QVERIFY2(text.find("A has 20 iterations, B 10") != std::string::npos, text.c_str());
    QVERIFY2(text.find("Not the same work") == std::string::npos, text.c_str());
    parts.bytes_a = 4096;
    parts.bytes_b = 8192;
    QCOMPARE(said(), std::string());  // none in both on average: they are of a neighbour
    parts.iterations = false;
    QCOMPARE(said(), std::string("20 → 10 kernels; "));
}

QTEST_GUILESS_MAIN(tst_Changes)
#include "tst_changes.moc"
