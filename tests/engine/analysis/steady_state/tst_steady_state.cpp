// SPDX-License-Identifier: MIT
// What repeats in a recording: found by ranges, by launches, or not at all.
#include "engine/analysis/facts/steady_state.h"
#include "engine/analysis/facts/time_range.h"
#include "engine/analysis/recording.h"
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "tests/engine/analysis/tape.h"

#include <QFileInfo>
#include <QTest>

using namespace lanes;

namespace {

/// A letter is an operation with that kernel's name, 100 ns apart and 80 ns long; a digit waits for that many us first;
/// '(' and ')' enclose a range that is named by its place ("step 1").
Trace trace_of(const QByteArray& script)
{
    Tape tape;
    Ns now = 0;
    Ns opened = 0;
    int ranges = 0;
    for (const char c : script) {
        if (c >= '0' && c <= '9') {
            now += (c - '0') * 1000;
        } else if (c == '(') {
            opened = now;
        } else if (c == ')') {
            tape.range("step " + std::to_string(++ranges), opened, now);
        } else {
            const auto call = tape.call("cudaLaunchKernel", now, now + 10);
            tape.kernel(call, 13, now + 20, now + 100, 0, std::string(1, c));
            now += 100;
        }
    }
    return tape.finish();
}

QString told(const std::optional<SteadyState>& steady)
{
    return !steady ? QStringLiteral("-")
                   : QStringLiteral("%1 %2 %3..%4")
                         .arg(steady->found == SteadyState::Found::ranges
                                 ? QStringLiteral("ranges '%1'").arg(QString::fromStdString(steady->name))
                                 : QStringLiteral("launches"))
                         .arg(steady->count)
                         .arg(steady->span.start)
                         .arg(steady->span.end);
}

}  // namespace

class tst_SteadyState : public QObject {
    Q_OBJECT

private slots:
    void takesTheNumberOff_data();
    void takesTheNumberOff();
    void finds_data();
    void finds();
    void startsWithTheFirstOfItsParts();
    void findsLongPeriods();
    void findsInRecordings_data();
    void findsInRecordings();
    void isARangeByItsName();
    void isNoPlumbing();
    void followWithinRounding_data();
    void followWithinRounding();
    void rareReads_data();
    void rareReads();
    void isInReportsOfPrograms();
};

void tst_SteadyState::takesTheNumberOff_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("rest");
    QTest::newRow("PyTorch") << "ProfilerStep#7"
                             << "ProfilerStep";
    QTest::newRow("space") << "step 12"
                           << "step";
    QTest::newRow("brackets") << "step (3)"
                              << "step";
    QTest::newRow("no separator") << "iter10"
                                  << "iter";
    QTest::newRow("several separators") << "epoch: #10"
                                        << "epoch";
    QTest::newRow("number inside") << "conv2d forward"
                                   << "conv2d forward";
    QTest::newRow("number alone") << "42"
                                  << "42";
    QTest::newRow("separator and number") << "#42"
                                          << "#42";
    QTest::newRow("brackets alone") << "()"
                                    << "()";
    QTest::newRow("place") << "backward (train.py:63)"
                           << "backward (train.py:63)";
    QTest::newRow("none") << ""
                          << "";
}

void tst_SteadyState::takesTheNumberOff()
{
    QFETCH(QString, name);
    const std::string given = name.toStdString();
    QTEST(
        QString::fromUtf8(without_number(given).data(), static_cast<qsizetype>(without_number(given).size())), "rest");
}

void tst_SteadyState::finds_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QString>("expected");
    QTest::newRow("nothing") << QByteArray() << "-";
    QTest::newRow("no repetition") << QByteArray("abcdefgh") << "-";
    QTest::newRow("twice is no repetition") << QByteArray("abcabc") << "-";
    QTest::newRow("start-up, then three ranges") << QByteArray("xy9(ab)(ab)(ab)") << "ranges 'step' 3 9200..9800";
    QTest::newRow("the warm-up is left out") << QByteArray("x(a9b)(ab)(ab)(ab)") << "ranges 'step' 3 9300..9900";
    QTest::newRow("three stay, warm-up or not") << QByteArray("x(a9b)(ab)(ab)") << "ranges 'step' 3 100..9700";
    QTest::newRow("the warm-up did the work, and then nothing did")
        << QByteArray("(a9b)(c9d)(e9f)(g9h)(1)(1)(1)(1)(1)(1)(1)(1)(1)") << "-";
    QTest::newRow("the warm-up did the work, launches repeat")
        << QByteArray("(a9b)(a9b)(a9b)(a9b)(1)(1)(1)(1)(1)(1)(1)(1)(1)") << "launches 4 0..36800";
    QTest::newRow("ranges without operations are none") << QByteArray("abcdefgh(9)(9)(9)") << "-";
    QTest::newRow("ranges that are a part of what repeats")
        << QByteArray("a(bcd)a(bcd)a(bcd)a(bcd)a(bcd)") << "ranges 'step' 5 100..2000";
    QTest::newRow("ranges of the smaller part are not it")
        << QByteArray("abcabcabcabcabc(d)(d)(d)") << "launches 5 0..1500";
    QTest::newRow("start-up, then launches") << QByteArray("xyzuvw9abcdabcdabcdabcd") << "launches 4 9600..11200";
    QTest::newRow("the outer loop") << QByteArray("x9aabbbcaabbbcaabbbcaabbbc") << "launches 4 9100..11500";
    QTest::newRow("one kernel again and again") << QByteArray("9aaaaaaaa") << "launches 8 9000..9800";
    QTest::newRow("one of many was another") << QByteArray("abcabcabcabcabcabxabcabcabcabc") << "launches 10 0..3000";
}

void tst_SteadyState::finds()
{
    QFETCH(QByteArray, script);
    const Trace trace = trace_of(script);
    QTEST(told(find_steady_state(trace)), "expected");
    QTEST(told(find_steady_state(trace)), "expected");  // again the same
}

/// In a loop without a range whose parts have ranges, an iteration goes from the first part to the next
/// first part.
void tst_SteadyState::startsWithTheFirstOfItsParts()
{
    Tape tape;
    Ns now = 1000;
    const auto part = [&](const std::string& name, int launches) {
        const Ns begin = now;
        for (int i = 0; i < launches; ++i) {
            tape.kernel(tape.call("cudaLaunchKernel", now, now + 10), 13, now + 20, now + 100);
            now += 100;
        }
        tape.range(name, begin, now);
        now += 10;
    };
    part("warm the cache", 1);
    for (int i = 0; i < 6; ++i) {
        part("forward (train.py:61)", 3);
        part("backward (train.py:63)", 7);
        part("optimizer", 2);
    }
    const Trace trace = tape.finish();
    QCOMPARE(told(find_steady_state(trace)), QStringLiteral("ranges 'forward (train.py:61)' 6 1110..8480"));
    const auto iterations = find_iterations(trace);
    QCOMPARE(iterations.size(), std::size_t {6});
    for (std::size_t i = 0; i < 6; ++i) {
        QCOMPARE(iterations[i].start, 1110 + static_cast<Ns>(i) * 1230);
        QCOMPARE(iterations[i].end, std::min<Ns>(iterations[i].start + 1230, trace.duration));
    }
}

void tst_SteadyState::findsLongPeriods()
{
    Tape tape;
    Ns now = 0;
    const auto launch = [&](const std::string& name) {
        tape.kernel(tape.call("cudaLaunchKernel", now, now + 1), 13, now + 1, now + 9, 0, name);
        now += 10;
    };
    for (int i = 0; i < 500; ++i) {
        launch("init " + std::to_string(i));
    }
    const Ns start = now;
    for (int iteration = 0; iteration < 20; ++iteration) {
        for (int layer = 0; layer < 48; ++layer) {  // 48 equal layers between a head and a tail
            for (const char* name : {"norm", "qkv", "attention", "projection", "norm", "up", "down"}) {
                launch(layer == 0 ? "embed" : layer == 47 ? "adam" : name);
            }
        }
    }
    const auto steady = find_steady_state(tape.finish());
    QVERIFY(steady.has_value());
    QCOMPARE(steady->count, std::size_t {20});
    QCOMPARE(steady->span, (Interval {start, now - 1}));
}

void tst_SteadyState::findsInRecordings_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("expected");
    const QString shipped = qEnvironmentVariable("LANES_SOURCE") + "/resources/recordings/h200/";
    QTest::newRow("batches") << shipped + "item-every-batch.never.sqlite"
                             << "launches 400 14880..8856699";
    QTest::newRow("items") << shipped + "item-every-batch.every.sqlite"
                           << "launches 200 16420..14757738";
    QTest::newRow("graph") << shipped + "cuda-graph.launches.sqlite"
                           << "launches 800 3380..3811071";
    QTest::newRow("copies") << shipped + "copy-results-back.blocking.sqlite"
                            << "ranges 'matrix' 8 2805..50082137";
    const QString shared = qEnvironmentVariable("LANES_SOURCE") + "/../shared/data/nsys/";
    QTest::newRow("three launches") << shared + "flameox_2025_5.sqlite"
                                    << "-";
    QTest::newRow("two kernels") << shared + "nsysai_mock.sqlite"
                                 << "-";
}

void tst_SteadyState::findsInRecordings()
{
    QFETCH(QString, file);
    if (!QFileInfo::exists(file)) {
        QSKIP("not here");
    }
    QTEST(told(find_steady_state(open_recording(file.toStdString()))), "expected");
}

void tst_SteadyState::isARangeByItsName()
{
    const auto trace = trace_of("xy9(ab)(ab)(ab)");
    QCOMPARE(parse_range_of(trace, " steady"), (Interval {9200, 9800}));
    QCOMPARE(parse_range_of(trace, "100ns:"), (Interval {100, trace.duration}));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, parse_range_of(trace, "stead"));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, parse_range_of(trace_of("abcdefgh"), "steady"));
}

/// Frames that only call the next one, and those of PyTorch, come in all sizes.
void tst_SteadyState::isNoPlumbing()
{
    const auto found = [](std::string_view inner) {
        Tape tape;
        Ns now = 0;
        for (int i = 0; i < 15; ++i) {  // three encoders, then three steps of four
            const Ns begin = now;
            for (int k = 0; k < 4; ++k) {
                const auto call = tape.call("cudaLaunchKernel", now, now + 10);
                tape.kernel(call, 13, now + 20, now + 100, 0, std::string(1, static_cast<char>('a' + (i * 7 + k) % 5)));
                now += 110;
            }
            tape.range(inner, begin, now, 1, "python_function");
            if (i >= 3 && i % 4 == 2) {
                tape.range("model.py(7): denoise", begin - 3 * 440, now, 1, "python_function");
            }
        }
        const auto steady = find_steady_state(tape.finish());
        return steady ? steady->name : std::string();
    };
    QCOMPARE(found("user.py(3): half_a_step"), std::string("user.py(3): half_a_step"));
    QCOMPARE(found("torch/nn/modules/module.py(1779): _call_impl"), std::string("model.py(7): denoise"));
    QCOMPARE(found("torch/utils/_device.py(99): __torch_function__"), std::string("model.py(7): denoise"));
}

void tst_SteadyState::followWithinRounding_data()
{
    QTest::addColumn<Ns>("overlap");
    QTest::addColumn<std::size_t>("count");
    for (const Ns overlap : {Ns {0}, Ns {1}, Ns {250}, Ns {1000}}) {
        QTest::addRow("%lld ns", static_cast<long long>(overlap)) << overlap << std::size_t {6};
    }
    QTest::newRow("more than rounding") << Ns {1001} << std::size_t {3};
}

/// Times that are rounded let a range end after the next one began: six ranges, each of 10 µs and more.
void tst_SteadyState::followWithinRounding()
{
    QFETCH(Ns, overlap);
    QFETCH(std::size_t, count);
    Tape tape;
    for (int i = 0; i < 6; ++i) {
        const Ns begin = i * Ns {10'000};
        for (const Ns at : {begin + 2000, begin + 4000}) {
            tape.kernel(tape.call("cudaLaunchKernel", at, at + 10), 13, at + 20, at + 100);
        }
        tape.range("step " + std::to_string(i), begin, begin + 10'000 + overlap);
    }
    const auto trace = tape.finish();
    const auto iterations = find_iterations(trace);
    QCOMPARE(iterations.size(), count);
    for (std::size_t i = 0; i + 1 < iterations.size(); ++i) {
        QVERIFY(iterations[i].end <= iterations[i + 1].start);
    }
}

void tst_SteadyState::rareReads_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("expected");
    QTest::newRow("steps of PyTorch's profiler") << "ProfilerStep#%1"
                                                 << "ranges 'ProfilerStep' 40";
    QTest::newRow("layers, for all that is known") << "layer %1"
                                                   << "launches 4";
}

/// Forty ranges of equal launches; a result is read after each ten.
void tst_SteadyState::rareReads()
{
    QFETCH(QString, name);
    QFETCH(QString, expected);
    Tape tape;
    Ns now = 0;
    for (int i = 0; i < 40; ++i) {
        const Ns begin = now;
        for (const char* kernel : {"a", "b", "c", "d"}) {
            tape.kernel(tape.call("cudaLaunchKernel", now, now + 1000), 13, now + 2000, now + 10'000, 0, kernel);
            now += 10'000;
        }
        if (i % 10 == 9) {
            const auto read = tape.call("cudaMemcpyAsync", now, now + 5000);
            tape.copy(read, 13, now + 2000, now + 4000, CopyKind::d2h, MemoryKind::pageable, true);
            now += 5000;
        }
        tape.range(name.arg(i).toStdString(), begin, now);
    }
    const auto found = told(find_steady_state(tape.finish()));
    QVERIFY2(found.startsWith(expected + ' '), qPrintable(found));
}

void tst_SteadyState::isInReportsOfPrograms()
{
    const auto text = [](Trace trace) {
        const Recording recording = reported(std::move(trace));
        return QString::fromStdString(to_text(*recording.trace, *recording.report));
    };
    const QString line = QStringLiteral("The part that repeats: 3 iterations (step) in 600 ns, 9.20 µs to 9.80 µs; "
                                        "--range steady shows only that part\n");
    QVERIFY(text(trace_of("xy9(ab)(ab)(ab)")).contains(line));
    QVERIFY(!text(trace_of("abcdefgh")).contains("repeats"));
    Trace lesson = trace_of("xy9(ab)(ab)(ab)");
    lesson.meta[meta::workload] = "a lesson";
    QVERIFY(!text(std::move(lesson)).contains("repeats"));
}

QTEST_GUILESS_MAIN(tst_SteadyState)
#include "tst_steady_state.moc"
