// SPDX-License-Identifier: MIT
// Iterations: their figures, the typical one, and why others took longer.
#include "engine/analysis/facts/length_step.h"
#include "engine/analysis/iterations.h"
#include "engine/analysis/words/json_writer.h"
#include "engine/analysis/words/shown.h"
#include "engine/store/recording_file.h"
#include "tests/engine/analysis/graphed.h"
#include "tests/engine/analysis/longer_steps.h"

#include <QFileInfo>
#include <QTest>
#include <simdjson.h>

using namespace lanes;

class tst_Iterations : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void ofRanges();
    void afterItsWork_data();
    void afterItsWork();
    void ofLaunches();
    void lastsToTheNext_data();
    void lastsToTheNext();
    void isAsLongAsItsTurn_data();
    void isAsLongAsItsTurn();
    void ofPrograms_data();
    void ofPrograms();
    void ofNothing();
    void stepsOfLengths_data();
    void stepsOfLengths();
    void aStepIsSaid();
    void shipped_data();
    void shipped();
};

namespace {

constexpr Ns us = 1000;

struct Told : Graphed {
    explicit Told(Trace of)
        : Graphed(std::move(of))
        , iterations(iterations_of(graph, RecordingBounds(trace, blocking)))
    {
    }

    std::optional<Iterations> iterations;
};

/// Eight steps of 200 µs: host work (nothing that is recorded) of 50 µs, a kernel, a wait for it. The first one is a
/// warm-up, the fifth has a kernel of 400 µs, the seventh a cudaMalloc.
Trace steps(bool with_ranges)
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    Ns now = 0;
    for (int i = 0; i < 8; ++i) {
        const Ns begin = now;
        const Ns kernel = i == 0 ? 1500 * us : i == 4 ? 400 * us : 140 * us;
        now += 50 * us;
        if (i == 6) {
            tape.call("cudaMalloc", now, now + 90 * us);
            now += 90 * us;
        }
        tape.kernel(tape.call("cudaLaunchKernel", now, now + 4 * us), 13, now + 5 * us, now + 5 * us + kernel);
        const auto sync = tape.call("cudaStreamSynchronize", now + 5 * us, now + 10 * us + kernel);
        tape.sync(sync, SyncRecord::stream_sync, now + 5 * us, now + 10 * us + kernel, 13);
        now += 10 * us + kernel;
        if (with_ranges) {
            tape.range("step " + std::to_string(i), begin, now);
        }
        now += 7 * us;
    }
    return tape.finish();
}

}  // namespace

void tst_Iterations::ofRanges()
{
    const Told told(steps(true));
    QVERIFY(told.iterations.has_value());
    const auto& all = told.iterations->all;
    QCOMPARE(told.iterations->name, "step");
    QCOMPARE(told.trace.text(told.iterations->all[3].label), "step 3");
    QCOMPARE(all.size(), std::size_t {8});
    QCOMPARE(told.iterations->typical, std::size_t {1});
    QCOMPARE(all[1].wall(), 207 * us);
    QCOMPARE(all[1].after_work, 7 * us);
    QCOMPARE(all[7].wall(), 200 * us);
    QCOMPARE(all[7].after_work, 0);
    QCOMPARE(all[1].busy, 140 * us);
    QCOMPARE(all[1].blocked, MaybeNs(145 * us));
    QCOMPARE(all[1].kernels, std::uint64_t {1});
    std::vector<Iteration::Outlier> outliers;
    for (const auto& iteration : all) {
        outliers.push_back(iteration.outlier);
    }
    using Of = Iteration::Outlier;
    QCOMPARE(outliers,
        (std::vector<Of> {Of::warm_up, Of::none, Of::none, Of::none, Of::slow, Of::none, Of::slow, Of::none}));
    // What made them slow.
    const auto slow = differences_of(all[1], all[4]);
    QCOMPARE(slow.size(), std::size_t {1});
    QCOMPARE(slow[0].first.kind, PathPart::operation);
    QCOMPARE(told.trace.text(slow[0].first.name), "work");
    QCOMPARE(slow[0].second, 260 * us);
    const auto allocates = differences_of(all[1], all[6]);
    QCOMPARE(told.trace.text(allocates.at(0).first.name), "cudaMalloc");
    QCOMPARE(allocates.at(0).second, 90 * us);
    const auto text = QString::fromStdString(iterations_text(told.trace, *told.iterations, Messages::english()));
    QVERIFY2(text.contains(
                 "8 iterations (step), 207 µs to 467 µs, 265 µs on average; number 2 is typical, with 207 µs; warm-up "
                 "iterations left out: 1"),
        qPrintable(text));
    QVERIFY2(text.contains("slower: work +260 µs"), qPrintable(text));
    QVERIFY2(text.contains("slower: cudaMalloc +90.0 µs"), qPrintable(text));
    JsonWriter json;
    json.begin_object();
    write_iterations(json, told.trace, *told.iterations);
    simdjson::dom::parser parser;
    const auto written = json.end_object().take();
    const simdjson::dom::element root = parser.parse(written);
    QCOMPARE(std::int64_t(root["iterations"]["all"].at(4)["differences"].at(0)["time_ns"]), 260 * us);
    QCOMPARE(std::string_view(root["iterations"]["all"].at(4)["label"]), "step 4");
    QCOMPARE(average_wall(*told.iterations), (4 * 207 + 467 + 297) * us / 6);  // without the first and the last one
}

void tst_Iterations::afterItsWork_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("domain");
    QTest::addColumn<bool>("is_work");
    QTest::addColumn<QString>("reason");
    QTest::newRow("nothing") << QByteArray() << QByteArray() << false << "not recorded +900 µs";
    QTest::newRow("a range") << QByteArray("save") << QByteArray() << false << "in save +900 µs";
    QTest::newRow("a frame of Python") << QByteArray("gc.collect") << QByteArray("python_function") << false
                                       << "in gc.collect +900 µs";
    QTest::newRow("host work") << QByteArray() << QByteArray() << true << "span +900 µs";
}

/// The fifth of eight iterations is longer by what its thread does after its last operation and call.
void tst_Iterations::afterItsWork()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, domain);
    QFETCH(bool, is_work);
    QFETCH(QString, reason);
    Tape tape;
    Ns now = 0;
    for (int i = 0; i < 8; ++i) {
        const Ns begin = now;
        tape.kernel(tape.call("cudaLaunchKernel", now, now + 4 * us), 13, now + 5 * us, now + 200 * us);
        now += 200 * us;
        tape.range("step " + std::to_string(i), begin, now);
        const Ns until = now + 900 * us;
        if (i == 4 && !name.isEmpty()) {
            tape.range(name.toStdString(), now, until, 1, domain.toStdString());
        }
        if (i == 4 && is_work) {
            tape.host_span(HostSpanRecord::work, now, until);
        }
        now = i == 4 ? until : now;
    }
    const Told told(tape.finish());
    QVERIFY(told.iterations.has_value());
    const auto text = QString::fromStdString(iterations_text(told.trace, *told.iterations, Messages::english()));
    QVERIFY2(text.contains("slower: " + reason), qPrintable(text));
}

void tst_Iterations::ofLaunches()
{
    const Told told(steps(false));
    QVERIFY(told.iterations.has_value());
    const auto& all = told.iterations->all;
    QCOMPARE(told.iterations->found, SteadyState::Found::launches);
    QCOMPARE(all[3].label, 0U);
    QCOMPARE(all.size(), std::size_t {8});
    QCOMPARE(all[4].outlier, Iteration::Outlier::slow);
    for (std::size_t i = 1; i < all.size(); ++i) {
        QCOMPARE(all[i].span.start, all[i - 1].span.end);
    }
}

void tst_Iterations::lastsToTheNext_data()
{
    QTest::addColumn<bool>("ranges");
    QTest::addColumn<Ns>("loading");
    for (const bool ranges : {true, false}) {
        for (const Ns loading : {Ns {0}, 30 * us, 9000 * us}) {
            QTest::addRow("%s, %lld us", ranges ? "ranges" : "launches", static_cast<long long>(loading / us))
                << ranges << loading;
        }
    }
}

/// What nothing records between two iterations is of the first of them; nothing comes after the last one.
void tst_Iterations::lastsToTheNext()
{
    QFETCH(bool, ranges);
    QFETCH(Ns, loading);
    Tape tape;
    Ns now = 0;
    for (int i = 0; i < 6; ++i) {
        const Ns begin = now;
        for (const char* name : {"a", "b"}) {
            tape.kernel(tape.call("cudaLaunchKernel", now, now + 4 * us), 13, now + 5 * us, now + 100 * us, 0, name);
            now += 100 * us;
        }
        if (ranges) {
            tape.range("step " + std::to_string(i), begin, now);
        }
        now += loading;
    }
    const Told told(tape.finish());
    QVERIFY(told.iterations.has_value());
    const auto& all = told.iterations->all;
    QCOMPARE(all.size(), std::size_t {6});
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Ns rest = i + 1 < all.size() ? loading : 0;
        QCOMPARE(all[i].wall(), 200 * us + rest);
        QCOMPARE(all[i].after_work, rest);
        QCOMPARE(all[i].outlier, Iteration::Outlier::none);
    }
    const auto text = QString::fromStdString(iterations_text(told.trace, *told.iterations, Messages::english()));
    const auto time = QString::fromStdString(shown_time(200 * us + loading));
    QVERIFY2(text.contains(QStringLiteral("%1 to %1, %1 on average; number 1 is typical, with %1").arg(time)),
        qPrintable(text));
}

void tst_Iterations::isAsLongAsItsTurn_data()
{
    QTest::addColumn<QString>("early");
    QTest::addColumn<Ns>("takes");
    QTest::addColumn<Ns>("first");
    QTest::addColumn<Ns>("others");
    QTest::newRow("an upload") << "" << 100 * us << 1100 * us << 1000 * us;
    QTest::newRow("a kernel") << "zero" << 10 * us << 1010 * us << 1000 * us;
    QTest::newRow("a receive") << "ncclDevKernel_SendRecv" << 1050 * us << 2050 * us << 1050 * us;
}

/// The CPU issues all steps at once. Each has a kernel of 1 ms, which waits for what a second stream does as early as
/// it can. What is early does not begin the step: else the last one would take the time of all.
void tst_Iterations::isAsLongAsItsTurn()
{
    QFETCH(QString, early);
    QFETCH(Ns, takes);
    QFETCH(Ns, first);
    QFETCH(Ns, others);
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.stream(14, StreamRecord::non_blocking);
    Ns prepared = 0, done = 0;
    for (int i = 0; i < 6; ++i) {
        const Ns begin = 10 * i * us;
        const bool uploads = early.isEmpty();
        const auto call = tape.call(uploads ? "cudaMemcpyAsync" : "cudaLaunchKernel", begin, begin + us);
        const Ns from = i == 0 ? begin : prepared;
        prepared = from + takes;
        if (uploads) {
            tape.copy(call, 14, from, prepared, CopyKind::h2d, MemoryKind::pinned, true);
        } else {
            tape.kernel(call, 14, from, prepared, 0, early.toStdString());
        }
        const Ns starts = std::max(prepared, done);
        done = starts + 1000 * us;
        tape.kernel(tape.call("cudaLaunchKernel", begin + 2 * us, begin + 3 * us), 13, starts, done);
        tape.range("step " + std::to_string(i), begin, begin + 5 * us);
    }
    const Told told(tape.finish());
    QVERIFY(told.iterations.has_value());
    std::vector<Ns> walls;
    for (const auto& iteration : told.iterations->all) {
        walls.push_back(iteration.wall());
    }
    QCOMPARE(walls, (std::vector<Ns> {first, others, others, others, others, others}));
}

void tst_Iterations::ofPrograms_data()
{
    QTest::addColumn<QString>("file");
    for (const char* name : {"loader-w0", "loader-w4", "mnist", "mnist.pt"}) {
        QTest::newRow(name)
            << QStringLiteral("%1/../shared/data/programs/%2.sqlite").arg(qEnvironmentVariable("LANES_SOURCE"), name);
    }
}

/// Together they take as long as the part that repeats.
void tst_Iterations::ofPrograms()
{
    QFETCH(QString, file);
    if (!QFileInfo::exists(file)) {
        QSKIP("not here");
    }
    const Told told(open_recording(file.toStdString()));
    QVERIFY(told.iterations.has_value());
    const auto steady = find_steady_state(told.trace);
    Ns sum = 0;
    for (auto i = told.iterations->all.size() - steady->count; i < told.iterations->all.size(); ++i) {
        sum += told.iterations->all[i].wall();
    }
    const auto share = static_cast<double>(sum) / static_cast<double>(steady->span.end - steady->span.start);
    QVERIFY2(share > 0.99 && share < 1.01, qPrintable(QString::number(share)));
}

void tst_Iterations::ofNothing()
{
    Tape tape;
    tape.kernel(tape.call("cudaLaunchKernel", 0, us), 13, us, 100 * us);
    QVERIFY(!Told(tape.finish()).iterations.has_value());
    Tape empty;
    QVERIFY(!Told(empty.finish()).iterations.has_value());
}

void tst_Iterations::shipped_data()
{
    rows_of_shipped_recordings();
}

/// Iterations follow one another, and the parts of each path add up to its iteration's length.
void tst_Iterations::shipped()
{
    QFETCH(QString, path);
    const Told told(open_recording(path.toStdString()));
    if (!told.iterations) {
        return;
    }
    const auto& all = told.iterations->all;
    QVERIFY(all.size() >= least_iterations && told.iterations->typical < all.size());
    Ns until = 0;
    for (const auto& iteration : all) {
        QVERIFY(until == 0 || iteration.span.start == until);
        until = iteration.span.end;
        Ns sum = 0;
        for (const auto& [cause, time] : iteration.path) {
            QVERIFY(time > 0);
            sum += time;
        }
        QCOMPARE(sum, iteration.wall());
        Ns more = 0;
        for (const auto& [cause, time] : differences_of(all[told.iterations->typical], iteration)) {
            more += time;
        }
        const Ns rest = iteration.wall() - all[told.iterations->typical].wall() - more;
        QVERIFY(std::abs(rest) <= all[told.iterations->typical].wall() / 5);  // of many small ones
    }
}

void tst_Iterations::stepsOfLengths_data()
{
    QTest::addColumn<QList<Ns>>("lengths");
    QTest::addColumn<int>("first");  // of the later part; -1: there is no step
    QTest::addColumn<Ns>("before");
    QTest::addColumn<Ns>("after");
    const auto row = [](const char* name, const QList<Ns>& lengths, int first = -1, Ns before = 0, Ns after = 0) {
        QTest::newRow(name) << lengths << first << before << after;
    };
    row("longer from the middle on", {100, 101, 99, 100, 102, 140, 141, 139, 142, 140}, 5, 100, 140);
    row("shorter after a while", {150, 151, 150, 152, 149, 150, 100, 101, 99, 100, 100, 102}, 6, 150, 100);
    row("all as long but one", {100, 100, 100, 100, 100, 100, 100, 100, 100, 900});
    row("all as long", QList<Ns>(20, 100));
    row("a long one in each part of ten",
        {100, 100, 700, 100, 100, 100, 100, 100, 100, 100, 140, 140, 140, 140, 140, 20, 140, 140, 140, 140}, 10, 100,
        140);
    row("less than a tenth", {100, 100, 100, 100, 100, 109, 109, 109, 109, 109});
    row("a tenth", {100, 100, 100, 100, 100, 110, 110, 110, 110, 110}, 5, 100, 110);
    row("as much as they differ anyway", {90, 120, 100, 80, 110, 120, 110, 140, 100, 130});
    row("little by little", {100, 110, 120, 130, 140, 150, 160, 170, 180, 190, 200, 210});
    row("every fourth", {100, 100, 100, 200, 100, 100, 100, 200, 100, 100, 100, 200, 100, 100, 100, 200});
    row("in turns", {100, 150, 100, 150, 100, 150, 100, 150, 100, 150, 100, 150});
    row("five of each in turns", {100, 100, 100, 100, 100, 150, 150, 150, 150, 150, 100, 100, 100, 100, 100});
    row("four at the end", {100, 100, 100, 100, 100, 100, 150, 150, 150, 150});
    row("nine", {100, 100, 100, 100, 150, 150, 150, 150, 150});
    row("nothing", {});
}

void tst_Iterations::stepsOfLengths()
{
    QFETCH(QList<Ns>, lengths);
    QFETCH(int, first);
    QFETCH(Ns, before);
    QFETCH(Ns, after);
    const auto step = find_length_step(std::vector<Ns>(lengths.begin(), lengths.end()));
    QCOMPARE(step.has_value(), first >= 0);
    if (step) {
        QCOMPARE(*step, (LengthStep {static_cast<std::size_t>(first), before, after}));
    }
}

void tst_Iterations::aStepIsSaid()
{
    const Graphed told(longer_steps());
    const auto report = make_report(told.trace, told.blocking);
    QVERIFY(report.length_step.has_value());
    QCOMPARE(*report.length_step, (LengthStep {12, 110 * us, 160 * us}));
    const std::string says = "From iteration 13 on an iteration typically takes 160 µs, before it 110 µs\n";
    QVERIFY(to_text(told.trace, report).find(says) != std::string::npos);
    const auto json = to_json(told.trace, report);
    QVERIFY(json.find(R"("length_step": {"from": "iteration:13", "before_ns": 110000, "after_ns": 160000})")
        != std::string::npos);
    QVERIFY(!make_report(told.trace, told.blocking, Interval {0, told.trace.duration / 2}).length_step);
}

QTEST_GUILESS_MAIN(tst_Iterations)
#include "tst_iterations.moc"
