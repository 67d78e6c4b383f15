// SPDX-License-Identifier: MIT
// Findings of a GPU that has nothing to do: launch-bound, starved, and what the CPU did meanwhile.
#include "tests/engine/analysis/findings/found.h"

using namespace lanes;

namespace {

constexpr Ns us = 1000;

}  // namespace

class tst_FindingsIdle : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void launchBound();
    void partsOfOneIteration_data();
    void partsOfOneIteration();
    void starved();
    void cpuLate();
    void whatIsLate_data();
    void whatIsLate();
    void boundsShareTheIdleTime();
    void firstOfTheirKind_data();
    void firstOfTheirKind();
    void whatStarves_data();
    void whatStarves();
};

void tst_FindingsIdle::launchBound()
{
    for (const Ns kernel : {2 * us, 9 * us}) {
        Tape tape;
        for (int i = 0; i < 50; ++i) {
            const Ns at = i * 10 * us;
            tape.kernel(tape.call("cudaLaunchKernel", at, at + 9 * us), 13, at + 8 * us, at + 8 * us + kernel);
        }
        const auto finding = find_in(tape, "launch-bound");
        // Of each 10 us the GPU works in 2, and 1 is between two calls. It costs what a graph gains, which is more than
        // half of the idle time and less than all of it.
        QVERIFY(kernel == 2 * us ? finding.is_replayed && finding.cost > 50 * 4 * us && finding.cost < 50 * 8 * us
                                 : finding.cost == 0);
        QCOMPARE(finding.count, kernel == 2 * us ? 49U : 0U);  // the first is start-up
    }
    for (const char* call : {"cudaLaunchKernel", "cudaGraphLaunch"}) {  // who launches graphs needs no advice to
        Tape tape;
        for (Ns at = 0; at < 500 * us; at += 10 * us) {
            tape.kernel(tape.call(call, at, at + 9 * us), 13, at + 8 * us, at + 10 * us);
        }
        const auto finding = find_in(tape, "launch-bound");
        QCOMPARE(finding.count, 49U);
        QCOMPARE(advice_of(finding) == "finding.launch-bound.advice_graphs", call[4] == 'G');
    }
}

void tst_FindingsIdle::partsOfOneIteration_data()
{
    QTest::addColumn<Ns>("start");
    QTest::addColumn<std::size_t>("count");
    QTest::newRow("from one call to the next") << 20'000 * us << std::size_t {2};
    QTest::newRow("from the end of one kernel to that of the next") << 20'105 * us << std::size_t {1};
    QTest::newRow("in the middle of two idle times") << 25'000 * us << std::size_t {2};
}

/// What ended an idle time is its reason, though it begins after the part, or what came before it ended earlier.
void tst_FindingsIdle::partsOfOneIteration()
{
    QFETCH(const Ns, start);
    QFETCH(const std::size_t, count);
    Tape tape;
    for (Ns at = 0; at < 100'000 * us; at += 10'000 * us) {
        tape.kernel(tape.call("cudaLaunchKernel", at, at + 5 * us), 13, at + 5 * us, at + 105 * us, 0,
            "kernel_" + std::to_string(at / us % 47) + "(int)");
    }
    const auto trace = tape.finish();
    const auto report = make_report(trace, find_blocking(trace), Interval {start, start + 10'000 * us});
    QCOMPARE(report.gpu_busy, 100 * us);
    QCOMPARE(report.verdict.kind, Verdict::Kind::cpu_late);
    const auto finding = find(report.findings, "cpu-late");
    COMPARE_ABOUT(finding.cost, 9'900 * us);
    QCOMPARE(finding.count, count);
}

void tst_FindingsIdle::starved()
{
    for (const Ns work : {100 * us, 20 * us}) {
        Tape tape;
        Ns at = 0;
        for (int i = 0; i < 10; ++i) {
            tape.host_span(HostSpanRecord::work, at, at + work);
            at += work;
            tape.kernel(tape.call("cudaLaunchKernel", at, at + 2 * us), 13, at + 2 * us, at + 62 * us);
            at += 3 * us;
        }
        if (work < 60 * us) {
            continue;  // its kernels would overlap on their stream
        }
        const auto finding = find_in(tape, "starved");
        COMPARE_ABOUT(finding.cost, 9 * 41 * us);  // what precedes the first kernel is start-up
        QCOMPARE(finding.evidence[0].table, EventTable::host_spans);
    }
    Tape tape;  // busy two thirds of the time
    for (Ns at = 0; at < 1000 * us; at += 100 * us) {
        tape.host_span(HostSpanRecord::work, at, at + 30 * us);
        tape.kernel(tape.call("cudaLaunchKernel", at + 30 * us, at + 32 * us), 13, at + 32 * us, at + 100 * us);
    }
    QCOMPARE(find_in(tape, "starved").count, 0U);
}

/// Between its calls the thread does what is not recorded: how long the GPU waits for it is known. Kernels with other
/// names each time make no graph, and what they wait for before the first is start-up.
void tst_FindingsIdle::cpuLate()
{
    Tape tape;
    for (int i = 0; i < 50; ++i) {
        const Ns at = 200 * us + i * 100 * us;
        tape.kernel(tape.call("cudaLaunchKernel", at, at + 5 * us), 13, at + 4 * us, at + 14 * us, 0,
            "kernel_" + std::to_string(i * i % 47) + "(int)");
    }
    const auto report = report_of(tape.finish());
    QCOMPARE(report.verdict.kind, Verdict::Kind::cpu_late);
    const auto finding = find(report.findings, "cpu-late");
    COMPARE_ABOUT(finding.cost, 49 * 90 * us);
    QCOMPARE(finding.count, 49U);
    QCOMPARE(finding.evidence[0].table, EventTable::operations);
    QCOMPARE(advice_of(finding), std::string("finding.cpu-late.advice_unrecorded"));
    QVERIFY(finding.changes.empty());
    QCOMPARE(find(report.findings, "launch-bound").count, 0U);
}

void tst_FindingsIdle::whatIsLate_data()
{
    QTest::addColumn<Ns>("every");
    QTest::addColumn<std::string>("range");  // that has most of the time before each launch; "": none
    QTest::addColumn<std::string>("domain");
    QTest::addColumn<bool>("operators");
    QTest::addColumn<std::string>("advice");
    const std::string frame = "python_function", none;
    QTest::newRow("short times in a range")
        << 100 * us << std::string("queue.get") << none << false << std::string("finding.cpu-late.advice_range");
    QTest::newRow("long times in a range")
        << 5000 * us << std::string("queue.get") << none << false << std::string("finding.cpu-late.advice_long_range");
    QTest::newRow("short times in a frame")
        << 100 * us << std::string("loop.py(7): next") << frame << true << std::string("finding.cpu-late.advice_range");
    QTest::newRow("long times in a frame")
        << 5000 * us << std::string("gc.collect") << frame << true << std::string("finding.cpu-late.advice_long_range");
    QTest::newRow("short times in nothing, between operators")
        << 100 * us << none << none << true << std::string("finding.cpu-late.advice");
    QTest::newRow("long times in nothing, between operators")
        << 5000 * us << none << none << true << std::string("finding.cpu-late.advice_nothing");
    QTest::newRow("long times in nothing")
        << 5000 * us << none << none << false << std::string("finding.cpu-late.advice_nothing");
}

/// A server waits for requests in a range of its own, a loop collects garbage or sleeps: the advice names that. What
/// takes a millisecond between two launches is not the launching; nothing of the program says what it is.
void tst_FindingsIdle::whatIsLate()
{
    QFETCH(const Ns, every);
    QFETCH(const std::string, range);
    QFETCH(const std::string, domain);
    QFETCH(const bool, operators);
    QFETCH(const std::string, advice);
    Tape tape;
    for (int i = 0; i < 50; ++i) {
        const Ns at = 200 * us + (i + 1) * every;
        if (!range.empty()) {
            tape.range(range, at - every + 20 * us, at - 2 * us, 1, domain);
        }
        if (operators) {
            tape.range("aten::mm", at - us, at + 6 * us, 1, "cpu_op");
        }
        tape.kernel(tape.call("cudaLaunchKernel", at, at + 5 * us), 13, at + 4 * us, at + 14 * us, 0,
            "kernel_" + std::to_string(i * i % 47) + "(int)");
    }
    const auto finding = find(report_of(tape.finish(Source::kineto)).findings, "cpu-late");
    QCOMPARE(advice_of(finding), advice);
    QVERIFY(finding.changes.empty());
}

/// A kernel without a call, and findings of which not all are replayed. The GPU is idle while memory is allocated,
/// because of a wait before it, and while nothing is recorded: no part of that time counts twice.
void tst_FindingsIdle::boundsShareTheIdleTime()
{
    Tape tape;
    tape.kernel(tape.unrecorded(), 13, 10 * us, 12 * us, 0, "orphan");
    for (int i = 0; i < 30; ++i) {
        const Ns at = 50 * us + i * 1410 * us;
        tape.call("cudaMalloc", at, at + 200 * us);
        tape.kernel(tape.call("cudaLaunchKernel", at + 200 * us, at + 205 * us), 13, at + 208 * us, at + 508 * us);
        const auto sync = tape.call("cudaStreamSynchronize", at + 206 * us, at + 512 * us);
        tape.sync(sync, SyncRecord::stream_sync, at + 206 * us, at + 512 * us, 13);
    }
    const auto report = report_of(tape.finish());
    QCOMPARE(report.verdict.kind, Verdict::Kind::cpu_late);
    QVERIFY(find(report.findings, "allocation-in-loop").count > 0);
    QVERIFY(find(report.findings, "sync-in-loop").count > 0);
    QVERIFY(find(report.findings, "cpu-late").count > 0);
    Ns sum = 0;
    for (const auto& finding : report.findings) {
        sum += finding.cost;
    }
    QVERIFY2(sum <= report.wall - report.gpu_busy, std::to_string(sum).c_str());
}

void tst_FindingsIdle::firstOfTheirKind_data()
{
    QTest::addColumn<QByteArray>("names");  // of what the GPUs wait for, after a kernel "a"
    QTest::addColumn<bool>("gpus");  // each on a GPU of its own
    QTest::addColumn<Ns>("wait");
    QTest::addColumn<bool>("is_late");
    QTest::newRow("a kernel that ran before") << QByteArray("aaa") << false << 60'000 * us << true;
    QTest::newRow("the first of each name") << QByteArray("bcd") << false << 60'000 * us << false;
    QTest::newRow("the first of each GPU") << QByteArray("aaa") << true << 60'000 * us << false;
    QTest::newRow("without delay") << QByteArray("bcd") << false << 900 * us << true;
}

/// What a GPU waits for before the first operation of its kind is start-up: a context, a handle, code.
void tst_FindingsIdle::firstOfTheirKind()
{
    QFETCH(QByteArray, names);
    QFETCH(bool, gpus);
    QFETCH(Ns, wait);
    QFETCH(bool, is_late);
    Tape tape;
    Ns now = 50 * us;
    const auto launch = [&](std::uint32_t gpu, std::string_view kernel) {
        tape.kernel(
            tape.call("cudaLaunchKernel", now, now + 5 * us), 13 + gpu, now + 4 * us, now + 14 * us, gpu, kernel);
    };
    launch(0, "a");
    for (int i = 0; i < names.size(); ++i) {
        now += wait;
        launch(gpus ? static_cast<std::uint32_t>(i) + 1 : 0, std::string(1, names[i]));
    }
    const auto report = report_of(tape.finish());
    QCOMPARE(report.verdict.kind == Verdict::Kind::cpu_late, is_late);
    QCOMPARE(find(report.findings, "cpu-late").count > 0, is_late);
    if (!is_late) {
        QCOMPARE(report.verdict.message.id, std::string("verdict.gaps"));  // no one of the three is half of it
    }
}

/// What the CPU did for half of it or more is what the finding says.
void tst_FindingsIdle::whatStarves_data()
{
    QTest::addColumn<QString>("what");
    for (const char* what : {"first", "operators", "on the CPU", "allocating", "capturing"}) {
        QTest::newRow(what) << QString(what);
    }
}

void tst_FindingsIdle::whatStarves()
{
    QFETCH(const QString, what);
    constexpr Ns ms = 1000 * us;
    Tape tape;
    Ns at = 0;
    for (int i = 0; i < 10; ++i) {
        const Ns length = what == "first" && i == 0 ? 30 * ms : 2 * ms;
        if (what == "allocating") {
            static_cast<void>(tape.call("cudaMallocHost", at, at + length, 2));
        } else {
            tape.range("aten::mm", at, at + length, 1, "cpu_op");
        }
        if (what == "capturing") {
            static_cast<void>(tape.call("cudaStreamBeginCapture", at + 100 * us, at + 101 * us));
            static_cast<void>(tape.call("cudaStreamEndCapture", at + length - 10 * us, at + length - us));
        }
        if (i == 0) {  // what is done once is no loop, whatever it is
            static_cast<void>(tape.call("cudaFree", at + 10 * us, at + 800 * us));
        }
        at += length;
        const Ns launched = what == "on the CPU" ? at : at - 3 * us;  // else by the operator
        tape.kernel(tape.call("cudaLaunchKernel", launched, launched + 2 * us), 13, at + 2 * us, at + 62 * us);
        at += 70 * us;
    }
    const auto report = report_of(tape.finish(Source::kineto));
    QCOMPARE(find(report.findings, "allocation-in-loop").count, 0U);
    QCOMPARE(find(report.findings, "first-operators").count > 0, what == "first");
    const auto captures = find(report.findings, "graph-capture");
    QCOMPARE(captures.count, what == "capturing" ? 9U : 0U);  // the first is before the first kernel
    if (what == "capturing") {
        QVERIFY(std::abs(captures.cost - 20 * ms) < 3 * ms);
        QVERIFY(captures.changes.empty());  // a graph of what is captured gains nothing
        return;
    }
    const auto finding = find(report.findings, "starved");
    QCOMPARE(QByteArray::fromStdString(advice_of(finding)),
        QByteArray(what == "first"     ? "finding.starved.advice_operators"
                : what == "on the CPU" ? "finding.starved.advice"
                                       : "finding.starved.advice_" + what.toLatin1()));
    QCOMPARE(QByteArray::fromStdString(finding.title.id),
        QByteArray(what == "allocating" ? "finding.starved.title_allocating"
                : what == "first"       ? "finding.in_steady"  // the nine iterations after the long one
                                        : "finding.starved.title"));
}

QTEST_GUILESS_MAIN(tst_FindingsIdle)
#include "tst_findings_idle.moc"
