// SPDX-License-Identifier: MIT
// Limits on how much more of something a run may have than another: how they are read, when they hold, and what
// cannot be compared.
#include "engine/analysis/compare/gate.h"
#include "engine/analysis/words/json_writer.h"
#include "engine/trace/meta_keys.h"
#include "tests/engine/analysis/tape.h"

#include <memory>
#include <QTest>

using namespace lanes;

class tst_Gate : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void reads();
    void refuses_data();
    void refuses();
    void holds_data();
    void holds();
    void medians();
    void nothingOfNothing();
    void cannotCompare();
    void unknownFigures();
    void iterations();
    void sumsOverOtherLengths_data();
    void sumsOverOtherLengths();
    void markdown();
};

namespace {

constexpr Ns us = 1000;

/// A run whose kernel takes `kernel` and whose thread is blocked until it is done.
struct Run {
    explicit Run(Ns kernel, const std::function<void(Tape&)>& change = {})
    {
        Tape tape;
        tape.stream(13, StreamRecord::non_blocking);
        tape.kernel(tape.call("cudaLaunchKernel", 0, us), 13, us, us + kernel);
        tape.sync(
            tape.call("cudaStreamSynchronize", 2 * us, us + kernel), SyncRecord::stream_sync, 2 * us, us + kernel, 13);
        if (change) {
            change(tape);
        }
        trace = std::make_unique<Trace>(tape.finish());
        report = std::make_unique<Report>(make_report(*trace, find_blocking(*trace)));
    }
    ReportedRecording of() const { return {*trace, *report, "run"}; }
    std::unique_ptr<Trace> trace;
    std::unique_ptr<Report> report;
};

ComparedSide side(const std::vector<Run>& runs)
{
    std::vector<ReportedRecording> all;
    for (const auto& run : runs) {
        all.push_back(run.of());
    }
    return ComparedSide(std::move(all));
}

ComparedSide side(const Run& run)
{
    return ComparedSide({run.of()});
}

}  // namespace

void tst_Gate::reads()
{
    const auto limits = parse_gate(" wall<5%,blocked < +10 % , overlap>-5%,idle<2ms,free>-1.5us");
    QCOMPARE(limits.size(), std::size_t {5});
    QCOMPARE(side_figure_name(limits[0].figure), "wall");
    QVERIFY(limits[0].below && limits[0].relative);
    QCOMPARE(limits[0].bound, 5.);
    QCOMPARE(limits[1].text, "blocked<+10%");
    QCOMPARE(limits[1].bound, 10.);
    QVERIFY(!limits[2].below && limits[2].relative);
    QCOMPARE(limits[2].bound, -5.);
    QVERIFY(!limits[3].relative);
    QCOMPARE(limits[3].bound, 2e6);
    QCOMPARE(limits[4].bound, -1500.);
}

void tst_Gate::refuses_data()
{
    QTest::addColumn<QString>("gate");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* gate, const char* says) { QTest::newRow(gate) << gate << says; };
    row("", "column 1: found the end, expected wall, iteration, busy");
    row("wal<5%",
        "column 1: found 'wal<5%', expected wall, iteration, busy, idle, overlap, hidden, exposed, blocked, held, "
        "held_cost or free; did you mean 'wall'?");
    row("wall<5%,", "column 9: found the end, expected wall");
    row("wall=5%", "column 5: found '=5%', expected '<' or '>'");
    row("wall<", "column 6: found the end, expected a number");
    row("wall<x%", "column 6: found 'x%', expected a number");
    row("wall<+-5%", "column 6: found '+-5%', expected a number");
    row("wall<nan%", "column 6: found 'nan%', expected a number");
    row("wall<5", "column 7: found the end, expected %, ns, us, ms or s");
    row("wall<5 MiB", "column 8: found 'MiB', expected %, ns");
    row("wall<5% busy<1%", "column 9: found 'busy<1%', expected ',' and another limit, or the end");
}

void tst_Gate::refuses()
{
    QFETCH(QString, gate);
    QFETCH(QString, says);
    try {
        parse_gate(gate.toStdString());
        QFAIL("was read");
    } catch (const GateError& error) {
        QVERIFY2(QString(error.what()).startsWith(says), error.what());
    }
}

void tst_Gate::holds_data()
{
    QTest::addColumn<QString>("gate");
    QTest::addColumn<int>("b");  // µs; A's kernel takes 99 µs, its wall time is 100 µs
    QTest::addColumn<bool>("holds");
    QTest::newRow("as long") << "wall<5%" << 99 << true;
    QTest::newRow("4 % longer") << "wall<5%" << 103 << true;
    QTest::newRow("5 % longer") << "wall<5%" << 104 << false;
    QTest::newRow("shorter") << "wall<5%" << 50 << true;
    QTest::newRow("must be shorter") << "wall<-10%" << 95 << false;
    QTest::newRow("is shorter") << "wall<-10%" << 80 << true;
    QTest::newRow("4 us longer") << "wall<5us" << 103 << true;
    QTest::newRow("5 us longer") << "wall<5us" << 104 << false;
    QTest::newRow("no less busy") << "busy>-5%" << 99 << true;
    QTest::newRow("much less busy") << "busy>-5%" << 90 << false;
    QTest::newRow("held longer") << "blocked<10%" << 120 << false;
}

void tst_Gate::holds()
{
    QFETCH(QString, gate);
    QFETCH(int, b);
    QFETCH(bool, holds);
    const Run from(99 * us);
    const Run to(b * us);
    QVERIFY(!cannot_compare(side(from), side(to)));
    const auto judged = judge(parse_gate(gate.toStdString()), side(from), side(to));
    QCOMPARE(judged.size(), std::size_t {1});
    QCOMPARE(judged[0].holds, holds);
    QCOMPARE(judged[0].within_spread, false);  // one run a side: its spread is unknown
    const auto text = Messages::english().format(judged_message(judged[0]));
    QVERIFY2(text.find(holds ? "holds" : "exceeded") != std::string::npos, text.c_str());
}

void tst_Gate::medians()
{
    std::vector<Run> before;
    std::vector<Run> after;
    for (const Ns kernel : {99, 199, 89}) {
        before.emplace_back(kernel * us);
    }
    for (const Ns kernel : {119, 115, 129}) {
        after.emplace_back(kernel * us);
    }
    const auto a = side(before);
    const auto b = side(after);
    QCOMPARE(a.shown, std::size_t {0});
    QCOMPARE(*a.figures[0], (Spread {90 * us, 100 * us, 200 * us}));
    const auto judged = judge(parse_gate("wall<5%"), a, b);
    QCOMPARE(judged[0].a, 100 * us);
    QCOMPARE(judged[0].b, 120 * us);
    QVERIFY(!judged[0].holds);
    QVERIFY(judged[0].within_spread);  // one of A took 200 µs
    // The change is given in the limit's unit: percent, or time.
    const auto text = [](const Judged& each) { return Messages::english().format(judged_message(each)); };
    QVERIFY(text(judged[0]).find("+20.0 %") != std::string::npos);
    const auto by_time = text(judge(parse_gate("wall<5us"), a, b)[0]);
    QVERIFY2(by_time.find("100 µs → 120 µs, +20.0 µs") != std::string::npos, by_time.c_str());
    // What exceeds a limit never looks as if it were equal to it.
    const Run longer(104'040);
    const auto exceeded = text(judge(parse_gate("wall<5%"), side(Run(99 * us)), side(longer))[0]);
    QVERIFY2(exceeded.find("exceeded: 100 µs → 105 µs, +5.04 %") != std::string::npos, exceeded.c_str());
    const auto faster = text(judge(parse_gate("wall>5us"), b, a)[0]);
    QVERIFY2(faster.find("120 µs → 100 µs, -20.0 µs") != std::string::npos, faster.c_str());
    before.erase(before.begin() + 1);
    QVERIFY(!judge(parse_gate("wall<5%"), side(before), b)[0].within_spread);
    // A repeated run knows how much its runs differ.
    Run repeated(99 * us);
    repeated.trace->meta[meta::repeat_totals_ns] = "95000 100000 125000";
    QVERIFY(judge(parse_gate("wall<5%"), side(repeated), b)[0].within_spread);
}

void tst_Gate::nothingOfNothing()
{
    const Run run(99 * us);
    QVERIFY(judge(parse_gate("overlap<1%,overlap>-1%"), side(run), side(run))[1].holds);
    const Run overlapped(99 * us, [](Tape& tape) {
        tape.copy(
            tape.call("cudaMemcpyAsync", 0, us, 2), 14, 10 * us, 20 * us, CopyKind::d2h, MemoryKind::pinned, true);
    });
    QVERIFY(!judge(parse_gate("overlap<1000%"), side(run), side(overlapped))[0].holds);
    QVERIFY(judge(parse_gate("overlap>5%"), side(run), side(overlapped))[0].holds);
}

void tst_Gate::cannotCompare()
{
    const auto why = [](const Run& a, const Run& b) {
        const auto message = cannot_compare(side(a), side(b));
        return message ? QString::fromStdString(message->id) : QString();
    };
    const Run run(99 * us);
    QCOMPARE(why(run, run), QString());
    // A change may cut kernels into pieces or make more steps.
    const auto more = [](Tape& tape) { tape.kernel(tape.call("cudaLaunchKernel", 0, us, 2), 14, us, 3 * us); };
    QCOMPARE(why(run, Run(99 * us, more)), QString());
    const auto other_kernels
        = [](Tape& tape) { tape.kernel(tape.call("cudaLaunchKernel", 0, us, 2), 14, us, 300 * us, 0, "another"); };
    QCOMPARE(why(run, Run(us, other_kernels)), QString("gate.little_in_common"));
    QCOMPARE(why(Run(us, other_kernels), run), QString("gate.little_in_common"));
    const auto other_kernels_of_copied = [&](Tape& tape) {  // but they get the same data
        other_kernels(tape);
        tape.copy(tape.call("cudaMemcpyAsync", 0, us, 3), 15, us, 2 * us, CopyKind::h2d, MemoryKind::pinned, true);
    };
    const auto copied = [](Tape& tape) {
        tape.copy(tape.call("cudaMemcpyAsync", 0, us, 3), 15, us, 2 * us, CopyKind::h2d, MemoryKind::pinned, true);
    };
    QCOMPARE(why(Run(99 * us, copied), Run(us, other_kernels_of_copied)), QString());
    Run workload(99 * us);
    workload.report->workload = "one";
    QCOMPARE(why(workload, run), QString("gate.work"));
    Run model(99 * us);
    model.trace->source = Source::model;
    QCOMPARE(why(run, model), QString("gate.model"));
    Run other(99 * us);
    Device device {};
    device.name = other.trace->strings.intern("another GPU");
    other.trace->devices.assign(1, device);
    QCOMPARE(why(run, other), QString("gate.devices"));
    Run cut(99 * us);
    cut.trace->meta[meta::complete] = "no";
    QCOMPARE(why(run, cut), QString("gate.cut_short"));
    Run lossy(99 * us);
    lossy.report->counts.dropped = 3;
    QCOMPARE(why(run, lossy), QString("gate.lost_records"));
    Run wrong(99 * us);
    wrong.report->wrong_bytes = 64;
    QCOMPARE(why(wrong, run), QString("gate.wrong_bytes"));
    QCOMPARE(why(run, Run(0)), QString());  // shorter work is the same work
    std::vector<Run> mixed;
    mixed.emplace_back(99 * us);
    mixed.emplace_back(
        99 * us, [](Tape& tape) { tape.kernel(tape.call("cudaLaunchKernel", 0, us, 2), 14, us, 3 * us); });
    QVERIFY(cannot_compare(side(run), side(mixed)).has_value());  // also among the runs of a side
}

void tst_Gate::unknownFigures()
{
    const Run run(99 * us);
    const Run silent(99 * us, [](Tape& tape) {  // a wait for something unknown
        tape.call("cudaStreamSynchronize", 110 * us, 190 * us);
        tape.kernel(tape.call("cudaLaunchKernel", 100 * us, 102 * us), 15, 103 * us, 188 * us);
    });
    QVERIFY_THROWS_EXCEPTION(GateError, judge(parse_gate("free<5%"), side(run), side(silent)));
    QVERIFY(judge(parse_gate("wall<1000%"), side(run), side(silent))[0].holds);
}

void tst_Gate::iterations()
{
    const Run run(10 * us);
    const auto of = [&](MaybeNs iteration) {
        return ComparedSide({ReportedRecording {*run.trace, *run.report, "run", iteration}});
    };
    const auto limits = parse_gate("iteration<5%");
    QVERIFY(judge(limits, of(100 * us), of(104 * us)).front().holds);
    QVERIFY(!judge(limits, of(100 * us), of(106 * us)).front().holds);
    try {
        judge(limits, of(100 * us), of({}));
        QFAIL("was judged");
    } catch (const GateError& error) {
        QCOMPARE(error.what(), "the figure 'iteration' is unknown: not all of them have iterations of one kind");
    }
}

void tst_Gate::sumsOverOtherLengths_data()
{
    QTest::addColumn<int>("a");  // iterations; 0: none were found
    QTest::addColumn<int>("b");
    QTest::addColumn<bool>("otherWork");  // B launched twice as many kernels
    QTest::addColumn<QString>("gate");
    QTest::addColumn<QString>("says");  // "": it is judged
    const auto row = [](const char* name, int a, int b, bool otherWork, const char* gate, const char* says = "") {
        QTest::newRow(name) << a << b << otherWork << gate << says;
    };
    row("wall", 20, 12, true, "wall<5%",
        "the figure 'wall' grows with the number of iterations, and A has 20, B 12; judge 'iteration', the average of "
        "one");
    row("more of them", 12, 20, true, "iteration<5%,held_cost<5ms",
        "the figure 'held_cost' grows with the number of iterations, and A has 12, B 20; judge 'iteration', the "
        "average of one");
    row("an iteration", 20, 12, true, "iteration<5%");
    row("as many, with more kernels", 20, 20, true, "wall<5%");
    row("one more of many", 200, 201, true, "wall<5%");
    row("one more was found in the same work", 20, 19, false, "wall<5%");
    row("unknown of one", 20, 0, true, "wall<5%");
}

void tst_Gate::sumsOverOtherLengths()
{
    QFETCH(int, a);
    QFETCH(int, b);
    QFETCH(bool, otherWork);
    QFETCH(QString, gate);
    QFETCH(QString, says);
    const Run run(10 * us);
    const Run longer(10 * us, [](Tape& tape) { tape.kernel(tape.call("cudaLaunchKernel", 0, us, 2), 14, us, 2 * us); });
    const auto of = [](const Run& each, int count) {
        return ComparedSide({ReportedRecording {*each.trace, *each.report, "run",
            count > 0 ? MaybeNs(us) : std::nullopt, static_cast<std::size_t>(count)}});
    };
    QString said;
    try {
        QVERIFY(!judge(parse_gate(gate.toStdString()), of(run, a), of(otherWork ? longer : run, b)).empty());
    } catch (const GateError& error) {
        said = QString::fromUtf8(error.what());
    }
    QCOMPARE(said, says);
}

void tst_Gate::markdown()
{
    const Run from(99 * us);
    const Run to(119 * us);
    const auto a = side(from);
    const auto b = side(to);
    const auto text = QString::fromStdString(
        sides_to_markdown(a, b, judge(parse_gate("wall<5%,busy<50%"), a, b), Messages::english()));
    QVERIFY2(text.startsWith("| | A: run | B: run | B − A |\n|---|---:|---:|---:|\n| Wall time | 100 µs | 120 µs | "
                             "+20.0 µs (+20.0 %) |\n"),
        qPrintable(text));
    QVERIFY(text.contains("- **wall\\<5% exceeded: 100 µs → 120 µs, +20.0 %**"));
    QVERIFY(text.contains("- busy\\<50% holds"));
}

QTEST_GUILESS_MAIN(tst_Gate)
#include "tst_gate.moc"
